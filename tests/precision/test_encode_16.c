/*
 * tests/precision/test_encode_16.c - every code of the 16-bit formats into every format, in every
 * mode and overflow rule, against MPFR. Some seconds: label slow.
 */
#include <criterion/criterion.h>

#include "mpfr_oracle.h"
#include "precision/number.h"

/* The rules agree unless the result overflows or x is infinite, which the flags of the first tell.
 */
static void expect_every_rule(const mpfr_t x, ulp_number_t y, const ulp_format_t *f,
                              const oracle_format_t *of, int mode, int all_rules)
{
    unsigned first_flags = ULP_FLAG_OVERFLOW;
    int special = y.kind == ULP_CLASS_INF;
    for (int rule = 0; rule < 4; rule++) {
        if (rule == 1 && !special && (!all_rules || !(first_flags & ULP_FLAG_OVERFLOW))) {
            return;
        }
        ulp_rounding_t how = {(ulp_round_mode_t)mode, (ulp_overflow_t)rule, 0, 0, 0};
        unsigned want_flags = 0;
        unsigned got_flags = 0;
        uint64_t want = oracle_encode(x, of, &how, &want_flags);
        uint64_t got = ulp_number_encode(y, f, &how, &got_flags);
        cr_assert(got == want && got_flags == want_flags,
                  "%s%llu * 2^%d to %s, %s, overflow %d: got 0x%llx %u, want 0x%llx %u",
                  y.negative ? "-" : "", (unsigned long long)y.significand, y.exponent, f->name,
                  ulp_round_mode_name(how.mode), rule, (unsigned long long)got, got_flags,
                  (unsigned long long)want, want_flags);
        first_flags = rule == 0 ? got_flags : first_flags;
    }
}

static void expect_every_code(const char *name)
{
    const ulp_format_t *from = ulp_format_find(name, NULL);
    mpfr_t x;
    mpfr_init2(x, 64);
    for (uint64_t code = 0; code < 65536; code++) {
        oracle_value(x, code, oracle_format(name));
        ulp_number_t y = ulp_number_decode(code, from);
        for (size_t j = 0; j < ulp_format_count(); j++) {
            const ulp_format_t *f = ulp_format_at(j);
            for (int mode = 0; mode < ULP_ROUND_STOCHASTIC; mode++) {
                if (f->bits <= 16 || mode == (int)(code % ULP_ROUND_STOCHASTIC)) {
                    expect_every_rule(x, y, f, oracle_format_at(j), mode, code / 6 % 16 == 0);
                }
            }
        }
    }
    mpfr_clear(x);
}

Test(encode_16, f16_into_every_format)
{
    expect_every_code("f16");
}

Test(encode_16, bf16_into_every_format)
{
    expect_every_code("bf16");
}

Test(encode_16, i16_into_every_format)
{
    expect_every_code("i16");
}

Test(encode_16, u16_into_every_format)
{
    expect_every_code("u16");
}
