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
 * where magnitude = sum of |terms| and subnormal_scale are those of ulp_reference_t. Holds while
 * magnitude plus that error stay below `limit`; from there on a partial sum can overflow, and
 * nothing is promised. Derivation: bound.c, from [HIGHAM02] chapter 3 and the alignment rule.
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
 * @param a, b  formats of the operands: whether in() is exact depends on them
 * @param k     products per output; >= 0
 * @return      relative is inf where there is no bound: a model with no stage that computes, or an
 *              in() to a format of a smaller exponent range
 *
 * Error:  rounded up by a factor of at least 1 + 2^-40
 */
ulp_bound_t ulp_bound_model(const ulp_model_t *model, const ulp_format_t *a, const ulp_format_t *b,
                            size_t k);

/** The right-hand side above for one output; inf at or above the limit. Rounded up. */
double ulp_bound_value(const ulp_bound_t *bound, double magnitude, double subnormal_scale);

/**
 * What rounding a value of at most `size` in magnitude to `format` can change: half an ulp there
 * for the nearest modes, one for the others. Overflow is left out.
 */
double ulp_bound_rounding(const ulp_format_t *format, ulp_round_mode_t mode, double size);

#endif
