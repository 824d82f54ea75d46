/*
 * tests/precision/test_encode.c - one rounding from the exact value, against MPFR: every code of up
 * to 8 bits into every format in every mode and rule, both sides of every boundary of every format
 * of up to 16 bits, random and corner doubles, sticky numbers. (Codes of 16 bits:
 * test_encode_16.c.)
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "expect_encoded.h"
#include "mpfr_oracle.h"
#include "precision/number.h"
#include "tests/harness/random.h"

/* The oracle itself: an integer rounding of x / quantum is what MPFR's own subnormal emulation
 * gives. */
Test(encode, oracle_agrees_with_mpfr_subnormalize)
{
    static const mpfr_rnd_t mpfr_mode[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};
    static const ulp_round_mode_t mode[] = {ULP_ROUND_NEAREST_EVEN, ULP_ROUND_TOWARD_ZERO,
                                            ULP_ROUND_UP, ULP_ROUND_DOWN};
    uint64_t state = test_seed();
    mpfr_t x, back;
    mpfr_inits2(64, x, back, (mpfr_ptr)NULL);
    mpfr_exp_t emin = mpfr_get_emin();
    for (size_t i = 0; oracle_format_at(i) != NULL && oracle_format_at(i)->exponent_bits > 0; i++) {
        const oracle_format_t *of = oracle_format_at(i);
        mpfr_t y;
        mpfr_init2(y, of->fraction_bits + 1);
        for (int n = 0; of->specials != 'p' && n < 4000; n++) {
            uint64_t bits = test_random(&state);
            long span = of->fraction_bits + 12; /* around the subnormals */
            mpfr_set_sj_2exp(x, (int64_t)bits >> (n % 50), 0, MPFR_RNDN);
            if (mpfr_zero_p(x)) {
                continue;
            }
            long most = of->exponent_bits < 4 ? 2 : 6;
            mpfr_set_exp(x, oracle_emin(of) + most - (long)(test_random(&state) % (uint64_t)span));
            ulp_rounding_t how = {mode[n % 4], ULP_OVERFLOW_FORMAT, ULP_FLUSH_NONE, 0, 0};
            unsigned flags = 0;
            oracle_value(back, oracle_encode(x, of, &how, &flags), of);
            int inexact = mpfr_set(y, x, mpfr_mode[n % 4]);
            mpfr_set_emin(oracle_least_exponent(of) + 1);
            inexact = mpfr_check_range(y, inexact, mpfr_mode[n % 4]);
            inexact = mpfr_subnormalize(y, inexact, mpfr_mode[n % 4]);
            mpfr_set_emin(emin);
            cr_assert(mpfr_equal_p(y, back), "%s", of->name);
            cr_assert_eq(inexact != 0, (flags & ULP_FLAG_INEXACT) != 0, "%s", of->name);
        }
        mpfr_clear(y);
    }
    mpfr_clears(x, back, (mpfr_ptr)NULL);
}

Test(encode, every_code_up_to_8_bits_into_every_format)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    for (size_t i = 0; i < ulp_format_count(); i++) {
        const ulp_format_t *from = ulp_format_at(i);
        for (uint64_t code = 0; from->bits <= 8 && code < (uint64_t)1 << from->bits; code++) {
            oracle_value(x, code, oracle_format(from->name));
            ulp_number_t y = ulp_number_decode(code, from);
            for (size_t j = 0; j < ulp_format_count(); j++) {
                for (int rule = 0; rule < 4; rule++) {
                    ulp_flush_t flush = (ulp_flush_t)((code + (uint64_t)rule) % 3);
                    expect_all_modes(x, y, ulp_format_at(j), (ulp_overflow_t)rule, flush);
                }
            }
        }
    }
    mpfr_clear(x);
}

/* x = units * quantum / 4, with or without 2^-20 of it on top: the members, the midpoints and their
 * neighbours when units runs over all integers. */
static void expect_point(mpfr_t x, uint64_t quarters, long quantum, int above, int negative,
                         const ulp_format_t *f, int sticky)
{
    mpfr_set_uj_2exp(x, quarters << 20 | (above != 0), quantum - 22, MPFR_RNDN);
    ulp_number_t y = {ULP_CLASS_FINITE, (uint8_t)negative, 0, (int)quantum - 22,
                      quarters << 20 | (above != 0)};
    if (quarters == 0 && !above) {
        y.kind = ULP_CLASS_ZERO;
    }
    if (above && sticky && quarters != 0) { /* the same point as a truncated significand */
        int shift = 63 - f->p - 24 > 0 ? 63 - f->p - 24 : 0;
        y = (ulp_number_t){ULP_CLASS_FINITE, (uint8_t)negative, 1, (int)quantum - 22 - shift,
                           quarters << (20 + shift)};
    }
    mpfr_setsign(x, x, negative, MPFR_RNDN);
    expect_all_modes(x, y, f, ULP_OVERFLOW_FORMAT, ULP_FLUSH_NONE);
}

/* Every gap of the format, from zero to two binades past the largest number: its lower end, its
 * quarter points and midpoint, and each of them plus a little. */
static void expect_all_gaps(const ulp_format_t *f)
{
    const oracle_format_t *of = oracle_format(f->name);
    mpfr_t x;
    mpfr_init2(x, 64);
    if (f->kind != ULP_KIND_FLOAT) {
        for (uint64_t q = 0; q < (uint64_t)6 << f->p; q++) {
            if (f->p < 8 || q % 2 == 0) {
                expect_point(x, q, 0, q >> 1 & 1, (int)(q >> 2 & 1), f, 0);
            }
            if (f->p < 8 || q % 4 == 2) {
                expect_point(x, q, 0, !(q >> 1 & 1), (int)(q >> 3 & 1), f, 0);
            }
        }
        mpfr_clear(x);
        return;
    }
    uint64_t hidden = (uint64_t)1 << (f->p - 1);
    for (long e = oracle_emin(of); e <= f->emax + 2; e++) {
        for (uint64_t q = e == oracle_emin(of) ? 0 : 4 * hidden; q < 8 * hidden; q++) {
            for (int k = 0; k < 4; k++) { /* in bulky formats one sign with, one without */
                if (f->p < 8 || (k & 1) == (int)(q & 1)) {
                    expect_point(x, q, e - f->p + 1, k & 1, k >> 1, f, (int)(q >> 1 & 1));
                }
            }
        }
    }
    mpfr_clear(x);
}

Test(encode, both_sides_of_every_boundary_up_to_8_bits)
{
    for (size_t i = 0; i < ulp_format_count(); i++) {
        if (ulp_format_at(i)->bits <= 8) {
            expect_all_gaps(ulp_format_at(i));
        }
    }
}

Test(encode, both_sides_of_every_boundary_of_f16)
{
    expect_all_gaps(ulp_format_find("f16", NULL));
}

Test(encode, both_sides_of_every_boundary_of_bf16)
{
    expect_all_gaps(ulp_format_find("bf16", NULL));
}

Test(encode, both_sides_of_every_boundary_of_i16)
{
    expect_all_gaps(ulp_format_find("i16", NULL));
}

Test(encode, both_sides_of_every_boundary_of_u16)
{
    expect_all_gaps(ulp_format_find("u16", NULL));
}

Test(encode, random_doubles_into_every_format)
{
    uint64_t state = test_seed();
    mpfr_t x;
    mpfr_init2(x, 64);
    for (size_t i = 0; i < ulp_format_count(); i++) {
        const ulp_format_t *f = ulp_format_at(i);
        for (size_t n = 0; n < 6000 * test_multiplier(); n++) {
            double d = random_double(&state, f);
            mpfr_set_d(x, d, MPFR_RNDN);
            expect_all_modes(x, ulp_number_from_double(d), f, (ulp_overflow_t)(n % 4),
                             (ulp_flush_t)(n / 4 % 3));
        }
    }
    mpfr_clear(x);
}

Test(encode, corner_doubles_and_floats_into_every_format)
{
    static const double corners[] = {0.0,
                                     0x1p-1074,
                                     0x1.8p-1073,
                                     0x1.fffffffffffffp-1023,
                                     0x1p-1022,
                                     0x1p-150,
                                     0x1.8p-150,
                                     0x1.0000000000001p-150,
                                     0x1p-149,
                                     0x1.fffffcp-127,
                                     0x1.fffffep-127,
                                     0x1p-126,
                                     0x1p-25,
                                     0x1.0000000000001p-25,
                                     0x1p-24,
                                     0x1.ffcp-15,
                                     0x1p-14,
                                     0.5,
                                     0x1.fffffffffffffp-1,
                                     1.0,
                                     1.5,
                                     2.5,
                                     6.0,
                                     7.0,
                                     7.75,
                                     28.0,
                                     30.0,
                                     30.0001,
                                     127.5,
                                     128.0,
                                     240.0,
                                     248.0,
                                     255.5,
                                     448.0,
                                     464.0,
                                     464.0000001,
                                     480.0,
                                     32767.5,
                                     57344.0,
                                     61440.0,
                                     65504.0,
                                     65519.999,
                                     65520.0,
                                     65535.5,
                                     0x1.fffffep30,
                                     0x1p31,
                                     0x1.fffffep31,
                                     0x1p32,
                                     0x1.fffffffffffffp62,
                                     0x1p63,
                                     0x1p64,
                                     0x1.fep127,
                                     0x1.ffp127,
                                     0x1.fffffep127,
                                     0x1.ffffffp127,
                                     0x1.fffffefffffffp127,
                                     0x1p128,
                                     0x1.fffffffffffffp1023,
                                     HUGE_VAL,
                                     (double)NAN};
    mpfr_t x;
    mpfr_init2(x, 64);
    for (size_t k = 0; k < 2 * (sizeof corners / sizeof corners[0]); k++) {
        double d = k % 2 ? -corners[k / 2] : corners[k / 2];
        mpfr_set_d(x, d, MPFR_RNDN);
        for (size_t i = 0; i < ulp_format_count(); i++) {
            for (int rule = 0; rule < 12; rule++) {
                expect_all_modes(x, ulp_number_from_double(d), ulp_format_at(i),
                                 (ulp_overflow_t)(rule % 4), (ulp_flush_t)(rule / 4));
            }
        }
    }
    mpfr_clear(x);
}

/* A value of 128 bits, of which the number keeps the leading 64 and the sticky bit. */
Test(encode, sticky_numbers)
{
    uint64_t state = test_seed();
    mpfr_t x, low;
    mpfr_inits2(128, x, low, (mpfr_ptr)NULL);
    for (size_t i = 0; i < ulp_format_count(); i++) {
        const ulp_format_t *f = ulp_format_at(i);
        for (size_t n = 0; f->p <= 62 && n < 2000 * test_multiplier(); n++) {
            uint64_t r = test_random(&state);
            uint64_t lead = test_random(&state) | (uint64_t)1 << 63;
            if (r & 1) { /* exactly half a unit or a member, but for the sticky bits */
                lead = lead >> (63 - f->p) << (63 - f->p);
            }
            int e = (f->kind == ULP_KIND_FLOAT ? f->emin - f->p - 2 : -3) +
                    (int)(test_random(&state) % (uint64_t)(f->kind == ULP_KIND_FLOAT
                                                               ? f->emax - f->emin + f->p + 4
                                                               : f->p + 6));
            mpfr_set_uj_2exp(x, lead, e - 63, MPFR_RNDN);
            mpfr_set_uj_2exp(low, (r >> 1) % 3, e - 120, MPFR_RNDN);
            mpfr_add(x, x, low, MPFR_RNDN);
            mpfr_setsign(x, x, r >> 63, MPFR_RNDN);
            ulp_number_t y = oracle_number(x, 64);
            cr_assert_eq(y.sticky, (r >> 1) % 3 != 0);
            expect_all_modes(x, y, f, ULP_OVERFLOW_FORMAT, ULP_FLUSH_NONE);
        }
    }
    mpfr_clears(x, low, (mpfr_ptr)NULL);
}

/* Sticky bits alone: a number below everything. */
Test(encode, sticky_alone_rounds_as_the_least_of_numbers)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    for (size_t i = 0; i < ulp_format_count(); i++) {
        for (int negative = 0; negative <= 1; negative++) {
            mpfr_set_ui_2exp(x, 1, -5000, MPFR_RNDN);
            mpfr_setsign(x, x, negative, MPFR_RNDN);
            ulp_number_t y = {ULP_CLASS_FINITE, (uint8_t)negative, 1, -4900, 0};
            expect_all_modes(x, y, ulp_format_at(i), ULP_OVERFLOW_FORMAT, ULP_FLUSH_NONE);
        }
    }
    mpfr_clear(x);
}

/* E8M13, Hopper's FP8 accumulator, and other precisions in the containers of f32 and f16. */
Test(encode, containers_round_to_fewer_bits_in_place)
{
    static const struct {
        const char *container;
        int p;
        oracle_format_t of;
    } rows[] = {{"f32", 14, {"f32 p=14", 1, 8, 13, 127, 'i', 10}},
                {"f32", 22, {"f32 p=22", 1, 8, 21, 127, 'i', 2}},
                {"f32", 2, {"f32 p=2", 1, 8, 1, 127, 'i', 22}},
                {"f16", 8, {"f16 p=8", 1, 5, 7, 15, 'i', 3}},
                {"f64", 24, {"f64 p=24", 1, 11, 23, 1023, 'i', 29}}};
    uint64_t state = test_seed();
    mpfr_t x;
    mpfr_init2(x, 64);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ulp_format_t f = ulp_format_container(ulp_format_find(rows[i].container, NULL), rows[i].p);
        for (int n = 0; n < 6000; n++) {
            double d = random_double(&state, &f);
            mpfr_set_d(x, d, MPFR_RNDN);
            ulp_rounding_t how = {(ulp_round_mode_t)(n % 6), 0, 0, 0, 0};
            expect_encoded(x, ulp_number_from_double(d), &f, &rows[i].of, &how);
        }
    }
    mpfr_clear(x);
}
