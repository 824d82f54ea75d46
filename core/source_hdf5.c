/* core/source_hdf5.c - datasets of HDF5 files: opened, and read as the bytes they are. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/case_attribute.h"
#include "core/case_hdf5.h"
#include "core/hdf5_filter.h"
#include "core/hdf5_type.h"
#include "core/source_hdf5.h"
#include "core/source_reader.h"

/* Memory for the chunks of one row of chunks, so that a read by slabs decodes each of them once. */
#define CACHE_BYTES_MIN ((size_t)1 << 20)
#define CACHE_BYTES_MAX ((size_t)256 << 20)

/* An open dataset. */
struct dataset {
    hid_t file, dataset, type, space;
    int rank; /* of the dataspace: 0 for a scalar, 1 for a null one in info, which is never read */
    hsize_t shape[ULP_RANK_MAX];
};

static void close_dataset(void *state)
{
    struct dataset *d = state;
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    H5Sclose(d->space);
    H5Tclose(d->type);
    H5Dclose(d->dataset);
    H5Fclose(d->file);
    ulp_hdf5_speak(&voice);
    free(d);
}

static ulp_status_t broken(const char *where, const char *what, ulp_error_t *err)
{
    char reason[200];
    ulp_hdf5_reason(reason, sizeof reason);
    return ulp_error_set(err, ULP_ERROR_FORMAT, "%.200s: %s: %s", where, what, reason);
}

/* From the dataspace. */
static ulp_status_t read_shape(ulp_source_info_t *info, struct dataset *d, const char *where,
                               ulp_error_t *err)
{
    H5S_class_t kind = H5Sget_simple_extent_type(d->space);
    if (kind == H5S_NULL) {
        info->rank = 1;
        info->shape[0] = 0;
        info->nelems = 0;
        return ULP_OK;
    }
    int rank = H5Sget_simple_extent_ndims(d->space);
    if (rank < 0 || kind == H5S_NO_CLASS) {
        return broken(where, "its shape cannot be read", err);
    }
    if (rank > ULP_RANK_MAX) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%.250s: %d dimensions: at most %d are provided", where, rank,
                             ULP_RANK_MAX);
    }
    if (rank > 0 && H5Sget_simple_extent_dims(d->space, d->shape, NULL) < 0) {
        return broken(where, "its shape cannot be read", err);
    }
    d->rank = rank;
    info->rank = rank;
    for (int i = 0; i < rank; i++) {
        if (d->shape[i] > SIZE_MAX) {
            return ulp_error_set(err, ULP_ERROR_SHAPE, "%.250s: too many elements", where);
        }
        info->shape[i] = (size_t)d->shape[i];
    }
    ulp_status_t status = ulp_shape_nelems(&info->nelems, rank, info->shape, err);
    return status == ULP_OK ? status : ulp_error_prefix(err, status, where);
}

/* A good size of read, and memory for the chunks that such reads share. */
static size_t plan(hid_t dapl, hid_t dcpl, const ulp_source_info_t *info, size_t nbytes)
{
    size_t piece = ULP_PIECE_BYTES / nbytes;
    hsize_t chunk[ULP_RANK_MAX] = {0};
    if (H5Pget_layout(dcpl) != H5D_CHUNKED || info->nelems == 0 ||
        H5Pget_chunk(dcpl, info->rank, chunk) != info->rank) {
        return piece;
    }
    /* The elements of the chunks that lie side by side in one row of chunks. */
    size_t row = chunk[0] < info->shape[0] ? (size_t)chunk[0] : info->shape[0];
    row *= info->nelems / info->shape[0];
    size_t cache = row < CACHE_BYTES_MAX / nbytes ? 2 * row * nbytes : CACHE_BYTES_MAX;
    cache = cache < CACHE_BYTES_MIN ? CACHE_BYTES_MIN : cache;
    cache = cache > CACHE_BYTES_MAX ? CACHE_BYTES_MAX : cache;
    /* A prime number of slots; chunks that were read in full go first. */
    H5Pset_chunk_cache(dapl, 12421, cache, 1.0);
    if (row >= 16 * piece) {
        return piece;
    }
    return row >= piece ? row : piece / row * row;
}

/* Format, shape and layout of the open dataset. */
static ulp_status_t describe(ulp_source_t *source, ulp_storage_t *storage, struct dataset *d,
                             const char *where, const char *dtype, ulp_error_t *err)
{
    char layout[100];
    size_t nattributes = 0;
    ulp_attribute_t *attribute = NULL;
    char *named = NULL;
    hid_t dcpl = H5Dget_create_plist(d->dataset);
    ulp_status_t status = ULP_OK;
    if (d->type < 0 || d->space < 0 || dcpl < 0) {
        status = broken(where, "its description cannot be read", err);
    }
    if (status == ULP_OK) {
        status = read_shape(&source->info, d, where, err);
    }
    if (status == ULP_OK) {
        status = ulp_hdf5_type_describe(storage, d->type, where, err);
    }
    if (status == ULP_OK) {
        status = ulp_case_attributes_read(&attribute, &nattributes, d->dataset, where, err);
    }
    if (status == ULP_OK) {
        named = ulp_case_attributes_take(attribute, &nattributes, "dtype");
        ulp_case_attributes_free(attribute, nattributes);
        status = ulp_hdf5_layout_describe(layout, sizeof layout, dcpl, where, err);
        snprintf(source->storage, sizeof source->storage, "%s%s%.40s, %s", storage->words,
                 named != NULL ? " with dtype = " : "", named != NULL ? named : "",
                 status == ULP_OK ? layout : "not readable here");
    }
    if (status == ULP_OK) {
        status = ulp_storage_resolve(&source->info.format, storage, named, dtype, where, err);
    }
    free(named);
    H5Pclose(dcpl);
    return status;
}

/* Open the dataset again with an access list that knows its chunks. */
static void reopen(struct dataset *d, ulp_source_info_t *info, size_t nbytes)
{
    hid_t dapl = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t dcpl = H5Dget_create_plist(d->dataset);
    info->piece_nelems = plan(dapl, dcpl, info, nbytes);
    H5Dclose(d->dataset);
    d->dataset = H5Dopen2(d->file, info->name, dapl);
    H5Pclose(dcpl);
    H5Pclose(dapl);
}

/* One box of the dataset into the buffer. */
static herr_t read_box(const struct dataset *d, void *buffer, const hsize_t *start,
                       const hsize_t *count)
{
    if (d->rank == 0) {
        return H5Dread(d->dataset, d->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
    }
    herr_t result = -1;
    /* Of the same shape as the box: for any other, HDF5 1.10 visits chunked elements one by one. */
    hid_t memory = H5Screate_simple(d->rank, count, NULL);
    if (memory >= 0 &&
        H5Sselect_hyperslab(d->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) {
        /* The type in memory is that of the file: no conversion. */
        result = H5Dread(d->dataset, d->type, memory, d->space, H5P_DEFAULT, buffer);
    }
    H5Sclose(memory);
    return result;
}

/* The largest box in C order that begins at element `first` and has at most n elements. Returns its
 * number of elements. */
static size_t find_box(const struct dataset *d, hsize_t *start, hsize_t *count, size_t first,
                       size_t n)
{
    size_t left = first;
    for (int i = d->rank - 1; i >= 0; i--) {
        start[i] = left % (size_t)d->shape[i];
        left /= (size_t)d->shape[i];
        count[i] = 1;
    }
    size_t unit = 1; /* elements of one step along dimension `outer` */
    int outer = d->rank - 1;
    while (outer > 0 && start[outer] == 0 && n / unit >= (size_t)d->shape[outer]) {
        count[outer] = d->shape[outer];
        unit *= (size_t)d->shape[outer];
        outer--;
    }
    size_t room = (size_t)(d->shape[outer] - start[outer]);
    count[outer] = n / unit < room ? n / unit : room;
    return unit * (size_t)count[outer];
}

static ulp_status_t read_elements(ulp_source_t *source, void *buffer, size_t first, size_t n,
                                  ulp_error_t *err)
{
    struct dataset *d = source->state;
    size_t nbytes = ulp_format_bytes(source->info.format);
    char *next = buffer;
    ulp_status_t status = ULP_OK;
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    while (n > 0 && status == ULP_OK) {
        hsize_t start[ULP_RANK_MAX] = {0};
        hsize_t count[ULP_RANK_MAX] = {0};
        size_t got = d->rank == 0 ? 1 : find_box(d, start, count, first, n);
        if (read_box(d, next, start, count) < 0) {
            char where[ULP_WHERE_MAX];
            snprintf(where, sizeof where, "%.180s: %.120s", source->path, source->name);
            status = broken(where, "damaged, its elements cannot be read", err);
        }
        next += got * nbytes;
        first += got;
        n -= got;
    }
    ulp_hdf5_speak(&voice);
    return status;
}

ulp_status_t ulp_hdf5_dataset_open(ulp_source_t *source, ulp_storage_t *storage, hid_t file,
                                   const char *path, const char *name, const char *dtype,
                                   ulp_error_t *err)
{
    char where[ULP_WHERE_MAX];
    snprintf(where, sizeof where, "%.180s: %.120s", path, name);
    struct dataset *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%s: out of memory", where);
    }
    source->name = ulp_text_copy(name);
    /* The file stays open as long as the dataset is. */
    d->file = H5Freopen(file);
    d->dataset = H5Dopen2(file, name, H5P_DEFAULT);
    d->type = H5Dget_type(d->dataset);
    d->space = H5Dget_space(d->dataset);
    ulp_status_t status = source->name == NULL
                              ? ulp_error_set(err, ULP_ERROR_MEMORY, "%s: out of memory", where)
                          : d->dataset < 0 ? broken(where, "cannot be opened", err)
                                           : describe(source, storage, d, where, dtype, err);
    if (status != ULP_OK) {
        close_dataset(d);
        return status;
    }
    source->info.name = source->name;
    reopen(d, &source->info, storage->nbytes);
    uint16_t probe = 1;
    int host_is_little = *(uint8_t *)&probe == 1;
    source->swap = storage->nbytes > 1 && storage->is_big_endian == host_is_little;
    source->state = d;
    source->read = read_elements;
    source->close = close_dataset;
    return ULP_OK;
}
