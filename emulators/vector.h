/*
 * emulators/vector.h - a contraction replayed in lanes: the same bits as the plain path.
 */
#ifndef ULP_EMULATORS_VECTOR_H
#define ULP_EMULATORS_VECTOR_H

#include "emulators/plan.h"
#include "emulators/vector_kernel.h"

/**
 * Whether the lanes can take this plan: fdpa with final = rz24 or rz14 in f32 or rne11 in f16, l =
 * 4, 8, 16 or 32 (or fma in f32, nearest even), no split K, and enough columns to fill them.
 *
 * @param kernels  a set of ulp_vector_kernels_at
 */
int ulp_vector_takes(const ulp_plan_t *plan, const ulp_contraction_t *x,
                     const ulp_vector_kernels_t *kernels);

/**
 * d of a plan that ulp_vector_takes, into `out` (created, of plan->output). Outputs that the lanes
 * cannot decide (NaN, infinities, exponents near the limits or spread too wide) are computed by the
 * plain path.
 *
 * @return  0, or -1 when memory is short
 */
int ulp_vector_run(ulp_tensor_t *out, const ulp_plan_t *plan, const ulp_contraction_t *x,
                   const ulp_vector_kernels_t *kernels, int threads);

#endif
