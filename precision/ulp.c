/* precision/ulp.c - spacing, ULP error, and steps on the number line of a format. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/ulp.h"

#include <math.h>
#include <stddef.h>

#include "precision/number.h"

int ulp_ulp_exponent(double hi, double lo, const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return 0;
    }
    int e = format->emin;
    if (hi != 0.0) {
        int above;
        double m = frexp(hi, &above); /* |hi| = |m| 2^above, 1/2 <= |m| < 1 */
        e = above - 1;
        /* A power of two with the tail on the side of zero lies in the binade below. */
        if (fabs(m) == 0.5 && lo != 0.0 && signbit(lo) != signbit(hi)) {
            e--;
        }
    }
    if (e < format->emin) {
        e = format->emin;
    }
    if (e > format->emax) {
        e = format->emax;
    }
    return e - (format->p - 1);
}

/* |y - hi - lo| * 2^-u for y = significand * 2^exponent, a few roundings at the end. */
static double scaled_error(ulp_number_t y, double hi, double lo, int u)
{
    /* Everything is scaled to the unit 2^u first, where y has at most p bits and hi is near it, or
     * far larger or smaller and then the tail no longer matters. Scaling by a power of two is exact
     * unless it underflows, far below the accuracy that is asked. A 64-bit integer takes two
     * doubles. */
    uint64_t tail = y.significand >> 53 != 0 ? 0x7ff : 0;
    double scaled_y = ldexp((double)(y.significand & ~tail), y.exponent - u);
    double scaled_rest = ldexp((double)(y.significand & tail), y.exponent - u);
    if (y.negative) {
        scaled_y = -scaled_y;
        scaled_rest = -scaled_rest;
    }
    double scaled_hi = ldexp(hi, -u);
    double scaled_lo = ldexp(lo, -u);
    double difference = scaled_y - scaled_hi; /* exact where the tail matters: y is near hi */
    if (!isfinite(difference)) {              /* 1.0 against 0 in f64: 2^1074 spacings */
        return HUGE_VAL;
    }
    return fabs(difference + (scaled_rest - scaled_lo));
}

double ulp_ulp_error(uint64_t got, const ulp_format_t *format, double hi, double lo)
{
    ulp_number_t y = ulp_number_decode(got, format);
    if (y.kind == ULP_CLASS_NAN || isnan(hi)) {
        return y.kind == ULP_CLASS_NAN && isnan(hi) ? 0.0 : HUGE_VAL;
    }
    if (isinf(hi)) {
        return y.kind == ULP_CLASS_INF && y.negative == (signbit(hi) != 0) ? 0.0 : HUGE_VAL;
    }
    if (y.kind == ULP_CLASS_INF) {
        y.significand = 1;
        y.exponent = format->emax + 1;
        y.kind = ULP_CLASS_FINITE;
    }
    if (y.kind == ULP_CLASS_ZERO) {
        y.exponent = 0;
        y.significand = 0;
    }
    return scaled_error(y, hi, lo, ulp_ulp_exponent(hi, lo, format));
}

/* Code of the magnitude, with neither sign nor padding. */
static uint64_t magnitude(uint64_t bits, const ulp_format_t *format)
{
    int width = format->bits - format->has_sign;
    uint64_t mask = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    return (bits & mask) >> format->padding_bits;
}

static int is_negative(uint64_t bits, const ulp_format_t *format)
{
    return format->has_sign && (bits >> (format->bits - 1) & 1) != 0;
}

int64_t ulp_ulp_index(uint64_t bits, const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        ulp_number_t x = ulp_number_decode(bits, format);
        uint64_t m = x.kind == ULP_CLASS_ZERO ? 0 : x.significand;
        return (int64_t)(x.negative ? 0 - m : m);
    }
    /* With no zero, code 0 is the first member: index 1, and zero stays free. */
    uint64_t m = magnitude(bits, format) + (format->zero == ULP_ZERO_NONE ? 1 : 0);
    return is_negative(bits, format) ? -(int64_t)m : (int64_t)m;
}

uint64_t ulp_ulp_distance(uint64_t a, uint64_t b, const ulp_format_t *format)
{
    int nan_a = ulp_format_is_nan(a, format);
    int nan_b = ulp_format_is_nan(b, format);
    if (nan_a || nan_b) {
        return nan_a && nan_b ? 0 : UINT64_MAX;
    }
    if (format->kind == ULP_KIND_UNSIGNED) { /* u64 has no int64 index */
        a = ulp_number_decode(a, format).significand;
        b = ulp_number_decode(b, format).significand;
        return a > b ? a - b : b - a;
    }
    int64_t i = ulp_ulp_index(a, format);
    int64_t j = ulp_ulp_index(b, format);
    return i > j ? (uint64_t)i - (uint64_t)j : (uint64_t)j - (uint64_t)i;
}

/* Code of the member one step further from zero, or the same code at the end of the line. */
static uint64_t away(uint64_t bits, const ulp_format_t *format)
{
    uint64_t next = bits + ((uint64_t)1 << format->padding_bits);
    if (ulp_format_is_inf(bits, format) || ulp_format_is_nan(next, format)) {
        return bits;
    }
    uint64_t last = ulp_format_has_inf(format) ? ulp_format_inf(format, 0) : ulp_format_max(format);
    return magnitude(bits, format) >= magnitude(last, format) ? bits : next;
}

static uint64_t next_integer(uint64_t bits, const ulp_format_t *format, int up)
{
    ulp_number_t x = ulp_number_decode(bits, format);
    uint64_t most = ulp_format_max(format);
    uint64_t mask = format->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << format->bits) - 1;
    int at_end = up ? !x.negative && x.significand == most
                    : (format->has_sign ? x.negative && x.significand == most + 1
                                        : x.kind == ULP_CLASS_ZERO);
    return at_end ? bits : (up ? bits + 1 : bits - 1) & mask;
}

uint64_t ulp_ulp_next(uint64_t bits, const ulp_format_t *format, int up)
{
    if (ulp_format_is_nan(bits, format)) {
        return bits;
    }
    if (format->kind != ULP_KIND_FLOAT) {
        return next_integer(bits, format, up);
    }
    int negative = is_negative(bits, format);
    uint64_t unit = (uint64_t)1 << format->padding_bits;
    uint64_t sign = (uint64_t)1 << (format->bits - 1);
    if (magnitude(bits, format) == 0 && format->zero != ULP_ZERO_NONE) {
        return up ? unit : format->has_sign ? sign | unit : bits;
    }
    if ((up != 0) != negative) {
        return away(bits, format);
    }
    if (magnitude(bits, format) == 0) {
        return bits; /* the least member of a format with no zero */
    }
    uint64_t toward = bits - unit;
    /* From the least negative number up: zero, as -0 where the format has it. */
    if (negative && magnitude(toward, format) == 0 && format->zero == ULP_ZERO_UNSIGNED) {
        return 0;
    }
    return toward;
}
