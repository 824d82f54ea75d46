/* core/hdf5_file.c - HDF5 files: why one does not open, which datasets are in it, which is meant.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/case_hdf5.h"
#include "core/source_hdf5.h"
#include "core/source_reader.h"

/* Superblock of version 3: 8 bytes of signature, version, two sizes, consistency flags [HDF5]. */
enum { VERSION_AT = 8, FLAGS_AT = 11, FLAG_WRITER = 1, FLAG_SWMR = 4 };

static ulp_status_t cannot_open(const ulp_file_t *file, const char *path, ulp_error_t *err)
{
    char reason[200];
    ulp_hdf5_reason(reason, sizeof reason);
    unsigned char head[FLAGS_AT + 1] = {0};
    ulp_error_t ignored;
    if (file->nbytes >= sizeof head &&
        ulp_file_read(file, head, 0, sizeof head, path, &ignored) == ULP_OK && head[0] == 0x89 &&
        head[VERSION_AT] >= 3 && (head[FLAGS_AT] & (FLAG_WRITER | FLAG_SWMR)) != 0) {
        return ulp_error_set(err, ULP_ERROR_IO,
                             "%.200s: HDF5 file marked as open for writing: its writer is still "
                             "running, or ended without closing it; if none is running, clear the "
                             "mark with: h5clear -s %.150s",
                             path, path);
    }
    if (strstr(reason, "unable to lock") != NULL) {
        return ulp_error_set(
            err, ULP_ERROR_IO,
            "%.250s: cannot open: %.150s (a writer has it open, or the file system "
            "has no locks: HDF5_USE_FILE_LOCKING=FALSE)",
            path, reason);
    }
    return ulp_error_set(err, ULP_ERROR_FORMAT, "%.250s: damaged HDF5 file: %s", path, reason);
}

static ulp_status_t open_file(hid_t *out, const ulp_file_t *file, const char *path,
                              ulp_error_t *err)
{
    hid_t opened = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (opened < 0) {
        return cannot_open(file, path, err);
    }
    *out = opened;
    return ULP_OK;
}

struct visit {
    ulp_listing_t *listing;
    int is_out_of_memory;
};

static herr_t visit_object(hid_t root, const char *name, const H5O_info_t *info, void *data)
{
    (void)root;
    struct visit *visit = data;
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    size_t size = strlen(name) + 2;
    char *full = malloc(size);
    if (full != NULL) {
        snprintf(full, size, "/%s", name);
    }
    visit->is_out_of_memory = full == NULL || ulp_listing_append(visit->listing, full) == NULL;
    free(full);
    return visit->is_out_of_memory ? -1 : 0;
}

/* Names of all datasets that hard links reach. */
static ulp_status_t list_names(ulp_listing_t *out, hid_t file, const char *path, ulp_error_t *err)
{
    struct visit visit = {.listing = out};
#if H5_VERSION_GE(1, 12, 0)
    herr_t result =
        H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &visit, H5O_INFO_BASIC);
#else
    herr_t result =
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &visit, H5O_INFO_BASIC);
#endif
    if (visit.is_out_of_memory) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    if (result < 0) {
        char reason[200];
        ulp_hdf5_reason(reason, sizeof reason);
        return ulp_error_set(err, ULP_ERROR_FORMAT, "%.250s: damaged HDF5 file: %s", path, reason);
    }
    return ULP_OK;
}

/* The dataset of that name, or of no name, is not there to be opened: say why. */
static ulp_status_t refuse_name(hid_t file, const char *path, const char *name, ulp_error_t *err)
{
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
    H5Oclose(object);
    if (kind == H5I_GROUP || kind == H5I_DATATYPE) {
        return ulp_error_set(err, ULP_ERROR_MISSING, "%.200s: %.120s is a %s, not a dataset%s",
                             path, name, kind == H5I_GROUP ? "group" : "named datatype",
                             kind == H5I_GROUP ? ": name one in it" : "");
    }
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) {
        return ulp_error_set(err, ULP_ERROR_MISSING,
                             "%.200s: %.120s is a link to what is not there, or damaged", path,
                             name);
    }
    ulp_listing_t listing = {0};
    ulp_status_t status = list_names(&listing, file, path, err);
    if (status == ULP_OK) {
        status = ulp_listing_choose(&listing, path, name, err);
    }
    ulp_listing_free(&listing);
    return status;
}

/* The name of the only dataset. */
static ulp_status_t only_name(char **out, hid_t file, const char *path, ulp_error_t *err)
{
    ulp_listing_t listing = {0};
    ulp_status_t status = list_names(&listing, file, path, err);
    if (status == ULP_OK && listing.count != 1) {
        status = ulp_listing_choose(&listing, path, NULL, err);
    }
    if (status == ULP_OK) {
        *out = ulp_text_copy(listing.entry[0].name);
        if (*out == NULL) {
            status = ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
        }
    }
    ulp_listing_free(&listing);
    return status;
}

static int is_dataset(hid_t file, const char *name)
{
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    int result = object >= 0 && H5Iget_type(object) == H5I_DATASET;
    H5Oclose(object);
    return result;
}

static ulp_status_t open_hdf5(ulp_source_t *source, const ulp_file_t *bytes, const char *path,
                              const char *name, const char *dtype, ulp_error_t *err)
{
    char *only = NULL;
    ulp_storage_t storage = {0};
    hid_t file = H5I_INVALID_HID;
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    ulp_status_t status = open_file(&file, bytes, path, err);
    if (status == ULP_OK && name == NULL) {
        status = only_name(&only, file, path, err);
        name = only;
    }
    if (status == ULP_OK && !is_dataset(file, name)) {
        status = refuse_name(file, path, name, err);
    }
    if (status == ULP_OK) {
        status = ulp_hdf5_dataset_open(source, &storage, file, path, name, dtype, err);
    }
    free(only);
    H5Fclose(file);
    ulp_hdf5_speak(&voice);
    if (status == ULP_OK) {
        close(bytes->descriptor); /* HDF5 has the file open itself */
    }
    return status;
}

/* What opening each dataset says. */
static ulp_status_t describe_entry(ulp_listing_entry_t *entry, hid_t file, const char *path,
                                   ulp_error_t *err)
{
    ulp_source_t source = {0};
    ulp_storage_t storage = {0};
    ulp_error_t problem = {0};
    ulp_status_t status =
        ulp_hdf5_dataset_open(&source, &storage, file, path, entry->name, NULL, &problem);
    entry->rank = source.info.rank;
    memcpy(entry->shape, source.info.shape, sizeof entry->shape);
    entry->storage = ulp_text_copy(source.storage[0] != '\0' ? source.storage : "not numbers");
    if (status == ULP_OK) {
        entry->format = source.info.format;
        source.close(source.state);
    } else {
        entry->problem = ulp_text_copy(problem.message);
    }
    free(source.name);
    if (entry->storage == NULL || (status != ULP_OK && entry->problem == NULL) ||
        status == ULP_ERROR_MEMORY) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    return ULP_OK;
}

static ulp_status_t list_hdf5(ulp_listing_t *out, const ulp_file_t *bytes, const char *path,
                              ulp_error_t *err)
{
    hid_t file = H5I_INVALID_HID;
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    ulp_status_t status = open_file(&file, bytes, path, err);
    if (status == ULP_OK) {
        status = list_names(out, file, path, err);
    }
    for (size_t i = 0; i < out->count && status == ULP_OK; i++) {
        status = describe_entry(&out->entry[i], file, path, err);
    }
    H5Fclose(file);
    ulp_hdf5_speak(&voice);
    return status;
}

const ulp_reader_t *ulp_reader_hdf5(void)
{
    static const ulp_reader_t reader = {"hdf5", open_hdf5, list_hdf5};
    return &reader;
}
