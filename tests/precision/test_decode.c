/*
 * tests/precision/test_decode.c - the exact value and the natural form of codes: every code of
 * every format of up to 16 bits against the value that MPFR builds from the fields; corners and
 * random codes of the wide formats; the same bits whatever the rounding mode of the machine.
 */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "mpfr_oracle.h"
#include "precision/number.h"
#include "tests/harness/random.h"

typedef struct {
    mpfr_t want, got;
} pair_t;

/* v = the number, exactly. */
static void number_value(mpfr_t v, ulp_number_t x)
{
    if (x.kind == ULP_CLASS_NAN) {
        mpfr_set_nan(v);
    } else if (x.kind == ULP_CLASS_INF) {
        mpfr_set_inf(v, 1);
    } else if (x.kind == ULP_CLASS_ZERO) {
        mpfr_set_zero(v, 1);
    } else {
        mpfr_set_uj_2exp(v, x.significand, x.exponent, MPFR_RNDN);
    }
    mpfr_setsign(v, v, x.negative, MPFR_RNDN);
}

/* Value and sign; then the form that number.h promises. */
static int decodes(pair_t *p, uint64_t code, const ulp_format_t *f, const oracle_format_t *of)
{
    ulp_number_t x = ulp_number_decode(code, f);
    oracle_value(p->want, code, of);
    number_value(p->got, x);
    if (mpfr_nan_p(p->want)) {
        int width = of->sign + of->exponent_bits + of->fraction_bits + of->padding;
        uint64_t sign = of->sign ? code >> (width - 1) & 1 : 0;
        uint64_t fraction = code >> of->padding & (((uint64_t)1 << of->fraction_bits) - 1);
        return x.kind == ULP_CLASS_NAN && x.negative == sign && x.significand == fraction;
    }
    if (mpfr_nan_p(p->got) || !mpfr_equal_p(p->got, p->want) ||
        (mpfr_signbit(p->got) != 0) != (mpfr_signbit(p->want) != 0) || x.sticky) {
        return 0;
    }
    if (x.kind != ULP_CLASS_FINITE || f->kind != ULP_KIND_FLOAT) {
        return 1;
    }
    int normal = x.exponent + f->p - 1 > f->emin || x.significand >> (f->p - 1) == 1;
    return x.significand >> f->p == 0 && x.significand != 0 &&
           (!normal || x.significand >> (f->p - 1) == 1) && x.exponent + f->p - 1 >= f->emin;
}

Test(decode, every_code_up_to_16_bits)
{
    pair_t p;
    mpfr_inits2(64, p.want, p.got, (mpfr_ptr)NULL);
    size_t codes = 0;
    for (size_t i = 0; i < ulp_format_count(); i++) {
        const ulp_format_t *f = ulp_format_at(i);
        const oracle_format_t *of = oracle_format(f->name);
        for (uint64_t code = 0; f->bits <= 16 && code < (uint64_t)1 << f->bits; code++, codes++) {
            cr_assert(decodes(&p, code, f, of), "%s 0x%llx", f->name, (unsigned long long)code);
        }
    }
    cr_expect_eq(codes, 4 * 65536 + 10 * 256 + 2 * 64 + 3 * 16);
    mpfr_clears(p.want, p.got, (mpfr_ptr)NULL);
}

Test(decode, corners_and_random_codes_of_wide_formats)
{
    static const char *const wide[] = {"f64", "f32", "tf32", "i64", "u64", "i32", "u32"};
    pair_t p;
    mpfr_inits2(64, p.want, p.got, (mpfr_ptr)NULL);
    uint64_t state = test_seed();
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        const ulp_format_t *f = ulp_format_find(wide[i], NULL);
        const oracle_format_t *of = oracle_format(wide[i]);
        uint64_t mask = UINT64_MAX >> (64 - f->bits);
        for (int bit = 0; bit < f->bits; bit++) { /* each bit's edge, from both sides, both signs */
            for (int delta = -1; delta <= 1; delta++) {
                uint64_t code = (((uint64_t)1 << bit) + (uint64_t)delta) & mask;
                cr_assert(decodes(&p, code, f, of), "%s 0x%llx", wide[i], (unsigned long long)code);
                code = ~code & mask;
                cr_assert(decodes(&p, code, f, of), "%s 0x%llx", wide[i], (unsigned long long)code);
            }
        }
        for (size_t n = 0; n < 20000 * test_multiplier(); n++) {
            uint64_t code = test_random(&state) & mask;
            cr_assert(decodes(&p, code, f, of), "%s 0x%llx seed %llu", wide[i],
                      (unsigned long long)code, (unsigned long long)test_seed());
        }
    }
    mpfr_clears(p.want, p.got, (mpfr_ptr)NULL);
}

/* tf32 is what the tensor core reads of an f32 register: the low 13 bits count for nothing, and a
 * NaN whose payload is only there is an infinity (facts, section 3: 0x7F800001 -> +Inf). */
Test(decode, tf32_ignores_the_low_13_bits)
{
    const ulp_format_t *tf32 = ulp_format_find("tf32", NULL);
    uint64_t state = test_seed();
    for (int n = 0; n < 100000; n++) {
        uint64_t code = test_random(&state) & 0xffffffff;
        ulp_number_t a = ulp_number_decode(code, tf32);
        ulp_number_t b = ulp_number_decode(code & 0xffffe000, tf32);
        cr_assert(a.kind == b.kind && a.negative == b.negative && a.exponent == b.exponent &&
                  a.significand == b.significand);
    }
    cr_expect_eq(ulp_number_decode(0x7f800001, tf32).kind, ULP_CLASS_INF);
    cr_expect_eq(ulp_number_decode(0xff801fff, tf32).negative, 1);
    cr_expect_eq(ulp_number_decode(0x7f802000, tf32).kind, ULP_CLASS_NAN);
}

Test(decode, bits_above_the_format_are_ignored)
{
    static const char *const small[] = {"i4",        "u4",         "f4e2m1fn", "f6e2m3fn",
                                        "f8e8m0fnu", "f8e4m3fnuz", "f16"};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        const ulp_format_t *f = ulp_format_find(small[i], NULL);
        for (uint64_t code = 0; code < (uint64_t)1 << f->bits; code++) {
            ulp_number_t a = ulp_number_decode(code, f);
            ulp_number_t b = ulp_number_decode(code | UINT64_MAX << f->bits, f);
            cr_assert(a.kind == b.kind && a.negative == b.negative && a.exponent == b.exponent &&
                          a.significand == b.significand,
                      "%s 0x%llx", small[i], (unsigned long long)code);
        }
    }
}

/* The machine's own view of f64 and f32. */
Test(decode, doubles_pass_both_ways)
{
    static const double corners[] = {0.0,       -0.0,
                                     1.0,       -1.5,
                                     0x1p-1074, 0x1.fffffffffffffp-1023,
                                     0x1p-1022, 0x1.fffffffffffffp1023,
                                     HUGE_VAL,  -HUGE_VAL};
    uint64_t state = test_seed();
    for (size_t n = 0; n < 100000; n++) {
        double x = 0.0;
        uint64_t bits = test_random(&state);
        memcpy(&x, &bits, sizeof x);
        x = n < sizeof corners / sizeof corners[0] ? corners[n] : x;
        double back = ulp_number_to_double(ulp_number_from_double(x));
        cr_assert(isnan(x) ? isnan(back) : memcmp(&back, &x, sizeof x) == 0, "%a %a", x, back);
        uint32_t word = (uint32_t)(bits >> 32);
        float single = 0.0f;
        memcpy(&single, &word, sizeof single);
        double widened =
            ulp_number_to_double(ulp_number_decode(word, ulp_format_find("f32", NULL)));
        double want = (double)single;
        cr_assert(isnan(want) ? isnan(widened) : memcmp(&widened, &want, sizeof want) == 0, "%a",
                  want);
    }
    ulp_number_t wide = {ULP_CLASS_FINITE, 0, 0, 0, ((uint64_t)1 << 53) + 1}; /* a tie */
    cr_expect_eq(ulp_number_to_double(wide), 0x1p53);
    wide.sticky = 1;
    wide.significand <<= 1;
    cr_expect_eq(ulp_number_to_double(wide), 0x1.0000000000001p54);
}

Test(decode, the_rounding_mode_of_the_machine_has_no_say)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint64_t hash[4] = {0};
    for (size_t m = 0; m < 4; m++) {
        cr_assert_eq(fesetround(modes[m]), 0);
        uint64_t state = test_seed();
        for (int n = 0; n < 100000; n++) {
            uint64_t bits = test_random(&state);
            for (size_t i = 0; i < ulp_format_count(); i += 3) {
                const ulp_format_t *f = ulp_format_at(i);
                ulp_number_t x = ulp_number_decode(bits, f);
                ulp_rounding_t how = {(ulp_round_mode_t)(n % 6), (ulp_overflow_t)(n / 6 % 4), 0, 0,
                                      0};
                unsigned flags = 0;
                uint64_t code = ulp_number_encode(x, ulp_format_at((size_t)n % 26), &how, &flags);
                double d = ulp_number_to_double(ulp_number_product(x, x));
                uint64_t word = 0;
                memcpy(&word, &d, sizeof word);
                hash[m] = (hash[m] ^ x.significand ^ code ^ flags ^ word) * 0x9e3779b97f4a7c15u;
            }
        }
    }
    fesetround(FE_TONEAREST);
    cr_expect(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
}
