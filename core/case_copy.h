/*
 * core/case_copy.h - the content of a case file into a new one, all but what will be replaced.
 */
#ifndef ULP_CORE_CASE_COPY_H
#define ULP_CORE_CASE_COPY_H

#include <hdf5.h>

#include "core/case.h"

/**
 * Copy attributes, groups, datasets (chunks as they are stored) and links from one open file to
 * another, without the datasets that `add` names.
 *
 * @param path  of `from`, for messages
 *
 * Fails: FORMAT, naming the object that cannot be copied
 */
ULP_MUST_CHECK ulp_status_t ulp_case_copy(hid_t to, hid_t from, const char *path,
                                          const ulp_case_addition_t *add, size_t nadditions,
                                          ulp_error_t *err);

#endif
