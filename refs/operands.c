/* refs/operands.c - codes become MPFR numbers: the only place where refs/ asks precision/. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "refs/operands.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"
#include "precision/number.h"
#include "precision/scale.h"

ulp_run_t ulp_run_of_a(const ulp_contraction_t *x, size_t group, size_t row, size_t k)
{
    const ulp_contraction_shape_t *s = &x->shape;
    return (ulp_run_t){.elements = x->a,
                       .first = group * s->a_group + row * s->a_row + k * s->a_k,
                       .step = s->a_k,
                       .scales = s->scale_block ? x->a_scale : NULL,
                       .scale_first = group * s->sa_group + row * s->sa_row,
                       .scale_step = s->sa_k,
                       .block = s->scale_block,
                       .k_first = k,
                       .factor = s->alpha};
}

ulp_run_t ulp_run_of_b(const ulp_contraction_t *x, size_t group, size_t column, size_t k)
{
    const ulp_contraction_shape_t *s = &x->shape;
    return (ulp_run_t){.elements = x->b,
                       .first = group * s->b_group + column * s->b_col + k * s->b_k,
                       .step = s->b_k,
                       .scales = s->scale_block ? x->b_scale : NULL,
                       .scale_first = group * s->sb_group + column * s->sb_col,
                       .scale_step = s->sb_k,
                       .block = s->scale_block,
                       .k_first = k,
                       .factor = 1.0};
}

ulp_run_t ulp_run_of_c(const ulp_contraction_t *x, size_t group, size_t row, size_t column)
{
    const ulp_contraction_shape_t *s = &x->shape;
    return (ulp_run_t){.elements = x->c,
                       .first = group * s->c_group + row * s->c_row + column * s->c_col,
                       .factor = s->beta};
}

static int format_bits(const ulp_format_t *format)
{
    return format->kind == ULP_KIND_FLOAT ? format->p : format->bits;
}

int ulp_operands_bits(const ulp_run_t *run)
{
    int bits = format_bits(run->elements->format);
    bits += run->scales ? format_bits(run->scales->format) : 0;
    return bits + (run->factor != 1.0 ? 53 : 0);
}

int ulp_operands_init(ulp_operands_t *operands, size_t capacity, int precision)
{
    *operands = (ulp_operands_t){0};
    operands->value = calloc(capacity, sizeof *operands->value);
    operands->integer = calloc(capacity, sizeof *operands->integer);
    operands->shift = calloc(capacity, sizeof *operands->shift);
    operands->size = calloc(capacity, sizeof *operands->size);
    operands->exponent = calloc(capacity, sizeof *operands->exponent);
    operands->subnormal = calloc(capacity, sizeof *operands->subnormal);
    if (!operands->value || !operands->integer || !operands->shift || !operands->size ||
        !operands->exponent || !operands->subnormal) {
        ulp_operands_clear(operands);
        return -1;
    }
    for (size_t i = 0; i < capacity; i++) {
        mpfr_init2(operands->value[i], precision);
    }
    operands->capacity = capacity;
    return 0;
}

void ulp_operands_clear(ulp_operands_t *operands)
{
    for (size_t i = 0; i < operands->capacity; i++) {
        mpfr_clear(operands->value[i]);
    }
    free(operands->value);
    free(operands->integer);
    free(operands->shift);
    free(operands->size);
    free(operands->exponent);
    free(operands->subnormal);
    *operands = (ulp_operands_t){0};
}

static void set_number(mpfr_ptr out, ulp_number_t x)
{
    switch (x.kind) {
    case ULP_CLASS_NAN:
        mpfr_set_nan(out);
        return;
    case ULP_CLASS_INF:
        mpfr_set_inf(out, x.negative ? -1 : 1);
        return;
    case ULP_CLASS_ZERO:
        mpfr_set_zero(out, x.negative ? -1 : 1);
        return;
    default:
        mpfr_set_uj_2exp(out, x.significand, x.exponent, MPFR_RNDN); /* exact: enough bits */
        if (x.negative) {
            mpfr_neg(out, out, MPFR_RNDN);
        }
    }
}

static int is_subnormal(ulp_number_t x, const ulp_format_t *format)
{
    return x.kind == ULP_CLASS_FINITE && format->kind == ULP_KIND_FLOAT &&
           x.significand >> (format->p - 1) == 0;
}

/* exp(x) of a float; floor(log2 |x|) of an integer, which no unit aligns. */
static int format_exponent(ulp_number_t x, const ulp_format_t *format)
{
    if (format->kind == ULP_KIND_FLOAT) {
        return x.exponent + format->p - 1;
    }
    int top = 63;
    while (top > 0 && x.significand >> top == 0) {
        top--;
    }
    return x.exponent + top;
}

/* 2^e, at least the least positive double: an upper bound must not vanish. */
static double power_of_two(int e)
{
    return e < -1074 ? 0x1p-1074 : ldexp(1.0, e);
}

static void multiply(mpfr_ptr value, mpfr_srcptr by)
{
    int inexact = mpfr_mul(value, value, by, MPFR_RNDN);
    ULP_ASSERT(inexact == 0);
}

/* An element and its scale, 1 if there is none. */
typedef struct {
    ulp_number_t x, s;
} factors_t;

static factors_t factors_at(const ulp_run_t *run, size_t i)
{
    factors_t f = {.s = {ULP_CLASS_FINITE, 0, 0, 0, 1}};
    f.x = ulp_number_decode(ulp_tensor_get(run->elements, run->first + i * run->step),
                            run->elements->format);
    if (run->scales) {
        size_t j = run->scale_first + (run->k_first + i) / run->block * run->scale_step;
        f.s = ulp_scale_decode(ulp_tensor_get(run->scales, j), run->scales->format);
    }
    return f;
}

/* The value of operand i; the caller's `by` has 64 bits. */
static void set_value(mpfr_ptr value, const ulp_run_t *run, factors_t f, mpfr_ptr by)
{
    set_number(value, f.x);
    if (run->scales) {
        set_number(by, f.s);
        multiply(value, by);
    }
    if (run->factor != 1.0) {
        mpfr_set_d(by, run->factor, MPFR_RNDN);
        multiply(value, by);
    }
}

void ulp_operands_load_values(ulp_operands_t *operands, size_t at, const ulp_run_t *run, size_t n)
{
    mpfr_t by;
    mpfr_init2(by, 64);
    for (size_t i = 0; i < n; i++) {
        set_value(operands->value[at + i], run, factors_at(run, i), by);
    }
    mpfr_clear(by);
}

/* Integer, shift and size of what the integers cannot hold. */
static void load_large(ulp_operands_t *operands, size_t i, const ulp_run_t *run, factors_t f)
{
    mpfr_t by;
    mpfr_init2(by, 64);
    mpfr_ptr value = operands->value[i];
    set_value(value, run, f, by);
    operands->size[i] = mpfr_number_p(value) ? fabs(mpfr_get_d(value, MPFR_RNDA)) : HUGE_VAL;
    operands->integer[i] = operands->shift[i] = 0;
    mpfr_clear(by);
}

static void note_size(ulp_operands_found_t *found, double size)
{
    found->least = size > 0.0 && size < found->least ? size : found->least;
}

void ulp_operands_load(ulp_operands_t *operands, size_t at, const ulp_run_t *run, size_t n,
                       ulp_operands_found_t *found)
{
    const ulp_format_t *format = run->elements->format;
    int small = ulp_operands_bits(run) <= 53 && run->factor == 1.0;
    for (size_t i = at; i < at + n; i++) {
        factors_t f = factors_at(run, i - at);
        int finite = f.x.kind == ULP_CLASS_FINITE && f.s.kind == ULP_CLASS_FINITE;
        int exponent = finite ? format_exponent(f.x, format) : 0;
        int subnormal = finite && is_subnormal(f.x, format);
        if (run->scales && finite) {
            exponent += format_exponent(f.s, run->scales->format);
            subnormal |= is_subnormal(f.s, run->scales->format);
        }
        operands->exponent[i] = finite ? power_of_two(exponent) * fabs(run->factor) : 0.0;
        operands->subnormal[i] = subnormal ? operands->exponent[i] : 0.0;
        found->subnormal |= subnormal;
        int zero = f.x.kind == ULP_CLASS_ZERO && f.s.kind <= ULP_CLASS_FINITE;
        if (!small || !(finite || zero)) {
            load_large(operands, i, run, f);
            found->integers = 0;
            note_size(found, operands->size[i]);
            continue;
        }
        int64_t integer = finite ? (int64_t)(f.x.significand * f.s.significand) : 0;
        int shift = finite ? f.x.exponent + f.s.exponent : 0;
        operands->integer[i] = f.x.negative ^ f.s.negative ? -integer : integer;
        operands->shift[i] = shift;
        operands->size[i] = ldexp((double)integer, shift);
        note_size(found, operands->size[i]);
        if (integer != 0 && operands->size[i] < 0x1p-1000) {
            load_large(operands, i, run, f); /* scaled below the doubles */
            found->integers = 0;
        } else if (integer != 0) {
            found->shift_min = shift < found->shift_min ? shift : found->shift_min;
            found->shift_max = shift > found->shift_max ? shift : found->shift_max;
        }
    }
}
