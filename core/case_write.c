/* core/case_write.c - case files written: new ones, and copies with datasets added. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "core/case.h"
#include "core/case_attribute.h"
#include "core/case_copy.h"
#include "core/case_hdf5.h"
#include "core/case_image.h"

/* Attributes that the writer itself gives a dataset or the root. */
static int is_reserved(const char *key)
{
    static const char *const reserved[] = {"ulpscope_case", "op", "dtype", "sha256"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (strcmp(key, reserved[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static ulp_status_t check_attributes(const ulp_attribute_t *attribute, size_t count,
                                     const char *path, ulp_error_t *err)
{
    for (size_t i = 0; i < count; i++) {
        if (attribute[i].key[0] == '\0' || is_reserved(attribute[i].key)) {
            return ulp_error_set(err, ULP_ERROR_ARGUMENT, "%s: attribute \"%s\" cannot be given",
                                 path, attribute[i].key);
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(attribute[i].key, attribute[j].key) == 0) {
                return ulp_error_set(err, ULP_ERROR_ARGUMENT, "%s: attribute %s is given twice",
                                     path, attribute[i].key);
            }
        }
    }
    return ULP_OK;
}

static int is_name(const char *name)
{
    return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0;
}

static ulp_status_t check_additions(const ulp_case_addition_t *add, size_t count, const char *path,
                                    ulp_error_t *err)
{
    for (size_t i = 0; i < count; i++) {
        ULP_ASSERT(add[i].tensor != NULL && add[i].tensor->format != NULL);
        if (!is_name(add[i].group) || !is_name(add[i].name)) {
            return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                                 "%s: \"%s/%s\" is not the name of a dataset in a group", path,
                                 add[i].group, add[i].name);
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(add[i].group, add[j].group) == 0 && strcmp(add[i].name, add[j].name) == 0) {
                return ulp_error_set(err, ULP_ERROR_ARGUMENT, "%s: /%s/%s is given twice", path,
                                     add[i].group, add[i].name);
            }
        }
        ulp_status_t status = check_attributes(add[i].attribute, add[i].nattributes, path, err);
        if (status != ULP_OK) {
            return status;
        }
    }
    return ULP_OK;
}

/* Root attributes of a new case. ulpscope_case is a number, as h5py users write it. */
static int write_root(hid_t image, const char *op, const ulp_attribute_t *attribute,
                      size_t nattributes)
{
    const unsigned char one[8] = {1};
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t version =
        H5Acreate2(image, "ulpscope_case", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    int result = H5Awrite(version, H5T_STD_I64LE, one) < 0 ? -1 : 0;
    H5Aclose(version);
    H5Sclose(space);
    if (result == 0) {
        result = ulp_case_attribute_write(image, "op", op);
    }
    for (size_t i = 0; i < nattributes && result == 0; i++) {
        result = ulp_case_attribute_write(image, attribute[i].key, attribute[i].value);
    }
    /* A case has both groups, if there is nothing in one. */
    static const char *const group[] = {"inputs", "outputs"};
    for (size_t i = 0; i < 2 && result == 0; i++) {
        hid_t made = ulp_case_image_group(image, group[i]);
        result = made < 0 || H5Gclose(made) < 0 ? -1 : 0;
    }
    return result;
}

/* Datasets into the image, then the image to its file. */
static ulp_status_t finish(const char *path, ulp_case_image_t *image,
                           const ulp_case_addition_t *add, size_t nadditions, ulp_error_t *err)
{
    for (size_t i = 0; i < nadditions; i++) {
        ulp_status_t status = ulp_case_image_dataset(image->file, &add[i], err);
        if (status != ULP_OK) {
            return ulp_error_prefix(err, status, path);
        }
    }
    return ulp_case_image_save(path, image, err);
}

ulp_status_t ulp_case_write(const char *path, const char *op, const ulp_attribute_t *attribute,
                            size_t nattributes, const ulp_case_addition_t *add, size_t nadditions,
                            ulp_error_t *err)
{
    ULP_ASSERT(path != NULL && op != NULL);
    if (ulp_op_find(op) == NULL) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "%s: op \"%.60s\" is not known; \"ulpscope ops\" lists them", path,
                             op);
    }
    ulp_status_t status = check_attributes(attribute, nattributes, path, err);
    if (status == ULP_OK) {
        status = check_additions(add, nadditions, path, err);
    }
    if (status != ULP_OK) {
        return status;
    }
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    ulp_case_image_t image;
    status = ulp_case_image_create(&image, H5I_INVALID_HID, err);
    if (status == ULP_OK && write_root(image.file, op, attribute, nattributes) != 0) {
        status = ulp_error_set(err, ULP_ERROR_IO, "%s: HDF5 cannot write the attributes", path);
    }
    if (status == ULP_OK) {
        status = finish(path, &image, add, nadditions, err);
    }
    ulp_case_image_free(&image);
    ulp_hdf5_speak(&voice);
    return status;
}

ulp_status_t ulp_case_add(const char *to, const char *from, const ulp_case_addition_t *add,
                          size_t nadditions, ulp_error_t *err)
{
    ULP_ASSERT(to != NULL && from != NULL);
    ulp_status_t status = check_additions(add, nadditions, to, err);
    if (status != ULP_OK) {
        return status;
    }
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    hid_t source = H5I_INVALID_HID;
    ulp_case_image_t image = {.file = H5I_INVALID_HID};
    status = ulp_case_hdf5_open(&source, from, err);
    if (status == ULP_OK) {
        status = ulp_case_image_create(&image, source, err);
        if (status == ULP_OK) {
            status = ulp_case_copy(image.file, source, from, add, nadditions, err);
        }
        H5Fclose(source);
    }
    if (status == ULP_OK) {
        status = finish(to, &image, add, nadditions, err);
    }
    ulp_case_image_free(&image);
    ulp_hdf5_speak(&voice);
    return status;
}
