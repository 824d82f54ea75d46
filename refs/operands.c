/* refs/operands.c - codes become MPFR numbers: the only place where refs/ asks precision/. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "refs/operands.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"
#include "precision/number.h"
#include "precision/scale.h"

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
    operands->size = calloc(capacity, sizeof *operands->size);
    operands->exponent = calloc(capacity, sizeof *operands->exponent);
    operands->subnormal = calloc(capacity, sizeof *operands->subnormal);
    if (!operands->value || !operands->size || !operands->exponent || !operands->subnormal) {
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

int ulp_operands_load(ulp_operands_t *operands, size_t at, const ulp_run_t *run, size_t n)
{
    const ulp_format_t *format = run->elements->format;
    int any_subnormal = 0;
    mpfr_t by;
    mpfr_init2(by, 64);
    for (size_t i = 0; i < n; i++) {
        mpfr_ptr value = operands->value[at + i];
        ulp_number_t x =
            ulp_number_decode(ulp_tensor_get(run->elements, run->first + i * run->step), format);
        set_number(value, x);
        int subnormal = is_subnormal(x, format), exponent = format_exponent(x, format);
        if (run->scales) {
            size_t j = run->scale_first + (run->k_first + i) / run->block * run->scale_step;
            const ulp_format_t *scale_format = run->scales->format;
            ulp_number_t s = ulp_scale_decode(ulp_tensor_get(run->scales, j), scale_format);
            set_number(by, s);
            multiply(value, by);
            subnormal |= is_subnormal(s, scale_format);
            exponent += format_exponent(s, scale_format);
        }
        double factor = 1.0;
        if (run->factor != 1.0) {
            mpfr_set_d(by, run->factor, MPFR_RNDN);
            multiply(value, by);
            factor = fabs(run->factor);
        }
        int regular = mpfr_regular_p(value) != 0;
        operands->size[at + i] =
            mpfr_number_p(value) ? fabs(mpfr_get_d(value, MPFR_RNDA)) : HUGE_VAL;
        operands->exponent[at + i] = regular ? power_of_two(exponent) * factor : 0.0;
        operands->subnormal[at + i] = subnormal ? operands->exponent[at + i] : 0.0;
        any_subnormal |= subnormal && regular;
    }
    mpfr_clear(by);
    return any_subnormal;
}
