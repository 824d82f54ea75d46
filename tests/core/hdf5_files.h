/*
 * tests/core/hdf5_files.h - files for tests, laid down by the HDF5 library alone.
 */
#ifndef ULP_TESTS_CORE_HDF5_FILES_H
#define ULP_TESTS_CORE_HDF5_FILES_H

#include <criterion/criterion.h>
#include <hdf5.h>
#include <string.h>

#include "tests/core/case_files.h"

/* A file with one dataset /x of the bytes, and its attribute dtype: fixed or variable length. */
static inline void write_file(const char *path, hid_t type, int rank, const hsize_t *shape,
                              hid_t dcpl, const void *bytes, const char *dtype, int is_variable)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = rank < 0 ? H5Screate(H5S_NULL)
                  : rank   ? H5Screate_simple(rank, shape, NULL)
                           : H5Screate(H5S_SCALAR);
    hid_t data = H5Dcreate2(file, "x", type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    cr_assert(data >= 0);
    if (bytes != NULL) {
        cr_assert(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    }
    if (dtype != NULL) {
        hid_t text = H5Tcopy(H5T_C_S1);
        hid_t scalar = H5Screate(H5S_SCALAR);
        H5Tset_size(text, is_variable ? H5T_VARIABLE : strlen(dtype) + 3);
        H5Tset_strpad(text, is_variable ? H5T_STR_NULLTERM : H5T_STR_NULLPAD);
        hid_t attribute = H5Acreate2(data, "dtype", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
        char fixed[64] = "";
        snprintf(fixed, sizeof fixed, "%s", dtype);
        cr_assert(H5Awrite(attribute, text, is_variable ? (const void *)&dtype : fixed) >= 0);
        H5Aclose(attribute);
        H5Sclose(scalar);
        H5Tclose(text);
    }
    H5Dclose(data);
    H5Sclose(space);
    cr_assert(H5Fclose(file) >= 0);
}

#endif
