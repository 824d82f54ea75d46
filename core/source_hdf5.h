/*
 * core/source_hdf5.h - one dataset of an open HDF5 file as a source.
 *
 * Nothing here prints: the caller has switched HDF5's own messages off (ulp_hdf5_silence).
 */
#ifndef ULP_CORE_SOURCE_HDF5_H
#define ULP_CORE_SOURCE_HDF5_H

#include <hdf5.h>

#include "core/source_reader.h"

/**
 * Fill `source` (name, info, storage, reading) for the dataset `name`. On failure with a known
 * shape and storage, those parts of it are filled all the same: a listing shows them beside the
 * problem.
 *
 * @param storage  what its datatype says
 *
 * Fails: as ulp_source_open
 */
ULP_MUST_CHECK ulp_status_t ulp_hdf5_dataset_open(ulp_source_t *source, ulp_storage_t *storage,
                                                  hid_t file, const char *path, const char *name,
                                                  const char *dtype, ulp_error_t *err);

#endif
