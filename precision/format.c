/* precision/format.c - the codes that a format singles out. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/format.h"

/* Mask of the code's n low bits. */
static uint64_t low_bits(int n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static uint64_t sign_bit(const ulp_format_t *format)
{
    return format->has_sign ? (uint64_t)1 << (format->bits - 1) : 0;
}

/* The code without its sign and without bits that carry nothing. */
static uint64_t magnitude_mask(const ulp_format_t *format)
{
    return low_bits(format->bits - format->has_sign) & ~low_bits(format->padding_bits);
}

/* Exponent field all ones, fraction 0. */
static uint64_t exponent_mask(const ulp_format_t *format)
{
    return low_bits(format->exponent_bits) << (format->p - 1 + format->padding_bits);
}

size_t ulp_format_bytes(const ulp_format_t *format)
{
    return format->bits <= 8 ? 1 : (size_t)format->bits / 8;
}

ulp_format_t ulp_format_container(const ulp_format_t *container, int p)
{
    ulp_format_t format = *container;
    format.name = "";
    format.padding_bits += container->p - p;
    format.p = p;
    return format;
}

uint64_t ulp_format_max(const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return low_bits(format->p);
    }
    if (format->inf == ULP_INF_IEEE) {
        return (exponent_mask(format) - 1) & ~low_bits(format->padding_bits);
    }
    if (format->nan == ULP_NAN_ALL_ONES) { /* the code below the NaN */
        return (low_bits(format->bits - format->has_sign) - 1) & ~low_bits(format->padding_bits);
    }
    return magnitude_mask(format);
}

uint64_t ulp_format_min_normal(const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return 1;
    }
    /* With no zero, field 0 is a normal number as any other. */
    return format->zero == ULP_ZERO_NONE ? 0
                                         : (uint64_t)1 << (format->p - 1 + format->padding_bits);
}

uint64_t ulp_format_min_positive(const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return 1;
    }
    return format->zero == ULP_ZERO_NONE ? 0 : (uint64_t)1 << format->padding_bits;
}

uint64_t ulp_format_inf(const ulp_format_t *format, int negative)
{
    return exponent_mask(format) | (negative ? sign_bit(format) : 0);
}

uint64_t ulp_format_nan(const ulp_format_t *format)
{
    switch (format->nan) {
    case ULP_NAN_IEEE:
        return exponent_mask(format) | (uint64_t)1 << (format->p - 2 + format->padding_bits);
    case ULP_NAN_ALL_ONES:
        return low_bits(format->bits - format->has_sign);
    case ULP_NAN_MINUS_ZERO:
        return sign_bit(format);
    case ULP_NAN_NONE:
        break;
    }
    return 0;
}

int ulp_format_has_nan(const ulp_format_t *format)
{
    return format->nan != ULP_NAN_NONE;
}

int ulp_format_has_inf(const ulp_format_t *format)
{
    return format->inf == ULP_INF_IEEE;
}

int ulp_format_is_nan(uint64_t bits, const ulp_format_t *format)
{
    uint64_t all = low_bits(format->bits - format->has_sign);
    switch (format->nan) {
    case ULP_NAN_IEEE:
        return (bits & magnitude_mask(format)) > exponent_mask(format);
    case ULP_NAN_ALL_ONES:
        return (bits & all) == all;
    case ULP_NAN_MINUS_ZERO:
        return (bits & (all | sign_bit(format))) == sign_bit(format);
    case ULP_NAN_NONE:
        break;
    }
    return 0;
}

int ulp_format_is_inf(uint64_t bits, const ulp_format_t *format)
{
    return format->inf == ULP_INF_IEEE && (bits & magnitude_mask(format)) == exponent_mask(format);
}
