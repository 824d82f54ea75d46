/* core/file_replace.c - write beside, synchronise, rename: nobody sees half a file. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "core/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_KEPT = 200, SUFFIX_MAX = 64, ATTEMPTS_MAX = 1000 };

struct target {
    char *path;      /* where the links end */
    char *temporary; /* beside it */
    mode_t mode;     /* of the file that is there; 0 if none is */
};

static ulp_status_t fail(ulp_error_t *err, const char *path, const char *what, int reason)
{
    return ulp_error_set(err, ULP_ERROR_IO, "%s: %s: %s", path, what, strerror(reason));
}

/* Follow links, and see that what is there may be replaced. */
static ulp_status_t resolve(struct target *target, const char *path, ulp_error_t *err)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
        target->path = realpath(path, NULL);
        if (target->path == NULL) {
            return fail(err, path, "symbolic link that cannot be followed", errno);
        }
    } else {
        target->path = malloc(strlen(path) + 1);
        if (target->path == NULL) {
            return ulp_error_set(err, ULP_ERROR_MEMORY, "%s: out of memory", path);
        }
        memcpy(target->path, path, strlen(path) + 1);
    }
    if (stat(target->path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return fail(err, path, "cannot write", EISDIR);
        }
        if (!S_ISREG(status.st_mode)) {
            return ulp_error_set(err, ULP_ERROR_IO, "%s: cannot write: not a regular file", path);
        }
        if (access(target->path, W_OK) != 0) {
            return fail(err, path, "cannot write", errno);
        }
        target->mode = status.st_mode & 07777;
    } else if (errno != ENOENT) {
        return fail(err, path, "cannot write", errno);
    }
    return ULP_OK;
}

/* A new file beside the target. O_EXCL with a name of our own rather than mkstemp, whose files
 * nobody else may read. */
static int create_beside(struct target *target)
{
    const char *slash = strrchr(target->path, '/');
    const char *name = slash != NULL ? slash + 1 : target->path;
    size_t directory = (size_t)(name - target->path);
    size_t size = strlen(target->path) + SUFFIX_MAX;
    target->temporary = malloc(size);
    if (target->temporary == NULL) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(target->temporary, target->path, directory);
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
        (void)snprintf(target->temporary + directory, size - directory, ".%.*s.%ld-%d", NAME_KEPT,
                       name, (long)getpid(), i);
        int file = open(target->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) {
            return file;
        }
    }
    return -1;
}

/* Returns 0, or the reason. */
static int write_all(int file, const void *bytes, size_t nbytes)
{
    const char *next = bytes;
    while (nbytes > 0) {
        ssize_t done = write(file, next, nbytes);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done < 0 ? errno : EIO;
        }
        next += done;
        nbytes -= (size_t)done;
    }
    return 0;
}

/* The rename itself is on disk when its directory is. Not every file system lets a directory be
 * synchronised: then the rename is as durable as that system makes it. */
static void sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = malloc(strlen(path) + 2);
    if (name == NULL) {
        return;
    }
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    memcpy(name, path, length);
    memcpy(name + length, ".", 2);
    int directory = open(name, O_RDONLY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        close(directory);
    }
    free(name);
}

ulp_status_t ulp_file_replace(const char *path, const void *bytes, size_t nbytes, ulp_error_t *err)
{
    ULP_ASSERT(path != NULL && (bytes != NULL || nbytes == 0));
    struct target target = {0};
    int reason = 0;
    ulp_status_t status = resolve(&target, path, err);
    if (status != ULP_OK) {
        goto done;
    }
    int file = create_beside(&target);
    if (file < 0) {
        status = fail(err, path, "cannot write in its directory", errno);
        goto done;
    }
    if (target.mode != 0 && fchmod(file, target.mode) != 0) {
        reason = errno;
    }
    if (reason == 0) {
        reason = write_all(file, bytes, nbytes);
    }
    if (reason == 0 && fsync(file) != 0 && errno != EINVAL) {
        reason = errno;
    }
    if (close(file) != 0 && reason == 0) {
        reason = errno;
    }
    if (reason == 0 && rename(target.temporary, target.path) != 0) {
        reason = errno;
    }
    if (reason != 0) {
        unlink(target.temporary);
        status = fail(err, path, "cannot write (what was there is unchanged)", reason);
    } else {
        sync_directory(target.path);
    }
done:
    free(target.temporary);
    free(target.path);
    return status;
}
