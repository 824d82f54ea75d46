/*
 * tests/precision/test_ulp.c - spacing and ULP error against MPFR from the definition; ULP distance
 * against the order of the values.
 *
 * The definition [GOLDBERG91], [MULLER05], emin clamped: ulp(r) = 2^(clamp(floor(log2 |r|), emin,
 * emax) - (p - 1)).
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mpfr_oracle.h"
#include "precision/ulp.h"
#include "tests/harness/random.h"

enum { PRECISION = 2300 };

static int is_float(const oracle_format_t *f)
{
    return f->specials != 's' && f->specials != 'z';
}

/* Exponent of the largest number of a format, by its value. */
static int oracle_emax(const oracle_format_t *f)
{
    MPFR_DECL_INIT(max, 70);
    oracle_max(max, f);
    return (int)mpfr_get_exp(max) - 1;
}

static int want_exponent(const mpfr_t r, const oracle_format_t *f)
{
    if (!is_float(f)) {
        return 0;
    }
    int e = mpfr_zero_p(r) ? oracle_emin(f) : (int)mpfr_get_exp(r) - 1;
    e = e < oracle_emin(f) ? oracle_emin(f) : e;
    e = e > oracle_emax(f) ? oracle_emax(f) : e;
    return e - f->fraction_bits;
}

/* |y - r| / ulp(r), y at 2^(emax+1) if infinite. */
static void want_error(mpfr_t error, uint64_t code, const mpfr_t r, const oracle_format_t *f)
{
    MPFR_DECL_INIT(y, 70);
    oracle_value(y, code, f);
    if (mpfr_inf_p(y)) {
        int negative = mpfr_signbit(y);
        mpfr_set_ui_2exp(y, 1, oracle_emax(f) + 1, MPFR_RNDN);
        mpfr_setsign(y, y, negative, MPFR_RNDN);
    }
    cr_assert_eq(mpfr_sub(error, y, r, MPFR_RNDN), 0);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_div_2si(error, error, want_exponent(r, f), MPFR_RNDN);
}

static void expect_error(uint64_t code, double hi, double lo, const oracle_format_t *f)
{
    const ulp_format_t *format = ulp_format_find(f->name, NULL);
    mpfr_t r, error, off;
    mpfr_inits2(PRECISION, r, error, off, (mpfr_ptr)NULL);
    mpfr_set_d(r, hi, MPFR_RNDN);
    cr_assert_eq(mpfr_add_d(r, r, lo, MPFR_RNDN), 0);
    int exponent = ulp_ulp_exponent(hi, lo, format);
    cr_assert_eq(exponent, want_exponent(r, f), "ulp of %a + %a in %s: 2^%d, want 2^%d; seed %llu",
                 hi, lo, f->name, exponent, want_exponent(r, f), (unsigned long long)test_seed());
    want_error(error, code, r, f);
    double got = ulp_ulp_error(code, format, hi, lo);
    if (mpfr_get_d(error, MPFR_RNDN) == HUGE_VAL) { /* 1.0 against 0 in f64 */
        cr_assert_eq(got, HUGE_VAL);
    } else {
        cr_assert(isfinite(got) && got >= 0);
        mpfr_sub_d(off, error, got, MPFR_RNDN);
        mpfr_abs(off, off, MPFR_RNDN);
        mpfr_mul_2si(error, error, -50, MPFR_RNDN);
        int within = mpfr_lessequal_p(off, error) || mpfr_cmp_d(off, 0x1p-16) <= 0;
        cr_assert(within, "error of %#llx in %s against %a + %a: %a, off by %a; seed %llu",
                  (unsigned long long)code, f->name, hi, lo, got, mpfr_get_d(off, MPFR_RNDN),
                  (unsigned long long)test_seed());
    }
    mpfr_clears(r, error, off, (mpfr_ptr)NULL);
}

/* A tail with |lo| <= ulp(hi) / 2: none, the largest, or one that only a long sum tells. */
static double random_tail(uint64_t *state, double hi)
{
    uint64_t r = test_random(state);
    double half = ldexp(fmax(fabs(hi), DBL_MIN), -54);
    if (frexp(fabs(hi), &(int){0}) == 0.5) { /* below a power of two the spacing is half */
        half /= 2;
    }
    double tail = r % 4 == 0 ? 0.0 : r % 4 == 1 ? half : ldexp(half, -(int)(r >> 8 & 63));
    return r & 64 ? -tail : tail;
}

/* A real near a member of the format, on it, between two, or a boundary of it. */
static double random_real(uint64_t *state, uint64_t code, const oracle_format_t *f)
{
    MPFR_DECL_INIT(y, 70);
    oracle_value(y, code, f);
    uint64_t r = test_random(state);
    int step = (int)(r >> 40 & 31) - 16;
    double near = mpfr_number_p(y) ? mpfr_get_d(y, MPFR_RNDN) : 1.0;
    switch (r % 6) {
    case 0:
        return near;
    case 1: /* powers of two from below the format to above it */
        return ldexp(
            r & 64 ? -1.0 : 1.0,
            oracle_least_exponent(f) - 3 +
                (int)((r >> 8) % (uint64_t)(oracle_emax(f) - oracle_least_exponent(f) + 6)));
    case 2:
        return 0.0;
    case 3: /* a few spacings off, and a bit */
        return near +
               ldexp((double)step + 0.37, (near != 0.0 ? ilogb(near) : 0) - f->fraction_bits);
    case 4:
        return near * (1.0 + ldexp((double)step, -20));
    default:
        return ldexp((double)(int64_t)test_random(state), -63 + step);
    }
}

Test(ulp, error_is_the_definition)
{
    uint64_t state = test_seed();
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        const oracle_format_t *f = oracle_format_at(i);
        const ulp_format_t *format = ulp_format_find(f->name, NULL);
        uint64_t mask = UINT64_MAX >> (64 - format->bits) & ~(((uint64_t)1 << f->padding) - 1);
        size_t n = 2000 * test_multiplier();
        for (size_t k = 0; k < n; k++) {
            uint64_t code = format->bits <= 8 ? k & mask : test_random(&state) & mask;
            if (k % 5 == 1) {
                code = ulp_format_max(format) - ((k >> 3 & 3) << f->padding);
            }
            if (ulp_format_is_nan(code, format)) {
                continue;
            }
            double hi = random_real(&state, code, f);
            if (isfinite(hi)) {
                expect_error(code, hi, random_tail(&state, hi), f);
            }
        }
    }
}

/* facts C5 and the header, case by case. */
Test(ulp, error_by_hand)
{
    static const struct {
        const char *format;
        uint64_t code;
        double hi, lo, want;
    } rows[] = {
        {"f32", 0x3f800000, 1.0, 0.0, 0.0},
        {"f32", 0x3f800001, 1.0, 0.0, 1.0},
        /* at a power of two the upper spacing, below it the lower */
        {"f32", 0x3f7fffff, 1.0, 0.0, 0.5},
        {"f32", 0x3f7fffff, 1.0, -0x1p-60, 1.0 - 0x1p-36},
        {"f32", 0x3f800000, 1.0, -0x1p-60, 0x1p-36},
        {"f32", 0x3f800000, 1.0, 0x1p-60, 0x1p-37},
        {"f32", 0xbf800000, -1.0, 0x1p-60, 0x1p-36},
        {"f64", 0x3ff0000000000001, 0x1.0000000000001p0, 0x1p-100, 0x1p-48},
        /* zero and subnormals: the least spacing */
        {"f32", 0x00000001, 0.0, 0.0, 1.0},
        {"f32", 0x80000001, 0.0, 0.0, 1.0},
        {"f32", 0x80000000, 0.0, 0.0, 0.0},
        {"f32", 0x00000000, 0x1p-150, 0.0, 0.5},
        {"f32", 0x00000001, -0x1p-149, 0.0, 2.0},
        {"f32", 0x00800000, 0x1p-149, 0.0, 8388607.0},
        /* infinity stands at 2^(emax+1) */
        {"f32", 0x7f800000, 0x1.fffffep127, 0.0, 1.0},
        {"f32", 0xff800000, -0x1.fffffep127, 0.0, 1.0},
        {"f32", 0x7f800000, 0x1p128, 0.0, 0.0},
        {"f32", 0x7f7fffff, 0x1p128, 0.0, 1.0},
        {"f16", 0x7c00, 65504.0, 0.0, 1.0},
        {"f8e4m3", 0x78, 240.0, 0.0, 1.0},
        {"f8e4m3fn", 0x78, 256.0, 0.0, 0.0},
        {"f8e4m3fn", 0x7e, 512.0, 0.0, 2.0},
        {"f64", 0x7ff0000000000000, 0x1.fffffffffffffp1023, 0.0, 1.0},
        {"f64", 0x0000000000000001, 0.0, 0.0, 1.0},
        {"f64", 0x3ff0000000000000, 0.0, 0.0, HUGE_VAL}, /* 2^1074 is beyond a double */
        /* padding of tf32 carries nothing */
        {"tf32", 0x3f802000, 1.0, 0.0, 1.0},
        {"tf32", 0x3f803fff, 1.0, 0.0, 1.0},
        /* no zero, no sign */
        {"f8e8m0fnu", 0x7f, 1.0, 0.0, 0.0},
        {"f8e8m0fnu", 0x80, 1.0, 0.0, 1.0},
        {"f8e8m0fnu", 0x7e, 1.0, 0.0, 0.5},
        {"f8e8m0fnu", 0x00, 0.0, 0.0, 1.0},
        /* specials against a real and against each other */
        {"f32", 0x7f800000, HUGE_VAL, 0.0, 0.0},
        {"f32", 0x7f800000, -HUGE_VAL, 0.0, HUGE_VAL},
        {"f32", 0x7f7fffff, HUGE_VAL, 0.0, HUGE_VAL},
        {"f32", 0x7fc00000, (double)NAN, 0.0, 0.0},
        {"f32", 0xffc00001, (double)NAN, 0.0, 0.0},
        {"f32", 0x7fc00000, 1.0, 0.0, HUGE_VAL},
        {"f32", 0x7fc00000, HUGE_VAL, 0.0, HUGE_VAL},
        {"f32", 0x7f800000, (double)NAN, 0.0, HUGE_VAL},
        {"f8e4m3fn", 0x7f, 448.0, 0.0, HUGE_VAL},
        {"f8e4m3fnuz", 0x80, 0.0, 0.0, HUGE_VAL},
        /* integers: one is one */
        {"i8", 0x80, -127.0, 0.0, 1.0},
        {"i32", 0x7fffffff, 2147483647.0, 0.5, 0.5},
        {"i64", 0x2000000000000001, 0x1p61, 1.0, 0.0},
        {"u64", 0xffffffffffffffff, 0x1p64, 0.0, 1.0},
        {"u4", 0xf3, 3.0, 0.0, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double got = ulp_ulp_error(rows[i].code, ulp_format_find(rows[i].format, NULL), rows[i].hi,
                                   rows[i].lo);
        cr_expect(got == rows[i].want, "row %zu: %s %#llx against %a + %a: %a, want %a", i,
                  rows[i].format, (unsigned long long)rows[i].code, rows[i].hi, rows[i].lo, got,
                  rows[i].want);
    }
}
