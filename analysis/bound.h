/*
 * analysis/bound.h - how far from the exact result an arithmetic can fall, in any order of its
 * terms.
 */
#ifndef ULP_ANALYSIS_BOUND_H
#define ULP_ANALYSIS_BOUND_H

#include "emulators/model.h"

/**
 * What the stages of a model can do to a contraction of k products at most, whatever the order of
 * its terms, before the output is rounded:
 *
 *   |d - exact| <= relative * magnitude + subnormal * subnormal_scale + absolute
 *
 * where magnitude = sum of |terms| and subnormal_scale are those of ulp_reference_t. Holds where
 * magnitude (and subnormal_scale) stay below `limit`; at or above it a partial sum can overflow,
 * and nothing is promised. Derivation: bound.c, from [HIGHAM02] chapter 3 and the alignment rule.
 */
typedef struct {
    double relative;
    double subnormal;
    double absolute;
    double limit;
} ulp_bound_t;

/**
 * The bound of a model, its out() stage left out.
 *
 * @param k  products per output; >= 0
 * @return   relative is inf if the model has no stage that computes
 */
ulp_bound_t ulp_bound_model(const ulp_model_t *model, size_t k);

/** The right-hand side above for one output; inf at or above the limit. Rounded up. */
double ulp_bound_value(const ulp_bound_t *bound, double magnitude, double subnormal_scale);

/** What rounding a value of at most `size` in magnitude to `format` can change: half an ulp there
 * for the nearest modes, one for the others; 0 for f64. Overflow is left out. */
double ulp_bound_rounding(const ulp_format_t *format, ulp_round_mode_t mode, double size);

#endif
