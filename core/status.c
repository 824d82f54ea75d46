/* core/status.c - messages of errors, and the assertion that stays in release builds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name from a file may hold anything; a message stays one line. */
static void keep_one_line(char *message)
{
    for (char *p = message; *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            *p = '?';
        }
    }
}

ulp_status_t ulp_error_set(ulp_error_t *err, ulp_status_t code, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        keep_one_line(err->message);
        err->code = code;
    }
    return code;
}

ulp_status_t ulp_error_prefix(ulp_error_t *err, ulp_status_t code, const char *prefix)
{
    if (err != NULL) {
        char rest[sizeof err->message];
        memcpy(rest, err->message, sizeof rest);
        ulp_error_set(err, code, "%s: %.400s", prefix, rest);
    }
    return code;
}

void ulp_assert_fail(const char *condition, const char *file, int line)
{
    fprintf(stderr, "ulpscope: %s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
