/*
 * tests/precision/test_accumulator.c - exact sums and sums of products, rounded once to every
 * format in every mode, code and flags, against MPFR with enough bits that it never rounds.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>

#include "exact_sum.h"

Test(accumulator, every_pair_of_formats_to_every_format)
{
    uint64_t state = test_seed();
    sum_t s;
    char what[128];
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        for (size_t j = i; oracle_format_at(j) != NULL; j++) {
            const char *x = oracle_format_at(i)->name;
            const char *y = oracle_format_at(j)->name;
            for (size_t round = 0; round < 3 * test_multiplier(); round++) {
                sum_init(&s);
                int n = (int)(test_random(&state) % 12);
                int finite = round % 3 != 2;
                if (round % 2) {
                    add(&s, random_code(&state, x, finite), x);
                }
                for (int k = 0; k < n; k++) {
                    add_product(&s, random_code(&state, x, finite), x,
                                random_code(&state, y, finite), y,
                                (int)(test_random(&state) % 3) * 100 - 100);
                }
                snprintf(what, sizeof what, "%s * %s, %d products, round %zu", x, y, n, round);
                if (n != 0 || round % 2) {
                    expect_sum(&s, &state, what);
                }
                sum_clear(&s);
            }
        }
    }
}

static const uint64_t f64_max = 0x7fefffffffffffff, f64_least = 1, f64_one = 0x3ff0000000000000,
                      f64_minus = 0x8000000000000000;

Test(accumulator, empty_sum_is_plus_zero)
{
    ulp_accumulator_t acc = {0};
    ulp_number_t x = ulp_accumulator_value(&acc);
    cr_expect(x.kind == ULP_CLASS_ZERO && !x.negative);
    cr_expect_eq(ulp_accumulator_round(&acc, ulp_format_find("f32", NULL), NULL, NULL), 0);
}

/* The least and the largest products of f64, 2^20 of each, together: nothing is lost, nothing
 * overflows, and what cancels leaves the rest exactly. */
Test(accumulator, ends_of_the_register)
{
    uint64_t state = test_seed();
    for (int sign = 0; sign < 2; sign++) {
        uint64_t minus = sign ? f64_minus : 0;
        sum_t s;
        sum_init(&s);
        add_product(&s, f64_max | minus, "f64", f64_max, "f64", 254);
        add_product(&s, f64_least, "f64", f64_least | minus, "f64", -254);
        for (int i = 0; i < 62; i++) { /* 2^62 of each */
            ulp_accumulator_t copy = s.acc;
            ulp_accumulator_merge(&s.acc, &copy);
            cr_assert_eq(mpfr_mul_2ui(s.sum, s.sum, 1, MPFR_RNDN), 0);
            if (i % 10 == 0 || i == 61) {
                expect_sum(&s, &state, "largest and least");
            }
        }
        sum_t largest;
        sum_init(&largest);
        add_product(&largest, f64_max | (minus ^ f64_minus), "f64", f64_max, "f64", 254);
        for (int i = 0; i < 62; i++) {
            ulp_accumulator_t copy = largest.acc;
            ulp_accumulator_merge(&largest.acc, &copy);
            mpfr_mul_2ui(largest.sum, largest.sum, 1, MPFR_RNDN);
        }
        ulp_accumulator_merge(&s.acc, &largest.acc);
        cr_assert_eq(mpfr_add(s.sum, s.sum, largest.sum, MPFR_RNDN), 0);
        cr_assert_eq(mpfr_get_exp(s.sum), 62 - 2148 - 254 + 1);
        expect_sum(&s, &state, "what is left");
        ulp_number_t left = ulp_accumulator_value(&s.acc);
        cr_expect(left.significand == (uint64_t)1 << 63 && left.exponent == 62 - 2402 - 63 &&
                  left.negative == sign && !left.sticky);
        sum_clear(&s);
        sum_clear(&largest);
    }
}

/* Terms and their negatives in any order leave the odd one; the carry runs over the whole register
 * with every change of sign. */
Test(accumulator, cancellation_is_exact)
{
    uint64_t state = test_seed();
    for (size_t round = 0; round < 100 * test_multiplier(); round++) {
        enum { N = 50 };
        uint64_t x[2 * N], y[2 * N];
        for (int i = 0; i < N; i++) {
            x[i] = random_code(&state, "f64", 1);
            y[i] = random_code(&state, "f64", 1);
            x[N + i] = x[i] ^ f64_minus;
            y[N + i] = y[i];
        }
        ulp_accumulator_t acc = {0};
        uint64_t odd = 0;
        while ((odd & ~f64_minus) == 0) {
            odd = random_code(&state, "f64", 1);
        }
        ulp_accumulator_add(&acc, decode(odd, "f64"));
        for (int left = 2 * N; left > 0; left--) {
            int i = (int)(test_random(&state) % (uint64_t)left);
            ulp_accumulator_add_product(&acc, decode(x[i], "f64"), decode(y[i], "f64"));
            x[i] = x[left - 1];
            y[i] = y[left - 1];
        }
        uint64_t got = ulp_accumulator_round(&acc, ulp_format_find("f64", NULL), NULL, NULL);
        cr_assert_eq(got, odd, "round %zu: %#llx is left, want %#llx", round,
                     (unsigned long long)got, (unsigned long long)odd);
        ulp_accumulator_add(&acc, decode(odd ^ f64_minus, "f64"));
        ulp_number_t zero = ulp_accumulator_value(&acc);
        cr_assert(zero.kind == ULP_CLASS_ZERO && !zero.negative);
    }
}

Test(accumulator, signs_alternate)
{
    uint64_t state = test_seed();
    sum_t s;
    sum_init(&s);
    for (int i = 0; i < 40; i++) {
        uint64_t minus = i % 2 ? f64_minus : 0;
        add_product(&s, f64_least, "f64", f64_least | minus, "f64", 0);
        add_product(&s, f64_one | minus, "f64", f64_one, "f64", -2 * i);
        expect_sum(&s, &state, "alternating");
    }
    sum_clear(&s);
}

/* Any split into parts, merged in any order, is the same register. */
Test(accumulator, merge_is_any_split)
{
    uint64_t state = test_seed();
    for (size_t round = 0; round < 60 * test_multiplier(); round++) {
        ulp_accumulator_t whole = {0}, merged = {0}, part[4];
        memset(part, 0, sizeof part);
        int finite = round % 4 != 0;
        for (int i = 0; i < 64; i++) {
            ulp_number_t a = decode(random_code(&state, "f64", finite), "f64");
            ulp_number_t b = decode(random_code(&state, "bf16", finite), "bf16");
            ulp_accumulator_add_product(&whole, a, b);
            ulp_accumulator_add_product(&part[test_random(&state) % 4], a, b);
        }
        size_t first = (size_t)(test_random(&state) % 4);
        for (size_t i = 0; i < 4; i++) {
            ulp_accumulator_merge(&merged, &part[first ^ i]);
        }
        cr_assert(memcmp(merged.word, whole.word, sizeof whole.word) == 0 &&
                      merged.nterms == whole.nterms && merged.has_nan == whole.has_nan &&
                      merged.nterms_negative_zero == whole.nterms_negative_zero &&
                      merged.has_plus_inf == whole.has_plus_inf &&
                      merged.has_minus_inf == whole.has_minus_inf,
                  "round %zu", round);
    }
}

/* More bits than a number carries: random bits below an f64, a half below a 64-bit integer; the
 * random number is the one that just carries, or just does not. */
Test(accumulator, rounds_beyond_64_bits)
{
    static const char *const formats[] = {"f64", "u64", "i64", "f32", "u32"};
    uint64_t state = test_seed();
    for (size_t round = 0; round < 600 * test_multiplier(); round++) {
        sum_t s;
        sum_init(&s);
        uint64_t minus = round % 2 ? f64_minus : 0;
        uint64_t whole = test_random(&state) | (uint64_t)1 << 63;
        uint64_t fraction = test_random(&state);
        switch (round % 5) {
        case 0: /* a tie, or just beside it */
            fraction = (uint64_t)1 << 63;
            break;
        case 1:
            whole = UINT64_MAX - round % 3;
            break;
        case 2:
            whole = (uint64_t)1 << 63;
            break;
        case 3:
            fraction &= ~(uint64_t)0 << 32;
            break;
        default:
            break;
        }
        add_product(&s, whole, "u64", f64_one | minus, "f64", -(int)(round % 7) / 2);
        add_product(&s, fraction, "u64", f64_one | minus, "f64", -64 - (int)(round % 7) / 2);
        if (round % 3) {
            add_product(&s, f64_least, "f64", f64_one | (round % 3 == 1 ? f64_minus : 0), "f64", 0);
        }
        expect_sum(&s, &state, "wide");
        mpfr_t x;
        mpfr_init2(x, 251);
        shorten(x, s.sum);
        for (int bits = 1; bits <= 32; bits++) {
            for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
                uint64_t cut = i == 0 ? (whole << 53) | fraction >> 11 : fraction;
                uint64_t just = -(cut >> (64 - bits)) & (UINT64_MAX >> (64 - bits));
                for (uint64_t step = 0; step < 2; step++) {
                    ulp_rounding_t how = {.mode = ULP_ROUND_STOCHASTIC,
                                          .random = just - (just >= step ? step : 0),
                                          .random_bits = bits};
                    expect_round(&s, x, formats[i], &how, "wide, stochastic");
                }
            }
        }
        mpfr_clear(x);
        sum_clear(&s);
    }
}

/* A term outside the register or not exact is the caller's mistake, in all builds. */
Test(accumulator, refuses_what_lies_below_the_register, .signal = SIGABRT)
{
    ulp_accumulator_t acc = {0};
    ulp_accumulator_add_product_scaled(&acc, decode(f64_least, "f64"), decode(f64_least, "f64"),
                                       -413);
}

Test(accumulator, refuses_what_lies_above_the_register, .signal = SIGABRT)
{
    ulp_accumulator_t acc = {0};
    ulp_number_t x = {ULP_CLASS_FINITE, 0, 0, ULP_ACCUMULATOR_EXPONENT_MAX + 1, 1};
    ulp_accumulator_add(&acc, x);
}

Test(accumulator, refuses_sticky_terms, .signal = SIGABRT)
{
    ulp_accumulator_t acc = {0};
    ulp_accumulator_add(&acc, (ulp_number_t){ULP_CLASS_FINITE, 0, 1, 0, 1});
}

Test(accumulator, refuses_sticky_factors, .signal = SIGABRT)
{
    ulp_accumulator_t acc = {0};
    ulp_accumulator_add_product(&acc, decode(f64_one, "f64"),
                                (ulp_number_t){ULP_CLASS_FINITE, 0, 1, 0, 1});
}

/* IEEE 754: NaN is catching, infinities of two signs and inf * 0 are NaN; an exact zero is -0 only
 * if all terms are -0. */
Test(accumulator, specials)
{
    enum { PZ, MZ, ONE, MONE, PINF, MINF, NAN_, END };
    static const uint64_t code[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00};
    static const struct {
        int term[8]; /* pairs of factors */
        uint64_t want;
    } rows[] = {
        {{PZ, ONE, END}, 0},
        {{MZ, ONE, END}, 0x8000},
        {{MZ, MONE, END}, 0},
        {{MZ, ONE, ONE, MZ, END}, 0x8000},
        {{MZ, ONE, PZ, ONE, END}, 0},
        {{ONE, ONE, MONE, ONE, END}, 0},
        {{MZ, ONE, ONE, ONE, MONE, ONE, END}, 0},
        {{PINF, ONE, END}, 0x7c00},
        {{PINF, MONE, END}, 0xfc00},
        {{PINF, PINF, MINF, MINF, END}, 0x7c00},
        {{PINF, ONE, MINF, ONE, END}, 0x7e00},
        {{PINF, PZ, END}, 0x7e00},
        {{MZ, MINF, END}, 0x7e00},
        {{PINF, ONE, PINF, PZ, END}, 0x7e00},
        {{NAN_, PZ, END}, 0x7e00},
        {{ONE, ONE, ONE, NAN_, PINF, ONE, END}, 0x7e00},
    };
    uint64_t state = test_seed();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sum_t s;
        char what[32];
        sum_init(&s);
        for (int k = 0; k < 8 && rows[i].term[k] != END; k += 2) {
            add_product(&s, code[rows[i].term[k]], "f16", code[rows[i].term[k + 1]], "f16", 0);
        }
        uint64_t got = ulp_accumulator_round(&s.acc, ulp_format_find("f16", NULL), NULL, NULL);
        cr_expect_eq(got, rows[i].want, "row %zu: %#llx, want %#llx", i, (unsigned long long)got,
                     (unsigned long long)rows[i].want);
        snprintf(what, sizeof what, "row %zu", i);
        expect_sum(&s, &state, what);
        sum_clear(&s);
    }
}
