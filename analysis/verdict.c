/* analysis/verdict.c - every element against the bound of any order, then the verdict. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/bound.h"
#include "precision/number.h"

const char *ulp_verdict_name(ulp_verdict_t verdict)
{
    static const char *const names[] = {"undecided", "explained", "identical", "rounding",
                                        "outside"};
    return names[verdict];
}

/* How far a candidate can fall: its bound, then its rounding to the output if it has one. */
typedef struct {
    ulp_bound_t bound;
    int rounds;
    ulp_round_mode_t mode;
} reach_t;

typedef struct {
    size_t count;
    reach_t reach[64]; /* distinct ones; see collect */
    const ulp_format_t *format;
    double threshold; /* |x| from which nearest rounding overflows */
} judge_t;

static int same_reach(const reach_t *x, const reach_t *y)
{
    return x->bound.relative == y->bound.relative && x->bound.subnormal == y->bound.subnormal &&
           x->bound.absolute == y->bound.absolute && x->bound.limit == y->bound.limit &&
           x->rounds == y->rounds && x->mode == y->mode;
}

static double largest_finite(const ulp_format_t *format)
{
    return ulp_number_to_double(ulp_number_decode(ulp_format_max(format), format));
}

/* A loop of fma in a short format loses so much in a long sum that its bound holds for nearly any
 * output, bugs included. Rows of the table that say so are replayed, and named if they match; but
 * what no model explains is judged by the arithmetic of matrix units and of f32 loops, unless the
 * caller asks for the short loop. */
static int judges(const ulp_candidate_t *c)
{
    for (size_t i = 0; i < c->model.nstages; i++) {
        const ulp_stage_t *stage = &c->model.stage[i];
        if (stage->kind == ULP_STAGE_FMA && stage->format->p < 24) {
            return !c->from_table;
        }
    }
    return 1;
}

/* The distinct bounds of the candidates that have one. Should there be more than the table holds,
 * the last place takes the larger of each part, which is a bound too. */
static judge_t collect(const ulp_candidates_t *candidates, const ulp_contraction_t *x,
                       const ulp_format_t *format)
{
    judge_t judge = {.format = format};
    double largest = largest_finite(format);
    judge.threshold = largest + ulp_bound_rounding(format, ULP_ROUND_NEAREST_EVEN, largest);
    size_t room = sizeof judge.reach / sizeof judge.reach[0];
    for (size_t i = 0; i < candidates->count; i++) {
        const ulp_model_t *model = &candidates->item[i].model;
        if (!judges(&candidates->item[i])) {
            continue;
        }
        reach_t r = {.rounds = 0};
        r.bound = ulp_bound_model(model, x->a->format, x->b->format, x->shape.k);
        const ulp_stage_t *last = &model->stage[model->nstages - 1];
        if (last->kind == ULP_STAGE_OUT) {
            r.rounds = 1;
            r.mode = last->mode;
        }
        if (!isfinite(r.bound.relative)) {
            continue;
        }
        size_t j = 0;
        while (j < judge.count && !same_reach(&judge.reach[j], &r)) {
            j++;
        }
        if (j < room) {
            judge.reach[j] = r;
            judge.count = j == judge.count ? j + 1 : judge.count;
        } else {
            reach_t *most = &judge.reach[room - 1];
            most->bound.relative = fmax(most->bound.relative, r.bound.relative);
            most->bound.subnormal = fmax(most->bound.subnormal, r.bound.subnormal);
            most->bound.absolute = fmax(most->bound.absolute, r.bound.absolute);
            most->bound.limit = fmin(most->bound.limit, r.bound.limit);
            most->rounds |= r.rounds;
            most->mode = ULP_ROUND_TOWARD_ZERO;
        }
    }
    return judge;
}

/* The farthest that element i can be from the exact result, and before the output is rounded; inf
 * where a sum may have overflowed. */
static double reach_of(const judge_t *judge, const ulp_reference_t *r, size_t i, double *unrounded)
{
    double farthest = 0.0;
    *unrounded = 0.0;
    for (size_t j = 0; j < judge->count; j++) {
        const reach_t *reach = &judge->reach[j];
        double value = ulp_bound_value(&reach->bound, r->magnitude[i], r->subnormal[i]);
        *unrounded = fmax(*unrounded, value);
        if (reach->rounds && isfinite(value)) {
            double size = fabs(r->hi[i]) + value;
            value =
                (value + ulp_bound_rounding(judge->format, reach->mode, size)) * (1.0 + 0x1p-50);
        }
        farthest = fmax(farthest, value);
    }
    return farthest;
}

/* |got - exact| over what is allowed; inf where no finite ratio says it; negative where an overflow
 * on the way makes anything possible. */
static double ratio_of(const judge_t *judge, uint64_t got, const ulp_reference_t *r, size_t i)
{
    double hi = r->hi[i], lo = r->lo[i];
    ulp_number_t y = ulp_number_decode(got, judge->format);
    int format_has_inf = ulp_format_has_inf(judge->format);
    if (isnan(hi)) {
        return y.kind == ULP_CLASS_NAN ? 0.0 : HUGE_VAL;
    }
    if (isinf(hi)) { /* from infinite operands, or beyond the doubles */
        int as_inf = y.kind == ULP_CLASS_INF && y.negative == (hi < 0.0);
        return as_inf || (y.kind == ULP_CLASS_NAN && !format_has_inf) ? 0.0 : HUGE_VAL;
    }
    double unrounded, reach = reach_of(judge, r, i, &unrounded);
    if (isinf(reach)) {
        return -1.0;
    }
    if (y.kind == ULP_CLASS_INF || (y.kind == ULP_CLASS_NAN && !format_has_inf)) {
        double toward = y.kind == ULP_CLASS_NAN ? fabs(hi) : y.negative ? -hi : hi;
        return toward + unrounded >= judge->threshold ? 0.0 : HUGE_VAL;
    }
    if (y.kind == ULP_CLASS_NAN) {
        return HUGE_VAL;
    }
    double distance = fabs(ulp_number_to_double(y) - hi - lo);
    return distance == 0.0 ? 0.0 : distance / reach;
}

ULP_PRINTF(3, 4)
static void conclude(ulp_explanation_t *e, ulp_verdict_t verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(e->reason, sizeof e->reason, format, arguments);
    va_end(arguments);
    e->verdict = verdict;
}

/* The candidate whose bound reaches farthest at element i. */
static const char *widest_at(const ulp_candidates_t *candidates, const ulp_contraction_t *x,
                             const ulp_reference_t *r, size_t i)
{
    const char *name = "";
    double most = -1.0;
    for (size_t j = 0; j < candidates->count; j++) {
        const ulp_candidate_t *c = &candidates->item[j];
        ulp_bound_t bound = ulp_bound_model(&c->model, x->a->format, x->b->format, x->shape.k);
        double value = ulp_bound_value(&bound, r->magnitude[i], r->subnormal[i]);
        if (judges(c) && isfinite(bound.relative) && value > most) {
            most = value;
            name = c->result.name;
        }
    }
    return name;
}

static void conclude_from_bound(ulp_explanation_t *e, const judge_t *judge, size_t open,
                                const char *widest)
{
    const ulp_tensor_t *output = &e->output->tensor;
    char where[192];
    ulp_index_print(where, sizeof where, e->outside_index, output->rank, output->shape);
    if (judge->count == 0) {
        conclude(e, ULP_VERDICT_UNDECIDED, "no model of these formats has an error bound");
    } else if (e->outside > 0 && isinf(e->bound_ratio)) {
        conclude(
            e, ULP_VERDICT_OUTSIDE,
            "no order of this arithmetic gives %zu of the elements, [%.60s] the first of those "
            "that nothing like it can give",
            e->outside, where);
    } else if (e->outside > 0) {
        conclude(e, ULP_VERDICT_OUTSIDE,
                 "no order of this arithmetic gives %zu of the elements: [%.60s] is %.3g times as "
                 "far from the exact result as the widest bound allows, that of %.60s",
                 e->outside, where, e->bound_ratio, widest);
    } else if (open == e->n) {
        conclude(e, ULP_VERDICT_UNDECIDED,
                 "every element may have overflowed on the way: no bound holds");
    } else {
        size_t of = e->replay[0].screened_n ? e->replay[0].screened_n : e->n;
        int n =
            snprintf(e->reason, sizeof e->reason,
                     "the closest model, %.60s, misses %zu of %zu; every element is within %.2g "
                     "of the bound of any order (the widest, that of %.60s)",
                     e->replay[0].name, of - e->replay[0].matched, of, e->bound_ratio, widest);
        e->verdict = ULP_VERDICT_ROUNDING;
        if (open > 0 && n > 0 && (size_t)n < sizeof e->reason) {
            (void)snprintf(e->reason + n, sizeof e->reason - (size_t)n,
                           ", but for %zu that may have overflowed on the way", open);
        }
    }
}

void ulp_verdict_decide(ulp_explanation_t *e, const ulp_candidates_t *candidates,
                        const ulp_contraction_t *x)
{
    const ulp_tensor_t *output = &e->output->tensor;
    judge_t judge = collect(candidates, x, output->format);
    size_t open = 0;
    for (size_t i = 0; i < e->n && judge.count > 0; i++) {
        double ratio = ratio_of(&judge, ulp_tensor_get(output, i), e->reference, i);
        open += ratio < 0.0;
        e->outside += ratio > 1.0;
        if (ratio > e->bound_ratio) {
            e->bound_ratio = ratio;
            e->outside_index = i;
        }
    }
    if (e->nmatches > 0) {
        conclude(e, ULP_VERDICT_EXPLAINED, "%zu of %zu models give every bit", e->nmatches,
                 e->nreplays);
    } else if (e->score.exact == e->n) {
        conclude(e, ULP_VERDICT_IDENTICAL,
                 "every element is the correctly rounded result, and none of %zu models gives it",
                 e->nreplays);
    } else if (candidates->count == 0 && (x->shape.alpha != 1.0 || x->shape.beta != 1.0)) {
        conclude(e, ULP_VERDICT_UNDECIDED, "alpha or beta is not 1: no model says how they enter");
    } else if (candidates->count == 0) {
        conclude(e, ULP_VERDICT_UNDECIDED, "no model takes a of %s and b of %s%s%s and gives %s",
                 x->a->format->name, x->b->format->name, x->c ? " with c of " : "",
                 x->c ? x->c->format->name : "", output->format->name);
    } else {
        conclude_from_bound(e, &judge, open,
                            widest_at(candidates, x, e->reference, e->outside_index));
    }
}
