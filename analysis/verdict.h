/*
 * analysis/verdict.h - is an output within what any order of its candidates' arithmetic can give?
 */
#ifndef ULP_ANALYSIS_VERDICT_H
#define ULP_ANALYSIS_VERDICT_H

#include "analysis/replay.h"

/**
 * Decide, from the score, the replays and the bounds: fills outside, outside_index, bound_ratio,
 * verdict and reason of an explanation whose other fields are there.
 *
 * explained before identical before rounding before outside; undecided where no model with a bound
 * takes these formats, or where every element may have overflowed on the way.
 */
void ulp_verdict_decide(ulp_explanation_t *explanation, const ulp_candidates_t *candidates,
                        const ulp_contraction_t *x);

#endif
