/* core/source_kind.c - which container a file is, by its first bytes and never by its name. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/source_reader.h"

enum { HEAD_BYTES = 16, SIGNATURE_BYTES = 8 };

static const unsigned char hdf5_signature[SIGNATURE_BYTES] = {0x89, 'H',  'D',  'F',
                                                              '\r', '\n', 0x1a, '\n'};

ulp_status_t ulp_file_read(const ulp_file_t *file, void *buffer, uint64_t offset, size_t n,
                           const char *path, ulp_error_t *err)
{
    char *next = buffer;
    while (n > 0) {
        /* Linux reads no more than 2 GiB at once; so do we. */
        size_t want = n < ((size_t)1 << 30) ? n : (size_t)1 << 30;
        ssize_t got = pread(file->descriptor, next, want, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return ulp_error_set(err, ULP_ERROR_IO, "%.250s: cannot read: %s", path,
                                 strerror(errno));
        }
        if (got == 0) {
            return ulp_error_set(err, ULP_ERROR_FORMAT,
                                 "%.250s: truncated: the file ends at byte %llu, while it is read",
                                 path, (unsigned long long)offset);
        }
        next += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return ULP_OK;
}

static ulp_status_t open_regular(ulp_file_t *file, const char *path, ulp_error_t *err)
{
    struct stat status;
    /* O_NONBLOCK: the open of a FIFO must not wait for its writer. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        ulp_status_t code =
            ulp_error_set(err, ULP_ERROR_IO, "%.250s: cannot open: %s", path, strerror(errno));
        if (descriptor >= 0) {
            close(descriptor);
        }
        return code;
    }
    if (!S_ISREG(status.st_mode)) {
        close(descriptor);
        return ulp_error_set(err, ULP_ERROR_IO, "%.250s: cannot read: %s", path,
                             S_ISDIR(status.st_mode) ? "it is a directory" : "not a regular file");
    }
    file->descriptor = descriptor;
    file->nbytes = (uint64_t)status.st_size;
    return ULP_OK;
}

/* The signature stands at 0, or after a user block of 512, 1024, 2048, ... bytes [HDF5]. */
static ulp_status_t find_hdf5(int *found, const ulp_file_t *file, const char *path,
                              ulp_error_t *err)
{
    unsigned char bytes[SIGNATURE_BYTES];
    *found = 0;
    uint64_t at = 0;
    while (file->nbytes >= SIGNATURE_BYTES && at <= file->nbytes - SIGNATURE_BYTES) {
        ulp_status_t status = ulp_file_read(file, bytes, at, sizeof bytes, path, err);
        if (status != ULP_OK) {
            return status;
        }
        if (memcmp(bytes, hdf5_signature, sizeof bytes) == 0) {
            *found = 1;
            return ULP_OK;
        }
        at = at == 0 ? 512 : 2 * at;
    }
    return ULP_OK;
}

/* What is in the place of one of ours. */
static ulp_status_t refuse(const unsigned char *head, size_t n, const char *path, ulp_error_t *err)
{
    if (n >= 4 && memcmp(head, "PK\003\004", 4) == 0) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%.250s: a zip archive (.npz, or .pt of torch): unpack it (unzip) and "
                             "give the .npy in it, or save the tensor as .npy, .h5 or .safetensors",
                             path);
    }
    if (n >= 2 && head[0] == 0x1f && head[1] == 0x8b) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "%.250s: compressed by gzip: gunzip it",
                             path);
    }
    if (n > 0 && n < SIGNATURE_BYTES &&
        (memcmp(head, hdf5_signature, n) == 0 || memcmp(head, "\x93NUMPY", n < 6 ? n : 6) == 0)) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.250s: truncated: it ends after %zu byte%s, within its signature",
                             path, n, n == 1 ? "" : "s");
    }
    if (n >= 4 && memcmp(head, "CDF", 3) == 0) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%.250s: classic NetCDF: convert it to NetCDF-4, which is HDF5", path);
    }
    char text[5] = "";
    memcpy(text, head, n < 4 ? n : 4);
    for (size_t i = 0; i < 4; i++) {
        if (text[i] != '\0' && (text[i] < 0x20 || text[i] > 0x7e)) {
            text[i] = '.';
        }
    }
    return ulp_error_set(err, ULP_ERROR_FORMAT,
                         "%.250s: not HDF5, .npy or .safetensors (begins with %02x %02x %02x %02x, "
                         "\"%s\")",
                         path, head[0], head[1], head[2], head[3], text);
}

ulp_status_t ulp_reader_find(const ulp_reader_t **out, ulp_file_t *out_file, const char *path,
                             ulp_error_t *err)
{
    unsigned char head[HEAD_BYTES + 1] = {0};
    ulp_file_t file = {.descriptor = -1};
    int is_hdf5 = 0;
    ulp_status_t status = open_regular(&file, path, err);
    if (status != ULP_OK) {
        return status;
    }
    size_t n = file.nbytes < HEAD_BYTES ? (size_t)file.nbytes : HEAD_BYTES;
    status = ulp_file_read(&file, head, 0, n, path, err);
    if (status == ULP_OK) {
        status = find_hdf5(&is_hdf5, &file, path, err);
    }
    if (status != ULP_OK) {
        close(file.descriptor);
        return status;
    }
    const ulp_reader_t *reader = NULL;
    if (is_hdf5) {
        reader = ulp_reader_hdf5();
    } else if (n >= 6 && memcmp(head, "\x93NUMPY", 6) == 0) {
        reader = ulp_reader_npy();
    } else if (n > 8 && head[8] == '{') {
        reader = ulp_reader_safetensors();
    }
    if (reader == NULL) {
        close(file.descriptor);
        if (n == 0) {
            return ulp_error_set(err, ULP_ERROR_FORMAT, "%.250s: an empty file", path);
        }
        return refuse(head, n, path, err);
    }
    *out = reader;
    *out_file = file;
    return ULP_OK;
}
