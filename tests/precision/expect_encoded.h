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

#endif
