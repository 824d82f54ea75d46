/* precision/number.c - between formats and doubles; products. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/number.h"

#include <stddef.h>
#include <string.h>

/* The double of this machine is binary64, the first row of the table. */
_Static_assert(sizeof(double) == 8, "double is binary64");

uint64_t ulp_number_convert(uint64_t bits, const ulp_format_t *to, const ulp_format_t *from,
                            const ulp_rounding_t *how, unsigned *flags)
{
    return ulp_number_encode(ulp_number_decode(bits, from), to, how, flags);
}

double ulp_number_to_double(ulp_number_t x)
{
    uint64_t bits = ulp_number_encode(x, ulp_format_at(0), NULL, NULL);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

ulp_number_t ulp_number_from_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return ulp_number_decode(bits, ulp_format_at(0));
}

ulp_number_t ulp_number_product(ulp_number_t a, ulp_number_t b)
{
    ulp_number_t x = {ULP_CLASS_ZERO, a.negative ^ b.negative, 0, 0, 0};
    if (a.kind == ULP_CLASS_NAN || b.kind == ULP_CLASS_NAN) {
        return (ulp_number_t){ULP_CLASS_NAN, 0, 0, 0, 0};
    }
    if (a.kind == ULP_CLASS_INF || b.kind == ULP_CLASS_INF) {
        if (a.kind == ULP_CLASS_ZERO || b.kind == ULP_CLASS_ZERO) {
            return (ulp_number_t){ULP_CLASS_NAN, 0, 0, 0, 0};
        }
        x.kind = ULP_CLASS_INF;
    } else if (a.kind == ULP_CLASS_FINITE && b.kind == ULP_CLASS_FINITE) {
        x.kind = ULP_CLASS_FINITE;
        x.exponent = a.exponent + b.exponent;
        x.significand = a.significand * b.significand;
    }
    return x;
}

/* |x| < 2^emin */
static int is_below_normal(ulp_number_t x, const ulp_format_t *format)
{
    int room = format->emin - x.exponent;
    return room > 0 && (room >= 64 || x.significand >> room == 0);
}

ulp_number_t ulp_number_flush(ulp_number_t x, const ulp_format_t *format, ulp_flush_t flush)
{
    if (flush == ULP_FLUSH_NONE || x.kind != ULP_CLASS_FINITE || format->kind != ULP_KIND_FLOAT ||
        !is_below_normal(x, format)) {
        return x;
    }
    return (ulp_number_t){ULP_CLASS_ZERO, flush == ULP_FLUSH_SIGNED ? x.negative : 0, 0, 0, 0};
}
