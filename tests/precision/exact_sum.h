/*
 * tests/precision/exact_sum.h - one sum twice: in our register, and in MPFR with so many bits that
 * it never rounds.
 */
#ifndef ULP_TESTS_PRECISION_EXACT_SUM_H
#define ULP_TESTS_PRECISION_EXACT_SUM_H

#include <criterion/criterion.h>
#include <string.h>

#include "mpfr_oracle.h"
#include "precision/accumulator.h"
#include "tests/harness/random.h"

enum { PRECISION = 5200 };

/* One sum twice: ours, and MPFR's. From -0, MPFR's zeros follow the rule: -0 if all terms are. */
typedef struct {
    ulp_accumulator_t acc;
    mpfr_t sum, a, b;
} sum_t;

static inline void sum_init(sum_t *s)
{
    memset(&s->acc, 0, sizeof s->acc);
    mpfr_init2(s->sum, PRECISION);
    mpfr_inits2(130, s->a, s->b, (mpfr_ptr)NULL);
    mpfr_set_zero(s->sum, -1);
}

static inline void sum_clear(sum_t *s)
{
    mpfr_clears(s->sum, s->a, s->b, (mpfr_ptr)NULL);
}

static inline ulp_number_t decode(uint64_t code, const char *name)
{
    return ulp_number_decode(code, ulp_format_find(name, NULL));
}

static inline void add(sum_t *s, uint64_t code, const char *name)
{
    oracle_value(s->a, code, oracle_format(name));
    cr_assert_eq(mpfr_add(s->sum, s->sum, s->a, MPFR_RNDN), 0);
    ulp_accumulator_add(&s->acc, decode(code, name));
}

static inline void add_product(sum_t *s, uint64_t x, const char *of_x, uint64_t y, const char *of_y,
                               int shift)
{
    oracle_value(s->a, x, oracle_format(of_x));
    oracle_value(s->b, y, oracle_format(of_y));
    cr_assert_eq(mpfr_mul(s->a, s->a, s->b, MPFR_RNDN), 0);
    cr_assert_eq(mpfr_mul_2si(s->a, s->a, shift, MPFR_RNDN), 0);
    cr_assert_eq(mpfr_add(s->sum, s->sum, s->a, MPFR_RNDN), 0);
    if (shift != 0) {
        ulp_accumulator_add_product_scaled(&s->acc, decode(x, of_x), decode(y, of_y), shift);
    } else {
        ulp_accumulator_add_product(&s->acc, decode(x, of_x), decode(y, of_y));
    }
}

/* x cut to 250 bits and, if that lost anything, one bit more: it rounds as x does. */
static inline void shorten(mpfr_t y, const mpfr_t x)
{
    mpfr_set_prec(y, 251);
    MPFR_DECL_INIT(cut, 250);
    int lost = mpfr_set(cut, x, MPFR_RNDZ) != 0 && mpfr_regular_p(x);
    mpfr_set(y, cut, MPFR_RNDN);
    if (lost) {
        MPFR_DECL_INIT(bit, 2);
        mpfr_set_ui_2exp(bit, 1, mpfr_get_exp(cut) - 251, MPFR_RNDN);
        mpfr_setsign(bit, bit, mpfr_signbit(x), MPFR_RNDN);
        cr_assert_eq(mpfr_add(y, y, bit, MPFR_RNDN), 0);
    }
}

static inline void expect_round(const sum_t *s, const mpfr_t x, const char *name,
                                const ulp_rounding_t *how, const char *what)
{
    unsigned got_flags = 99;
    unsigned want_flags = 0;
    uint64_t want = oracle_encode(x, oracle_format(name), how, &want_flags);
    uint64_t got = ulp_accumulator_round(&s->acc, ulp_format_find(name, NULL), how, &got_flags);
    if (got != want || got_flags != want_flags) {
        char text[400];
        mpfr_snprintf(text, sizeof text, "%Ra", x);
        cr_assert(0,
                  "%s: %s to %s, %s, random %#llx of %d bits: got %#llx flags %u, want %#llx "
                  "flags %u; seed %llu",
                  what, text, name, ulp_round_mode_name(how->mode), (unsigned long long)how->random,
                  how->random_bits, (unsigned long long)got, got_flags, (unsigned long long)want,
                  want_flags, (unsigned long long)test_seed());
    }
}

/* The value, the two doubles, and the rounding to every format in every mode. */
static inline void expect_sum(const sum_t *s, uint64_t *state, const char *what)
{
    mpfr_t x, rest;
    mpfr_init2(x, 251);
    mpfr_init2(rest, PRECISION);
    shorten(x, s->sum);
    ulp_number_t got = ulp_accumulator_value(&s->acc);
    ulp_number_t want = oracle_number(x, 64);
    int same = got.kind == want.kind && (got.negative == want.negative || mpfr_nan_p(x));
    if (same && want.kind == ULP_CLASS_FINITE) {
        same = got.significand == want.significand && got.exponent == want.exponent &&
               got.sticky == want.sticky;
    }
    cr_assert(same, "%s: value", what);
    double hi;
    double lo;
    ulp_accumulator_to_double2(&hi, &lo, &s->acc);
    double want_hi = mpfr_get_d(s->sum, MPFR_RNDN);
    mpfr_sub_d(rest, s->sum, want_hi, MPFR_RNDN);
    double want_lo = mpfr_number_p(rest) ? mpfr_get_d(rest, MPFR_RNDN) : 0.0;
    cr_assert(mpfr_nan_p(x) ? hi != hi : hi == want_hi, "%s: hi %a, want %a", what, hi, want_hi);
    cr_assert(lo == want_lo, "%s: lo %a, want %a", what, lo, want_lo);
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        for (int mode = 0; mode < ULP_ROUND_MODE_COUNT; mode++) {
            ulp_rounding_t how = {.mode = (ulp_round_mode_t)mode};
            if (mode == ULP_ROUND_STOCHASTIC) {
                how.random_bits = 1 + (int)(test_random(state) % 32);
                how.random = test_random(state) >> (64 - how.random_bits);
            }
            expect_round(s, x, oracle_format_at(i)->name, &how, what);
        }
    }
    mpfr_clears(x, rest, (mpfr_ptr)NULL);
}

/* A code: any, near an end of its format, or 0; finite if asked. */
static inline uint64_t random_code(uint64_t *state, const char *name, int finite)
{
    const ulp_format_t *f = ulp_format_find(name, NULL);
    uint64_t mask = (UINT64_MAX >> (64 - f->bits)) & ~(((uint64_t)1 << f->padding_bits) - 1);
    for (;;) {
        uint64_t r = test_random(state);
        uint64_t code = test_random(state) & mask;
        uint64_t sign = (r >> 32 & 1) << (f->bits - 1);
        switch (r % 8) {
        case 0:
            code = (ulp_format_max(f) - ((r >> 40) % 3 << f->padding_bits)) | sign;
            break;
        case 1:
            code = ((r >> 40) % 3 << f->padding_bits) | sign;
            break;
        case 2:
            code = (ulp_format_min_normal(f) + ((r >> 40) % 2 << f->padding_bits)) | sign;
            break;
        default:
            break;
        }
        code &= mask;
        if (!finite || (!ulp_format_is_nan(code, f) && !ulp_format_is_inf(code, f))) {
            return code;
        }
    }
}

#endif
