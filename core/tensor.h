/*
 * core/tensor.h - a dense array of codes of one format.
 */
#ifndef ULP_CORE_TENSOR_H
#define ULP_CORE_TENSOR_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "precision/format.h"

enum { ULP_RANK_MAX = 8 };

/**
 * C order, host byte order, ulp_format_bytes(format) bytes an element (formats under 8 bits: one
 * byte each). Rank 0 is a scalar with nelems 1. A zeroed struct is no tensor (format NULL).
 */
typedef struct {
    const ulp_format_t *format;
    int rank;
    size_t shape[ULP_RANK_MAX];
    size_t nelems;
    void *data;
} ulp_tensor_t;

/** Allocate (zero-filled). Fails with MEMORY, or SHAPE when the size overflows. */
ULP_MUST_CHECK ulp_status_t ulp_tensor_create(ulp_tensor_t *out, const ulp_format_t *format,
                                              int rank, const size_t *shape, ulp_error_t *err);
void ulp_tensor_free(ulp_tensor_t *tensor);

/** Product of dimensions. Fails with SHAPE on overflow of size_t times 8 bytes. */
ULP_MUST_CHECK ulp_status_t ulp_shape_nelems(size_t *nelems, int rank, const size_t *shape,
                                             ulp_error_t *err);

/** Code of element i, and its assignment; 0 <= i < nelems. */
uint64_t ulp_tensor_get(const ulp_tensor_t *tensor, size_t i);
void ulp_tensor_set(ulp_tensor_t *tensor, size_t i, uint64_t bits);

/** The same on a bare buffer of elements of `nbytes` = 1, 2, 4 or 8 bytes. */
uint64_t ulp_code_get(const void *data, size_t i, size_t nbytes);
void ulp_code_set(void *data, size_t i, size_t nbytes, uint64_t bits);

/** Write the shape as "128x64" ("scalar" for rank 0) or the index of flat element i as "3,17". The
 * buffers hold `size` bytes; 192 are always enough. */
void ulp_shape_print(char *buffer, size_t size, int rank, const size_t *shape);
void ulp_index_print(char *buffer, size_t size, size_t i, int rank, const size_t *shape);

#endif
