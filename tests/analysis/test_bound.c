/* tests/analysis/test_bound.c - what every named model gives stays inside its bound; bugs do not.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/bound.h"
#include "emulators/emulate.h"
#include "emulators/table.h"
#include "refs/contraction.h"
#include "tests/harness/random.h"

enum { ROWS = 24 };

/* First word of a list of format names. */
static const ulp_format_t *first_format(const char *names)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(names, " "), names);
    return word[0] ? ulp_format_find(word, NULL) : NULL;
}

static ulp_tensor_t tensor(const ulp_format_t *format, size_t rows, size_t columns)
{
    ulp_tensor_t t;
    size_t shape[2] = {rows, columns};
    cr_assert(ulp_tensor_create(&t, format, 2, shape, NULL) == ULP_OK);
    return t;
}

static void set_value(ulp_tensor_t *t, size_t i, double x)
{
    ulp_rounding_t how = {.overflow = ULP_OVERFLOW_SATURATE};
    ulp_tensor_set(t, i, ulp_number_encode(ulp_number_from_double(x), t->format, &how, NULL));
}

/* Uniform in (-2, 2), with few bits set at times. */
static double ordinary(uint64_t *random)
{
    double x = ldexp((double)(int64_t)test_random(random), -62);
    return test_random(random) % 4 ? x : rint(x * 4) / 4;
}

typedef struct {
    ulp_tensor_t a, b, c, sa, sb;
    ulp_contraction_t x;
} dots_t;

/*
 * Families. 0: ordinary. 1: c swamps equal products, row by row smaller. 2: cancellation, c against
 * the first products, small rest. 3: exponents at random over the format. 4: near the bottom.
 */
static void fill(dots_t *d, int family, size_t k, uint64_t *random)
{
    const ulp_format_t *f = d->a.format;
    int float_c = d->c.format->kind == ULP_KIND_FLOAT;
    double top = ldexp(1.0, (f->emax < 20 ? f->emax : 20) / 2);
    for (size_t row = 0; row < ROWS; row++) {
        double small = ldexp(1.0 - 0x1p-9, -(int)row), big = family == 1 ? top : 1.0;
        for (size_t i = 0; i < k; i++) {
            double a = ordinary(random), b = ordinary(random);
            int spread = (int)(test_random(random) % 40) - 20;
            if (family == 1) {
                a = small * 1.9375 * 0.5;
                b = 1.9375 * ldexp(1.0, -6);
            } else if (family == 2) {
                a = i < 2 ? ldexp(1.0 + fabs(a) / 4, 3) : a * small;
            } else if (family == 3) {
                a = ldexp(a, spread);
                b = ldexp(b, (int)(test_random(random) % 40) - 20);
            } else if (family == 4) {
                a = ldexp(a, f->emin - f->p + 2 + (int)(test_random(random) % 8));
            }
            set_value(&d->a, row * k + i, f->kind == ULP_KIND_FLOAT ? a : a * 64);
            set_value(&d->b, row * k + i, f->kind == ULP_KIND_FLOAT ? b : b * 64);
        }
        double c = family == 1 ? big : family == 2 ? -16.0 * ordinary(random) : ordinary(random);
        set_value(&d->c, row, float_c ? c : c * 1000);
        for (size_t i = 0; d->sa.format && i < d->sa.shape[1]; i++) {
            int e = (int)(test_random(random) % 6) - 3;
            set_value(&d->sa, row * d->sa.shape[1] + i, ldexp(1.0 + (e & 1) * 0.5, e));
            set_value(&d->sb, row * d->sa.shape[1] + i, ldexp(1.0, -e));
        }
    }
}

static size_t scale_block(const ulp_model_t *model)
{
    for (size_t i = 0; i < model->nstages; i++) {
        if (model->stage[i].kind == ULP_STAGE_SCALE) {
            return (size_t)model->stage[i].n;
        }
    }
    return 0;
}

static dots_t make(const ulp_named_model_t *row, const ulp_model_t *model, size_t k)
{
    const ulp_format_t *f = first_format(row->inputs), *s = first_format(row->scales);
    dots_t d = {.a = tensor(f, ROWS, k), .b = tensor(f, ROWS, k)};
    d.c = tensor(first_format(row->c), ROWS, 1);
    d.x = (ulp_contraction_t){.shape = {.groups = ROWS,
                                        .m = 1,
                                        .n = 1,
                                        .k = k,
                                        .a_group = k,
                                        .a_k = 1,
                                        .b_group = k,
                                        .b_k = 1,
                                        .c_group = 1,
                                        .alpha = 1,
                                        .beta = 1},
                              .out_rank = 1,
                              .out_shape = {ROWS},
                              .out_nelems = ROWS};
    size_t block = scale_block(model);
    if (s && block) {
        d.sa = tensor(s, ROWS, k / block);
        d.sb = tensor(s, ROWS, k / block);
        d.x.shape.scale_block = block;
        d.x.shape.sa_group = d.x.shape.sb_group = k / block;
        d.x.shape.sa_k = d.x.shape.sb_k = 1;
    }
    return d;
}

static void aim(dots_t *d)
{
    d->x.a = &d->a;
    d->x.b = &d->b;
    d->x.c = &d->c;
    d->x.a_scale = d->sa.format ? &d->sa : NULL;
    d->x.b_scale = d->sb.format ? &d->sb : NULL;
}

static void free_dots(dots_t *d)
{
    ulp_tensor_free(&d->a);
    ulp_tensor_free(&d->b);
    ulp_tensor_free(&d->c);
    ulp_tensor_free(&d->sa);
    ulp_tensor_free(&d->sb);
}

/* The largest |emulated - exact| / bound over the finite outputs. `exact_of`: whose exact result.
 */
static double worst_ratio(const dots_t *d, const dots_t *exact_of, const ulp_model_t *model,
                          const char *name, size_t *compared)
{
    ulp_tensor_t got;
    ulp_reference_t r;
    ulp_error_t err;
    cr_assert(ulp_emulate_contraction(&got, &d->x, model, ULP_PATH_PLAIN, 1, &err) == ULP_OK,
              "%s: %s", name, err.message);
    cr_assert(ulp_reference_contraction(&r, &exact_of->x, got.format, 1, &err) == ULP_OK);
    ulp_bound_t bound = ulp_bound_model(model, d->a.format, d->b.format, d->x.shape.k);
    double worst = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        ulp_number_t y = ulp_number_decode(ulp_tensor_get(&got, i), got.format);
        double reach = ulp_bound_value(&bound, r.magnitude[i], r.subnormal[i]);
        const ulp_stage_t *last = &model->stage[model->nstages - 1];
        if (last->kind == ULP_STAGE_OUT) {
            reach += ulp_bound_rounding(got.format, last->mode, fabs(r.hi[i]) + reach);
        }
        if (isinf(reach) || !isfinite(r.hi[i])) {
            continue;
        }
        int finite = y.kind == ULP_CLASS_FINITE || y.kind == ULP_CLASS_ZERO;
        double off = fabs(ulp_number_to_double(y) - r.hi[i] - r.lo[i]);
        double ratio = !finite ? HUGE_VAL : off == 0.0 ? 0.0 : off / reach;
        worst = fmax(worst, ratio);
        ++*compared;
    }
    ulp_tensor_free(&got);
    ulp_reference_free(&r);
    return worst;
}

/* Swap operands of two places in every row; with scales only within a block. */
static void permute(dots_t *d, uint64_t *random)
{
    size_t k = d->x.shape.k, block = d->x.shape.scale_block ? d->x.shape.scale_block : k;
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < k; i++) {
            size_t j = i / block * block + test_random(random) % block;
            ulp_tensor_t *both[2] = {&d->a, &d->b};
            for (int t = 0; t < 2; t++) {
                uint64_t x = ulp_tensor_get(both[t], row * k + i);
                ulp_tensor_set(both[t], row * k + i, ulp_tensor_get(both[t], row * k + j));
                ulp_tensor_set(both[t], row * k + j, x);
            }
        }
    }
}

/* Every row of the table, five families, two lengths, as they come and permuted. */
Test(bound, holds_for_every_model)
{
    static const size_t lengths[] = {1, 6};
    uint64_t random = test_seed();
    for (size_t m = 0; m < ulp_named_model_count(); m++) {
        const ulp_named_model_t *row = ulp_named_model_at(m);
        ulp_model_t model = ulp_named_model_parse(row);
        double worst = 0.0;
        size_t compared = 0;
        for (size_t l = 0; l < 2; l++) {
            size_t unit = scale_block(&model) ? 64 : 16;
            size_t k = l == 0 ? unit : lengths[l] * 32;
            for (int family = 0; family < 5; family++) {
                dots_t d = make(row, &model, k);
                aim(&d);
                fill(&d, family, k, &random);
                for (int order = 0; order < 2; order++) {
                    double ratio = worst_ratio(&d, &d, &model, row->name, &compared);
                    cr_expect(ratio <= 1.0, "%s: k %zu, family %d, order %d: %g of the bound",
                              row->name, k, family, order, ratio);
                    worst = fmax(worst, ratio);
                    permute(&d, &random);
                }
                free_dots(&d);
            }
        }
        cr_expect(compared > 300, "%s: only %zu outputs were compared", row->name, compared);
        int exact = strstr(row->line, "imac") != NULL;
        cr_expect(exact ? worst == 0.0 : worst >= 0.02,
                  "%s: the bound is absurd: inputs made to lose most reach %g of it", row->name,
                  worst);
    }
}

/* A kernel that drops the last product, or takes it with the wrong sign, is beyond any order. */
Test(bound, does_not_hold_for_bugs)
{
    static const char *const names[] = {"hopper.bf16.f32", "ampere.f16.f32", "volta.f16.f32"};
    uint64_t random = test_seed();
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        const ulp_named_model_t *row = ulp_named_model_find(names[m]);
        cr_assert(row != NULL, "%s", names[m]);
        ulp_model_t model = ulp_named_model_parse(row);
        for (int bug = 0; bug < 2; bug++) {
            dots_t good = make(row, &model, 64), bad = make(row, &model, 64);
            aim(&good);
            aim(&bad);
            fill(&good, 0, 64, &random);
            for (size_t i = 0; i < good.a.nelems; i++) {
                uint64_t code = ulp_tensor_get(&good.a, i);
                if (i % 64 == 63) {
                    code = bug == 0 ? 0 : code ^ UINT64_C(0x8000);
                }
                ulp_tensor_set(&bad.a, i, code);
                ulp_tensor_set(&bad.b, i, ulp_tensor_get(&good.b, i));
            }
            for (size_t i = 0; i < ROWS; i++) {
                ulp_tensor_set(&bad.c, i, ulp_tensor_get(&good.c, i));
            }
            size_t compared = 0;
            double ratio = worst_ratio(&bad, &good, &model, row->name, &compared);
            cr_expect(ratio > 1000.0, "%s: bug %d stays within %g of the bound", row->name, bug,
                      ratio);
            free_dots(&good);
            free_dots(&bad);
        }
    }
}

/* Figures by hand: one step of 16 at f = 25, then RZ to 24 bits. */
Test(bound, figures)
{
    ulp_model_t model;
    ulp_error_t err;
    cr_assert(ulp_model_parse(&model, "fdpa(l=16,f=25,final=rz24,e0=-133)", &err) == ULP_OK, "%s",
              err.message);
    const ulp_format_t *bf16 = ulp_format_find("bf16", NULL), *f32 = ulp_format_find("f32", NULL);
    ulp_bound_t b = ulp_bound_model(&model, bf16, bf16, 16);
    double tau = 17 * 0x1p-25, u = 0x1p-23, want = tau + u + tau * u;
    cr_expect(b.relative >= want && b.relative < want * (1 + 1e-9), "%a, want %a", b.relative,
              want);
    double least = tau * (1 + u) * 0x1p-126 + 0x1p-149;
    cr_expect(b.absolute >= least && b.absolute < least * (1 + 1e-6), "%a, want %a", b.absolute,
              least);
    b = ulp_bound_model(&model, bf16, bf16, 64); /* four steps */
    want = pow(1 + want, 4) - 1;
    cr_expect(b.relative >= want * (1 - 1e-12) && b.relative < want * (1 + 1e-9), "%a, want %a",
              b.relative, want);
    /* pairs fill blocks of 32 with zeros: 16 products take two steps of 16 */
    cr_assert(ulp_model_parse(&model, "order(pairs) | fdpa(l=16,f=25,final=rz24,e0=-133)", &err) ==
                  ULP_OK,
              "%s", err.message);
    b = ulp_bound_model(&model, bf16, bf16, 16);
    cr_expect(b.relative > 1.9 * (tau + u) && b.relative < 2.1 * (tau + u), "%a", b.relative);
    cr_assert(ulp_model_parse(&model, "fma(f32,rne)", &err) == ULP_OK, "%s", err.message);
    b = ulp_bound_model(&model, f32, f32, 1000); /* [HIGHAM02] gamma: n u / (1 - n u) is above */
    cr_expect(b.relative >= 1000 * 0x1p-24 && b.relative <= 1000 * 0x1p-24 / (1 - 1000 * 0x1p-24),
              "%a", b.relative);
    cr_expect(isinf(ulp_bound_value(&b, 0x1.fffffep127, 0)), "a sum near 2^128 may overflow");
    cr_expect(ulp_bound_value(&b, 1, 0) < 1e-4);
    cr_expect(ulp_bound_rounding(bf16, ULP_ROUND_NEAREST_EVEN, 1.5) == 0x1p-8);
    cr_expect(ulp_bound_rounding(bf16, ULP_ROUND_TOWARD_ZERO, 2.0) == 0x1p-6);
    cr_expect(ulp_bound_rounding(bf16, ULP_ROUND_NEAREST_EVEN, 0.0) == 0x1p-134);
}
