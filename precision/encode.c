/* precision/encode.c - from a number to the bits of a format, with one rounding. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/number.h"

#include <stddef.h>

static uint64_t low_bits(int n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* floor(log2 v), v not 0. */
static int top_bit(uint64_t v)
{
#if defined(__GNUC__)
    return 63 - __builtin_clzll(v);
#else
    int n = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (v >> step != 0) {
            v >>= step;
            n += step;
        }
    }
    return n;
#endif
}

/* s * 2^-shift cut at the binary point. */
typedef struct {
    uint64_t whole;
    unsigned half; /* the first bit cut off */
    unsigned rest; /* whether any bit below it is set */
} cut_t;

static cut_t cut_below(uint64_t s, unsigned sticky, int shift)
{
    if (shift <= 0) {
        return (cut_t){s << -shift, 0, sticky};
    }
    if (shift > 64) {
        return (cut_t){0, 0, sticky | (s != 0)};
    }
    cut_t cut = {shift == 64 ? 0 : s >> shift, (unsigned)(s >> (shift - 1)) & 1, sticky};
    cut.rest |= (s & low_bits(shift - 1)) != 0;
    return cut;
}

/* The first n bits that cut_below cuts off, as an integer below 2^n. */
static uint64_t bits_cut(uint64_t s, int shift, int n)
{
    if (shift <= 0) {
        return 0;
    }
    uint64_t fraction = s & low_bits(shift);
    if (shift <= n) {
        return fraction << (n - shift);
    }
    return shift - n < 64 ? fraction >> (shift - n) : 0;
}

/* Whether the magnitude goes up by one unit of the last place kept. */
static unsigned rounds_up(cut_t cut, const ulp_number_t *x, int shift, const ulp_rounding_t *how)
{
    unsigned inexact = cut.half | cut.rest;
    unsigned odd = (unsigned)cut.whole & 1;
    switch (how->mode) {
    case ULP_ROUND_NEAREST_EVEN:
        return cut.half & (cut.rest | odd);
    case ULP_ROUND_NEAREST_AWAY:
        return cut.half;
    case ULP_ROUND_TOWARD_ZERO:
        return 0;
    case ULP_ROUND_UP:
        return inexact & !x->negative;
    case ULP_ROUND_DOWN:
        return inexact & x->negative;
    case ULP_ROUND_TO_ODD:
        return inexact & !odd;
    case ULP_ROUND_STOCHASTIC:
        return (unsigned)((bits_cut(x->significand, shift, how->random_bits) +
                           (how->random & low_bits(how->random_bits))) >>
                          how->random_bits);
    }
    return 0;
}

static uint64_t with_sign(uint64_t code, int negative, const ulp_format_t *format)
{
    return negative ? code | (uint64_t)1 << (format->bits - 1) : code;
}

static uint64_t largest(int negative, const ulp_format_t *format)
{
    uint64_t max = ulp_format_max(format);
    if (format->kind == ULP_KIND_FLOAT) {
        return with_sign(max, negative, format);
    }
    if (!negative) {
        return max;
    }
    return format->has_sign ? max + 1 : 0; /* -2^p */
}

/* What IEEE 754 (7.4) gives for an overflow: infinity, or the largest finite number? */
static int overflows_to_inf(ulp_round_mode_t mode, int negative)
{
    switch (mode) {
    case ULP_ROUND_TOWARD_ZERO:
    case ULP_ROUND_TO_ODD:
        return 0;
    case ULP_ROUND_UP:
        return !negative;
    case ULP_ROUND_DOWN:
        return negative;
    case ULP_ROUND_NEAREST_EVEN:
    case ULP_ROUND_NEAREST_AWAY:
    case ULP_ROUND_STOCHASTIC:
        break;
    }
    return 1;
}

static uint64_t overflow(int negative, const ulp_format_t *format, const ulp_rounding_t *how,
                         unsigned *flags)
{
    *flags |= ULP_FLAG_OVERFLOW | ULP_FLAG_INEXACT;
    int bounded = !ulp_format_has_inf(format) && !ulp_format_has_nan(format);
    switch (how->overflow) {
    case ULP_OVERFLOW_FORMAT:
        if (bounded || !overflows_to_inf(how->mode, negative)) {
            return largest(negative, format);
        }
        break;
    case ULP_OVERFLOW_SATURATE:
        return largest(negative, format);
    case ULP_OVERFLOW_INF:
        break;
    case ULP_OVERFLOW_NAN:
        if (ulp_format_has_nan(format)) {
            return ulp_format_nan(format);
        }
        break;
    }
    if (bounded) { /* asked for what the format cannot say */
        *flags |= ULP_FLAG_INVALID;
        return largest(negative, format);
    }
    return ulp_format_has_inf(format) ? ulp_format_inf(format, negative) : ulp_format_nan(format);
}

static uint64_t encode_zero(int negative, const ulp_format_t *format, unsigned *flags)
{
    if (format->zero == ULP_ZERO_NONE) { /* code 0 is its least value */
        *flags |= ULP_FLAG_UNDERFLOW | ULP_FLAG_INEXACT;
        return 0;
    }
    return format->zero == ULP_ZERO_SIGNED ? with_sign(0, negative, format) : 0;
}

static uint64_t encode_nan(const ulp_format_t *format, unsigned *flags)
{
    if (!ulp_format_has_nan(format)) {
        *flags |= ULP_FLAG_INVALID;
    }
    return ulp_format_nan(format);
}

static uint64_t encode_inf(int negative, const ulp_format_t *format, const ulp_rounding_t *how,
                           unsigned *flags)
{
    if (how->overflow == ULP_OVERFLOW_SATURATE) {
        return overflow(negative, format, how, flags);
    }
    if (ulp_format_has_inf(format)) {
        return ulp_format_inf(format, negative);
    }
    /* An infinity is no rounding: the mode has no say. */
    *flags |= ULP_FLAG_OVERFLOW | ULP_FLAG_INEXACT;
    return ulp_format_has_nan(format) ? ulp_format_nan(format) : largest(negative, format);
}

/* A negative number into a floating-point format without a sign. */
static uint64_t encode_below_range(const ulp_format_t *format, const ulp_rounding_t *how,
                                   unsigned *flags)
{
    *flags |= ULP_FLAG_INVALID;
    return how->overflow == ULP_OVERFLOW_SATURATE ? 0 : ulp_format_nan(format);
}

static uint64_t encode_integer(const ulp_number_t *x, const ulp_format_t *format,
                               const ulp_rounding_t *how, unsigned *flags)
{
    uint64_t s = x->significand;
    if (s != 0 && top_bit(s) + x->exponent >= 64) {
        return overflow(x->negative, format, how, flags);
    }
    int shift = s != 0 ? -x->exponent : 0;
    cut_t cut = cut_below(s, x->sticky, shift);
    uint64_t up = rounds_up(cut, x, shift, how);
    uint64_t most =
        x->negative ? (format->has_sign ? ulp_format_max(format) + 1 : 0) : ulp_format_max(format);
    if (cut.whole > most || (up && cut.whole == most)) {
        return overflow(x->negative, format, how, flags);
    }
    *flags |= cut.half | cut.rest ? ULP_FLAG_INEXACT : 0;
    uint64_t magnitude = cut.whole + up;
    return (x->negative ? -magnitude : magnitude) & low_bits(format->bits);
}

static uint64_t encode_float(const ulp_number_t *x, const ulp_format_t *format,
                             const ulp_rounding_t *how, unsigned *flags)
{
    /* The place of the last bit kept: at the subnormals' place below emin, so that one rounding is
     * all there is. An x of sticky bits alone is below any place. */
    int quantum = format->emin - (format->p - 1);
    int tiny = 1;
    if (x->significand != 0) {
        int e = x->exponent + top_bit(x->significand);
        tiny = e < format->emin;
        quantum = (tiny ? format->emin : e) - (format->p - 1);
    }
    int shift = x->significand != 0 ? quantum - x->exponent : 0;
    cut_t cut = cut_below(x->significand, x->sticky, shift);
    uint64_t kept = cut.whole + rounds_up(cut, x, shift, how);
    uint64_t hidden = (uint64_t)1 << (format->p - 1);
    if (cut.half | cut.rest) {
        *flags |= ULP_FLAG_INEXACT | (tiny ? ULP_FLAG_UNDERFLOW : 0);
    }
    if (kept == 0) {
        return encode_zero(x->negative, format, flags);
    }
    if (kept < hidden) {
        if (how->flush_output != ULP_FLUSH_NONE) {
            *flags |= ULP_FLAG_UNDERFLOW | ULP_FLAG_INEXACT;
            return encode_zero(x->negative && how->flush_output == ULP_FLUSH_SIGNED, format, flags);
        }
        return with_sign(kept << format->padding_bits, x->negative, format);
    }
    int e = quantum + format->p - 1;
    if (e > format->emax) {
        return overflow(x->negative, format, how, flags);
    }
    /* A carry to 2 * hidden runs on into the exponent field. */
    uint64_t code = ((uint64_t)(e + format->bias) * hidden + (kept - hidden))
                    << format->padding_bits;
    if (e == format->emax && code > ulp_format_max(format)) {
        return overflow(x->negative, format, how, flags);
    }
    return with_sign(code, x->negative, format);
}

static uint64_t encode_finite(const ulp_number_t *x, const ulp_format_t *format,
                              const ulp_rounding_t *how, unsigned *flags)
{
    if (x->significand == 0 && !x->sticky) {
        return encode_zero(x->negative, format, flags);
    }
    if (format->kind != ULP_KIND_FLOAT) {
        return encode_integer(x, format, how, flags);
    }
    if (x->negative && !format->has_sign) {
        return encode_below_range(format, how, flags);
    }
    return encode_float(x, format, how, flags);
}

uint64_t ulp_number_encode(ulp_number_t x, const ulp_format_t *format, const ulp_rounding_t *how,
                           unsigned *flags)
{
    static const ulp_rounding_t nearest_even = {0};
    unsigned happened = 0;
    uint64_t code = 0;
    if (how == NULL) {
        how = &nearest_even;
    }
    switch (x.kind) {
    case ULP_CLASS_ZERO:
        code = encode_zero(x.negative, format, &happened);
        break;
    case ULP_CLASS_FINITE:
        code = encode_finite(&x, format, how, &happened);
        break;
    case ULP_CLASS_INF:
        if (x.negative && !format->has_sign && format->kind == ULP_KIND_FLOAT) {
            code = encode_below_range(format, how, &happened);
        } else {
            code = encode_inf(x.negative, format, how, &happened);
        }
        break;
    case ULP_CLASS_NAN:
        code = encode_nan(format, &happened);
        break;
    }
    if (flags != NULL) {
        *flags = happened;
    }
    return code;
}
