/* emulators/operand.c - decode, round, multiply and add the operands of matrix units. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/operand.h"

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide_t;
#else
#error "a compiler with 128-bit integers (gcc, clang on 64-bit machines) is needed"
#endif

static int top_bit(uint64_t v)
{
    return 63 - __builtin_clzll(v);
}

ulp_operand_t ulp_operand_zero(int negative)
{
    return (ulp_operand_t){0, ULP_OPERAND_ZERO_EXPONENT, ULP_OPERAND_FINITE, (uint8_t)negative};
}

ulp_operand_t ulp_operand_from_number(ulp_number_t x, int p)
{
    ulp_operand_t out = ulp_operand_zero(x.negative);
    switch (x.kind) {
    case ULP_CLASS_ZERO:
        break;
    case ULP_CLASS_FINITE:
        out.s = x.negative ? -(int64_t)x.significand : (int64_t)x.significand;
        out.e = x.exponent + p - 1;
        break;
    case ULP_CLASS_INF:
        out.kind = ULP_OPERAND_INF;
        break;
    case ULP_CLASS_NAN:
        out.kind = ULP_OPERAND_NAN;
        break;
    }
    return out;
}

ulp_operand_t ulp_operand_decode(uint64_t code, const ulp_format_t *format)
{
    return ulp_operand_from_number(ulp_number_decode(code, format), format->p);
}

ulp_number_t ulp_operand_number(ulp_operand_t x, int fraction)
{
    ulp_number_t out = {ULP_CLASS_ZERO, x.negative, 0, 0, 0};
    if (x.kind == ULP_OPERAND_NAN) {
        out.kind = ULP_CLASS_NAN;
        out.negative = 0;
    } else if (x.kind == ULP_OPERAND_INF) {
        out.kind = ULP_CLASS_INF;
    } else if (x.s != 0) {
        out.kind = ULP_CLASS_FINITE;
        out.negative = x.s < 0;
        out.significand = x.s < 0 ? -(uint64_t)x.s : (uint64_t)x.s;
        out.exponent = x.e - fraction;
    }
    return out;
}

static ulp_operand_t infinity(int negative)
{
    return (ulp_operand_t){0, ULP_OPERAND_ZERO_EXPONENT, ULP_OPERAND_INF, (uint8_t)negative};
}

static const ulp_operand_t nan_operand = {0, ULP_OPERAND_ZERO_EXPONENT, ULP_OPERAND_NAN, 0};

static ulp_operand_t signed_value(int negative, uint64_t magnitude, int e)
{
    int64_t s = (int64_t)magnitude;
    return (ulp_operand_t){negative ? -s : s, e, ULP_OPERAND_FINITE, (uint8_t)negative};
}

static ulp_operand_t overflow(int negative, const ulp_target_t *target)
{
    int toward_zero = target->mode == ULP_ROUND_TOWARD_ZERO || target->mode == ULP_ROUND_TO_ODD ||
                      (target->mode == ULP_ROUND_UP && negative) ||
                      (target->mode == ULP_ROUND_DOWN && !negative);
    if (target->ieee_overflow && toward_zero) {
        uint64_t largest = (UINT64_C(1) << target->p) - 1;
        return signed_value(negative, largest << target->shift, target->emax);
    }
    return infinity(negative);
}

static unsigned rounds_up(uint64_t kept, unsigned half, unsigned rest, int negative,
                          ulp_round_mode_t mode)
{
    switch (mode) {
    case ULP_ROUND_NEAREST_EVEN:
        return half & (rest | (unsigned)(kept & 1));
    case ULP_ROUND_NEAREST_AWAY:
        return half;
    case ULP_ROUND_UP:
        return (half | rest) & (unsigned)!negative;
    case ULP_ROUND_DOWN:
        return (half | rest) & (unsigned)negative;
    case ULP_ROUND_TO_ODD:
        return (half | rest) & (unsigned)!(kept & 1);
    default: /* toward zero; no model rounds stochastically (model_parse.c) */
        return 0;
    }
}

/* At most 64 bits and the sticky flag: with 53 bits to keep there are at least two more. */
ulp_operand_t ulp_operand_round(int negative, uint64_t significand, int exponent, int sticky,
                                const ulp_target_t *target)
{
    if (significand == 0 && !sticky) {
        return ulp_operand_zero(negative);
    }
    int least = target->emin - (target->p - 1), quantum = least;
    if (significand != 0) {
        int own = exponent + top_bit(significand) - (target->p - 1);
        quantum = own > least ? own : least;
    }
    int shift = significand != 0 ? quantum - exponent : 1;
    uint64_t kept = 0;
    unsigned half = 0, rest = sticky != 0;
    if (shift <= 0) {
        kept = significand << -shift;
    } else if (shift <= 64) {
        kept = shift < 64 ? significand >> shift : 0;
        half = (unsigned)(significand >> (shift - 1)) & 1;
        rest |= (significand & ((UINT64_C(1) << (shift - 1)) - 1)) != 0;
    } else {
        rest |= significand != 0;
    }
    kept += rounds_up(kept, half, rest, negative, target->mode);
    if (kept >> target->p != 0) {
        kept >>= 1;
        quantum++;
    }
    int e = quantum + target->p - 1;
    if (e > target->emax) {
        return overflow(negative, target);
    }
    if (kept == 0) {
        return ulp_operand_zero(negative && !target->zero_plus);
    }
    if (target->flush != ULP_FLUSH_NONE && kept >> (target->p - 1) == 0) {
        return ulp_operand_zero(negative && target->flush == ULP_FLUSH_SIGNED);
    }
    return signed_value(negative, kept << target->shift, e);
}

/* Exact zero as the sum of two: IEEE 754 6.3. */
static ulp_operand_t sum_of_zeros(int x_negative, int y_negative, const ulp_target_t *target)
{
    int negative = x_negative == y_negative ? x_negative : target->mode == ULP_ROUND_DOWN;
    return ulp_operand_zero(negative);
}

/* A magnitude of up to 128 bits; x = (-1)^negative * m * 2^exponent. */
typedef struct {
    wide_t m;
    int exponent;
    int negative;
} term_t;

static int top_bit_wide(wide_t m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? 64 + top_bit(high) : top_bit((uint64_t)m);
}

static ulp_operand_t round_term(term_t x, const ulp_target_t *target)
{
    int spare = top_bit_wide(x.m) - 63;
    if (spare <= 0) {
        return ulp_operand_round(x.negative, (uint64_t)x.m, x.exponent, 0, target);
    }
    int sticky = (x.m & (((wide_t)1 << spare) - 1)) != 0;
    return ulp_operand_round(x.negative, (uint64_t)(x.m >> spare), x.exponent + spare, sticky,
                             target);
}

/* Top bit at 125: one more for the carry, and 19 or more below a product of 106 bits. */
static void normalise(term_t *x)
{
    int shift = 125 - top_bit_wide(x->m);
    x->m <<= shift;
    x->exponent -= shift;
}

/*
 * Both magnitudes are brought to the same place with their tops at bit 125; what falls off below
 * the smaller one is kept as one sticky bit. That is exact for the rounding: where bits fall off,
 * the exponents differ by 20 or more, no cancellation exceeds one bit, and 120 bits remain.
 */
static ulp_operand_t add_terms(term_t x, term_t y, const ulp_target_t *target)
{
    normalise(&x);
    normalise(&y);
    if (y.exponent > x.exponent) {
        term_t larger = y;
        y = x;
        x = larger;
    }
    int shift = x.exponent - y.exponent;
    if (shift > 127) {
        y.m = 1;
    } else if (shift > 0) {
        wide_t lost = y.m & (((wide_t)1 << shift) - 1);
        y.m = (y.m >> shift) | (lost != 0);
    }
    if (x.negative == y.negative) {
        x.m += y.m;
    } else if (x.m >= y.m) {
        x.m -= y.m;
    } else {
        x.m = y.m - x.m;
        x.negative = y.negative;
    }
    if (x.m == 0) {
        return ulp_operand_zero(target->mode == ULP_ROUND_DOWN);
    }
    return round_term(x, target);
}

static uint64_t magnitude_of(int64_t s)
{
    return s < 0 ? -(uint64_t)s : (uint64_t)s;
}

/* NaN, infinity, or (kind FINITE) none of them decides. */
static ulp_operand_t special(const ulp_operand_t *a, const ulp_operand_t *b, const ulp_operand_t *c)
{
    int product_inf = a->kind == ULP_OPERAND_INF || b->kind == ULP_OPERAND_INF;
    int negative = a->negative ^ b->negative;
    if (a->kind == ULP_OPERAND_NAN || b->kind == ULP_OPERAND_NAN || c->kind == ULP_OPERAND_NAN) {
        return nan_operand;
    }
    if (product_inf && ((a->kind == ULP_OPERAND_FINITE && a->s == 0) ||
                        (b->kind == ULP_OPERAND_FINITE && b->s == 0))) {
        return nan_operand;
    }
    if (product_inf) {
        int both = c->kind == ULP_OPERAND_INF && c->negative != negative;
        return both ? nan_operand : infinity(negative);
    }
    return c->kind == ULP_OPERAND_INF ? infinity(c->negative) : ulp_operand_zero(0);
}

ulp_operand_t ulp_operand_muladd(ulp_operand_t a, int a_fraction, ulp_operand_t b, int b_fraction,
                                 ulp_operand_t c, int c_fraction, const ulp_target_t *target)
{
    if (a.kind | b.kind | c.kind) {
        return special(&a, &b, &c);
    }
    int negative = a.negative ^ b.negative;
    term_t z = {magnitude_of(c.s), c.e - c_fraction, c.negative};
    if (a.s == 0 || b.s == 0) {
        return c.s == 0 ? sum_of_zeros(negative, c.negative, target) : round_term(z, target);
    }
    term_t product = {(wide_t)magnitude_of(a.s) * magnitude_of(b.s),
                      a.e + b.e - a_fraction - b_fraction, negative};
    return c.s == 0 ? round_term(product, target) : add_terms(product, z, target);
}

ulp_operand_t ulp_operand_multiply(ulp_operand_t a, int a_fraction, ulp_operand_t b, int b_fraction,
                                   const ulp_target_t *target)
{
    /* A zero of the product's sign: the sum keeps that sign, and the value. */
    ulp_operand_t c = ulp_operand_zero(a.negative ^ b.negative);
    return ulp_operand_muladd(a, a_fraction, b, b_fraction, c, 0, target);
}

ulp_operand_t ulp_operand_add(ulp_operand_t a, int a_fraction, ulp_operand_t b, int b_fraction,
                              const ulp_target_t *target)
{
    const ulp_operand_t one = {1, 0, ULP_OPERAND_FINITE, 0};
    return ulp_operand_muladd(a, a_fraction, one, 0, b, b_fraction, target);
}

ulp_target_t ulp_target_make(const ulp_format_t *range, int p, ulp_round_mode_t mode)
{
    p = p > 0 ? p : range->p;
    return (ulp_target_t){.p = p,
                          .shift = range->p - p,
                          .emin = range->emin,
                          .emax = range->emax,
                          .mode = mode,
                          .ieee_overflow = 1};
}
