/* analysis/bound.c - the error bound of each stage, and how stages compose. */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notation: k products and c are the terms, M = sum of |terms|; exp(x) = max(floor(log2 |x|), emin)
 * in the format of x; W = subnormal_scale, the largest 2^(exp(a) + exp(b)) over non-zero products
 * with a subnormal factor. C is the accumulator, x its error so far: |C| <= M + x.
 *
 * One step of a chain (fdpa, gdpa, trfdpa, gtrfdpa) aligns its addends to a common exponent E and
 * drops what lies below 2^(E-f). E is the largest exp of a non-zero product, of C, or e0. A product
 * of normal factors has 2^(exp(a) + exp(b)) <= |a b| <= M, for its significand lies in [1, 4); one
 * with a subnormal factor has at most W; C has at most |C|, or 2^emin of the accumulator. Hence
 *
 *     2^E <= M + x + W + A,    A = 2^max(e0, emin).
 *
 * With t 2^(E-f) the most that a step drops (t stands below, stage by stage), tau = t 2^-f, a final
 * rounding of relative size u and, among subnormals, of absolute size mu, a step makes
 *
 *     x' <= x + tau (M + x + W + A) + u (M + x + tau (M + x + W + A)) + mu
 *     M + x' <= (1 + tau)(1 + u)(M + x) + tau (1 + u)(W + A) + mu.
 *
 * From x = 0, after s steps and with theta = (1 + tau)(1 + u) - 1, g = ((1 + theta)^s - 1) / theta:
 *
 *     x <= ((1 + theta)^s - 1) M + g tau (1 + u) (W + A) + g mu.
 *
 * Nothing here used the order of the terms, nor which step takes which: it holds for all orders.
 *
 * t, for a step of l products:
 *   fdpa      l + 1: each product and C loses less than 2^(E-f), toward zero
 *   gdpa      l/g + 1: one loss per group sum, and C. E takes the exponents of scales only, which
 *             for the formats of groups (e2m1, |a| >= 1 when normal) is covered by M or W as above
 *   trfdpa    l + 1 of 2^-f, and 2^-(f2+1) for the sum of products floored on meeting C; then
 *             2^-f2 relative for the floor after normalisation, before the final rounding
 *   gtrfdpa   l + 3 of 2^-f: products; the two sums floored; C floored or, below 2^(E-25), dropped
 *             (|C| < 2^(exp(C)+1) <= 2^(E-25)); and 2^-(f2+1), 2^-f2 as before
 *
 * pairwise: a product goes through its own rounding, a tree of ceil(log2 l) sums and then at most s
 * additions to C: (1 + u)^(s + ceil(log2 l) + 1) - 1 [HIGHAM02, 4.1]. With flush each of the 2 l
 * operations of a step may lose 2^emin; without, only products lose, by mu.
 * fma: k steps of u, each mu: (1 + u)^k - 1. imac: exact below its limit.
 *
 * promote(n): b = ceil(k / n) blocks from zero, added to an accumulator where c waits. Block i
 * loses r M_i + w W + h, all of them r M + b (w W + h); then b roundings of u: (1 + r)(1 + u)^b -
 * 1;  b (1 + u)^b w;  b (1 + u)^b (h + mu).
 *
 * in(format): factors move by at most delta, relative to themselves if normal, to 2^exp if not:
 * products by (1 + delta)^2 - 1, or by 4 delta 2^(exp(a) + exp(b)) each if a factor is subnormal.
 * (A subnormal that rounds keeps its exp, so W serves the converted factors too.)
 * Flushed: |a b| < 2 2^(exp(a) + exp(b)) each, and 2^-126 for c.
 */
#include "analysis/bound.h"

#include <math.h>

/* Covers the roundings of this file's own arithmetic: some thirty operations of 2^-52. */
#define UP (1.0 + 0x1p-40)

static int is_nearest(ulp_round_mode_t mode)
{
    return mode == ULP_ROUND_NEAREST_EVEN || mode == ULP_ROUND_NEAREST_AWAY;
}

/* A rounding to p bits in the exponent range of a format. */
typedef struct {
    double u, mu, limit;
    int emin;
} rounding_t;

static rounding_t rounding_of(const ulp_format_t *format, int p, ulp_round_mode_t mode)
{
    p = p > 0 ? p : format->p;
    int half = is_nearest(mode);
    rounding_t r = {.u = ldexp(1.0, half ? -p : 1 - p), .emin = format->emin};
    r.mu = fmax(ldexp(1.0, format->emin - p + (half ? 0 : 1)), 0x1p-1074);
    /* Nearest overflows from half an ulp beyond the largest number, others from 2^(emax+1). As a
     * product of two, for 2^1024 is no double. */
    r.limit = ldexp(half ? 1.0 - ldexp(1.0, -p - 1) : 1.0 - 0x1p-53, format->emax) * 2.0;
    return r;
}

/* (1 + x)^n - 1 */
static double growth(double x, double n)
{
    return expm1(n * log1p(x)) * UP;
}

/* (1 + x)(1 + y) - 1, without the loss that the 1 would bring. */
static double joined(double x, double y)
{
    return x + y + x * y;
}

/* s steps that drop tau times the largest addend, then round by `last`, after `before` relative. */
static ulp_bound_t chain(double s, double tau, double before, rounding_t last, int e0)
{
    double u = joined(before, last.u), theta = joined(tau, u);
    ulp_bound_t bound = {.relative = growth(theta, s), .limit = last.limit};
    double g = theta > 0.0 ? bound.relative / theta : s;
    double floor_scale = ldexp(1.0, e0 > last.emin ? e0 : last.emin);
    bound.subnormal = g * tau * (1.0 + u) * UP;
    bound.absolute = (bound.subnormal * floor_scale + g * last.mu) * UP;
    return bound;
}

/* ceil(k / l), at least 1 */
static double steps(size_t k, int l)
{
    size_t per_step = l > 0 ? (size_t)l : 1;
    size_t count = k == 0 ? 1 : (k + per_step - 1) / per_step;
    return (double)count;
}

static ulp_bound_t pairwise(const ulp_stage_t *stage, size_t k, rounding_t last)
{
    int depth = 0;
    while (1 << depth < stage->l) {
        depth++;
    }
    double s = steps(k, stage->l), all = s + depth + 1.0;
    ulp_bound_t bound = {.relative = growth(last.u, all), .limit = last.limit};
    double least = ldexp(1.0, last.emin);
    double per_operation = stage->flush != ULP_FLUSH_NONE ? least : last.mu;
    bound.absolute = s * 2.0 * stage->l * per_operation * (1.0 + bound.relative) * UP;
    if (stage->flush != ULP_FLUSH_NONE) {
        bound.subnormal = 2.0 * (double)k * (1.0 + bound.relative); /* inputs flushed */
        bound.absolute += least * (1.0 + bound.relative);           /* and c */
    }
    return bound;
}

/* The stage that computes, over k products; relative inf if it is none. */
static ulp_bound_t kernel(const ulp_stage_t *stage, size_t k)
{
    const ulp_format_t *range = stage->acc ? stage->acc : stage->format;
    range = range ? range : ulp_format_find("f32", NULL);
    rounding_t last = rounding_of(range, stage->final_p, stage->final_mode);
    double s = steps(k, stage->l);
    double l = (double)(k < (size_t)stage->l ? k : (size_t)stage->l);
    double dropped = stage->f == ULP_STAGE_F_INF ? 0.0 : ldexp(1.0, -stage->f);
    double floored = ldexp(1.0, -stage->f2 - 1);
    switch (stage->kind) {
    case ULP_STAGE_FDPA:
        return chain(s, (l + 1.0) * dropped, 0.0, last, stage->e0);
    case ULP_STAGE_GDPA: {
        double groups = stage->g > 0 ? ceil(l / stage->g) : l;
        return chain(s, (groups + 1.0) * dropped, 0.0, last, stage->e0);
    }
    case ULP_STAGE_TRFDPA:
        last.mu += ldexp(1.0, last.emin - stage->f2);
        return chain(s, (l + 1.0) * dropped + floored, 2.0 * floored, last, last.emin);
    case ULP_STAGE_GTRFDPA:
        last.mu += ldexp(1.0, last.emin - stage->f2);
        return chain(s, (l + 3.0) * dropped + floored, 2.0 * floored, last, last.emin);
    case ULP_STAGE_PAIRWISE:
        return pairwise(stage, k, last);
    case ULP_STAGE_FMA:
        last = rounding_of(range, 0, stage->mode);
        return chain(k == 0 ? 1.0 : (double)k, 0.0, 0.0, last, last.emin);
    case ULP_STAGE_IMAC:
        return (ulp_bound_t){.limit = 0x1p31};
    default:
        return (ulp_bound_t){.relative = HUGE_VAL, .limit = HUGE_VAL};
    }
}

/* So many partial sums, each within `inner` of its own, added in a format. */
static ulp_bound_t add_parts(ulp_bound_t inner, double parts, const ulp_format_t *format,
                             ulp_round_mode_t mode)
{
    rounding_t last = rounding_of(format, 0, mode);
    double sums = growth(last.u, parts), grown = 1.0 + sums;
    return (ulp_bound_t){.relative = joined(inner.relative, sums) * UP,
                         .subnormal = parts * grown * inner.subnormal * UP,
                         .absolute = parts * grown * (inner.absolute + last.mu) * UP,
                         .limit = fmin(inner.limit, last.limit)};
}

/* How far in() moves a factor of a format: 0 exact, inf if the exponent range is too small. */
static double input_change(const ulp_stage_t *stage, const ulp_format_t *from)
{
    const ulp_format_t *to = stage->format;
    if (!to || to == from) {
        return 0.0;
    }
    if (from->kind != ULP_KIND_FLOAT || to->kind != ULP_KIND_FLOAT) {
        return HUGE_VAL;
    }
    int least_from = from->emin - from->p + 1, least_to = to->emin - to->p + 1;
    if (from->p <= to->p && least_from >= least_to && from->emax <= to->emax) {
        return 0.0;
    }
    if (from->emin < to->emin || from->emax > to->emax) {
        return HUGE_VAL;
    }
    return ldexp(1.0, is_nearest(stage->mode) ? -to->p : 1 - to->p);
}

static ulp_bound_t convert_inputs(ulp_bound_t inner, const ulp_stage_t *stage,
                                  const ulp_format_t *a, const ulp_format_t *b, size_t k)
{
    double delta = fmax(input_change(stage, a), input_change(stage, b));
    ulp_bound_t bound = inner;
    double grown = 1.0 + inner.relative;
    if (delta > 0.0) {
        bound.relative = joined(inner.relative, joined(delta, delta)) * UP;
        bound.subnormal = inner.subnormal + 4.0 * delta * (double)k * grown;
    }
    if (stage->flush != ULP_FLUSH_NONE) {
        bound.subnormal += 2.0 * (double)k * grown;
        bound.absolute += 0x1p-126 * grown;
    }
    return bound;
}

static const ulp_stage_t *find_stage(const ulp_model_t *model, ulp_stage_kind_t kind)
{
    for (size_t i = 0; i < model->nstages; i++) {
        if (model->stage[i].kind == kind) {
            return &model->stage[i];
        }
    }
    return NULL;
}

static int computes(ulp_stage_kind_t kind)
{
    return kind == ULP_STAGE_FDPA || kind == ULP_STAGE_GDPA || kind == ULP_STAGE_PAIRWISE ||
           kind == ULP_STAGE_TRFDPA || kind == ULP_STAGE_GTRFDPA || kind == ULP_STAGE_FMA ||
           kind == ULP_STAGE_IMAC;
}

static size_t round_up(size_t n, size_t to)
{
    return to > 1 ? (n + to - 1) / to * to : n;
}

/* The products of the longest part of split K, or of all, zeros that fill a block of pairs among
 * them; parts are whole steps, blocks and promoted sums. */
static size_t longest_part(const ulp_model_t *model, size_t k)
{
    enum { PAIRS_BLOCK = 32, PAIRS = 2 };
    const ulp_stage_t *order = find_stage(model, ULP_STAGE_ORDER);
    const ulp_stage_t *promote = find_stage(model, ULP_STAGE_PROMOTE);
    const ulp_stage_t *splitk = find_stage(model, ULP_STAGE_SPLITK);
    size_t block = 1, unit = 1;
    if (order) {
        block = order->n > 0 ? (size_t)order->n : order->order == PAIRS ? PAIRS_BLOCK : k;
    }
    size_t all = order && order->order == PAIRS ? round_up(k, block) : k;
    if (!splitk) {
        return all;
    }
    for (size_t i = 0; i < model->nstages; i++) {
        if (computes(model->stage[i].kind) && model->stage[i].l > 0) {
            unit = (size_t)model->stage[i].l;
        }
    }
    size_t whole = promote ? (size_t)promote->n : unit;
    whole = whole > block ? whole : block;
    return round_up((all + (size_t)splitk->n - 1) / (size_t)splitk->n, whole);
}

ulp_bound_t ulp_bound_model(const ulp_model_t *model, const ulp_format_t *a, const ulp_format_t *b,
                            size_t k)
{
    const ulp_stage_t *promote = find_stage(model, ULP_STAGE_PROMOTE);
    const ulp_stage_t *splitk = find_stage(model, ULP_STAGE_SPLITK);
    size_t part = longest_part(model, k);
    size_t block = promote && (size_t)promote->n < part ? (size_t)promote->n : part;
    const ulp_format_t *sum = ulp_format_find("f32", NULL);
    ulp_bound_t bound = {.relative = HUGE_VAL, .limit = HUGE_VAL};
    for (size_t i = 0; i < model->nstages; i++) {
        const ulp_stage_t *stage = &model->stage[i];
        if (computes(stage->kind)) {
            bound = kernel(stage, block);
            sum = stage->acc ? stage->acc : stage->format ? stage->format : sum;
        }
    }
    if (promote) {
        sum = promote->format ? promote->format : ulp_format_find("f32", NULL);
        bound = add_parts(bound, steps(part, promote->n), sum, promote->mode);
    }
    if (splitk) {
        bound = add_parts(bound, splitk->n, sum, ULP_ROUND_NEAREST_EVEN);
    }
    for (size_t i = 0; i < model->nstages; i++) {
        if (model->stage[i].kind == ULP_STAGE_IN) {
            bound = convert_inputs(bound, &model->stage[i], a, b, k);
        }
    }
    return bound;
}

double ulp_bound_value(const ulp_bound_t *bound, double magnitude, double subnormal_scale)
{
    double from_subnormals = subnormal_scale > 0.0 ? bound->subnormal * subnormal_scale : 0.0;
    double from_terms = magnitude > 0.0 ? bound->relative * magnitude : 0.0;
    double value = (from_terms + from_subnormals + bound->absolute) * UP;
    return magnitude + value < bound->limit ? value : HUGE_VAL;
}

double ulp_bound_rounding(const ulp_format_t *format, ulp_round_mode_t mode, double size)
{
    double part = is_nearest(mode) ? 0.5 : 1.0;
    if (format->kind != ULP_KIND_FLOAT) {
        return part;
    }
    int e = format->emin;
    if (isfinite(size) && size > 0.0) {
        int above;
        (void)frexp(size, &above); /* size < 2^above */
        e = above - 1 > e ? above - 1 : e;
    }
    return fmax(ldexp(part, e - format->p + 1), 0x1p-1074);
}
