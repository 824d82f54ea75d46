/*
 * analysis/compare.h - two arrays of one format, element by element: ULP distances, specials,
 * where.
 *
 * Comparisons merge: pieces of a file, or parts of threads, give the same result in any split.
 */
#ifndef ULP_ANALYSIS_COMPARE_H
#define ULP_ANALYSIS_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "precision/format.h"

typedef enum { ULP_NAN_EQUAL = 0, ULP_NAN_DIFFER } ulp_nan_policy_t;
typedef enum { ULP_ZERO_SAME = 0, ULP_ZERO_DIFFER } ulp_zero_policy_t;

/* Tolerances; an element passes if any given one holds:
 *   |got - want| <= abs,  |got - want| <= rel * |want|,  ULP distance <= ulp.
 * Each side is rounded once to a double, to nearest: the difference of two numbers of up to 24 bits
 * is off by at most 2^-53 of itself. Of integers |got - want| is their distance. An infinity passes
 * by steps only, NaN and a sign of zero that counts by none. A zeroed struct with `given` 0 asks
 * for equality of values. */
typedef struct {
    unsigned given; /* ULP_TOLERANCE_... */
    double abs, rel;
    uint64_t ulp; /* ULP distance */
    ulp_nan_policy_t nan;
    ulp_zero_policy_t zero;
} ulp_compare_how_t;
enum { ULP_TOLERANCE_ABS = 1u, ULP_TOLERANCE_REL = 2u, ULP_TOLERANCE_ULP = 4u };

enum { ULP_HISTOGRAM_BINS = 66, ULP_WORST_MAX = 16 };

typedef struct {
    size_t index;       /* flat */
    uint64_t got, want; /* codes */
    uint64_t distance;
} ulp_compare_worst_t;

typedef struct {
    size_t n;
    size_t differing; /* bits differ in value under the policies */
    size_t outside;   /* beyond the tolerance (equal to differing when none is given) */
    size_t nan_got, nan_want, nan_both; /* elements that are NaN in got, in want, in both */
    size_t inf_got, inf_want;
    size_t zero_got, zero_want, zero_sign_differs;
    uint64_t max_distance;
    double max_abs;                       /* over finite pairs: |got - want| */
    double max_rel;                       /* the same / |want|: inf if want is 0 */
    size_t histogram[ULP_HISTOGRAM_BINS]; /* [0]: distance 0; [1 + b]: 2^b <= distance < 2^(b+1);
                                             last: NaN against number */
    size_t nworst;
    ulp_compare_worst_t worst[ULP_WORST_MAX]; /* largest distance first, then least index */
    size_t first_index;                       /* least index that differs; valid if differing > 0 */
} ulp_comparison_t;

/** Add n elements to a comparison; `got` and `want` hold codes of `format`, element 0 has flat
 * index `first`. */
void ulp_compare_codes(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                       size_t first, const ulp_format_t *format, const ulp_compare_how_t *how);

/** out += part. */
void ulp_compare_merge(ulp_comparison_t *out, const ulp_comparison_t *part);

#endif
