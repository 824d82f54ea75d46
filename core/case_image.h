/*
 * core/case_image.h - a new case file in memory, until it is complete and saved.
 *
 * HDF5 writes into memory and we write the bytes: a full disk is then an error of ours to report,
 * and never one that HDF5 meets while it closes.
 */
#ifndef ULP_CORE_CASE_IMAGE_H
#define ULP_CORE_CASE_IMAGE_H

#include <hdf5.h>

#include "core/case.h"

/* Stays where it is while it is open: HDF5 has its address. */
typedef struct {
    hid_t file;
    void *bytes; /* HDF5's memory of the file, ours when it has closed it */
    size_t nbytes;
} ulp_case_image_t;

/** An empty file. `like` is an open file whose root says whether the order of creation
 * is kept, or negative. */
ULP_MUST_CHECK ulp_status_t ulp_case_image_create(ulp_case_image_t *image, hid_t like,
                                                  ulp_error_t *err);

/** The group of that name at the root, made if it is absent; negative on failure. */
hid_t ulp_case_image_group(hid_t file, const char *name);

/** Write a dataset with its attributes; its group is made if it is absent. */
ULP_MUST_CHECK ulp_status_t ulp_case_image_dataset(hid_t file, const ulp_case_addition_t *add,
                                                   ulp_error_t *err);

/** Close the image and write its bytes to `path` (ulp_file_replace). */
ULP_MUST_CHECK ulp_status_t ulp_case_image_save(const char *path, ulp_case_image_t *image,
                                                ulp_error_t *err);

/** Close what is open and free what is held; a saved image is accepted. */
void ulp_case_image_free(ulp_case_image_t *image);

#endif
