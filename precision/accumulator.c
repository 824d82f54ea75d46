/* precision/accumulator.c - an exact fixed-point register for sums of products. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/accumulator.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { WORDS = ULP_ACCUMULATOR_WORDS, WORD_BITS = 64 };

/* word[at], word[at + 1], word[at + 2] += or -= the 192-bit number in `part`; the carry runs on.
 * Signs come in no order that a processor could foresee, so there is no branch on them: the part is
 * negated in two's complement, and what it is in the words above, 0 or -1, joins the carry. */
static inline void add_words(uint64_t *word, const uint64_t *end, const uint64_t part[3],
                             uint64_t negative)
{
    uint64_t carry = negative;
    for (size_t i = 0; i < 3; i++) {
        uint64_t term = part[i] ^ (0 - negative);
        uint64_t sum = word[i] + term;
        uint64_t over = sum < term;
        word[i] = sum + carry;
        carry = over | (word[i] < carry);
    }
    uint64_t more = carry - negative; /* 1, 0 or -1 */
    for (word += 3; more != 0 && word != end; word++) {
        uint64_t old = *word;
        *word = old + more;
        more = old == (more == 1 ? UINT64_MAX : 0) ? more : 0;
    }
}

/* += (-1)^negative * (hi 2^64 + lo) * 2^exponent. */
static inline void add_shifted(ulp_accumulator_t *acc, uint64_t hi, uint64_t lo, int exponent,
                               uint64_t negative)
{
    if (exponent < ULP_ACCUMULATOR_LSB || exponent > ULP_ACCUMULATOR_EXPONENT_MAX) {
        abort(); /* outside the register: any sum from here on would be wrong */
    }
    size_t bit = (size_t)(exponent - ULP_ACCUMULATOR_LSB);
    unsigned shift = (unsigned)(bit % WORD_BITS);
    unsigned back = WORD_BITS - 1 - shift; /* one less: a shift by 64 is undefined */
    uint64_t part[3] = {lo << shift, hi << shift | lo >> 1 >> back, hi >> 1 >> back};
    add_words(&acc->word[bit / WORD_BITS], &acc->word[WORDS], part, negative);
}

/* What is no finite number, and zeros. Returns 1 if x is done with. */
static int take_special(ulp_accumulator_t *acc, const ulp_number_t *x)
{
    if (x->sticky) {
        abort(); /* no exact number */
    }
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
    ulp_number_t product = {ULP_CLASS_ZERO, a.negative ^ b.negative, a.sticky | b.sticky, 0, 0};
    if (a.kind == ULP_CLASS_FINITE && b.kind == ULP_CLASS_FINITE) {
        uint64_t hi;
        uint64_t lo;
        multiply(&hi, &lo, a.significand, b.significand);
        product.kind = ULP_CLASS_FINITE;
        take_special(acc, &product);
        add_shifted(acc, hi, lo, a.exponent + b.exponent + shift, product.negative);
        return;
    }
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

/* The register in sign and magnitude, without a copy: two's complement leaves the lowest word that
 * is not 0 negated, the words above it inverted. */
typedef struct {
    const uint64_t *word;
    int lowest;       /* index of the lowest word that is not 0; WORDS if there is none */
    int top_bit;      /* index of the highest bit of the magnitude */
    uint8_t negative; /* 0 or 1 */
} magnitude_t;

static uint64_t word_at(const magnitude_t *m, int i)
{
    if (i < m->lowest || i >= WORDS) {
        return 0;
    }
    return !m->negative ? m->word[i] : i == m->lowest ? -m->word[i] : ~m->word[i];
}

/* Index of the highest bit of v, not 0. */
static int top_bit(uint64_t v)
{
    int n = 0;
    for (int step = WORD_BITS / 2; step > 0; step /= 2) {
        if (v >> step != 0) {
            v >>= step;
            n += step;
        }
    }
    return n;
}

/* Returns 0 if the register is 0. */
static int magnitude(magnitude_t *m, const ulp_accumulator_t *acc)
{
    *m = (magnitude_t){acc->word, 0, 0, (uint8_t)(acc->word[WORDS - 1] >> 63)};
    while (m->lowest < WORDS && acc->word[m->lowest] == 0) {
        m->lowest++;
    }
    if (m->lowest == WORDS) {
        return 0;
    }
    int i = WORDS - 1;
    while (word_at(m, i) == 0) {
        i--;
    }
    m->top_bit = i * WORD_BITS + top_bit(word_at(m, i));
    return 1;
}

/* The 64 bits of which the lowest has index `bit`, which may lie outside the register. */
static uint64_t bits_at(const magnitude_t *m, int bit)
{
    int i = (bit + WORD_BITS) / WORD_BITS - 1; /* rounded down: bit >= -64 */
    int shift = bit - i * WORD_BITS;
    uint64_t low = word_at(m, i) >> shift;
    return shift != 0 ? low | word_at(m, i + 1) << (WORD_BITS - shift) : low;
}

static uint8_t any_below(const magnitude_t *m, int bit)
{
    int i = bit < 0 ? -1 : bit / WORD_BITS;
    if (i != m->lowest) {
        return m->lowest < i;
    }
    return (word_at(m, i) & (((uint64_t)1 << bit % WORD_BITS) - 1)) != 0;
}

/* The 64 bits from `bit` on as a number: as if the register stood at 2^exponent there. */
static ulp_number_t part_from(const magnitude_t *m, int bit, int exponent)
{
    return (ulp_number_t){ULP_CLASS_FINITE, m->negative, any_below(m, bit), exponent,
                          bits_at(m, bit)};
}

/* What a sum is that the register does not decide. */
static ulp_number_t special_value(const ulp_accumulator_t *acc)
{
    ulp_number_t x = {ULP_CLASS_ZERO, 0, 0, 0, 0};
    if (acc->has_nan || (acc->has_plus_inf && acc->has_minus_inf)) {
        x.kind = ULP_CLASS_NAN;
    } else if (acc->has_plus_inf || acc->has_minus_inf) {
        x.kind = ULP_CLASS_INF;
        x.negative = acc->has_minus_inf;
    } else {
        x.negative = acc->nterms > 0 && acc->nterms == acc->nterms_negative_zero;
    }
    return x;
}

/* Whether the sum is finite and not zero: then its magnitude is assigned. */
static int is_regular(magnitude_t *m, const ulp_accumulator_t *acc)
{
    return !acc->has_nan && !acc->has_plus_inf && !acc->has_minus_inf && magnitude(m, acc);
}

static ulp_number_t top_of(const magnitude_t *m)
{
    int bit = m->top_bit - (WORD_BITS - 1);
    return part_from(m, bit, ULP_ACCUMULATOR_LSB + bit);
}

ulp_number_t ulp_accumulator_value(const ulp_accumulator_t *acc)
{
    magnitude_t m;
    return is_regular(&m, acc) ? top_of(&m) : special_value(acc);
}

/* How many of the 64 bits of x lie below the last bit that `format` keeps. */
static int bits_below(ulp_number_t x, const ulp_format_t *format)
{
    if (format->kind != ULP_KIND_FLOAT) {
        return -x.exponent;
    }
    int e = x.exponent + WORD_BITS - 1;
    return (e < format->emin ? format->emin : e) - (format->p - 1) - x.exponent;
}

/* Whether the magnitude goes up at bit `last`: that bit and the 63 below are rounded to an integer
 * by themselves. All modes look at no more than that, the random bits included. */
static unsigned goes_up(const magnitude_t *m, int last, const ulp_rounding_t *how)
{
    ulp_rounding_t mode = {
        .mode = how->mode, .random = how->random, .random_bits = how->random_bits};
    ulp_format_t integer = {.kind = ULP_KIND_SIGNED,
                            .bits = WORD_BITS,
                            .p = WORD_BITS - 1,
                            .has_sign = 1,
                            .zero = ULP_ZERO_UNSIGNED};
    ulp_number_t x = part_from(m, last - (WORD_BITS - 1), 1 - WORD_BITS);
    uint64_t odd = x.significand >> (WORD_BITS - 1);
    uint64_t rounded = ulp_number_encode(x, &integer, &mode, NULL);
    return (unsigned)((m->negative ? -rounded : rounded) - odd);
}

uint64_t ulp_accumulator_round(const ulp_accumulator_t *acc, const ulp_format_t *format,
                               const ulp_rounding_t *how, unsigned *flags)
{
    static const ulp_rounding_t nearest_even = {0};
    how = how != NULL ? how : &nearest_even;
    magnitude_t m;
    if (!is_regular(&m, acc)) {
        return ulp_number_encode(special_value(acc), format, how, flags);
    }
    ulp_number_t x = top_of(&m);
    int below = bits_below(x, format);
    int needed = how->mode == ULP_ROUND_STOCHASTIC ? how->random_bits : 1;
    if (!x.sticky || below < 0 || below >= needed) {
        return ulp_number_encode(x, format, how, flags);
    }
    /* 64 bits are too few (random bits below an f64, a half below a 64-bit integer), so the
     * rounding is decided here and handed on as what decides the same in the bits there are. */
    uint64_t up = goes_up(&m, m.top_bit - (WORD_BITS - 1) + below, how);
    if (below > 0) {
        uint64_t half = (uint64_t)1 << (below - 1);
        ulp_rounding_t decided = *how;
        decided.mode = ULP_ROUND_STOCHASTIC; /* up if the half bit is set, and only then */
        decided.random = 1;
        decided.random_bits = 1;
        x.significand = (x.significand & ~(2 * half - 1)) | (up ? half : 0);
        return ulp_number_encode(x, format, &decided, flags);
    }
    x.significand += up;
    x.sticky = 0;
    if (x.significand == 0) { /* 2^64 */
        x.significand = (uint64_t)1 << 63;
        x.exponent++;
    }
    uint64_t code = ulp_number_encode(x, format, how, flags);
    if (flags != NULL) {
        *flags |= ULP_FLAG_INEXACT;
    }
    return code;
}

void ulp_accumulator_to_double2(double *hi, double *lo, const ulp_accumulator_t *acc)
{
    *lo = 0.0;
    *hi = ulp_number_to_double(ulp_accumulator_value(acc));
    if (!isfinite(*hi) || *hi == 0.0) {
        return;
    }
    ulp_accumulator_t rest = *acc;
    ulp_accumulator_add(&rest, ulp_number_from_double(-*hi));
    *lo = ulp_number_to_double(ulp_accumulator_value(&rest));
    if (*lo == 0.0) {
        *lo = 0.0; /* no -0 */
    }
}
