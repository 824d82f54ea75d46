/*
 * tests/precision/test_format.c - the table of formats against the figures of the documents, and
 * the names: each alias finds its format, an ambiguous one is refused with words, an unknown one
 * with none.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "mpfr_oracle.h"
#include "precision/format.h"

/* Largest, least normal and least positive number, and the codes of the specials, as the documents
 * print them. */
typedef struct {
    const char *name;
    int bits;
    const char *max, *min_normal, *min_positive; /* for mpfr_set_str, base 0 */
    uint64_t max_code, nan_code, inf_code;       /* inf_code 0: none */
    const char *source;
} figure_t;

static const figure_t figures[] = {
    {"f64", 64, "0x1.fffffffffffffp1023", "0x1p-1022", "0x1p-1074", 0x7fefffffffffffff,
     0x7ff8000000000000, 0x7ff0000000000000, "IEEE 754-2019 3.4, table 3.5"},
    {"f32", 32, "0x1.fffffep127", "0x1p-126", "0x1p-149", 0x7f7fffff, 0x7fc00000, 0x7f800000,
     "IEEE 754-2019 3.4, table 3.5"},
    {"tf32", 32, "0x1.ffcp127", "0x1p-126", "0x1p-136", 0x7f7fe000, 0x7fc00000, 0x7f800000,
     "PTX .tf32; facts: (2-2^-10)*2^127, subnormal granularity 2^-136"},
    {"f16", 16, "65504", "0x1p-14", "0x1p-24", 0x7bff, 0x7e00, 0x7c00, "IEEE 754-2019 table 3.5"},
    {"bf16", 16, "0x1.fep127", "0x1p-126", "0x1p-133", 0x7f7f, 0x7fc0, 0x7f80, "ml_dtypes"},
    {"f8e4m3fn", 8, "448", "0x1p-6", "0x1p-9", 0x7e, 0x7f, 0, "OCP FP8 1.0 table 1"},
    {"f8e4m3", 8, "240", "0x1p-6", "0x1p-9", 0x77, 0x7c, 0x78, "ml_dtypes float8_e4m3"},
    {"f8e5m2", 8, "57344", "0x1p-14", "0x1p-16", 0x7b, 0x7e, 0x7c, "OCP FP8 1.0 table 1"},
    {"f8e3m4", 8, "15.5", "0x1p-2", "0x1p-6", 0x6f, 0x78, 0x70, "ml_dtypes float8_e3m4"},
    {"f8e4m3fnuz", 8, "240", "0x1p-7", "0x1p-10", 0x7f, 0x80, 0, "ml_dtypes float8_e4m3fnuz"},
    {"f8e5m2fnuz", 8, "57344", "0x1p-15", "0x1p-17", 0x7f, 0x80, 0, "ml_dtypes float8_e5m2fnuz"},
    {"f8e4m3b11fnuz", 8, "30", "0x1p-10", "0x1p-13", 0x7f, 0x80, 0, "ml_dtypes e4m3b11fnuz"},
    {"f8e8m0fnu", 8, "0x1p127", "0x1p-127", "0x1p-127", 0xfe, 0xff, 0, "OCP MX 1.0 5.4.1"},
    {"f6e2m3fn", 6, "7.5", "1", "0.125", 0x1f, 0, 0, "OCP MX 1.0 table 3"},
    {"f6e3m2fn", 6, "28", "0.25", "0.0625", 0x1f, 0, 0, "OCP MX 1.0 table 3"},
    {"f4e2m1fn", 4, "6", "1", "0.5", 0x7, 0, 0, "OCP MX 1.0 table 5"},
    {"i64", 64, "9223372036854775807", "1", "1", 0x7fffffffffffffff, 0, 0, "C11 stdint.h"},
    {"u64", 64, "18446744073709551615", "1", "1", 0xffffffffffffffff, 0, 0, "C11 stdint.h"},
    {"i32", 32, "2147483647", "1", "1", 0x7fffffff, 0, 0, "C11 stdint.h"},
    {"u32", 32, "4294967295", "1", "1", 0xffffffff, 0, 0, "C11 stdint.h"},
    {"i16", 16, "32767", "1", "1", 0x7fff, 0, 0, "C11 stdint.h"},
    {"u16", 16, "65535", "1", "1", 0xffff, 0, 0, "C11 stdint.h"},
    {"i8", 8, "127", "1", "1", 0x7f, 0, 0, "C11 stdint.h"},
    {"u8", 8, "255", "1", "1", 0xff, 0, 0, "C11 stdint.h"},
    {"i4", 4, "7", "1", "1", 0x7, 0, 0, "ml_dtypes int4"},
    {"u4", 4, "15", "1", "1", 0xf, 0, 0, "ml_dtypes uint4"},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* The value of a code, as MPFR builds it from the fields, is the figure. */
static void expect_figure(const figure_t *row, const char *what, uint64_t code, const char *want)
{
    mpfr_t got, figure;
    mpfr_inits2(64, got, figure, (mpfr_ptr)NULL);
    oracle_value(got, code, oracle_format(row->name));
    mpfr_set_str(figure, want, 0, MPFR_RNDN);
    cr_expect(mpfr_equal_p(got, figure), "%s %s: code 0x%llx, want %s (%s)", row->name, what,
              (unsigned long long)code, want, row->source);
    mpfr_clears(got, figure, (mpfr_ptr)NULL);
}

Test(format, table_has_the_figures_of_the_documents)
{
    cr_assert_eq(ulp_format_count(), FIGURES);
    for (size_t i = 0; i < FIGURES; i++) {
        const figure_t *row = &figures[i];
        const ulp_format_t *f = ulp_format_at(i);
        cr_assert_str_eq(f->name, row->name);
        cr_expect_eq(f->bits, row->bits, "%s", row->name);
        cr_expect_eq(ulp_format_max(f), row->max_code, "%s max", row->name);
        expect_figure(row, "max", ulp_format_max(f), row->max);
        expect_figure(row, "least normal", ulp_format_min_normal(f), row->min_normal);
        expect_figure(row, "least positive", ulp_format_min_positive(f), row->min_positive);
        cr_expect_eq(ulp_format_nan(f), row->nan_code, "%s NaN", row->name);
        cr_expect_eq(ulp_format_has_inf(f), row->inf_code != 0, "%s inf", row->name);
        cr_expect_eq(ulp_format_has_nan(f), row->nan_code != 0, "%s NaN", row->name);
        if (row->inf_code != 0) {
            uint64_t minus = row->inf_code | (uint64_t)1 << (row->bits - 1);
            cr_expect_eq(ulp_format_inf(f, 0), row->inf_code, "%s +inf", row->name);
            cr_expect_eq(ulp_format_inf(f, 1), minus, "%s -inf", row->name);
        }
        cr_expect(f->source != NULL && f->source[0] != '\0', "%s has no source", row->name);
    }
    cr_expect_null(ulp_format_at(FIGURES));
}

Test(format, exponents_are_those_of_the_figures)
{
    mpfr_t v;
    mpfr_init2(v, 64);
    for (size_t i = 0; i < FIGURES; i++) {
        const ulp_format_t *f = ulp_format_at(i);
        if (f->kind != ULP_KIND_FLOAT) {
            cr_expect(f->emin == 0 && f->emax == 0 && f->bias == 0, "%s", f->name);
            continue;
        }
        mpfr_set_str(v, figures[i].max, 0, MPFR_RNDN);
        cr_expect_eq(f->emax, mpfr_get_exp(v) - 1, "%s emax", f->name);
        mpfr_set_str(v, figures[i].min_normal, 0, MPFR_RNDN);
        cr_expect_eq(f->emin, mpfr_get_exp(v) - 1, "%s emin", f->name);
        cr_expect_eq(f->has_sign + f->exponent_bits + f->p - 1 + f->padding_bits, f->bits, "%s",
                     f->name);
    }
    mpfr_clear(v);
}

Test(format, is_nan_and_is_inf_of_each_code_up_to_16_bits)
{
    mpfr_t v;
    mpfr_init2(v, 64);
    for (size_t i = 0; i < FIGURES; i++) {
        const ulp_format_t *f = ulp_format_at(i);
        for (uint64_t code = 0; f->bits <= 16 && code < (uint64_t)1 << f->bits; code++) {
            oracle_value(v, code, oracle_format(f->name));
            cr_assert_eq(ulp_format_is_nan(code, f), mpfr_nan_p(v) != 0, "%s 0x%llx", f->name,
                         (unsigned long long)code);
            cr_assert_eq(ulp_format_is_inf(code, f), mpfr_inf_p(v) != 0, "%s 0x%llx", f->name,
                         (unsigned long long)code);
        }
    }
    mpfr_clear(v);
}

Test(format, bytes_of_an_element)
{
    static const struct {
        const char *name;
        size_t bytes;
    } rows[] = {{"f64", 8}, {"f32", 4},      {"tf32", 4},     {"bf16", 2}, {"f8e5m2", 1},
                {"i64", 8}, {"f6e2m3fn", 1}, {"f4e2m1fn", 1}, {"i4", 1},   {"u16", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(ulp_format_bytes(ulp_format_find(rows[i].name, NULL)), rows[i].bytes, "%s",
                     rows[i].name);
    }
}

/* Names in use, and where: documentation of NumPy, torch, JAX and ml_dtypes, NKI (nki.language),
 * Triton (tl), safetensors, the CUDA and HIP headers, PTX, MLIR. */
static const struct {
    const char *name, *format;
} names[] = {
    {"f32", "f32"},
    {"torch.float32", "f32"},
    {"torch.float", "f32"},
    {"float32", "f32"},
    {"np.float32", "f32"},
    {"fp32", "f32"},
    {"<f4", "f32"},
    {">f4", "f32"},
    {"=f4", "f32"},
    {"F32", "f32"},
    {"half", "f16"},
    {"torch.half", "f16"},
    {"float16", "f16"},
    {"fp16", "f16"},
    {"<f2", "f16"},
    {"F16", "f16"},
    {"__half", "f16"},
    {"double", "f64"},
    {"float64", "f64"},
    {">f8", "f64"},
    {"F64", "f64"},
    {"bfloat16", "bf16"},
    {"torch.bfloat16", "bf16"},
    {"nl.bfloat16", "bf16"},
    {"BF16", "bf16"},
    {"__nv_bfloat16", "bf16"},
    {"jnp.bfloat16", "bf16"},
    {"tfloat32", "tf32"},
    {"nl.tfloat32", "tf32"},
    {"torch.float8_e4m3fn", "f8e4m3fn"},
    {"float8_e4m3fn", "f8e4m3fn"},
    {"jnp.float8_e4m3fn", "f8e4m3fn"},
    {"nl.float8_e4m3fn", "f8e4m3fn"},
    {"F8_E4M3", "f8e4m3fn"},
    {"__nv_fp8_e4m3", "f8e4m3fn"},
    {"tl.float8e4nv", "f8e4m3fn"},
    {"f8E4M3FN", "f8e4m3fn"},
    {"nl.float8_e4m3", "f8e4m3"},
    {"ml_dtypes.float8_e4m3", "f8e4m3"},
    {"f8E4M3", "f8e4m3"},
    {"torch.float8_e5m2", "f8e5m2"},
    {"nl.float8_e5m2", "f8e5m2"},
    {"F8_E5M2", "f8e5m2"},
    {"e5m2", "f8e5m2"},
    {"tl.float8e5", "f8e5m2"},
    {"float8_e3m4", "f8e3m4"},
    {"torch.float8_e4m3fnuz", "f8e4m3fnuz"},
    {"F8_E4M3FNUZ", "f8e4m3fnuz"},
    {"__hip_fp8_e4m3_fnuz", "f8e4m3fnuz"},
    {"tl.float8e4b8", "f8e4m3fnuz"},
    {"torch.float8_e5m2fnuz", "f8e5m2fnuz"},
    {"tl.float8e5b16", "f8e5m2fnuz"},
    {"float8_e4m3b11fnuz", "f8e4m3b11fnuz"},
    {"torch.float8_e8m0fnu", "f8e8m0fnu"},
    {"F8_E8M0", "f8e8m0fnu"},
    {"ue8m0", "f8e8m0fnu"},
    {"float6_e2m3fn", "f6e2m3fn"},
    {"F6_E2M3", "f6e2m3fn"},
    {"e3m2", "f6e3m2fn"},
    {"float4_e2m1fn", "f4e2m1fn"},
    {"F4", "f4e2m1fn"},
    {"__nv_fp4_e2m1", "f4e2m1fn"},
    {"i8", "i8"},
    {"i4", "i4"},
    {"int8", "i8"},
    {"|i1", "i8"},
    {"<i8", "i64"},
    {">u2", "u16"},
    {"torch.long", "i64"},
    {"torch.uint8", "u8"},
    {"U8", "u8"},
    {"I32", "i32"},
    {"int4", "i4"},
    {"uint4", "u4"},
};

Test(format, names_find_their_formats)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *words = "not touched";
        const ulp_format_t *f = ulp_format_find(names[i].name, &words);
        cr_expect(f != NULL && strcmp(f->name, names[i].format) == 0, "%s: got %s, want %s",
                  names[i].name, f ? f->name : "nothing", names[i].format);
        cr_expect_null(words, "%s: %s", names[i].name, words);
    }
}

/* Of two uses, never one: torch programs write "float8_e4m3" for float8_e4m3fn, ml_dtypes and NKI
 * mean the IEEE-like format by it; "float" is 32 bits to torch and 64 to NumPy; "f8" is 8 bytes to
 * NumPy. */
Test(format, ambiguous_names_are_refused_with_words)
{
    static const char *const refused[] = {"fp8",
                                          "float8",
                                          "e4m3",
                                          "E4M3",
                                          "float8_e4m3",
                                          "fp8_e4m3",
                                          "V1",
                                          "V2",
                                          "|V1",
                                          "|V2",
                                          "<V1",
                                          "<V2",
                                          "bf8",
                                          "fp4",
                                          "fp6",
                                          "void16",
                                          "<f1",
                                          "f8",
                                          "f4",
                                          "f2",
                                          "i1",
                                          "u2",
                                          "int",
                                          "long",
                                          "float",
                                          "mxfp8",
                                          "nf4",
                                          "ue4m3",
                                          "nvfp4",
                                          "torch.float4_e2m1fn_x2",
                                          "nl.float8_e4m3fn_x4"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *words = NULL;
        cr_expect_null(ulp_format_find(refused[i], &words), "%s found", refused[i]);
        cr_expect(words != NULL && words[0] != '\0', "%s: no words", refused[i]);
        cr_expect(words == NULL || (words[0] == '"' && strstr(words, refused[i]) == words + 1 &&
                                    strstr(words, "say ") != NULL),
                  "%s: %s", refused[i], words);
        cr_expect(words == NULL || strchr(words, '\n') == NULL, "%s: more than a line", refused[i]);
        cr_expect_null(ulp_format_find(refused[i], NULL), "%s found", refused[i]);
    }
}

Test(format, unknown_names_are_refused_without_words)
{
    static const char *const unknown[] = {"",
                                          "F32 ",
                                          "f33",
                                          "Float32",
                                          "bool",
                                          "<f16",
                                          "float8_e4m4",
                                          "f8e4m3f",
                                          "Bfloat16",
                                          "tl.float8e4b15",
                                          "float8_e5m3fnu",
                                          "complex64",
                                          "nl."};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const char *words = "not touched";
        cr_expect_null(ulp_format_find(unknown[i], &words), "%s found", unknown[i]);
        cr_expect_null(words, "%s: %s", unknown[i], words);
    }
}

Test(format, each_listed_alias_finds_its_format_and_no_other)
{
    static const char *seen[1000];
    size_t count = 0;
    for (size_t i = 0; i < ulp_format_count(); i++) {
        const ulp_format_t *f = ulp_format_at(i);
        const char *alias = NULL;
        size_t k = 0;
        for (; (alias = ulp_format_alias(f, k)) != NULL; k++) {
            cr_expect_eq(ulp_format_find(alias, NULL), f, "%s is not %s", alias, f->name);
            for (size_t j = 0; j < count; j++) {
                cr_expect_str_neq(alias, seen[j], "listed twice");
            }
            cr_assert_lt(count, sizeof seen / sizeof seen[0]);
            seen[count++] = alias;
        }
        cr_expect_gt(k, 0, "%s has no alias", f->name);
    }
    cr_expect_gt(count, 200);
}

/* Rounded to 14 significant bits in the layout of f32: the low 10 bits are 0 (Hopper's FP8
 * accumulator). */
Test(format, container_keeps_range_and_layout)
{
    const ulp_format_t *f32 = ulp_format_find("f32", NULL);
    ulp_format_t e8m13 = ulp_format_container(f32, 14);
    cr_expect_str_eq(e8m13.name, "");
    cr_expect(e8m13.p == 14 && e8m13.padding_bits == 10 && e8m13.bits == 32);
    cr_expect(e8m13.emin == f32->emin && e8m13.emax == f32->emax && e8m13.bias == f32->bias);
    cr_expect_eq(ulp_format_max(&e8m13), 0x7f7ffc00);
    cr_expect_eq(ulp_format_min_normal(&e8m13), 0x00800000);
    cr_expect_eq(ulp_format_min_positive(&e8m13), 0x00000400); /* 2^-139 */
    cr_expect_eq(ulp_format_inf(&e8m13, 1), 0xff800000);
    cr_expect(ulp_format_is_nan(ulp_format_nan(&e8m13), f32));
    ulp_format_t tf32 = ulp_format_container(f32, 11);
    const ulp_format_t *row = ulp_format_find("tf32", NULL);
    cr_expect(tf32.p == row->p && tf32.padding_bits == row->padding_bits);
    /* a container of a format whose top code is NaN: 448 = 1.11b * 2^8 stays its largest number */
    ulp_format_t e4m2 = ulp_format_container(ulp_format_find("f8e4m3fn", NULL), 3);
    cr_expect_eq(ulp_format_max(&e4m2), 0x7e);
    cr_expect_eq(ulp_format_nan(&e4m2), 0x7f);
}
