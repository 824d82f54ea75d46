/*
 * core/file_replace.h - a file replaced as a whole, or left as it was.
 */
#ifndef ULP_CORE_FILE_REPLACE_H
#define ULP_CORE_FILE_REPLACE_H

#include <stddef.h>

#include "core/status.h"

/**
 * Make `path` hold these bytes: written to a new file beside it, synchronised, renamed onto it. On
 * failure the new file is removed and `path` is as it was. A symbolic link stays and the file that
 * it points to is replaced; the permissions of a file that was there are kept.
 *
 * Fails: IO, with the system's reason: a directory or device at `path`, no permission, disk full
 */
ULP_MUST_CHECK ulp_status_t ulp_file_replace(const char *path, const void *bytes, size_t nbytes,
                                             ulp_error_t *err);

#endif
