/* emulators/chain.c - one output: steps, promoted sums, parts of split K, the last conversion. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/plan.h"

static ulp_operand_t run_segment(const ulp_plan_t *plan, const ulp_slice_t *x,
                                 const ulp_segment_t *segment, ulp_operand_t acc)
{
    size_t unit = plan->unit ? plan->unit : segment->count;
    for (size_t i = 0; i < segment->count; i += unit) {
        acc = plan->step.run(&plan->step, x, segment->first + i, unit, acc);
    }
    return acc;
}

static int sum_fraction(const ulp_plan_t *plan)
{
    return plan->sum->kind == ULP_KIND_FLOAT ? plan->sum->p - 1 : 0;
}

/* Partial sums start at 0; the accumulator of each part takes them one by one. */
static ulp_operand_t run_promoted(const ulp_plan_t *plan, const ulp_slice_t *x, size_t *at,
                                  ulp_operand_t sum)
{
    const ulp_operand_t zero = ulp_operand_zero(0);
    for (int first = 1; *at < plan->nsegments && (first || !plan->segment[*at].new_part); (*at)++) {
        ulp_operand_t partial = run_segment(plan, x, &plan->segment[*at], zero);
        sum = ulp_operand_add(sum, sum_fraction(plan), partial, plan->step.c_fraction,
                              &plan->sum_target);
        first = 0;
    }
    return sum;
}

static ulp_operand_t run_part(const ulp_plan_t *plan, const ulp_slice_t *x, size_t *at,
                              ulp_operand_t start)
{
    if (plan->promote) {
        return run_promoted(plan, x, at, start);
    }
    return *at < plan->nsegments ? run_segment(plan, x, &plan->segment[(*at)++], start) : start;
}

static uint64_t encode(const ulp_plan_t *plan, ulp_operand_t x)
{
    if (x.kind == ULP_OPERAND_NAN) {
        return plan->nan;
    }
    ulp_rounding_t how = {.mode = ULP_ROUND_NEAREST_EVEN};
    if (plan->out) {
        how.mode = plan->out->mode;
        how.overflow = plan->out->overflow;
    }
    return ulp_number_encode(ulp_operand_number(x, sum_fraction(plan)), plan->output, &how, NULL);
}

uint64_t ulp_plan_run(const ulp_plan_t *plan, const ulp_slice_t *x, ulp_operand_t c)
{
    size_t at = 0;
    ulp_target_t nearest = plan->c_target;
    ulp_operand_t sum = run_part(plan, x, &at, c);
    while (at < plan->nsegments) {
        ulp_operand_t part = run_part(plan, x, &at, ulp_operand_zero(0));
        sum = ulp_operand_add(sum, sum_fraction(plan), part, sum_fraction(plan), &nearest);
    }
    return encode(plan, sum);
}
