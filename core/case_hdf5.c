/* core/case_hdf5.c - opening a case file with HDF5, in silence. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/case_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case_attribute.h"
#include "core/source.h"

ulp_hdf5_voice_t ulp_hdf5_silence(void)
{
    ulp_hdf5_voice_t voice = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &voice.print, &voice.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return voice;
}

void ulp_hdf5_speak(const ulp_hdf5_voice_t *voice)
{
    H5Eset_auto2(H5E_DEFAULT, voice->print, voice->data);
}

struct reason {
    char *buffer;
    size_t size;
};

static herr_t take_first(unsigned depth, const H5E_error2_t *error, void *data)
{
    struct reason *reason = data;
    if (depth == 0 && error->desc != NULL) {
        (void)snprintf(reason->buffer, reason->size, "%s", error->desc);
    }
    return 0;
}

void ulp_hdf5_reason(char *buffer, size_t size)
{
    struct reason reason = {buffer, size};
    buffer[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
}

static ulp_status_t check_version(const char *path, hid_t file, ulp_error_t *err)
{
    size_t count = 0;
    ulp_attribute_t *attribute = NULL;
    ulp_status_t status = ulp_case_attributes_read(&attribute, &count, file, path, err);
    if (status != ULP_OK) {
        return status;
    }
    char *version = ulp_case_attributes_take(attribute, &count, "ulpscope_case");
    if (version == NULL) {
        status = ulp_error_set(err, ULP_ERROR_FORMAT,
                               "%s: not a case file (no attribute ulpscope_case): a case has the "
                               "root attributes ulpscope_case = 1 and op, and datasets in /inputs "
                               "and /outputs; see ulpscope-case(5)",
                               path);
    } else if (strcmp(version, "1") != 0) {
        status =
            ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                          "%s: ulpscope_case = %.40s: this version reads layout 1", path, version);
    }
    free(version);
    ulp_case_attributes_free(attribute, count);
    return status;
}

ulp_status_t ulp_case_hdf5_open(hid_t *file, const char *path, ulp_error_t *err)
{
    /* The reader of datasets knows what can be wrong with a file, and says it. */
    ulp_listing_t listing = {0};
    ulp_status_t status = ulp_listing_read(&listing, path, err);
    if (status != ULP_OK) {
        return status;
    }
    int is_hdf5 = strcmp(listing.container, "hdf5") == 0;
    if (!is_hdf5) {
        status = ulp_error_set(err, ULP_ERROR_FORMAT,
                               "%s: a case is an HDF5 file, and this is %s; see ulpscope-case(5)",
                               path, listing.container);
    }
    ulp_listing_free(&listing);
    if (!is_hdf5) {
        return status;
    }
    hid_t opened = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (opened < 0) {
        char reason[200];
        ulp_hdf5_reason(reason, sizeof reason);
        return ulp_error_set(err, ULP_ERROR_IO, "%s: cannot open: %s", path, reason);
    }
    status = check_version(path, opened, err);
    if (status != ULP_OK) {
        H5Fclose(opened);
        return status;
    }
    *file = opened;
    return ULP_OK;
}
