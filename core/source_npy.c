/* core/source_npy.c - arrays of .npy files. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/npy_header.h"
#include "core/source_reader.h"

enum { MAGIC_BYTES = 6, PREFIX_BYTES = 12 };
/* NumPy's own headers have some hundred bytes; a structured type may have many fields. */
#define HEADER_BYTES_MAX ((uint32_t)1 << 20)

struct npy {
    ulp_file_t file;
    uint64_t data_at;
    int is_fortran;
    void *all; /* Fortran order: the whole array in C order, made by the first read */
};

static void close_npy(void *state)
{
    struct npy *npy = state;
    close(npy->file.descriptor);
    free(npy->all);
    free(npy);
}

static uint32_t little(const unsigned char *bytes, int n)
{
    uint32_t value = 0;
    for (int i = n - 1; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static ulp_status_t read_header(ulp_npy_header_t *out, uint64_t *data_at, const ulp_file_t *file,
                                const char *path, ulp_error_t *err)
{
    unsigned char prefix[PREFIX_BYTES] = {0};
    size_t have = file->nbytes < PREFIX_BYTES ? (size_t)file->nbytes : PREFIX_BYTES;
    ulp_status_t status = ulp_file_read(file, prefix, 0, have, path, err);
    if (status != ULP_OK) {
        return status;
    }
    unsigned major = prefix[MAGIC_BYTES];
    unsigned at = major == 1 ? 10 : 12;
    if (have <= MAGIC_BYTES + 1 || (major >= 1 && major <= 3 && have < at)) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.250s: truncated: .npy of %zu bytes, less than its header", path,
                             have);
    }
    if (major < 1 || major > 3 || prefix[MAGIC_BYTES + 1] != 0) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%.250s: .npy version %u.%u: 1.0, 2.0 and 3.0 are known", path, major,
                             prefix[MAGIC_BYTES + 1]);
    }
    uint32_t length = little(prefix + 8, major == 1 ? 2 : 4);
    if (length > HEADER_BYTES_MAX) {
        return ulp_error_set(err, ULP_ERROR_FORMAT, "%.250s: .npy header of %lu bytes: damaged?",
                             path, (unsigned long)length);
    }
    if (length > file->nbytes - at) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.250s: truncated: the file has %llu bytes, its .npy header %lu",
                             path, (unsigned long long)file->nbytes, (unsigned long)length + at);
    }
    char *text = malloc(length + 1);
    if (text == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    status = ulp_file_read(file, text, at, length, path, err);
    if (status == ULP_OK) {
        status = ulp_npy_header_parse(out, text, length, path, err);
    }
    free(text);
    *data_at = (uint64_t)at + length;
    return status;
}

/* The array, no less and no more. */
static ulp_status_t check_size(const ulp_file_t *file, uint64_t data_at, uint64_t nbytes,
                               const char *path, ulp_error_t *err)
{
    uint64_t have = file->nbytes - data_at;
    if (have < nbytes) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.250s: truncated: the array takes %llu bytes, %llu are there", path,
                             (unsigned long long)nbytes, (unsigned long long)have);
    }
    if (have > nbytes) {
        char next[MAGIC_BYTES] = {0};
        int is_array = 0;
        if (have - nbytes >= sizeof next) {
            ulp_status_t status =
                ulp_file_read(file, next, data_at + nbytes, sizeof next, path, err);
            if (status != ULP_OK) {
                return status;
            }
            is_array = memcmp(next, "\x93NUMPY", sizeof next) == 0;
        }
        return ulp_error_set(err, ULP_ERROR_FORMAT, "%.250s: %llu bytes after the array: %s", path,
                             (unsigned long long)(have - nbytes),
                             is_array ? "several arrays in one file: save each in its own"
                                      : "not what numpy.save writes");
    }
    return ULP_OK;
}

/* The whole file into memory, elements in C order. */
static ulp_status_t transpose(struct npy *npy, const ulp_source_t *source, ulp_error_t *err)
{
    const ulp_source_info_t *info = &source->info;
    size_t nbytes = ulp_format_bytes(info->format);
    size_t index[ULP_RANK_MAX] = {0};
    size_t stride[ULP_RANK_MAX] = {0};
    size_t at = 0;
    char *from = malloc(info->nelems * nbytes);
    char *to = malloc(info->nelems * nbytes);
    ulp_status_t status = ULP_OK;
    if (from == NULL || to == NULL) {
        status = ulp_error_set(err, ULP_ERROR_MEMORY,
                               "%.250s: out of memory: an array in Fortran order is read whole; "
                               "numpy.ascontiguousarray saves it in C order",
                               source->path);
    } else {
        status =
            ulp_file_read(&npy->file, from, npy->data_at, info->nelems * nbytes, source->path, err);
    }
    if (status != ULP_OK) {
        free(from);
        free(to);
        return status;
    }
    for (int i = 0; i < info->rank; i++) {
        stride[i] = i == 0 ? 1 : stride[i - 1] * info->shape[i - 1];
    }
    for (size_t i = 0; i < info->nelems; i++) {
        memcpy(to + i * nbytes, from + at * nbytes, nbytes);
        for (int d = info->rank - 1; d >= 0; d--) {
            at += stride[d];
            if (++index[d] < info->shape[d]) {
                break;
            }
            at -= stride[d] * info->shape[d];
            index[d] = 0;
        }
    }
    free(from);
    npy->all = to;
    return ULP_OK;
}

static ulp_status_t read_elements(ulp_source_t *source, void *buffer, size_t first, size_t n,
                                  ulp_error_t *err)
{
    struct npy *npy = source->state;
    size_t nbytes = ulp_format_bytes(source->info.format);
    if (!npy->is_fortran) {
        return ulp_file_read(&npy->file, buffer, npy->data_at + (uint64_t)first * nbytes,
                             n * nbytes, source->path, err);
    }
    if (npy->all == NULL) {
        ulp_status_t status = transpose(npy, source, err);
        if (status != ULP_OK) {
            return status;
        }
    }
    memcpy(buffer, (const char *)npy->all + first * nbytes, n * nbytes);
    return ULP_OK;
}

/* Shape and storage, and whether the file holds them. */
static ulp_status_t describe(ulp_source_t *source, ulp_storage_t *storage, struct npy *npy,
                             const char *path, ulp_error_t *err)
{
    ulp_npy_header_t header = {0};
    ulp_status_t status = read_header(&header, &npy->data_at, &npy->file, path, err);
    if (status != ULP_OK) {
        return status;
    }
    source->info.rank = header.rank;
    memcpy(source->info.shape, header.shape, sizeof header.shape);
    status = ulp_shape_nelems(&source->info.nelems, header.rank, header.shape, err);
    if (status != ULP_OK) {
        return ulp_error_prefix(err, status, path);
    }
    npy->is_fortran = header.is_fortran && header.rank > 1 && source->info.nelems > 0;
    snprintf(source->storage, sizeof source->storage, "%.60s%s", header.descr,
             npy->is_fortran ? ", Fortran order" : "");
    /* The size first: of several arrays in one file the first may be of any type. */
    size_t nbytes = ulp_npy_descr_nbytes(header.descr);
    if (nbytes > 0 && source->info.nelems <= UINT64_MAX / nbytes) {
        status =
            check_size(&npy->file, npy->data_at, (uint64_t)source->info.nelems * nbytes, path, err);
    }
    if (status == ULP_OK) {
        status = ulp_npy_descr_describe(storage, header.descr, path, err);
    }
    return status;
}

static ulp_status_t open_npy(ulp_source_t *source, const ulp_file_t *file, const char *path,
                             const char *name, const char *dtype, ulp_error_t *err)
{
    ulp_storage_t storage = {0};
    struct npy *npy = calloc(1, sizeof *npy);
    source->name = ulp_text_copy("");
    if (npy == NULL || source->name == NULL) {
        free(npy);
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    npy->file = *file;
    ulp_status_t status =
        name != NULL ? ulp_error_set(err, ULP_ERROR_MISSING,
                                     "%.250s: an .npy file holds one array without a name: leave "
                                     "out \":%.60s\"",
                                     path, name)
                     : describe(source, &storage, npy, path, err);
    if (status == ULP_OK) {
        status = ulp_storage_resolve(&source->info.format, &storage, NULL, dtype, path, err);
    }
    if (status != ULP_OK) {
        free(npy);
        return status;
    }
    uint16_t probe = 1;
    int host_is_little = *(uint8_t *)&probe == 1;
    source->swap = storage.nbytes > 1 && storage.is_big_endian == host_is_little;
    source->info.piece_nelems = ULP_PIECE_BYTES / storage.nbytes;
    source->state = npy;
    source->read = read_elements;
    source->close = close_npy;
    return ULP_OK;
}

static ulp_status_t list_npy(ulp_listing_t *out, const ulp_file_t *file, const char *path,
                             ulp_error_t *err)
{
    ulp_source_t source = {0};
    ulp_error_t problem = {0};
    ulp_listing_entry_t *entry = ulp_listing_append(out, "");
    if (entry == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    ulp_status_t status = open_npy(&source, file, path, NULL, NULL, &problem);
    entry->format = source.info.format;
    entry->rank = source.info.rank;
    memcpy(entry->shape, source.info.shape, sizeof entry->shape);
    entry->storage = ulp_text_copy(source.storage);
    free(source.name);
    if (status == ULP_OK) {
        struct npy *npy = source.state; /* the file is the caller's */
        free(npy);
    } else if (status == ULP_ERROR_AMBIGUOUS || status == ULP_ERROR_UNSUPPORTED) {
        entry->problem = ulp_text_copy(problem.message);
    } else {
        if (err != NULL) {
            *err = problem;
        }
        return status;
    }
    return entry->storage != NULL
               ? ULP_OK
               : ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
}

const ulp_reader_t *ulp_reader_npy(void)
{
    static const ulp_reader_t reader = {"npy", open_npy, list_npy};
    return &reader;
}
