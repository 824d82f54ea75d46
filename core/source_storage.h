/*
 * core/source_storage.h - from what a file says about its elements to a format, or to words why
 * not.
 *
 * Shared by the readers; a format is never guessed.
 */
#ifndef ULP_CORE_SOURCE_STORAGE_H
#define ULP_CORE_SOURCE_STORAGE_H

#include <stddef.h>

#include "core/status.h"
#include "precision/format.h"

typedef enum {
    ULP_STORAGE_CODES = 0, /* integers or opaque bytes: a name may give them any format that fits */
    ULP_STORAGE_FLOAT      /* a float type: a name must agree with its fields */
} ulp_storage_kind_t;

/* What the storage itself says. */
typedef struct {
    ulp_storage_kind_t kind;
    size_t nbytes;              /* of an element as it is stored: 1, 2, 4 or 8 */
    int is_big_endian;          /* 0 or 1 */
    const ulp_format_t *format; /* NULL: it does not say */
    const char *candidate[4]; /* format NULL: names that fit, for the message; FLOAT: all of them */
    char words[96];           /* "uint16", "opaque of 2 bytes" */
} ulp_storage_t;

/**
 * The format of a dataset: from its storage, from the name stored with it, and from the user.
 *
 * @param attribute  name stored beside the data (attribute dtype), or NULL
 * @param dtype      name that the user gives, or NULL; a leading "=" overrules all but the width
 * @param where      "x.h5: /a", for messages
 *
 * Fails: AMBIGUOUS (nothing says, or a name of several formats), ARGUMENT (a name that is unknown
 * or does not fit), FORMAT (attribute and storage contradict each other)
 */
ULP_MUST_CHECK ulp_status_t ulp_storage_resolve(const ulp_format_t **out,
                                                const ulp_storage_t *storage, const char *attribute,
                                                const char *dtype, const char *where,
                                                ulp_error_t *err);

#endif
