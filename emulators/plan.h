/*
 * emulators/plan.h - a model against the formats and the K of one contraction: checked once, then
 * followed for every output.
 */
#ifndef ULP_EMULATORS_PLAN_H
#define ULP_EMULATORS_PLAN_H

#include "core/op.h"
#include "emulators/step.h"

/* A run of places of the sequence whose products meet in one chain that starts at c or at 0. */
typedef struct {
    size_t first, count;
    int new_part; /* 1: the first of a part of split K, the very first one apart */
} ulp_segment_t;

/* No k: a place that holds +0. */
#define ULP_PLAN_PADDING SIZE_MAX

typedef struct {
    const ulp_stage_t *in, *order, *scale, *kernel, *promote, *splitk, *out; /* NULL: absent */
    ulp_step_t step;
    size_t unit;                /* products a step; 0: a whole segment */
    const ulp_format_t *a, *b;  /* formats after in() */
    const ulp_format_t *acc;    /* of the kernel */
    const ulp_format_t *sum;    /* of promote() and splitk(): acc without promote() */
    const ulp_format_t *output; /* of the result */
    ulp_target_t c_target, sum_target;
    uint64_t nan;   /* code of a NaN result */
    size_t nplaces; /* length of the sequence */
    size_t *place;  /* k of each, or ULP_PLAN_PADDING */
    size_t nsegments;
    ulp_segment_t *segment;
} ulp_plan_t;

/**
 * The plan of a model for operands. It points into the model.
 *
 * Fails: UNSUPPORTED, saying which stage cannot take what; MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_plan_make(ulp_plan_t *out, const ulp_model_t *model,
                                          const ulp_contraction_t *x, ulp_error_t *err);
void ulp_plan_free(ulp_plan_t *plan);

/** plan.c's second half, sequence.c: which k stands at which place, in which segment. */
ULP_MUST_CHECK ulp_status_t ulp_plan_sequence(ulp_plan_t *plan, size_t k, ulp_error_t *err);

/** One output: the chain over a slice, starting at c (of plan->sum's format), as a code of
 * plan->output. chain.c. */
uint64_t ulp_plan_run(const ulp_plan_t *plan, const ulp_slice_t *x, ulp_operand_t c);

#endif
