/*
 * core/hdf5_type.h - what an HDF5 datatype says about the elements stored with it.
 *
 * Nothing here prints: the caller has switched HDF5's own messages off (ulp_hdf5_silence).
 */
#ifndef ULP_CORE_HDF5_TYPE_H
#define ULP_CORE_HDF5_TYPE_H

#include <hdf5.h>

#include "core/source_storage.h"
#include "core/status.h"

/**
 * Describe a datatype by its fields. Custom float types are known by size, precision, sign,
 * exponent and fraction; those with a 4-bit exponent of bias 7 and 3 fraction bits may be f8e4m3fn
 * or f8e4m3 (HDF5's description has no place for infinities and NaN) and are left open.
 *
 * @param where  "x.h5: /a", for messages
 *
 * Fails: UNSUPPORTED, in words: strings, compounds, odd integers, float types that no format has
 * Source: [HDF5] H5T: fields of floating-point datatypes; h5py's tag NUMPY: of opaque datatypes
 */
ULP_MUST_CHECK ulp_status_t ulp_hdf5_type_describe(ulp_storage_t *out, hid_t type,
                                                   const char *where, ulp_error_t *err);

#endif
