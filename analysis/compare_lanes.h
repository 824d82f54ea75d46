/*
 * analysis/compare_lanes.h - the vectorised part of a comparison: one block of codes, counted in
 * lanes.
 *
 * Internal to compare.c. compare_lanes.c is compiled once for each instruction set of ulp_lanes_at;
 * the results are the same on each, since each floating-point operation in it is rounded to nearest
 * and the only reductions are counts, or's and maxima. A block is small enough that 32-bit counts
 * cannot overflow.
 */
#ifndef ULP_ANALYSIS_COMPARE_LANES_H
#define ULP_ANALYSIS_COMPARE_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/compare.h"
#include "precision/format.h"

enum { ULP_LANES = 256, ULP_LANES_BINS = 4 };

/* A format as constants of the loops. m is the magnitude of a code: sign and padding cleared; of an
 * integer all of it. */
typedef struct {
    size_t nbytes;
    uint64_t sign;     /* the sign bit, or 0 */
    uint64_t mask;     /* of the magnitude */
    uint64_t nan_from; /* m >= nan_from is NaN; UINT64_MAX: none */
    uint64_t nan_code; /* bits == nan_code is NaN (fnuz); UINT64_MAX: none */
    uint64_t inf;      /* m == inf is infinite; UINT64_MAX: none */
    uint64_t zero;     /* m == zero is zero; UINT64_MAX: none */
    int padding_bits;
    int has_values; /* distances, judge and extremes apply: floating-point */
    /* Codes of up to 4 bytes: m << value_shift, plus value_base, are the bits of the double
     * (1 + fraction) 2^(field - bias); below `hidden`, field 0, twice that less value_least is |x|.
     */
    int value_shift;
    uint64_t value_base;
    uint32_t hidden;
    double value_least; /* 2^emin */
} ulp_lane_format_t;

/** The constants of a format. */
ulp_lane_format_t ulp_lane_format(const ulp_format_t *format);

/* What tells at a glance whether a block has to be looked at. */
typedef struct {
    uint64_t least, most; /* of the magnitudes of both */
    uint64_t unequal;     /* or of the bits that differ */
} ulp_lane_glance_t;

/* What a block holds. */
typedef struct {
    uint32_t nan_got, nan_want, nan_both;
    uint32_t inf_got, inf_want;
    uint32_t zero_got, zero_want, zero_sign_differs;
} ulp_lane_counts_t;

/* Distances of a block without NaN. */
typedef struct {
    uint32_t narrow[ULP_LANES];     /* of codes of up to 4 bytes */
    uint64_t wide[ULP_LANES];       /* of codes of 8 bytes */
    uint64_t max;                   /* largest distance */
    uint32_t small[ULP_LANES_BINS]; /* how many have distance 0, 1, 2..3, 4..7 */
} ulp_lane_distances_t;

/* What a block of finite numbers is judged by. */
typedef struct {
    const ulp_lane_format_t *format;
    int given;       /* whether there is any tolerance */
    double abs, rel; /* -1: not given */
    uint64_t ulp;    /* 0: not given */
    double max_abs, max_rel;
} ulp_lane_limits_t;

typedef struct {
    uint32_t outside; /* differ, and pass no tolerance */
    uint32_t beyond;  /* not 0: |got - want| > max_abs or, perhaps, > max_rel * |want| somewhere */
} ulp_lane_judgement_t;

/* The loops, for n <= ULP_LANES pairs. */
typedef struct {
    const char *name;
    void (*glance)(ulp_lane_glance_t *out, const void *got, const void *want, size_t n,
                   const ulp_lane_format_t *f);
    /** Count equality and specials. */
    void (*count)(ulp_lane_counts_t *out, const void *got, const void *want, size_t n,
                  const ulp_lane_format_t *f);
    /** ULP distances of pairs, none of them NaN. */
    void (*distances)(ulp_lane_distances_t *out, const void *got, const void *want, size_t n,
                      const ulp_lane_format_t *f);
    /** Tolerances and records of pairs, all of them finite. */
    void (*judge)(ulp_lane_judgement_t *out, const void *got, const void *want,
                  const ulp_lane_distances_t *d, size_t n, const ulp_lane_limits_t *limits);
    /** The largest |got - want| and |got - want| / |want| of pairs, all of them finite, and of what
     * the two were before. */
    void (*extremes)(double *max_abs, double *max_rel, const void *got, const void *want, size_t n,
                     const ulp_lane_format_t *f);
} ulp_lanes_t;

/** The sets that this build has, best first; whether this machine can run one; the best it can. */
size_t ulp_lanes_count(void);
const ulp_lanes_t *ulp_lanes_at(size_t i);
int ulp_lanes_runs(size_t i);
const ulp_lanes_t *ulp_lanes_best(void);

/** ulp_compare_codes with the loops of one set. */
void ulp_compare_codes_with(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                            size_t first, const ulp_format_t *format, const ulp_compare_how_t *how,
                            const ulp_lanes_t *lanes);

#endif
