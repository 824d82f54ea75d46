/* emulators/fdpa.c - the fused dot-product-add: align, truncate, add exactly, round once. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/step.h"
#include "precision/accumulator.h"

static uint64_t magnitude_of(int64_t s)
{
    return s < 0 ? -(uint64_t)s : (uint64_t)s;
}

/* The largest exponent of the products, of c and e0. Zeros have an exponent below all. */
static int alignment(const ulp_operand_t *a, const ulp_operand_t *b, size_t n, int c_e, int e0)
{
    int e = c_e > e0 ? c_e : e0;
    for (size_t i = 0; i < n; i++) {
        int product = a[i].e + b[i].e;
        e = product > e ? product : e;
    }
    return e;
}

/* [KM25], [MMASIM] T-FDPA: products are kept unnormalised and c is one more addend. Every addend is
 * cut toward zero to a multiple of 2^(e - f), where e is the largest exponent. */
ulp_operand_t ulp_step_fdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            ulp_operand_t c)
{
    ulp_operand_t result;
    if ((x->special || c.kind) && ulp_specials_step(x, first, n, &c, &result)) {
        return result;
    }
    const ulp_operand_t *a = x->a + first, *b = x->b + first;
    int f = step->stage->f;
    int e = alignment(a, b, n, c.e, step->stage->e0);
    /* Fraction bits of a product beyond f fall; missing ones come first, so that shifts go one way.
     */
    int spare = step->a_fraction + step->b_fraction - f;
    int left = spare < 0 ? -spare : 0, base = e + (spare > 0 ? spare : 0);
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t product = a[i].s * b[i].s * ((int64_t)1 << left);
        sum += ulp_shift_toward_zero(product, base - a[i].e - b[i].e);
    }
    int c_spare = step->c_fraction - f;
    int c_left = c_spare < 0 ? -c_spare : 0;
    sum +=
        ulp_shift_toward_zero(c.s * ((int64_t)1 << c_left), e - c.e + (c_spare > 0 ? c_spare : 0));
    return ulp_operand_round(sum < 0, magnitude_of(sum), e - f, 0, &step->target);
}

/* The bits that the terms of a step span: all exponents of last places from `least`, all magnitudes
 * below 2^most. */
typedef struct {
    int least, most;
} span_t;

static void include(span_t *span, int nonzero, int exponent, int bits)
{
    if (nonzero) {
        span->least = exponent < span->least ? exponent : span->least;
        span->most = exponent + bits > span->most ? exponent + bits : span->most;
    }
}

__extension__ typedef __int128 wide_t;

static ulp_operand_t round_wide(wide_t sum, int exponent, const ulp_target_t *target)
{
    int negative = sum < 0, sticky = 0;
    __extension__ unsigned __int128 m = negative ? -(unsigned __int128)sum : (unsigned __int128)sum;
    while (m >> 64 != 0) { /* at most 4 turns */
        sticky |= (m & 0xffff) != 0;
        m >>= 16;
        exponent += 16;
    }
    return ulp_operand_round(negative, (uint64_t)m, exponent, sticky, target);
}

static ulp_operand_t add_anywhere(const ulp_step_t *step, const ulp_operand_t *a,
                                  const ulp_operand_t *b, size_t n, ulp_operand_t c)
{
    ulp_accumulator_t sum = {0};
    ulp_accumulator_add(&sum, ulp_operand_number(c, step->c_fraction));
    for (size_t i = 0; i < n; i++) {
        ulp_accumulator_add_product(&sum, ulp_operand_number(a[i], step->a_fraction),
                                    ulp_operand_number(b[i], step->b_fraction));
    }
    ulp_number_t value = ulp_accumulator_value(&sum);
    if (value.kind == ULP_CLASS_ZERO) {
        return ulp_operand_zero(0);
    }
    return ulp_operand_round(value.negative, value.significand, value.exponent, value.sticky,
                             &step->target);
}

/* [MMASIM] E-FDPA: the exact sum of products and c, rounded once; an exact zero is +0. */
ulp_operand_t ulp_step_exact(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                             ulp_operand_t c)
{
    ulp_operand_t result;
    if ((x->special || c.kind) && ulp_specials_step(x, first, n, &c, &result)) {
        return result;
    }
    const ulp_operand_t *a = x->a + first, *b = x->b + first;
    int fraction = step->a_fraction + step->b_fraction, bits = fraction + 2;
    span_t span = {1 << 30, -(1 << 30)};
    for (size_t i = 0; i < n; i++) {
        include(&span, a[i].s != 0 && b[i].s != 0, a[i].e + b[i].e - fraction, bits);
    }
    include(&span, c.s != 0, c.e - step->c_fraction, step->c_fraction + 1);
    if (span.most < span.least) {
        return ulp_operand_zero(0);
    }
    /* 2^10 terms and a sign beside them. */
    if (span.most - span.least > 116 || bits > 63) {
        return add_anywhere(step, a, b, n, c);
    }
    wide_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t product = a[i].s * b[i].s;
        if (product != 0) {
            sum += (wide_t)product * ((wide_t)1 << (a[i].e + b[i].e - fraction - span.least));
        }
    }
    if (c.s != 0) {
        sum += (wide_t)c.s * ((wide_t)1 << (c.e - step->c_fraction - span.least));
    }
    if (sum == 0) {
        return ulp_operand_zero(0);
    }
    return round_wide(sum, span.least, &step->target);
}
