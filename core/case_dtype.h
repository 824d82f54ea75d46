/*
 * core/case_dtype.h - the line "NAME=FORMAT,NAME=FORMAT" that names formats which the storage does
 * not.
 */
#ifndef ULP_CORE_CASE_DTYPE_H
#define ULP_CORE_CASE_DTYPE_H

#include <stddef.h>

#include "core/status.h"

typedef struct {
    char *name;   /* "a", "outputs/h100" */
    char *format; /* as written, a leading "=" included */
    int used;     /* datasets that asked for it and got it */
} ulp_dtype_item_t;

typedef struct {
    size_t count;
    ulp_dtype_item_t *item;
} ulp_dtype_list_t;

/** Parse a line; NULL is the empty list. Fails: ARGUMENT (an item that is not NAME=FORMAT), MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_dtype_list_parse(ulp_dtype_list_t *out, const char *line,
                                                 ulp_error_t *err);
void ulp_dtype_list_free(ulp_dtype_list_t *list);

/** The format for a dataset, by "GROUP/NAME" (a leading slash allowed in the line) or else by NAME;
 * NULL if the line does not name it. */
const char *ulp_dtype_list_find(ulp_dtype_list_t *list, const char *group, const char *name);

/** Fails: ARGUMENT when an item was never used, or, without its group, by more than one dataset. */
ULP_MUST_CHECK ulp_status_t ulp_dtype_list_check(const ulp_dtype_list_t *list, const char *path,
                                                 ulp_error_t *err);

#endif
