/*
 * analysis/score.h - an output against the reference: ULP errors and how they spread.
 */
#ifndef ULP_ANALYSIS_SCORE_H
#define ULP_ANALYSIS_SCORE_H

#include "refs/contraction.h"

typedef struct {
    size_t n;
    size_t
        exact; /* bits equal to the correctly rounded value (any NaN where the reference is NaN) */
    double max_ulp, mean_ulp, p50_ulp, p99_ulp; /* of the ULP error |got - exact| / ulp(exact) */
    size_t infinite; /* elements with no finite ULP error; left out of mean */
    size_t worst_index;
    uint64_t worst_got, worst_want;
    double worst_hi, worst_lo, worst_ulp;
} ulp_score_t;

/**
 * Score every element of an output.
 *
 * The percentiles are by nearest rank over all n elements (the smallest value that at least 50 %,
 * 99 % of them do not exceed), elements of infinite error included as the largest. worst_* is the
 * element of the largest error, the first of them.
 *
 * @param got   at least one element
 * @param want  reference in the same format and of as many elements
 *
 * Fails: MISSING (no elements), SHAPE (counts or formats differ), MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_score_output(ulp_score_t *out, const ulp_tensor_t *got,
                                             const ulp_reference_t *want, ulp_error_t *err);

#endif
