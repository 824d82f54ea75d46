/*
 * tests/precision/test_scale.c - block formats and scales: every scale code, every element under
 * every scale of each block format, against MPFR and the figures of the documents.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "mpfr_oracle.h"
#include "precision/scale.h"

Test(scale, table_of_block_formats)
{
    static const struct {
        const char *name, *element, *scale;
        size_t block;
    } rows[] = {
        /* OCP MX 1.0 table 1; PTX mxf4nvf4 .scale_vec::4X with .ue4m3 */
        {"mxfp8e4m3", "f8e4m3fn", "f8e8m0fnu", 32}, {"mxfp8e5m2", "f8e5m2", "f8e8m0fnu", 32},
        {"mxfp6e2m3", "f6e2m3fn", "f8e8m0fnu", 32}, {"mxfp6e3m2", "f6e3m2fn", "f8e8m0fnu", 32},
        {"mxfp4", "f4e2m1fn", "f8e8m0fnu", 32},     {"nvfp4", "f4e2m1fn", "f8e4m3fn", 16},
    };
    cr_assert_eq(ulp_block_format_count(), sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ulp_block_format_t *b = ulp_block_format_find(rows[i].name);
        cr_assert_not_null(b, "%s", rows[i].name);
        cr_expect_eq(b, ulp_block_format_at(i));
        cr_expect_str_eq(b->element, rows[i].element);
        cr_expect_str_eq(b->scale, rows[i].scale);
        cr_expect_eq(b->block, rows[i].block);
        cr_expect_not_null(ulp_format_find(b->element, NULL));
        cr_expect_not_null(ulp_format_find(b->scale, NULL));
        cr_expect(b->source != NULL && b->source[0] == '[');
    }
    cr_expect_null(ulp_block_format_at(sizeof rows / sizeof rows[0]));
    static const char *const unknown[] = {"", "mxfp8", "MXFP4", "nvfp4 ", "f8e4m3fn"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        cr_expect_null(ulp_block_format_find(unknown[i]), "%s", unknown[i]);
    }
}

/* 2^(code - 127), 0xFF NaN, 0x00 = 2^-127: OCP MX 5.4.1. */
Test(scale, e8m0_is_a_power_of_two)
{
    const ulp_format_t *e8m0 = ulp_format_find("f8e8m0fnu", NULL);
    for (int code = 0; code < 255; code++) {
        ulp_number_t x = ulp_scale_decode((uint64_t)code, e8m0);
        cr_expect(x.kind == ULP_CLASS_FINITE && !x.negative && x.significand == 1 &&
                      x.exponent == code - 127,
                  "0x%02x", (unsigned)code);
    }
    cr_expect_eq(ulp_scale_decode(0xff, e8m0).kind, ULP_CLASS_NAN);
}

/* ue4m3: the sign bit of the byte is ignored, 0x7F NaN (facts, section 1.2). */
Test(scale, ue4m3_ignores_the_sign_bit)
{
    const ulp_format_t *e4m3 = ulp_format_find("f8e4m3fn", NULL);
    mpfr_t want, got;
    mpfr_inits2(64, want, got, (mpfr_ptr)NULL);
    for (uint64_t code = 0; code < 256; code++) {
        ulp_number_t x = ulp_scale_decode(code, e4m3);
        oracle_value(want, code & 0x7f, oracle_format("f8e4m3fn"));
        cr_expect_eq(x.negative, 0);
        if ((code & 0x7f) == 0x7f) {
            cr_expect_eq(x.kind, ULP_CLASS_NAN);
        } else {
            mpfr_set_d(got, ulp_number_to_double(x), MPFR_RNDN);
            cr_expect(mpfr_equal_p(got, want), "0x%02llx", (unsigned long long)code);
        }
    }
    /* the sign belongs to a scale of another format */
    cr_expect_eq(ulp_scale_decode(0xb8, ulp_format_find("f8e4m3", NULL)).negative, 1);
    cr_expect_eq(ulp_scale_decode(0xbf800000, ulp_format_find("f32", NULL)).negative, 1);
    mpfr_clears(want, got, (mpfr_ptr)NULL);
}

Test(scale, every_element_under_every_scale)
{
    mpfr_t element, scale, got;
    mpfr_inits2(64, element, scale, got, (mpfr_ptr)NULL);
    for (size_t i = 0; i < ulp_block_format_count(); i++) {
        const ulp_block_format_t *b = ulp_block_format_at(i);
        const ulp_format_t *ef = ulp_format_find(b->element, NULL);
        const ulp_format_t *sf = ulp_format_find(b->scale, NULL);
        for (uint64_t e = 0; e < (uint64_t)1 << ef->bits; e++) {
            for (uint64_t s = 0; s < 256; s++) {
                oracle_value(element, e, oracle_format(b->element));
                oracle_value(scale, strcmp(b->scale, "f8e4m3fn") == 0 ? s & 0x7f : s,
                             oracle_format(b->scale));
                mpfr_mul(element, element, scale, MPFR_RNDN);
                ulp_number_t x = ulp_scale_apply(ulp_number_decode(e, ef), ulp_scale_decode(s, sf));
                mpfr_set_d(got, ulp_number_to_double(x), MPFR_RNDN);
                cr_assert(mpfr_nan_p(element) ? x.kind == ULP_CLASS_NAN
                                              : mpfr_equal_p(got, element) &&
                                                    mpfr_signbit(got) == mpfr_signbit(element),
                          "%s 0x%llx, scale 0x%llx", b->name, (unsigned long long)e,
                          (unsigned long long)s);
            }
        }
    }
    mpfr_clears(element, scale, got, (mpfr_ptr)NULL);
}
