/*
 * core/npy_header.h - the header of an .npy file: a line of Python that holds three things.
 */
#ifndef ULP_CORE_NPY_HEADER_H
#define ULP_CORE_NPY_HEADER_H

#include <stddef.h>

#include "core/source_storage.h"
#include "core/status.h"
#include "core/tensor.h"

enum { ULP_NPY_DESCR_MAX = 64 };

typedef struct {
    char descr[ULP_NPY_DESCR_MAX]; /* "<f4"; "[...]" for a structured one */
    int is_fortran;
    int rank;
    size_t shape[ULP_RANK_MAX];
} ulp_npy_header_t;

/**
 * Parse the dictionary: descr, fortran_order and shape, each once and nothing else.
 *
 * @param text  n characters, not terminated
 * @param path  for messages
 *
 * Fails: FORMAT, naming the place (characters from the start of the dictionary); UNSUPPORTED for
 * more than ULP_RANK_MAX dimensions Source: [NPY]
 */
ULP_MUST_CHECK ulp_status_t ulp_npy_header_parse(ulp_npy_header_t *out, const char *text, size_t n,
                                                 const char *path, ulp_error_t *err);

/** Bytes of an element, whether or not a format is stored like this; 0 if the descr does not say.
 */
size_t ulp_npy_descr_nbytes(const char *descr);

/**
 * What a descr says. One- and two-byte void and integers, and the "f1" of extension types, are left
 * open.
 *
 * Fails: UNSUPPORTED, in words; FORMAT for what is no descr
 */
ULP_MUST_CHECK ulp_status_t ulp_npy_descr_describe(ulp_storage_t *out, const char *descr,
                                                   const char *path, ulp_error_t *err);

#endif
