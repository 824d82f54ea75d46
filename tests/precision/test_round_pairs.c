/*
 * tests/precision/test_round_pairs.c - all pairs of codes of each 8-bit format: their product and
 * their sum, rounded to each 8-bit format, f16, bf16 and f32 in every mode, code and flags, against
 * MPFR.
 *
 * Many pairs have one value: MPFR rounds each distinct value once, ours each pair's own product.
 * Sums of one value are one number, given in two forms.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "mpfr_oracle.h"
#include "precision/number.h"

enum { PRECISION = 300, MODES = ULP_ROUND_STOCHASTIC, TARGETS = 13 }; /* 2^127 + 2^-127: 255 bits */

static const char *const target_names[TARGETS] = {
    "f8e4m3fn",  "f8e4m3", "f8e5m2", "f8e3m4", "f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b11fnuz",
    "f8e8m0fnu", "i8",     "u8",     "f16",    "bf16",       "f32"};

typedef struct {
    const ulp_format_t *format;
    const oracle_format_t *oracle;
} target_t;

typedef struct {
    uint64_t code[TARGETS][MODES];
    unsigned flags[TARGETS][MODES];
} rounded_t;

/* A pair and its exact result as high + low, two doubles that order and tell apart all results. */
typedef struct {
    double high, low;
    uint8_t a, b;
} result_t;

static int by_value(const void *x, const void *y)
{
    const result_t *p = x;
    const result_t *q = y;
    if (p->high != q->high) {
        return p->high < q->high ? -1 : 1;
    }
    return (p->low > q->low) - (p->low < q->low);
}

typedef struct {
    const ulp_format_t *format;
    const oracle_format_t *oracle;
    target_t target[TARGETS];
    mpfr_t value[256], x;
    int is_product;
    size_t checked;
} run_t;

static void exact_result(run_t *run, unsigned a, unsigned b)
{
    int inexact = run->is_product ? mpfr_mul(run->x, run->value[a], run->value[b], MPFR_RNDN)
                                  : mpfr_add(run->x, run->value[a], run->value[b], MPFR_RNDN);
    cr_assert_eq(inexact, 0);
}

static void round_by_mpfr(rounded_t *want, run_t *run)
{
    for (size_t t = 0; t < TARGETS; t++) {
        for (int mode = 0; mode < MODES; mode++) {
            ulp_rounding_t how = {.mode = (ulp_round_mode_t)mode};
            want->code[t][mode] =
                oracle_encode(run->x, run->target[t].oracle, &how, &want->flags[t][mode]);
        }
    }
}

static void expect_rounded(const rounded_t *want, ulp_number_t x, run_t *run, unsigned a,
                           unsigned b)
{
    for (size_t t = 0; t < TARGETS; t++) {
        for (int mode = 0; mode < MODES; mode++) {
            ulp_rounding_t how = {.mode = (ulp_round_mode_t)mode};
            unsigned flags = 99;
            uint64_t got = ulp_number_encode(x, run->target[t].format, &how, &flags);
            if (got != want->code[t][mode] || flags != want->flags[t][mode]) {
                cr_assert(0, "%s 0x%02x %c 0x%02x to %s, %s: got 0x%llx %u, want 0x%llx %u",
                          run->format->name, a, run->is_product ? '*' : '+', b, target_names[t],
                          ulp_round_mode_name(how.mode), (unsigned long long)got, flags,
                          (unsigned long long)want->code[t][mode], want->flags[t][mode]);
            }
        }
    }
}

/* The pair's own product; or, once a value, the sum as 64 bits and sticky and in its shortest form.
 */
static void expect_pair(const rounded_t *want, run_t *run, unsigned a, unsigned b, int is_new)
{
    run->checked++;
    if (run->is_product) {
        ulp_number_t x = ulp_number_decode(a, run->format);
        ulp_number_t y = ulp_number_decode(b, run->format);
        ulp_number_t xy = ulp_number_product(x, y);
        if (a <= b) {
            expect_rounded(want, xy, run, a, b);
        } else { /* b * a has been rounded, and is the same number */
            ulp_number_t yx = ulp_number_product(y, x);
            cr_assert(xy.kind == yx.kind && xy.negative == yx.negative && !xy.sticky &&
                      xy.exponent == yx.exponent && xy.significand == yx.significand);
        }
    } else if (is_new) {
        exact_result(run, a, b);
        ulp_number_t sum = oracle_number(run->x, 64);
        expect_rounded(want, sum, run, a, b);
        while (sum.kind == ULP_CLASS_FINITE && !sum.sticky && sum.significand % 2 == 0) {
            sum.significand /= 2;
            sum.exponent++;
        }
        expect_rounded(want, sum, run, a, b);
    }
}

static void start(run_t *run, const char *name, int is_product)
{
    run->format = ulp_format_find(name, NULL);
    run->oracle = oracle_format(name);
    run->is_product = is_product;
    run->checked = 0;
    mpfr_init2(run->x, PRECISION);
    for (unsigned code = 0; code < 256; code++) {
        mpfr_init2(run->value[code], 64);
        oracle_value(run->value[code], code, run->oracle);
    }
    for (size_t t = 0; t < TARGETS; t++) {
        run->target[t] =
            (target_t){ulp_format_find(target_names[t], NULL), oracle_format(target_names[t])};
    }
}

static void expect_all_pairs(const char *name, int is_product)
{
    run_t run;
    rounded_t want = {{{0}}, {{0}}};
    start(&run, name, is_product);
    result_t *results = calloc(65536, sizeof *results);
    cr_assert_not_null(results);
    size_t regular = 0;
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            exact_result(&run, a, b);
            if (!mpfr_regular_p(run.x)) { /* zeros have signs, NaN and infinities no order */
                round_by_mpfr(&want, &run);
                expect_pair(&want, &run, a, b, 1);
                continue;
            }
            result_t *r = &results[regular++];
            *r = (result_t){mpfr_get_d(run.x, MPFR_RNDN), 0, (uint8_t)a, (uint8_t)b};
            mpfr_sub_d(run.x, run.x, r->high, MPFR_RNDN);
            r->low = mpfr_get_d(run.x, MPFR_RNDN);
        }
    }
    qsort(results, regular, sizeof *results, by_value);
    for (size_t i = 0; i < regular; i++) {
        int is_new = i == 0 || by_value(&results[i - 1], &results[i]) != 0;
        if (is_new) {
            exact_result(&run, results[i].a, results[i].b);
            round_by_mpfr(&want, &run);
        }
        expect_pair(&want, &run, results[i].a, results[i].b, is_new);
    }
    cr_expect_eq(run.checked, 65536, "%s: %zu pairs", name, run.checked);
    free(results);
    for (unsigned code = 0; code < 256; code++) {
        mpfr_clear(run.value[code]);
    }
    mpfr_clear(run.x);
}

#define PAIRS(format)                                                                              \
    Test(pairs_product, format)                                                                    \
    {                                                                                              \
        expect_all_pairs(#format, 1);                                                              \
    }                                                                                              \
    Test(pairs_sum, format)                                                                        \
    {                                                                                              \
        expect_all_pairs(#format, 0);                                                              \
    }

PAIRS(f8e4m3fn)
PAIRS(f8e4m3)
PAIRS(f8e5m2)
PAIRS(f8e3m4)
PAIRS(f8e4m3fnuz)
PAIRS(f8e5m2fnuz)
PAIRS(f8e4m3b11fnuz)
PAIRS(f8e8m0fnu)
PAIRS(i8)
PAIRS(u8)
