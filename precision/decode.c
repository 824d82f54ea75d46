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

ulp_number_t ulp_number_decode(uint64_t bits, const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return decode_integer(bits, format);
    }
    int fraction_bits = format->p - 1;
    uint64_t code = bits >> format->padding_bits;
    uint64_t fraction = code & low_bits(fraction_bits);
    uint64_t field = code >> fraction_bits & low_bits(format->exponent_bits);
    ulp_number_t x = {ULP_CLASS_FINITE, 0, 0, 0, fraction};
    x.negative = (uint8_t)(format->has_sign & bits >> (format->bits - 1) & 1);
    if (ulp_format_is_nan(bits, format)) {
        x.kind = ULP_CLASS_NAN;
    } else if (ulp_format_is_inf(bits, format)) {
        x.kind = ULP_CLASS_INF;
    } else if (field != 0 || format->zero == ULP_ZERO_NONE) {
        x.significand = fraction | (uint64_t)1 << fraction_bits;
        x.exponent = (int)field - format->bias - fraction_bits;
    } else if (fraction != 0) {
        x.exponent = format->emin - fraction_bits;
    } else {
        x.kind = ULP_CLASS_ZERO;
    }
    return x;
}
