/*
 * core/hdf5_filter.h - how the elements of an HDF5 dataset are laid out, and whether they can be
 * read.
 */
#ifndef ULP_CORE_HDF5_FILTER_H
#define ULP_CORE_HDF5_FILTER_H

#include <hdf5.h>
#include <stddef.h>

#include "core/status.h"

/**
 * Words on the layout ("chunked, shuffle, gzip"), for a dataset that can be read.
 *
 * @param dcpl   creation property list of the dataset
 * @param where  "x.h5: /a", for messages
 *
 * Fails: UNSUPPORTED: a filter that is not installed; parts in other files (virtual, external),
 * whose absence HDF5 would hide behind fill values
 */
ULP_MUST_CHECK ulp_status_t ulp_hdf5_layout_describe(char *words, size_t size, hid_t dcpl,
                                                     const char *where, ulp_error_t *err);

#endif
