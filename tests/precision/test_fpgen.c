/*
 * tests/precision/test_fpgen.c - IBM's FPgen vectors for binary32 (Rounding,
 * MultiplyAdd-Cancellation): every row of both files, results and flags, in four rounding modes.
 * The exact result is taken to encode as 64 bits and sticky; add, subtract and multiply-add are
 * exact in MPFR, divide and square root truncated there. Sums and products go through the exact
 * accumulator as well. Syntax:
 * research.ibm.com/haifa/projects/verification/fpgen/syntax.txt.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpfr_oracle.h"
#include "precision/accumulator.h"
#include "precision/number.h"

enum { PRECISION = 640 }; /* holds a * b + c of any binary32 */

typedef struct {
    const char *operation; /* "+", "-", "*", "/", "*+", "V" */
    size_t operands;
    ulp_round_mode_t mode;
    uint64_t operand[3], want;
    unsigned want_flags;
} row_t;

/* "+1.76589DP19", "-0.0001ABP-126", "+Zero", "-Inf": the code, or 0 and *ok = 0. */
static uint64_t parse_number(const char *text, int *ok)
{
    *ok = text[0] == '+' || text[0] == '-';
    uint64_t sign = text[0] == '-' ? 0x80000000u : 0;
    if (strcmp(text + 1, "Zero") == 0) {
        return sign;
    }
    if (strcmp(text + 1, "Inf") == 0) {
        return sign | 0x7f800000u;
    }
    char *end = NULL;
    if (strlen(text) < 11 || (text[1] != '0' && text[1] != '1') || text[2] != '.' ||
        text[9] != 'P') {
        *ok = 0;
        return 0;
    }
    uint64_t fraction = strtoull(text + 3, &end, 16); /* stops at P, no hex digit */
    *ok = *ok && end == text + 9 && fraction < 0x800000;
    long exponent = strtol(text + 10, &end, 10);
    *ok = *ok && end != text + 10 && *end == '\0' && exponent >= -126 && exponent <= 127;
    *ok = *ok && (text[1] == '1' || exponent == -126);
    return sign | (text[1] == '1' ? (uint64_t)(exponent + 127) << 23 : 0) | fraction;
}

/* Flags after the result: "x", "xo", "xu" or none. Trapped exceptions before the operands: only x.
 */
static int parse_flags(unsigned *flags, const char *text)
{
    *flags = 0;
    for (; *text != '\0'; text++) {
        const char *known = "xuo";
        const char *at = strchr(known, *text);
        if (at == NULL) {
            return 0;
        }
        *flags |= (unsigned[]){ULP_FLAG_INEXACT, ULP_FLAG_UNDERFLOW, ULP_FLAG_OVERFLOW}[at - known];
    }
    return 1;
}

static int parse_operation(row_t *row, const char *text)
{
    static const struct {
        const char *text, *operation;
        size_t operands;
    } known[] = {{"b32+", "+", 2}, {"b32-", "-", 2},   {"b32*", "*", 2},
                 {"b32/", "/", 2}, {"b32*+", "*+", 3}, {"b32V", "V", 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(text, known[i].text) == 0) {
            row->operation = known[i].operation;
            row->operands = known[i].operands;
            return 1;
        }
    }
    return 0;
}

static int parse_mode(row_t *row, const char *text)
{
    static const char *const known[] = {"=0", "=^", "0", ">", "<"}; /* the order of the enum */
    for (int i = 0; i < 5; i++) {
        if (strcmp(text, known[i]) == 0) {
            row->mode = (ulp_round_mode_t)i;
            return 1;
        }
    }
    return 0;
}

/* The row of a line, or 0 if anything in it is not understood. The line is cut up. */
static int parse_row(row_t *row, char *line)
{
    char *save = NULL;
    char *word[10] = {NULL};
    size_t words = 0;
    for (char *w = strtok_r(line, " \n", &save); w != NULL; w = strtok_r(NULL, " \n", &save)) {
        if (words == 9) {
            return 0;
        }
        word[words++] = w;
    }
    if (words < 5 || !parse_operation(row, word[0]) || !parse_mode(row, word[1])) {
        return 0;
    }
    size_t at = 2;
    at += strcmp(word[at], "x") == 0; /* trapped: the result is the same */
    int ok = 1;
    for (size_t i = 0; i < row->operands; i++) {
        if (at >= words) {
            return 0;
        }
        row->operand[i] = parse_number(word[at++], &ok);
        if (!ok) {
            return 0;
        }
    }
    if (at + 2 > words || strcmp(word[at], "->") != 0) {
        return 0;
    }
    row->want = parse_number(word[at + 1], &ok);
    at += 2;
    return ok && words - at <= 1 && parse_flags(&row->want_flags, at < words ? word[at] : "");
}

static void load(mpfr_t v, ulp_number_t x)
{
    mpfr_set_zero(v, 1);
    if (x.kind == ULP_CLASS_FINITE) {
        mpfr_set_uj_2exp(v, x.significand, x.exponent, MPFR_RNDN);
    }
    mpfr_setsign(v, v, x.negative, MPFR_RNDN);
}

/* The exact result as a number. */
static ulp_number_t compute(const row_t *row)
{
    const ulp_format_t *f32 = ulp_format_find("f32", NULL);
    ulp_number_t a = ulp_number_decode(row->operand[0], f32);
    ulp_number_t b = ulp_number_decode(row->operand[row->operands - 1], f32);
    if (strcmp(row->operation, "*") == 0) {
        return ulp_number_product(a, b);
    }
    mpfr_t x, y;
    mpfr_inits2(PRECISION, x, y, (mpfr_ptr)NULL);
    mpfr_rnd_t zero_sign = row->mode == ULP_ROUND_DOWN ? MPFR_RNDD : MPFR_RNDN;
    if (row->operands == 3) {
        a = ulp_number_product(a, ulp_number_decode(row->operand[1], f32));
    }
    load(x, a);
    load(y, b);
    ulp_number_t result = {ULP_CLASS_ZERO, 0, 0, 0, 0};
    if (strchr("/V", row->operation[0]) != NULL) {
        mpfr_t q;
        mpfr_init2(q, 64);
        int inexact =
            row->operation[0] == '/' ? mpfr_div(q, x, y, MPFR_RNDZ) : mpfr_sqrt(q, x, MPFR_RNDZ);
        result = oracle_number(q, 64);
        result.sticky = inexact != 0;
        mpfr_clear(q);
    } else {
        int inexact =
            row->operation[0] == '-' ? mpfr_sub(x, x, y, zero_sign) : mpfr_add(x, x, y, zero_sign);
        cr_assert_eq(inexact, 0);
        result = oracle_number(x, 64);
    }
    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return result;
}

/* The row as a sum in the exact accumulator. Returns 0 where it is none. */
static int accumulate(ulp_accumulator_t *acc, const row_t *row)
{
    const ulp_format_t *f32 = ulp_format_find("f32", NULL);
    ulp_number_t x[3];
    memset(acc, 0, sizeof *acc);
    for (size_t i = 0; i < 3; i++) {
        x[i] = ulp_number_decode(row->operand[i], f32);
    }
    if (row->operation[0] == '/' || row->operation[0] == 'V') {
        return 0;
    }
    if (row->operation[0] == '*') {
        ulp_accumulator_add_product(acc, x[0], x[1]);
        if (row->operands == 3) {
            ulp_accumulator_add(acc, x[2]);
        }
        return 1;
    }
    x[1].negative ^= row->operation[0] == '-';
    ulp_accumulator_add(acc, x[0]);
    ulp_accumulator_add(acc, x[1]);
    return 1;
}

/* Whether the accumulator rounds the row to `want` too. Its exact zero of terms that are not all -0
 * is +0 in every mode, where IEEE 754 has -0 in RD: the one difference that its header allows. */
static int accumulator_agrees(const row_t *row, const ulp_rounding_t *how)
{
    ulp_accumulator_t acc;
    if (!accumulate(&acc, row)) {
        return 1;
    }
    uint64_t want = row->want;
    if (row->mode == ULP_ROUND_DOWN && want == 0x80000000 && row->want_flags == 0 &&
        acc.nterms_negative_zero < acc.nterms) {
        want = 0;
    }
    unsigned flags = 99;
    uint64_t got = ulp_accumulator_round(&acc, ulp_format_find("f32", NULL), how, &flags);
    return got == want && flags == row->want_flags;
}

static void expect_file(const char *name, size_t want_rows, size_t want_sums)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/cases/files/%s", ULP_TEST_SHARED_DIR, name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s cannot be read", path);
    char line[200];
    size_t rows = 0;
    size_t sums = 0;
    for (size_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        if (number <= 4) { /* title, copyright, rule, blank */
            cr_assert(strncmp(line, "b32", 3) != 0, "%s:%zu: a row in the head", path, number);
            continue;
        }
        if (line[0] == '\n') {
            continue;
        }
        char copy[200];
        strcpy(copy, line);
        row_t row = {0};
        cr_assert(parse_row(&row, copy), "%s:%zu: not understood: %s", path, number, line);
        ulp_rounding_t how = {row.mode, ULP_OVERFLOW_FORMAT, ULP_FLUSH_NONE, 0, 0};
        unsigned flags = 0;
        uint64_t got = ulp_number_encode(compute(&row), ulp_format_find("f32", NULL), &how, &flags);
        cr_expect(got == row.want && flags == row.want_flags,
                  "%s:%zu: got 0x%08llx flags %u, want 0x%08llx flags %u: %s", path, number,
                  (unsigned long long)got, flags, (unsigned long long)row.want, row.want_flags,
                  line);
        cr_expect(accumulator_agrees(&row, &how), "%s:%zu: not so by the accumulator: %s", path,
                  number, line);
        rows++;
        sums += accumulate(&(ulp_accumulator_t){0}, &row) != 0;
    }
    fclose(file);
    cr_expect_eq(rows, want_rows, "%s: %zu rows", path, rows);
    cr_expect_eq(sums, want_sums, "%s: %zu rows of sums", path, sums);
}

Test(fpgen, rounding)
{
    expect_file("fpgen_Rounding.fptest", 648, 512);
}

Test(fpgen, multiply_add_with_cancellation)
{
    expect_file("fpgen_MultiplyAdd-Cancellation.fptest", 98, 98);
}

/* The reader refuses what it does not know. */
Test(fpgen, reader_refuses_unknown_syntax)
{
    static const char *const refused[] = {
        "b64+ =0 +1.000000P0 +1.000000P0 -> +1.000000P1",
        "b32% =0 +1.000000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =1 +1.000000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.000000P0 +1.000000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.000000P0 +1.000000P0 +1.000000P1",
        "b32+ =0 +1.000000P0 +1.000000P0 ->",
        "b32+ =0 1.000000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.00000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.800000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +2.000000P0 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +0.000001P-125 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.000000P128 +1.000000P0 -> +1.000000P1",
        "b32+ =0 +1.000000P0 +1.000000P0 -> +1.000000P1 xq",
        "b32+ =0 +1.000000P0 +1.000000P0 -> +1.000000P1 x x",
        "b32+ =0 +1.000000P0 +1.000000P0 -> #",
        "b32+ =0 u +1.000000P0 +1.000000P0 -> +1.000000P1",
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char line[200];
        row_t row = {0};
        strcpy(line, refused[i]);
        cr_expect_not(parse_row(&row, line), "%s", refused[i]);
    }
    char good[] = "b32+ =0 x +1.000000P0 -0.000001P-126 -> -Zero xu";
    row_t row = {0};
    cr_expect(parse_row(&row, good));
    cr_expect(row.operand[0] == 0x3f800000 && row.operand[1] == 0x80000001 &&
              row.want == 0x80000000);
    cr_expect_eq(row.want_flags, ULP_FLAG_INEXACT | ULP_FLAG_UNDERFLOW);
}
