/*
 * analysis/bound.h - how far from the exact result an arithmetic can fall, in any order of its
 * terms.
 */
#ifndef ULP_ANALYSIS_BOUND_H
#define ULP_ANALYSIS_BOUND_H

#include "emulators/model.h"

/**
 * |d - exact| <= relative * magnitude + absolute, then one rounding to the output: what the stages
 * of a model can do to a contraction of length k at most, whatever the order of its terms.
 * magnitude = sum of |terms|. Derivation: bound.c, from [Higham 2002] chapter 3 and the alignment
 * rule.
 */
typedef struct {
    double relative;
    double absolute;
} ulp_bound_t;

ulp_bound_t ulp_bound_model(const ulp_model_t *model, size_t k);

#endif
