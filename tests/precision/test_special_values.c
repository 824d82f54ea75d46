/*
 * tests/precision/test_special_values.c - rows from documents, in hex: overflow boundaries, NaN and
 * infinities into formats that lack them, one rounding instead of two, flags, flushing.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "precision/number.h"

enum {
    X = ULP_FLAG_INEXACT,
    U = ULP_FLAG_UNDERFLOW,
    O = ULP_FLAG_OVERFLOW,
    I = ULP_FLAG_INVALID,
    FORMAT = ULP_OVERFLOW_FORMAT,
    TO_INF = ULP_OVERFLOW_INF,
    SAT = ULP_OVERFLOW_SATURATE,
    TO_NAN = ULP_OVERFLOW_NAN,
    RNE = ULP_ROUND_NEAREST_EVEN,
    RNA = ULP_ROUND_NEAREST_AWAY,
    RZ = ULP_ROUND_TOWARD_ZERO,
    RU = ULP_ROUND_UP,
    RD = ULP_ROUND_DOWN,
    RO = ULP_ROUND_TO_ODD
};

typedef struct {
    const char *format;
    double x;
    int mode, overflow;
    uint64_t want;
    unsigned flags;
    const char *source;
} row_t;

static const char ml_dtypes[] = "ml_dtypes float8.h";
static const char ieee[] = "IEEE 754-2019 7.4";
static const char header[] = "precision/rounding.h";
static const char number_h[] = "precision/number.h";

static const row_t rows[] = {
    /* the largest number and the tie above it */
    {"f8e4m3fn", 448, RNE, FORMAT, 0x7e, 0, "OCP FP8 table 1"},
    {"f8e4m3fn", 464, RNE, FORMAT, 0x7e, X, "ml_dtypes: tie at 464 stays 448"},
    {"f8e4m3fn", 464.0001, RNE, FORMAT, 0x7f, X | O, "ml_dtypes: above 464 NaN"},
    {"f8e4m3fn", -465, RNE, FORMAT, 0x7f, X | O, number_h},
    {"f8e4m3fn", 1000, RNE, SAT, 0x7e, X | O, "OCP FP8 5.2, saturating mode"},
    {"f8e4m3fn", -1000, RNE, SAT, 0xfe, X | O, "OCP FP8 5.2, saturating mode"},
    {"f8e4m3fn", HUGE_VAL, RNE, SAT, 0x7e, X | O, "OCP FP8 5.2: inf saturates"},
    {"f8e4m3fn", HUGE_VAL, RNE, FORMAT, 0x7f, X | O, "OCP FP8 5.2: inf is NaN"},
    {"f8e4m3fn", HUGE_VAL, RZ, FORMAT, 0x7f, X | O, number_h},
    {"f8e4m3fn", 479, RZ, FORMAT, 0x7e, X, header},
    {"f8e4m3fn", 480, RZ, FORMAT, 0x7e, X | O, header},
    {"f8e4m3fn", 450, RNA, FORMAT, 0x7e, X, header},
    {"f8e4m3fn", 464, RNA, FORMAT, 0x7f, X | O, header},
    {"f8e4m3fn", 450, RO, TO_INF, 0x7f, X | O, "odd neighbour of 448 is 480"},
    {"f8e4m3", 247.9, RNE, FORMAT, 0x77, X, ml_dtypes},
    {"f8e4m3", 248, RNE, FORMAT, 0x78, X | O, "ml_dtypes: 248 and above inf"},
    {"f8e4m3", 248, RNE, SAT, 0x77, X | O, header},
    {"f8e4m3", 248, RNE, TO_NAN, 0x7c, X | O, "Neuron: beyond 240 NaN"},
    {"f8e4m3", HUGE_VAL, RNE, TO_NAN, 0x78, 0, header},
    {"f8e5m2", 61439, RNE, FORMAT, 0x7b, X, ml_dtypes},
    {"f8e5m2", 61440, RNE, FORMAT, 0x7c, X | O, "ml_dtypes: 61440 and above inf"},
    {"f8e3m4", 15.75, RNE, FORMAT, 0x70, X | O, "ml_dtypes: 15.75 and above inf"},
    {"f8e4m3fnuz", 240, RNE, FORMAT, 0x7f, 0, ml_dtypes},
    {"f8e4m3fnuz", 248, RNE, FORMAT, 0x80, X | O, ml_dtypes},
    {"f8e4m3fnuz", -0.0, RNE, FORMAT, 0x00, 0, "ml_dtypes: no -0"},
    {"f8e4m3fnuz", -0x1p-20, RNE, FORMAT, 0x00, X | U, "ml_dtypes: no -0"},
    {"f8e4m3b11fnuz", 31, RNE, FORMAT, 0x80, X | O, ml_dtypes},
    {"f6e2m3fn", 100, RNE, FORMAT, 0x1f, X | O, "ml_dtypes: saturates"},
    {"f6e3m2fn", -HUGE_VAL, RNE, FORMAT, 0x3f, X | O, "ml_dtypes: saturates"},
    {"f4e2m1fn", 5, RNE, FORMAT, 0x6, X, "tie 4, 6: 4 is even"},
    {"f4e2m1fn", 0.25, RNE, FORMAT, 0x0, X | U, "tie 0, 0.5"},
    {"f4e2m1fn", 0.75, RNE, FORMAT, 0x2, X | U, "tie 0.5, 1"},
    {"f4e2m1fn", -7, RNE, FORMAT, 0xf, X | O, "ml_dtypes: saturates"},
    {"f4e2m1fn", 7, RNE, TO_NAN, 0x7, X | O | I, header},
    {"f4e2m1fn", (double)NAN, RNE, FORMAT, 0x0, I, number_h},
    {"f6e3m2fn", (double)NAN, RNE, FORMAT, 0x0, I, number_h},
    {"i8", (double)NAN, RNE, FORMAT, 0x0, I, number_h},
    /* no zero, no sign, ties to the larger: 1.5 of one digit is 2 */
    {"f8e8m0fnu", 0, RNE, FORMAT, 0x00, X | U, number_h},
    {"f8e8m0fnu", -0.0, RNE, FORMAT, 0x00, X | U, number_h},
    {"f8e8m0fnu", -1, RNE, FORMAT, 0xff, I, "ml_dtypes: NaN"},
    {"f8e8m0fnu", -1, RNE, SAT, 0x00, I, "ml_dtypes, saturating: least"},
    {"f8e8m0fnu", 1.5, RNE, FORMAT, 0x80, X, "IEEE 754-2019 4.3.1"},
    {"f8e8m0fnu", 3, RNE, FORMAT, 0x81, X, "IEEE 754-2019 4.3.1"},
    {"f8e8m0fnu", 1.49, RNE, FORMAT, 0x7f, X, "IEEE 754-2019 4.3.1"},
    {"f8e8m0fnu", 1.01, RU, SAT, 0x80, X, "PTX cvt.rp.satfinite.ue8m0x2"},
    {"f8e8m0fnu", 0x1p127, RNE, FORMAT, 0xfe, 0, "OCP MX 5.4.1"},
    {"f8e8m0fnu", 0x1.8p127, RNE, FORMAT, 0xff, X | O, ml_dtypes},
    {"f8e8m0fnu", 0x1p-127, RNE, FORMAT, 0x00, 0, "OCP MX 5.4.1"},
    {"f8e8m0fnu", (double)NAN, RNE, FORMAT, 0xff, 0, "OCP MX 5.4.1"},
    /* overflow by mode and sign */
    {"f16", 65519.999, RNE, FORMAT, 0x7bff, X, ieee},
    {"f16", 65520, RNE, FORMAT, 0x7c00, X | O, ieee},
    {"f16", 1e9, RZ, FORMAT, 0x7bff, X | O, ieee},
    {"f16", 1e9, RU, FORMAT, 0x7c00, X | O, ieee},
    {"f16", 1e9, RD, FORMAT, 0x7bff, X | O, ieee},
    {"f16", -1e9, RU, FORMAT, 0xfbff, X | O, ieee},
    {"f16", -1e9, RD, FORMAT, 0xfc00, X | O, ieee},
    {"f16", -1e9, RO, FORMAT, 0xfbff, X | O, header},
    {"f16", 1e9, RZ, TO_INF, 0x7c00, X | O, header},
    {"f16", HUGE_VAL, RZ, FORMAT, 0x7c00, 0, ieee},
    {"f16", HUGE_VAL, RZ, SAT, 0x7bff, X | O, header},
    {"f16", -(double)NAN, RNE, FORMAT, 0x7e00, 0, number_h},
    {"bf16", 0x1.fffffep127, RNE, FORMAT, 0x7f80, X | O, "FLT_MAX rounds to inf"},
    {"bf16", 0x1.01p0, RNE, FORMAT, 0x3f80, X, "tie 0x3f808000"},
    {"bf16", 0x1.03p0, RNE, FORMAT, 0x3f82, X, "tie 0x3f818000"},
    {"bf16", 0x1.01p0, RNA, FORMAT, 0x3f81, X, "tie 0x3f808000"},
    {"tf32", 1024.5, RNA, FORMAT, 0x44802000, X, "pytorch 53635: 1025 by cvt.rna.tf32"},
    {"tf32", 1024.5, RNE, FORMAT, 0x44800000, X, "pytorch 53635"},
    /* tininess before rounding, and the least subnormals */
    {"f16", 0x1.ffep-15, RNE, FORMAT, 0x0400, X | U, "IEEE 754-2019 7.5 before rounding"},
    {"f16", 0x1p-14, RNE, FORMAT, 0x0400, 0, ieee},
    {"f16", 0x1p-25, RNE, FORMAT, 0x0000, X | U, "tie 0, 2^-24"},
    {"f16", 0x1.8p-24, RNE, FORMAT, 0x0002, X | U, "tie 2^-24, 2^-23"},
    {"f16", -0x1p-60, RD, FORMAT, 0x8001, X | U, ieee},
    {"f16", -0x1p-60, RU, FORMAT, 0x8000, X | U, ieee},
    {"f16", -0x1p-60, RO, FORMAT, 0x8001, X | U, header},
    /* once, not by way of f32: 1 + 2^-11 + 2^-40 is above the tie, its f32 is the tie */
    {"f16", 0x1.00200000004p0, RNE, FORMAT, 0x3c01, X, "double rounding"},
    {"bf16", 0x1.0100000001p0, RNE, FORMAT, 0x3f81, X, "double rounding"},
    /* at the subnormals' place: by way of 11 bits this is the tie and goes down */
    {"f16", 0x1.001p-25, RNE, FORMAT, 0x0001, X | U, "double rounding below emin"},
    {"f8e4m3fn", 0x1.004p-10, RNE, FORMAT, 0x01, X | U, "double rounding below emin"},
    /* integers */
    {"i8", 127.5, RNE, FORMAT, 0x7f, X | O, header},
    {"i8", -128.5, RNE, FORMAT, 0x80, X, "tie -128, -129"},
    {"i8", -128.5, RNA, FORMAT, 0x80, X | O, header},
    {"i8", 2.5, RNE, FORMAT, 0x02, X, header},
    {"i8", -2.5, RNA, FORMAT, 0xfd, X, header},
    {"u8", -0.4, RNE, FORMAT, 0x00, X, header},
    {"u8", -0.4, RD, FORMAT, 0x00, X | O, header},
    {"u8", 300, RNE, TO_NAN, 0xff, X | O | I, header},
    {"i32", -HUGE_VAL, RNE, FORMAT, 0x80000000, X | O, header},
    {"i64", 0x1p63, RNE, FORMAT, 0x7fffffffffffffff, X | O, header},
    {"i64", -0x1p63, RNE, FORMAT, 0x8000000000000000, 0, header},
    {"u64", 0x1p64, RNE, FORMAT, 0xffffffffffffffff, X | O, header},
    {"i4", -9, RNE, FORMAT, 0x8, X | O, header},
};

Test(special_values, rows_of_the_documents)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row_t *row = &rows[i];
        ulp_rounding_t how = {(ulp_round_mode_t)row->mode, (ulp_overflow_t)row->overflow,
                              ULP_FLUSH_NONE, 0, 0};
        unsigned flags = 99;
        uint64_t got = ulp_number_encode(ulp_number_from_double(row->x),
                                         ulp_format_find(row->format, NULL), &how, &flags);
        cr_expect(
            got == row->want && flags == row->flags,
            "row %zu: %a to %s, %s, overflow %d: got 0x%llx flags %u, want 0x%llx flags %u (%s)", i,
            row->x, row->format, ulp_round_mode_name(how.mode), row->overflow,
            (unsigned long long)got, flags, (unsigned long long)row->want, row->flags, row->source);
    }
}

/* NULL is nearest even, by the format's rule, no flags. E4M3 0x78 is 256 in one format and an
 * infinity in the other (facts, section 2.3). */
Test(special_values, defaults_and_the_two_e4m3)
{
    const ulp_format_t *fn = ulp_format_find("f8e4m3fn", NULL);
    const ulp_format_t *like_ieee = ulp_format_find("nl.float8_e4m3", NULL);
    cr_expect_eq(ulp_number_encode(ulp_number_from_double(17.0), fn, NULL, NULL), 0x58);
    cr_expect_eq(ulp_number_to_double(ulp_number_decode(0x78, fn)), 256.0);
    cr_expect_eq(ulp_number_decode(0x78, like_ieee).kind, ULP_CLASS_INF);
    cr_expect_eq(ulp_number_decode(0x79, like_ieee).kind, ULP_CLASS_NAN);
    cr_expect_eq(ulp_number_convert(0x77, fn, like_ieee, NULL, NULL), 0x77);
    unsigned flags = 0;
    cr_expect_eq(ulp_number_convert(0x7e, like_ieee, fn, NULL, &flags), 0x78);
    cr_expect_eq(flags, O | X);
}

Test(special_values, flush_of_results)
{
    const ulp_format_t *f16 = ulp_format_find("f16", NULL);
    static const struct {
        double x;
        ulp_flush_t flush;
        uint64_t want;
        unsigned flags;
    } cases[] = {
        {0x1p-15, ULP_FLUSH_NONE, 0x0200, 0},
        {0x1p-15, ULP_FLUSH_SIGNED, 0x0000, X | U},
        {-0x1p-15, ULP_FLUSH_SIGNED, 0x8000, X | U},
        {-0x1p-15, ULP_FLUSH_POSITIVE, 0x0000, X | U},
        {0x1p-14, ULP_FLUSH_SIGNED, 0x0400, 0},
        {0x1.ffep-15, ULP_FLUSH_SIGNED, 0x0400, X | U},
        {-0x1p-60, ULP_FLUSH_POSITIVE, 0x8000, X | U},
        {-0.0, ULP_FLUSH_POSITIVE, 0x8000, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ulp_rounding_t how = {.flush_output = cases[i].flush};
        unsigned flags = 99;
        uint64_t got = ulp_number_encode(ulp_number_from_double(cases[i].x), f16, &how, &flags);
        cr_expect(got == cases[i].want && flags == cases[i].flags, "row %zu: 0x%llx %u", i,
                  (unsigned long long)got, flags);
    }
}

Test(special_values, flush_of_inputs)
{
    const ulp_format_t *f16 = ulp_format_find("f16", NULL);
    for (uint64_t code = 0; code < 65536; code++) {
        ulp_number_t x = ulp_number_decode(code, f16);
        int subnormal = (code & 0x7c00) == 0 && (code & 0x3ff) != 0;
        ulp_number_t none = ulp_number_flush(x, f16, ULP_FLUSH_NONE);
        ulp_number_t same = ulp_number_flush(x, f16, ULP_FLUSH_SIGNED);
        ulp_number_t positive = ulp_number_flush(x, f16, ULP_FLUSH_POSITIVE);
        cr_assert(none.kind == x.kind && none.significand == x.significand);
        cr_assert_eq(same.kind, subnormal ? ULP_CLASS_ZERO : x.kind);
        cr_assert_eq(same.negative, x.negative);
        cr_assert_eq(positive.kind, same.kind);
        cr_assert_eq(positive.negative, subnormal ? 0 : x.negative);
    }
    /* CDNA2 flushes bf16 and f16 inputs: a bf16 below 2^-126 [facts, section 4] */
    ulp_number_t tiny = ulp_number_from_double(-0x1p-1074);
    cr_expect_eq(ulp_number_flush(tiny, ulp_format_find("bf16", NULL), ULP_FLUSH_POSITIVE).negative,
                 0);
    ulp_number_t wide = {ULP_CLASS_FINITE, 0, 0, -14 - 74, (uint64_t)1 << 40}; /* 2^-48 */
    cr_expect_eq(ulp_number_flush(wide, f16, ULP_FLUSH_SIGNED).kind, ULP_CLASS_ZERO);
    wide.significand <<= 15; /* 2^-33 in f32, normal */
    cr_expect_eq(ulp_number_flush(wide, ulp_format_find("f32", NULL), ULP_FLUSH_SIGNED).kind,
                 ULP_CLASS_FINITE);
    cr_expect_eq(ulp_number_flush(tiny, ulp_format_find("i8", NULL), ULP_FLUSH_SIGNED).kind,
                 ULP_CLASS_FINITE);
}

Test(special_values, products)
{
    const ulp_format_t *f16 = ulp_format_find("f16", NULL);
    ulp_number_t inf = ulp_number_decode(0xfc00, f16);
    ulp_number_t zero = ulp_number_decode(0x8000, f16);
    ulp_number_t nan = ulp_number_decode(0x7e00, f16);
    ulp_number_t one = ulp_number_decode(0x3c00, f16);
    cr_expect_eq(ulp_number_product(inf, zero).kind, ULP_CLASS_NAN);
    cr_expect_eq(ulp_number_product(zero, inf).kind, ULP_CLASS_NAN);
    cr_expect_eq(ulp_number_product(nan, zero).kind, ULP_CLASS_NAN);
    cr_expect(ulp_number_product(inf, one).kind == ULP_CLASS_INF &&
              ulp_number_product(inf, one).negative == 1);
    cr_expect(ulp_number_product(inf, inf).negative == 0);
    cr_expect(ulp_number_product(zero, one).kind == ULP_CLASS_ZERO &&
              ulp_number_product(zero, one).negative == 1);
    ulp_number_t x =
        ulp_number_product(ulp_number_decode(0x3e00, f16), ulp_number_decode(0x3e00, f16));
    cr_expect_eq(x.significand, 1536 * 1536); /* 1.5 * 1.5 = 2.25, not renormalised */
    cr_expect_eq(x.exponent, -20);
}

Test(special_values, names_of_the_modes)
{
    static const char *const names[] = {"rne", "rna", "rz", "ru", "rd", "ro", "sr"};
    static const char *const words[] = {"nearest-even", "nearest-away", "toward-zero", "up",
                                        "down",         "to-odd",       "stochastic"};
    for (int i = 0; i < ULP_ROUND_MODE_COUNT; i++) {
        ulp_round_mode_t mode = ULP_ROUND_TO_ODD;
        cr_expect_str_eq(ulp_round_mode_name((ulp_round_mode_t)i), names[i]);
        cr_expect(ulp_round_mode_find(&mode, names[i]) == 0 && mode == (ulp_round_mode_t)i);
        cr_expect(ulp_round_mode_find(&mode, words[i]) == 0 && mode == (ulp_round_mode_t)i);
    }
    ulp_round_mode_t mode = ULP_ROUND_UP;
    static const char *const unknown[] = {"",        "RNE",  "rn",
                                          "nearest", "rne ", "stochastic-rounding"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        cr_expect_eq(ulp_round_mode_find(&mode, unknown[i]), -1, "%s", unknown[i]);
    }
    cr_expect_eq(mode, ULP_ROUND_UP);
}
