/*
 * core/case_hdf5.h - the HDF5 library around a case file: silence, reasons, opening.
 */
#ifndef ULP_CORE_CASE_HDF5_H
#define ULP_CORE_CASE_HDF5_H

#include <hdf5.h>

#include "core/status.h"

typedef struct {
    H5E_auto2_t print;
    void *data;
} ulp_hdf5_voice_t;

/** Stop HDF5 from printing its error stack; the voice it had is returned for ulp_hdf5_speak. */
ulp_hdf5_voice_t ulp_hdf5_silence(void);
void ulp_hdf5_speak(const ulp_hdf5_voice_t *voice);

/** The innermost line of HDF5's error stack, right after the call that failed; "" if none. */
void ulp_hdf5_reason(char *buffer, size_t size);

/**
 * Open a case file for reading and see that it is one.
 *
 * Fails: as ulp_source_open; FORMAT when it has no attribute ulpscope_case; UNSUPPORTED when that
 * is not 1
 */
ULP_MUST_CHECK ulp_status_t ulp_case_hdf5_open(hid_t *file, const char *path, ulp_error_t *err);

#endif
