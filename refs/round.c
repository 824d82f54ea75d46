/* refs/round.c - scale the target's last place to 1, round to an integer, assemble the fields. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "refs/round.h"

#include "core/status.h"

/* Room for the significand of any format (u64 has 64 bits) and for what is rounded away. */
enum { INTEGER_BITS = 66 };

static uint64_t low_ones(int n)
{
    ULP_ASSERT(n >= 0);
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* |x| / 2^q to the nearest integer, ties to even; the caller knows that it fits. */
static uint64_t nearest_integer(mpfr_srcptr x, long q)
{
    mpfr_t scaled, integer;
    mpfr_init2(scaled, mpfr_get_prec(x));
    mpfr_init2(integer, INTEGER_BITS);
    mpfr_mul_2si(scaled, x, -q, MPFR_RNDN); /* exact */
    mpfr_abs(scaled, scaled, MPFR_RNDN);
    mpfr_rint(integer, scaled, MPFR_RNDN);
    uint64_t value = mpfr_get_uj(integer, MPFR_RNDN);
    mpfr_clear(scaled);
    mpfr_clear(integer);
    return value;
}

static uint64_t round_to_integer_format(mpfr_srcptr x, const ulp_format_t *format)
{
    if (mpfr_nan_p(x) || mpfr_zero_p(x)) {
        return 0;
    }
    int negative = mpfr_signbit(x) != 0;
    if (negative && format->kind == ULP_KIND_UNSIGNED) {
        return 0;
    }
    int value_bits = format->kind == ULP_KIND_SIGNED ? format->bits - 1 : format->bits;
    uint64_t largest = low_ones(value_bits) + (uint64_t)negative;
    uint64_t magnitude = largest;
    if (!mpfr_inf_p(x) && mpfr_get_exp(x) <= value_bits) {
        magnitude = nearest_integer(x, 0);
        magnitude = magnitude > largest ? largest : magnitude;
    }
    return (negative ? ~magnitude + 1 : magnitude) & low_ones(format->bits);
}

static uint64_t nan_code(const ulp_format_t *format)
{
    switch (format->nan) {
    case ULP_NAN_IEEE:
        return ((low_ones(format->exponent_bits) << 1 | 1) << (format->p - 2))
               << format->padding_bits;
    case ULP_NAN_ALL_ONES:
        return low_ones(format->exponent_bits + format->p - 1) << format->padding_bits;
    case ULP_NAN_MINUS_ZERO:
        return UINT64_C(1) << (format->bits - 1);
    default:
        return 0;
    }
}

/* Exponent and fraction fields of the largest finite number. */
static uint64_t largest_fields(const ulp_format_t *format)
{
    uint64_t ones = low_ones(format->exponent_bits + format->p - 1);
    if (format->nan == ULP_NAN_IEEE) {
        return ones - (UINT64_C(1) << (format->p - 1));
    }
    return format->nan == ULP_NAN_ALL_ONES ? ones - 1 : ones;
}

/* Exponent and fraction fields of |x|, finite and not zero, as one integer; above `largest` if it
 * rounds beyond. */
static uint64_t finite_fields(mpfr_srcptr x, const ulp_format_t *format, uint64_t largest)
{
    int fraction_bits = format->p - 1;
    long e = (long)mpfr_get_exp(x) - 1; /* floor(log2 |x|) */
    if (e > format->emax) {
        return largest + 1;
    }
    long q_least = (long)format->emin - fraction_bits;
    long q = e - fraction_bits > q_least ? e - fraction_bits : q_least;
    uint64_t m = nearest_integer(x, q);
    if (format->zero == ULP_ZERO_NONE) {
        /* p = 1, and field 0 is a power of two as the others are */
        return (uint64_t)(q - q_least) + (m > 1 ? 1 : 0);
    }
    /* The hidden bit of m makes the exponent field: 1 for 2^emin, and one more if m carried. */
    return ((uint64_t)(q - q_least) << fraction_bits) + m;
}

uint64_t ulp_round_to_format(mpfr_srcptr x, const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return round_to_integer_format(x, format);
    }
    int negative = mpfr_signbit(x) != 0;
    if (mpfr_nan_p(x) || (negative && !format->has_sign && !mpfr_zero_p(x))) {
        return nan_code(format);
    }
    uint64_t largest = largest_fields(format);
    uint64_t fields = mpfr_inf_p(x)    ? largest + 1
                      : mpfr_zero_p(x) ? 0
                                       : finite_fields(x, format, largest);
    if (fields > largest) {
        if (format->inf == ULP_INF_IEEE) {
            fields = low_ones(format->exponent_bits) << (format->p - 1);
        } else if (format->nan != ULP_NAN_NONE) {
            return nan_code(format);
        } else {
            fields = largest;
        }
    }
    uint64_t code = fields << format->padding_bits;
    int keeps_sign = format->has_sign && (fields != 0 || format->zero == ULP_ZERO_SIGNED);
    return negative && keeps_sign ? code | UINT64_C(1) << (format->bits - 1) : code;
}
