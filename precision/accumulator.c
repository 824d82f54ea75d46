/* precision/accumulator.c - an exact fixed-point register for sums of products. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/accumulator.h"

#include <math.h>
#include <stddef.h>

enum { WORDS = ULP_ACCUMULATOR_WORDS, WORD_BITS = 64 };

/* word[at], word[at + 1], word[at + 2] += or -= the 192-bit number in `part`; the carry runs on. */
static void add_words(ulp_accumulator_t *acc, size_t at, const uint64_t part[3], int negative)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < 3 && at + i < WORDS; i++) {
        uint64_t *word = &acc->word[at + i];
        uint64_t old = *word;
        if (negative) {
            uint64_t take = part[i] + carry;
            carry = (take < carry) | (old < take);
            *word = old - take;
        } else {
            uint64_t sum = old + part[i];
            uint64_t over = sum < old;
            *word = sum + carry;
            carry = over | (*word < sum);
        }
    }
    for (size_t i = at + 3; carry != 0 && i < WORDS; i++) {
        uint64_t old = acc->word[i];
        acc->word[i] = negative ? old - 1 : old + 1;
        carry = negative ? old == 0 : acc->word[i] == 0;
    }
}

/* += (-1)^negative * (hi 2^64 + lo) * 2^exponent. */
static void add_shifted(ulp_accumulator_t *acc, uint64_t hi, uint64_t lo, int exponent,
                        int negative)
{
    size_t bit = (size_t)(exponent - ULP_ACCUMULATOR_LSB);
    unsigned shift = (unsigned)(bit % WORD_BITS);
    uint64_t part[3] = {lo << shift, hi << shift, 0};
    if (shift != 0) {
        part[1] |= lo >> (WORD_BITS - shift);
        part[2] = hi >> (WORD_BITS - shift);
    }
    add_words(acc, bit / WORD_BITS, part, negative);
}

/* What is no finite number, and zeros. Returns 1 if x is done with. */
static int take_special(ulp_accumulator_t *acc, const ulp_number_t *x)
{
    acc->nterms++;
    switch (x->kind) {
    case ULP_CLASS_ZERO:
        acc->nterms_negative_zero += x->negative;
        return 1;
    case ULP_CLASS_INF:
        acc->has_minus_inf |= x->negative;
        acc->has_plus_inf |= !x->negative;
        return 1;
    case ULP_CLASS_NAN:
        acc->has_nan = 1;
        return 1;
    case ULP_CLASS_FINITE:
        break;
    }
    return 0;
}

void ulp_accumulator_add(ulp_accumulator_t *acc, ulp_number_t x)
{
    if (!take_special(acc, &x)) {
        add_shifted(acc, 0, x.significand, x.exponent, x.negative);
    }
}

void ulp_accumulator_add_product(ulp_accumulator_t *acc, ulp_number_t a, ulp_number_t b)
{
    ulp_accumulator_add_product_scaled(acc, a, b, 0);
}

/* hi 2^64 + lo = a b. */
static void multiply(uint64_t *hi, uint64_t *lo, uint64_t a, uint64_t b)
{
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32), more = a0 * b1 + (cross & UINT32_MAX);
    *hi = a1 * b1 + (cross >> 32) + (more >> 32);
    *lo = (more << 32) | (low & UINT32_MAX);
}

void ulp_accumulator_add_product_scaled(ulp_accumulator_t *acc, ulp_number_t a, ulp_number_t b,
                                        int shift)
{
    if (a.kind == ULP_CLASS_FINITE && b.kind == ULP_CLASS_FINITE) {
        uint64_t hi;
        uint64_t lo;
        multiply(&hi, &lo, a.significand, b.significand);
        acc->nterms++;
        add_shifted(acc, hi, lo, a.exponent + b.exponent + shift, a.negative ^ b.negative);
        return;
    }
    ulp_number_t product = {ULP_CLASS_ZERO, a.negative ^ b.negative, 0, 0, 0};
    int zero = a.kind == ULP_CLASS_ZERO || b.kind == ULP_CLASS_ZERO;
    int inf = a.kind == ULP_CLASS_INF || b.kind == ULP_CLASS_INF;
    if (a.kind == ULP_CLASS_NAN || b.kind == ULP_CLASS_NAN || (zero && inf)) {
        product.kind = ULP_CLASS_NAN;
    } else if (inf) {
        product.kind = ULP_CLASS_INF;
    }
    take_special(acc, &product);
}

void ulp_accumulator_merge(ulp_accumulator_t *acc, const ulp_accumulator_t *other)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t old = acc->word[i];
        uint64_t sum = old + other->word[i];
        uint64_t over = sum < old;
        acc->word[i] = sum + carry;
        carry = over | (acc->word[i] < sum);
    }
    acc->nterms += other->nterms;
    acc->nterms_negative_zero += other->nterms_negative_zero;
    acc->has_nan |= other->has_nan;
    acc->has_plus_inf |= other->has_plus_inf;
    acc->has_minus_inf |= other->has_minus_inf;
}

/* The register in sign and magnitude. */
typedef struct {
    uint64_t word[WORDS];
    size_t top; /* words up to the highest that is not 0 */
    uint8_t negative;
} magnitude_t;

static void magnitude(magnitude_t *m, const ulp_accumulator_t *acc)
{
    m->negative = (uint8_t)(acc->word[WORDS - 1] >> 63);
    uint64_t carry = m->negative;
    m->top = 0;
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t word = m->negative ? ~acc->word[i] : acc->word[i];
        m->word[i] = word + carry;
        carry = carry && m->word[i] == 0;
        m->top = m->word[i] != 0 ? i + 1 : m->top;
    }
}

static int leading_zeros(uint64_t word)
{
    int n = 0;
    for (; !(word >> 63); word <<= 1) {
        n++;
    }
    return n;
}

/* The 64 bits from the highest set bit on, and whether any lies below; the rest is taken out of m.
 */
static ulp_number_t take_top(magnitude_t *m)
{
    ulp_number_t x = {ULP_CLASS_FINITE, m->negative, 0, 0, 0};
    size_t i = m->top - 1;
    int zeros = leading_zeros(m->word[i]);
    uint64_t below = i > 0 ? m->word[i - 1] : 0;
    x.significand = m->word[i] << zeros;
    if (zeros != 0) {
        x.significand |= below >> (WORD_BITS - zeros);
    }
    x.exponent = ULP_ACCUMULATOR_LSB + (int)i * WORD_BITS - zeros;
    m->word[i] = 0;
    if (i > 0) {
        m->word[i - 1] = zeros != 0 ? below << zeros >> zeros : below;
    }
    while (m->top > 0 && m->word[m->top - 1] == 0) {
        m->top--;
    }
    x.sticky = m->top != 0;
    return x;
}

/* NaN, an infinity or a zero; FINITE if the register decides. */
static ulp_number_t special_value(const ulp_accumulator_t *acc)
{
    ulp_number_t x = {ULP_CLASS_FINITE, 0, 0, 0, 0};
    if (acc->has_nan || (acc->has_plus_inf && acc->has_minus_inf)) {
        x.kind = ULP_CLASS_NAN;
    } else if (acc->has_plus_inf || acc->has_minus_inf) {
        x.kind = ULP_CLASS_INF;
        x.negative = acc->has_minus_inf;
    }
    return x;
}

static ulp_number_t exact_zero(const ulp_accumulator_t *acc)
{
    int all_minus = acc->nterms > 0 && acc->nterms == acc->nterms_negative_zero;
    return (ulp_number_t){ULP_CLASS_ZERO, (uint8_t)all_minus, 0, 0, 0};
}

ulp_number_t ulp_accumulator_value(const ulp_accumulator_t *acc)
{
    ulp_number_t x = special_value(acc);
    if (x.kind != ULP_CLASS_FINITE) {
        return x;
    }
    magnitude_t m;
    magnitude(&m, acc);
    return m.top == 0 ? exact_zero(acc) : take_top(&m);
}

uint64_t ulp_accumulator_round(const ulp_accumulator_t *acc, const ulp_format_t *format,
                               const ulp_rounding_t *how, unsigned *flags)
{
    /* 64 bits hold p of any format and the random bits that go with it; see ulp_number_encode. */
    return ulp_number_encode(ulp_accumulator_value(acc), format, how, flags);
}

/* x to the nearest double, ties to even: the sticky bit decides what 64 bits leave open. */
static double nearest(ulp_number_t x)
{
    return ulp_number_to_double(x);
}

void ulp_accumulator_to_double2(double *hi, double *lo, const ulp_accumulator_t *acc)
{
    *lo = 0.0;
    *hi = nearest(ulp_accumulator_value(acc));
    if (!isfinite(*hi) || *hi == 0.0) {
        return;
    }
    ulp_accumulator_t rest = *acc;
    ulp_accumulator_add(&rest, ulp_number_from_double(-*hi));
    *lo = nearest(ulp_accumulator_value(&rest));
    if (*lo == 0.0) {
        *lo = 0.0;
    }
}
