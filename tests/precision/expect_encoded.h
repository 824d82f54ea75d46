/*
 * tests/precision/expect_encoded.h - one rounding held against the oracle: code and flags.
 */
#ifndef ULP_TESTS_PRECISION_EXPECT_ENCODED_H
#define ULP_TESTS_PRECISION_EXPECT_ENCODED_H

#include <criterion/criterion.h>

#include "mpfr_oracle.h"
#include "precision/number.h"
#include "tests/harness/random.h"

/* Code and flags of x (and of y, the same value in our terms) as MPFR wants them. */
static inline void expect_encoded(const mpfr_t x, ulp_number_t y, const ulp_format_t *f,
                                  const oracle_format_t *of, const ulp_rounding_t *how)
{
    unsigned want_flags = 0;
    unsigned got_flags = 99;
    uint64_t want = oracle_encode(x, of, how, &want_flags);
    uint64_t got = ulp_number_encode(y, f, how, &got_flags);
    if (got != want || got_flags != want_flags) {
        char text[128];
        mpfr_snprintf(text, sizeof text, "%Ra", x);
        cr_assert(
            0,
            "%s to %s, %s, overflow %d, flush %d, random %llu of %d bits: got 0x%llx flags %u, "
            "want 0x%llx flags %u; seed %llu",
            text, of->name, ulp_round_mode_name(how->mode), how->overflow, how->flush_output,
            (unsigned long long)how->random, how->random_bits, (unsigned long long)got, got_flags,
            (unsigned long long)want, want_flags, (unsigned long long)test_seed());
    }
}

/* All modes but the stochastic one, with the rule and flush given. */
static inline void expect_all_modes(const mpfr_t x, ulp_number_t y, const ulp_format_t *f,
                                    ulp_overflow_t overflow, ulp_flush_t flush)
{
    const oracle_format_t *of = oracle_format(f->name);
    for (int mode = 0; mode < ULP_ROUND_STOCHASTIC; mode++) {
        ulp_rounding_t how = {(ulp_round_mode_t)mode, overflow, flush, 0, 0};
        expect_encoded(x, y, f, of, &how);
    }
}

/* A random double, often near a boundary of the format: few bits, or a run of ones or zeros after
 * its last place, at an exponent of the format's range and a little more. */
static inline double random_double(uint64_t *state, const ulp_format_t *f)
{
    uint64_t r = test_random(state);
    uint64_t fraction = test_random(state) >> 12;
    int keep = f->p - 1 + (int)(r % 4);
    if (keep < 52 && r >> 2 & 1) {
        fraction = fraction >> (52 - keep) << (52 - keep); /* on a member or near a midpoint */
        fraction += (r >> 3 & 3) - 1;
        fraction &= ((uint64_t)1 << 52) - 1;
    }
    int least = f->kind == ULP_KIND_FLOAT ? f->emin - f->p - 2 : -3;
    int span = f->kind == ULP_KIND_FLOAT ? f->emax + 3 - least : f->p + 6;
    int e = least + (int)((r >> 8) % (uint64_t)span);
    double x = ldexp(1.0 + ldexp((double)fraction, -52), e);
    return r >> 63 ? -x : x;
}

#endif
