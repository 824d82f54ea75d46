/*
 * analysis/compare_lanes.h - the vectorised part of a comparison: one block of codes, counted in
 * lanes.
 *
 * Internal to compare.c. A block is small enough that 32-bit counts cannot overflow.
 */
#ifndef ULP_ANALYSIS_COMPARE_LANES_H
#define ULP_ANALYSIS_COMPARE_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "precision/format.h"

enum { ULP_LANES = 1024, ULP_LANES_BINS = 4 };

/* A format as constants of the loops. m is the magnitude of a code: sign and padding cleared. */
typedef struct {
    size_t nbytes;
    uint64_t sign;     /* the sign bit, or 0 */
    uint64_t mask;     /* of the magnitude */
    uint64_t nan_from; /* m >= nan_from is NaN; UINT64_MAX: none */
    uint64_t nan_code; /* bits == nan_code is NaN (fnuz); UINT64_MAX: none */
    uint64_t inf;      /* m == inf is infinite; UINT64_MAX: none */
    uint64_t zero;     /* m == zero is zero; UINT64_MAX: none */
    int padding_bits;
    int value_shift;    /* m << value_shift are the bits of a binary32 ... */
    float value_scale;  /* ... that times value_scale is |x|; unused for 8-byte codes */
    int has_fast_value; /* whether that is exact for every finite code */
} ulp_lane_format_t;

ulp_lane_format_t ulp_lane_format(const ulp_format_t *format);

/* What a block holds. */
typedef struct {
    uint32_t unequal; /* bits differ */
    uint32_t nan_got, nan_want, nan_both;
    uint32_t inf_got, inf_want;
    uint32_t zero_got, zero_want, zero_sign_differs;
} ulp_lane_counts_t;

/** Count equality and specials of n <= ULP_LANES pairs. */
void ulp_lanes_count(ulp_lane_counts_t *out, const void *got, const void *want, size_t n,
                     const ulp_lane_format_t *f);

/* Distances of a block without NaN. */
typedef struct {
    uint64_t distance[ULP_LANES];
    uint64_t max;                   /* largest distance */
    uint32_t small[ULP_LANES_BINS]; /* how many have distance 0, 1, 2..3, 4..7 */
} ulp_lane_distances_t;

/** ULP distances of n <= ULP_LANES pairs, none of them NaN; floating-point formats. */
void ulp_lanes_distances(ulp_lane_distances_t *out, const void *got, const void *want, size_t n,
                         const ulp_lane_format_t *f);

/**
 * Whether some pair of finite numbers has |got - want| > max_abs, or > max_rel * |want|.
 *
 * Error: never misses a pair that a division would let through: the product is compared with a
 * margin
 */
int ulp_lanes_exceed(const void *got, const void *want, size_t n, double max_abs, double max_rel,
                     const ulp_lane_format_t *f);

#endif
