/*
 * tests/precision/test_encode_stochastic.c - stochastic rounding, over all random numbers, against
 * MPFR.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "expect_encoded.h"
#include "mpfr_oracle.h"
#include "precision/number.h"
#include "tests/harness/random.h"

/* For each x between two members of the format, all random numbers: as MPFR adds them, and upward
 * in exactly floor(fraction * 2^bits) of the 2^bits. */
Test(encode, stochastic_over_all_random_numbers)
{
    static const char *const targets[] = {"f8e4m3fn", "f8e5m2",    "f8e5m2fnuz", "f4e2m1fn", "f16",
                                          "bf16",     "f8e8m0fnu", "i8",         "u4"};
    uint64_t state = test_seed();
    mpfr_t x;
    mpfr_init2(x, 64);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        const ulp_format_t *f = ulp_format_find(targets[i], NULL);
        for (int n = 0; n < 200; n++) {
            double d = random_double(&state, f);
            mpfr_set_d(x, d, MPFR_RNDN);
            ulp_number_t y = ulp_number_from_double(d);
            static const int widths[] = {1, 2, 3, 7};
            ulp_rounding_t how = {ULP_ROUND_STOCHASTIC, (ulp_overflow_t)(n % 4), 0, 0,
                                  widths[n / 4 % 4]};
            for (; how.random < (uint64_t)1 << how.random_bits; how.random++) {
                expect_encoded(x, y, f, oracle_format(targets[i]), &how);
            }
            how.random_bits = 32;
            how.random = test_random(&state) >> 32;
            expect_encoded(x, y, f, oracle_format(targets[i]), &how);
        }
    }
    /* numbers of few bits: fewer are cut off than there are random ones */
    const ulp_format_t *f16 = ulp_format_find("f16", NULL);
    for (uint64_t code = 0; code < 0x7c00; code += 3) {
        oracle_value(x, code, oracle_format("f16"));
        for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
            ulp_rounding_t how = {ULP_ROUND_STOCHASTIC, 0, 0, 0, 1 + (int)(code % 32)};
            how.random = test_random(&state) >> (64 - how.random_bits);
            expect_encoded(x, ulp_number_decode(code, f16), ulp_format_find(targets[i], NULL),
                           oracle_format(targets[i]), &how);
        }
    }
    ulp_rounding_t how = {ULP_ROUND_STOCHASTIC, 0, 0, 0, 6};
    int up = 0;
    for (; how.random < 64; how.random++) { /* 1 + 13/64 of a unit */
        up += ulp_number_encode(ulp_number_from_double(1.0 + 13.0 / 64 / 8),
                                ulp_format_find("f8e4m3fn", NULL), &how, NULL) == 0x39;
    }
    cr_expect_eq(up, 13);
    mpfr_clear(x);
}
