/* precision/decode.c - from the bits of a format to a number, exactly. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/number.h"

static uint64_t low_bits(int n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static ulp_number_t decode_integer(uint64_t bits, const ulp_format_t *format)
{
    ulp_number_t x = {ULP_CLASS_ZERO, 0, 0, 0, bits & low_bits(format->bits)};
    if (format->has_sign && bits >> (format->bits - 1) & 1) {
        x.negative = 1;
        x.significand = -bits & low_bits(format->bits);
    }
    if (x.significand != 0) {
        x.kind = ULP_CLASS_FINITE;
    }
    return x;
}

/* Exponent field all ones: NaN, infinity, or a number as any other. */
static ulp_class_t top_class(uint64_t bits, uint64_t fraction, const ulp_format_t *format)
{
    if (format->nan == ULP_NAN_ALL_ONES) {
        return ulp_format_is_nan(bits, format) ? ULP_CLASS_NAN : ULP_CLASS_FINITE;
    }
    if (format->nan == ULP_NAN_IEEE) {
        return fraction != 0 ? ULP_CLASS_NAN : ULP_CLASS_INF;
    }
    return ULP_CLASS_FINITE;
}

ulp_number_t ulp_number_decode(uint64_t bits, const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return decode_integer(bits, format);
    }
    int fraction_bits = format->p - 1;
    uint64_t code = bits >> format->padding_bits;
    uint64_t fraction = code & low_bits(fraction_bits);
    uint64_t top_field = low_bits(format->exponent_bits);
    uint64_t field = code >> fraction_bits & top_field;
    ulp_number_t x = {ULP_CLASS_FINITE, 0, 0, 0, fraction};
    x.negative = (uint8_t)(format->has_sign & bits >> (format->bits - 1) & 1);
    if (field == top_field) {
        x.kind = top_class(bits, fraction, format);
        if (x.kind != ULP_CLASS_FINITE) {
            return x;
        }
    }
    if (field != 0 || format->zero == ULP_ZERO_NONE) {
        x.significand = fraction | (uint64_t)1 << fraction_bits;
        x.exponent = (int)field - format->bias - fraction_bits;
    } else if (fraction != 0) {
        x.exponent = format->emin - fraction_bits;
    } else {
        int is_nan = format->nan == ULP_NAN_MINUS_ZERO && x.negative;
        x.kind = is_nan ? ULP_CLASS_NAN : ULP_CLASS_ZERO;
    }
    return x;
}
