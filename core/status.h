/*
 * core/status.h - how functions say that the world is wrong, and how they abort when the caller is.
 */
#ifndef ULP_CORE_STATUS_H
#define ULP_CORE_STATUS_H

typedef enum {
    ULP_OK = 0,
    ULP_ERROR_MEMORY,     /* allocation failed */
    ULP_ERROR_IO,         /* cannot open, read or write */
    ULP_ERROR_FORMAT,     /* the file is not what it says, or truncated */
    ULP_ERROR_MISSING,    /* a dataset, attribute or input is absent */
    ULP_ERROR_AMBIGUOUS,  /* storage or name that has more than one meaning */
    ULP_ERROR_SHAPE,      /* shapes do not fit each other or the operation */
    ULP_ERROR_ARGUMENT,   /* a name, number or line that cannot be understood */
    ULP_ERROR_UNSUPPORTED /* understood, and not provided */
} ulp_status_t;

typedef struct {
    ulp_status_t code;
    char message[512]; /* one line, no newline: what, where, what to do */
} ulp_error_t;

#if defined(__GNUC__)
#define ULP_MUST_CHECK            __attribute__((warn_unused_result))
#define ULP_PRINTF(string, first) __attribute__((__format__(__printf__, string, first)))
#else
#define ULP_MUST_CHECK
#define ULP_PRINTF(string, first)
#endif

/**
 * Store a message and return the code: `return ulp_error_set(err, ULP_ERROR_IO, "%s: ...", path)`.
 *
 * @param err  may be NULL
 */
ulp_status_t ulp_error_set(ulp_error_t *err, ulp_status_t code, const char *format, ...)
    ULP_PRINTF(3, 4);

/** Put "PREFIX: " in front of a message already stored, and return its code. */
ulp_status_t ulp_error_prefix(ulp_error_t *err, ulp_status_t code, const char *prefix);

/** Print file, line and condition and abort, in all builds. */
_Noreturn void ulp_assert_fail(const char *condition, const char *file, int line);
#define ULP_ASSERT(condition)                                                                      \
    ((condition) ? (void)0 : ulp_assert_fail(#condition, __FILE__, __LINE__))

#endif
