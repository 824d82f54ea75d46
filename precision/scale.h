/*
 * precision/scale.h - block scales: numbers whose value is code times a scale shared by a block
 * along K.
 *
 * MX (OCP Microscaling 1.0): e8m0 scales, one per 32. NVFP4: unsigned e4m3 scales, one per 16, the
 * sign bit of the scale byte ignored. Pure functions.
 */
#ifndef ULP_PRECISION_SCALE_H
#define ULP_PRECISION_SCALE_H

#include <stddef.h>
#include <stdint.h>

#include "precision/number.h"

typedef struct {
    const char *name;    /* "mxfp8e4m3", "mxfp4", "nvfp4", ... */
    const char *element; /* format name */
    const char *scale;   /* format name */
    size_t block;        /* elements per scale */
    const char *source;
} ulp_block_format_t;

/** Number of rows, row i, and the row of that name (NULL if unknown). */
size_t ulp_block_format_count(void);
const ulp_block_format_t *ulp_block_format_at(size_t i);
const ulp_block_format_t *ulp_block_format_find(const char *name);

/** The value of a scale code: f8e8m0fnu: 2^(code - 127), 0xFF NaN; f8e4m3fn: the sign bit ignored
 * (ue4m3), 0x7F NaN; f32 and others: as they are. */
ulp_number_t ulp_scale_decode(uint64_t bits, const ulp_format_t *scale_format);

/** Exact value of an element under its scale: decode(element) * decode(scale). NaN in the scale
 * gives NaN. */
ulp_number_t ulp_scale_apply(ulp_number_t element, ulp_number_t scale);

#endif
