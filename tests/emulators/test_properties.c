/*
 * tests/emulators/test_properties.c - what must hold for any input: exact where every partial sum
 * is representable, sign symmetry, scaling, order; special values; stages around the kernels;
 * refusals.
 *
 * Against integer arithmetic, libm's fma, MPFR (exact sums) and tables by hand.
 */
#include <fenv.h>
#include <math.h>
#include <mpfr.h>

#include "tests/emulators/problem.h"
#include "tests/harness/random.h"

enum { ROWS = 200, K = 64 };

static const char *const floats[] = {
    "volta.f16.f32",  "turing.f16.f32", "ampere.bf16.f32", "hopper.f16.f32", "hopper.bf16.f32.k8",
    "cdna1.f16.f32",  "cdna1.bf16.f32", "cdna2.f16.f32",   "cdna2.bf16.f32", "cdna3.f16.f32",
    "cdna3.bf16.f32", "fma.f32.f32",    "ampere.tf32.f32", "cdna3.xf32.f32", "hopper.tf32.f32",
};
enum { FLOATS = sizeof floats / sizeof floats[0] };

static const char *first_input(const char *name, char word[32])
{
    sscanf(ulp_named_model_find(name)->inputs, "%31s", word);
    return word;
}

static void fill_random(ulp_tensor_t *t, uint64_t *state)
{
    uint64_t mask = t->format->bits == 64 ? UINT64_MAX : (UINT64_C(1) << t->format->bits) - 1;
    for (size_t i = 0; i < t->nelems; i++) {
        ulp_tensor_set(t, i, test_random(state) & mask);
    }
}

/* Ordinary values: exponents near that of 1. */
static void fill_near_one(ulp_tensor_t *t, uint64_t *state)
{
    for (size_t i = 0; i < t->nelems; i++) {
        double x = ldexp(1.0 + (double)(test_random(state) % 128) / 128.0,
                         (int)(test_random(state) % 9) - 4);
        ulp_tensor_set(t, i, code_of(test_random(state) & 1 ? -x : x, t->format));
    }
}

static double value_at(const ulp_tensor_t *t, size_t i)
{
    return ulp_number_to_double(ulp_number_decode(ulp_tensor_get(t, i), t->format));
}

Test(properties, exact_where_every_partial_sum_is_representable)
{
    uint64_t state = test_seed();
    for (int m = 0; m < FLOATS; m++) {
        char format[32];
        problem_t p = problem_new(first_input(floats[m], format), "f32", ROWS, K);
        int64_t want[ROWS];
        for (size_t i = 0; i < ROWS; i++) {
            want[i] = (int64_t)(test_random(&state) % 2001) - 1000;
            ulp_tensor_set(&p.c, i, code_of((double)want[i], p.c.format));
            for (size_t k = 0; k < K; k++) {
                int64_t a = (int64_t)(test_random(&state) % 33) - 16;
                int64_t b = (int64_t)(test_random(&state) % 33) - 16;
                ulp_tensor_set(&p.a, i * K + k, code_of((double)a, p.a.format));
                ulp_tensor_set(&p.b, i * K + k, code_of((double)b, p.b.format));
                want[i] += a * b;
            }
        }
        problem_connect(&p, ROWS, K, 0);
        ulp_tensor_t out = emulate(&p, floats[m], ULP_PATH_PLAIN, 2);
        for (size_t i = 0; i < ROWS; i++) {
            cr_expect_eq(value_at(&out, i), (double)want[i], "%s: row %zu: %g, exactly %jd",
                         floats[m], i, value_at(&out, i), (intmax_t)want[i]);
        }
        ulp_tensor_free(&out);
        problem_free(&p);
    }
}

static void negate(ulp_tensor_t *t)
{
    for (size_t i = 0; i < t->nelems; i++) {
        ulp_tensor_set(t, i, ulp_tensor_get(t, i) ^ UINT64_C(1) << (t->format->bits - 1));
    }
}

static void scale_by_8(ulp_tensor_t *t)
{
    for (size_t i = 0; i < t->nelems; i++) {
        ulp_tensor_set(t, i, code_of(value_at(t, i) * 8.0, t->format));
    }
}

/* CDNA3 floors, so that its negated sums differ. */
Test(properties, negated_and_scaled_inputs_negate_and_scale_the_result)
{
    uint64_t state = test_seed();
    for (int m = 0; m < FLOATS; m++) {
        char format[32];
        problem_t p = problem_new(first_input(floats[m], format), "f32", ROWS, K);
        fill_near_one(&p.a, &state);
        fill_near_one(&p.b, &state);
        fill_near_one(&p.c, &state);
        problem_connect(&p, ROWS, K, 0);
        ulp_tensor_t plain = emulate(&p, floats[m], ULP_PATH_PLAIN, 1);
        scale_by_8(&p.a);
        scale_by_8(&p.c);
        ulp_tensor_t scaled = emulate(&p, floats[m], ULP_PATH_PLAIN, 1);
        negate(&p.b);
        negate(&p.c);
        ulp_tensor_t negated = emulate(&p, floats[m], ULP_PATH_PLAIN, 1);
        int floors = strncmp(floats[m], "cdna3", 5) == 0;
        for (size_t i = 0; i < ROWS; i++) {
            cr_expect_eq(value_at(&scaled, i), 8.0 * value_at(&plain, i), "%s: scaled row %zu",
                         floats[m], i);
            cr_expect(floors || value_at(&negated, i) == -value_at(&scaled, i),
                      "%s: negated row %zu", floats[m], i);
        }
        ulp_tensor_free(&plain);
        ulp_tensor_free(&scaled);
        ulp_tensor_free(&negated);
        problem_free(&p);
    }
}

static void swap(ulp_tensor_t *t, size_t i, size_t j)
{
    uint64_t x = ulp_tensor_get(t, i);
    ulp_tensor_set(t, i, ulp_tensor_get(t, j));
    ulp_tensor_set(t, j, x);
}

Test(properties, order_within_a_fused_step_does_not_matter)
{
    static const char *const lines[] = {"volta.f16.f32",  "ampere.f16.f32", "hopper.f16.f32",
                                        "hopper.f16.f16", "cdna1.f16.f32",  "cdna3.f16.f32"};
    static const size_t width[] = {4, 8, 16, 16, 4, 8};
    uint64_t state = test_seed();
    for (int m = 0; m < 6; m++) {
        problem_t p = problem_new("f16", ulp_named_model_find(lines[m])->out, ROWS, K);
        fill_random(&p.a, &state);
        fill_random(&p.b, &state);
        fill_random(&p.c, &state);
        problem_connect(&p, ROWS, K, 0);
        ulp_tensor_t before = emulate(&p, lines[m], ULP_PATH_PLAIN, 1);
        for (size_t i = 0; i < ROWS * K; i++) {
            size_t step = i / width[m] * width[m];
            size_t j = step + test_random(&state) % width[m];
            swap(&p.a, i, j);
            swap(&p.b, i, j);
        }
        ulp_tensor_t after = emulate(&p, lines[m], ULP_PATH_PLAIN, 1);
        cr_expect_eq(memcmp(before.data, after.data, ROWS * ulp_format_bytes(before.format)), 0,
                     "%s", lines[m]);
        ulp_tensor_free(&before);
        ulp_tensor_free(&after);
        problem_free(&p);
    }
}

/* libm's fma rounds correctly, in the machine's mode too; NaN by class. */
static double machine_fma(double a, double b, double c, int wide, int mode)
{
    fesetround(mode);
    volatile double wide_result = 0.0;
    volatile float narrow_result = 0.0f;
    if (wide) {
        wide_result = fma(a, b, c);
    } else {
        narrow_result = fmaf((float)a, (float)b, (float)c);
    }
    fesetround(FE_TONEAREST);
    return wide ? wide_result : (double)narrow_result;
}

static void check_fma(const char *format, const char *line, int mode)
{
    uint64_t state = test_seed();
    size_t rows = 10000 * test_multiplier();
    problem_t p = problem_new(format, format, rows, 2);
    fill_random(&p.a, &state);
    fill_random(&p.b, &state);
    fill_random(&p.c, &state);
    for (size_t i = 0; i < rows; i += 2) { /* c near -a b, where cancellation is */
        double c = -value_at(&p.a, 2 * i) * value_at(&p.b, 2 * i);
        ulp_tensor_set(&p.c, i,
                       ulp_number_encode(ulp_number_from_double(c), p.c.format, NULL, NULL));
    }
    for (size_t i = 0; i < 300; i++) { /* a product ever farther below c */
        ulp_tensor_set(&p.a, 4 * i + 2, code_of(-ldexp(1.0, -(int)(i % 100)), p.a.format));
        ulp_tensor_set(&p.b, 4 * i + 2, code_of(ldexp(1.0, -(int)(i / 4)), p.a.format));
        ulp_tensor_set(&p.c, 2 * i + 1, code_of(i % 2 ? 1.5 : -1.0, p.a.format));
        ulp_tensor_set(&p.b, 4 * i + 3, 0);
        ulp_tensor_set(&p.a, 4 * i + 3, 0);
    }
    problem_connect(&p, rows, 2, 0);
    ulp_tensor_t out = emulate(&p, line, ULP_PATH_PLAIN, 1);
    for (size_t i = 0; i < rows; i++) {
        double c = value_at(&p.c, i);
        for (size_t k = 0; k < 2; k++) {
            c = machine_fma(value_at(&p.a, 2 * i + k), value_at(&p.b, 2 * i + k), c,
                            p.a.format->bits == 64, mode);
        }
        uint64_t want = ulp_number_encode(ulp_number_from_double(c), p.c.format, NULL, NULL);
        cr_expect_eq(ulp_tensor_get(&out, i), want, "%s: row %zu: %jx, libm %jx", line, i,
                     (uintmax_t)ulp_tensor_get(&out, i), (uintmax_t)want);
    }
    ulp_tensor_free(&out);
    problem_free(&p);
}

Test(properties, fma_chains_are_libm_s)
{
    check_fma("f64", "fma(f64,rne)", FE_TONEAREST);
    check_fma("f32", "fma(f32,rne)", FE_TONEAREST);
    check_fma("f64", "fma(f64,rz)", FE_TOWARDZERO);
    check_fma("f64", "fma(f64,ru)", FE_UPWARD);
    check_fma("f32", "fma(f32,ru)", FE_UPWARD);
    check_fma("f64", "fma(f64,rd)", FE_DOWNWARD);
    fesetround(FE_UPWARD); /* the machine's mode has no say */
    problem_t p = problem_new("f32", "f32", 1, 1);
    ulp_tensor_set(&p.a, 0, code_of(0x1p-30, p.a.format));
    ulp_tensor_set(&p.b, 0, code_of(1.0, p.a.format));
    ulp_tensor_set(&p.c, 0, code_of(1.0, p.a.format));
    problem_connect(&p, 1, 1, 0);
    ulp_tensor_t out = emulate(&p, "fma(f32,rne)", ULP_PATH_PLAIN, 1);
    cr_expect_eq(value_at(&out, 0), 1.0);
    ulp_tensor_free(&out);
    problem_free(&p);
}

/* All products -0 and c = -0: +0 on NVIDIA, asserted on the devices [MMASIM]; CDNA as its models
 * have it, CDNA2 because -0 enters as +0. A chain of IEEE 754 keeps -0. */
Test(properties, negative_zeros_alone)
{
    static const char *const lines[] = {"hopper.f16.f32", "ampere.f16.f16",
                                        "cdna1.f16.f32",  "cdna2.f16.f32",
                                        "cdna3.f16.f32",  "pairwise(l=4,final=rne24)",
                                        "fma(f32,rne)"};
    for (int m = 0; m < 7; m++) {
        problem_t p = problem_new("f16", m == 1 ? "f16" : "f32", 1, 4);
        for (size_t k = 0; k < 4; k++) {
            ulp_tensor_set(&p.a, k, 0x8000);
            ulp_tensor_set(&p.b, k, 0x3c00);
        }
        ulp_tensor_set(&p.c, 0, m == 1 ? 0x8000 : 0x80000000);
        problem_connect(&p, 1, 4, 0);
        ulp_tensor_t out = emulate(&p, lines[m], ULP_PATH_PLAIN, 1);
        cr_expect_eq(ulp_tensor_get(&out, 0), m < 5 ? 0 : UINT64_C(0x80000000), "%s gives %jx",
                     lines[m], (uintmax_t)ulp_tensor_get(&out, 0));
        ulp_tensor_free(&out);
        problem_free(&p);
    }
}

/* The exact sum in MPFR, rounded once to binary32. */
static float exact_sum(const problem_t *p, size_t row, size_t k)
{
    mpfr_t sum, term;
    mpfr_init2(sum, 4500);
    mpfr_init2(term, 4500);
    mpfr_set_d(sum, value_at(&p->c, row), MPFR_RNDN);
    for (size_t i = 0; i < k; i++) {
        mpfr_set_d(term, value_at(&p->a, row * k + i), MPFR_RNDN);
        mpfr_mul_d(term, term, value_at(&p->b, row * k + i), MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    float value = mpfr_get_flt(sum, MPFR_RNDN);
    mpfr_clear(sum);
    mpfr_clear(term);
    return value;
}

Test(properties, exact_steps_are_mpfr_s)
{
    static const char *const formats[] = {"f16", "bf16", "f32", "f64"};
    uint64_t state = test_seed();
    for (int f = 0; f < 4; f++) {
        size_t rows = 2000, k = 4;
        problem_t p = problem_new(formats[f], "f32", rows, k);
        fill_random(&p.a, &state);
        fill_random(&p.b, &state);
        fill_random(&p.c, &state);
        for (size_t i = 0; i < rows; i++) { /* two products that cancel, in half of them */
            if (i % 2) {
                ulp_tensor_set(&p.a, i * k, ulp_tensor_get(&p.a, i * k + 1));
                ulp_tensor_set(&p.b, i * k,
                               ulp_tensor_get(&p.b, i * k + 1) ^ UINT64_C(1)
                                                                     << (p.b.format->bits - 1));
            }
        }
        problem_connect(&p, rows, k, 0);
        ulp_tensor_t out = emulate(&p, "fdpa(l=4,f=inf,final=rne24)", ULP_PATH_PLAIN, 1);
        for (size_t i = 0; i < rows; i++) {
            float want = exact_sum(&p, i, k);
            double got = value_at(&out, i);
            cr_expect(isnan(want) ? isnan(got) : got == (double)want, "%s: row %zu: %a, MPFR %a",
                      formats[f], i, got, (double)want);
        }
        ulp_tensor_free(&out);
        problem_free(&p);
    }
}

typedef struct {
    const char *model, *format;
    uint64_t c;
    uint64_t a0, b0, a1, b1;
    uint64_t want;
} special_t;

/* Rules 6 to 11 of the common NVIDIA datapath and the overflow rules of CDNA [MMASIM]. bf16: 1 is
 * 3f80, inf 7f80, NaN 7fc1; f16: 3c00, 7c00, 7e00. */
static const special_t specials[] = {
    {"hopper.bf16.f32", "bf16", 0, 0xffc1, 0x3f80, 0, 0, 0x7fffffff},           /* NaN in */
    {"hopper.bf16.f32", "bf16", 0xffc01234, 0, 0, 0, 0, 0x7fffffff},            /* NaN c */
    {"hopper.bf16.f32", "bf16", 0, 0x7f80, 0x8000, 0, 0, 0x7fffffff},           /* inf * 0 */
    {"hopper.bf16.f32", "bf16", 0, 0x7f80, 0x3f80, 0xff80, 0x3f80, 0x7fffffff}, /* inf - inf */
    {"hopper.bf16.f32", "bf16", 0xff800000, 0x7f80, 0x3f80, 0, 0, 0x7fffffff},  /* with c */
    {"hopper.bf16.f32", "bf16", 0, 0xff80, 0x3f80, 0x7f7f, 0x7f7f, 0xff800000}, /* -inf */
    {"hopper.bf16.f32", "bf16", 0x7f800000, 0xbf80, 0x3f80, 0, 0, 0x7f800000},  /* inf c */
    {"hopper.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0}, /* huge cancel */
    {"hopper.bf16.f32", "bf16", 0, 0x7f00, 0x4000, 0, 0, 0x7f800000},           /* 2^128 */
    {"hopper.bf16.f32", "bf16", 0, 0x3f80, 0x3f80, 0xbf80, 0x3f80, 0},          /* 1 - 1 */
    {"hopper.f16.f16", "f16", 0, 0xfe00, 0x3c00, 0, 0, 0x7fff},                 /* NaN in */
    {"hopper.f16.f16", "f16", 0xfc00, 0x7c00, 0x3c00, 0, 0, 0x7fff},
    {"hopper.f16.f16", "f16", 0x7bff, 0x4c00, 0x3c00, 0, 0, 0x7c00}, /* 65504 + 16 */
    {"hopper.f16.f16", "f16", 0xfbff, 0xcc00, 0x3c00, 0, 0, 0xfc00},
    {"hopper.f8.f32.wgmma", "f8e4m3fn", 0, 0x7f, 0x38, 0, 0, 0x7fffffff}, /* E4M3 NaN */
    {"hopper.f8.f32.wgmma", "f8e4m3fn", 0, 0x7e, 0x7e, 0, 0, 0x48440000}, /* 448^2 */
    {"hopper.f8.f32.wgmma", "f8e5m2", 0, 0x7c, 0x3c, 0, 0, 0x7f800000},   /* E5M2 inf */
    {"hopper.f8.f32.mma", "f8e5m2", 0xff800000, 0x7c, 0x3c, 0, 0, 0x7fffffff},
    {"hopper.f8.f16.mma", "f8e4m3fn", 0, 0x7e, 0x7e, 0, 0, 0x7c00}, /* 200704 */
    {"ampere.f16.f32", "f16", 0, 0x0001, 0x0001, 0, 0, 0x27800000}, /* 2^-48 */
    {"cdna3.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0x7fc00000},
    {"cdna3.bf16.f32", "bf16", 0, 0x7f00, 0x4000, 0, 0, 0x7f800000},
    {"cdna1.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0x3f800000},
    {"cdna2.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0x7fc00000},
    {"cdna2.bf16.f32", "bf16", 0x807fffff, 0, 0, 0, 0, 0},                       /* c flushed */
    {"cdna2.f16.f32", "f16", 0x3f800000, 0x83ff, 0x7bff, 0, 0, 0x3f800000},      /* a flushed */
    {"cdna2.bf16_1k.f32", "bf16", 0x80c00000, 0x0080, 0x3f80, 0, 0, 0x80000000}, /* sum flushed */
    {"cdna3.f8.f32", "f8e4m3fnuz", 0, 0x80, 0x40, 0, 0, 0x7fc00000},             /* its NaN */
    {"cdna3.f8.f32", "f8e4m3fnuz", 0x7f800000, 0x7f, 0x7f, 0, 0, 0x7f800000},    /* inf c */
};

Test(properties, special_values)
{
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        const special_t *s = &specials[i];
        problem_t p = problem_new(s->format, ulp_named_model_find(s->model)->out, 1, 4);
        ulp_tensor_set(&p.a, 0, s->a0);
        ulp_tensor_set(&p.b, 0, s->b0);
        ulp_tensor_set(&p.a, 1, s->a1);
        ulp_tensor_set(&p.b, 1, s->b1);
        ulp_tensor_set(&p.c, 0, s->c);
        problem_connect(&p, 1, 4, 0);
        ulp_tensor_t out = emulate(&p, s->model, ULP_PATH_PLAIN, 1);
        cr_expect_eq(ulp_tensor_get(&out, 0), s->want, "row %zu: %s gives %jx, not %jx", i,
                     s->model, (uintmax_t)ulp_tensor_get(&out, 0), (uintmax_t)s->want);
        ulp_tensor_free(&out);
        problem_free(&p);
    }
}

/* One output of small f32 operands. */
static double run_f32(const char *line, const double *a, const double *b, size_t k, double c)
{
    problem_t p = problem_new("f32", "f32", 1, k);
    for (size_t i = 0; i < k; i++) {
        ulp_tensor_set(&p.a, i, code_of(a[i], p.a.format));
        ulp_tensor_set(&p.b, i, code_of(b[i], p.b.format));
    }
    ulp_tensor_set(&p.c, 0, code_of(c, p.c.format));
    problem_connect(&p, 1, k, 0);
    ulp_tensor_t out = emulate(&p, line, ULP_PATH_PLAIN, 1);
    double value = value_at(&out, 0);
    ulp_tensor_free(&out);
    problem_free(&p);
    return value;
}

Test(properties, stages_around_the_kernel)
{
    static const double one[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const double u = 0x1p-24;
    const double tail[] = {1, u, u, u, u, u, u, u};
    const double head[] = {u, u, u, u, u, u, u, 1};
    /* ascending: every 2^-24 is lost in a tie to even; descending: they meet first. */
    cr_expect_eq(run_f32("fma(f32,rne)", tail, one, 8, 0), 1.0);
    cr_expect_eq(run_f32("order(desc) | fma(f32,rne)", tail, one, 8, 0), 1.0 + 8 * u);
    cr_expect_eq(run_f32("order(desc) | fma(f32,rne)", head, one, 8, 0), 1.0);
    cr_expect_eq(run_f32("order(desc,block=4) | fma(f32,rne)", tail, one, 8, 0), 1.0 + 4 * u);
    /* pairs: k = 0, 1, 4, 5, then 2, 3, 6, 7. */
    const double pairs[] = {u, u, 1, u, u, u, u, u};
    cr_expect_eq(run_f32("order(pairs,block=8) | fma(f32,rne)", pairs, one, 8, 0), 1.0 + 4 * u);
    /* promote: c first, then each block's own sum. */
    cr_expect_eq(run_f32("fma(f32,rne) | promote(4)", head, one, 8, 1.0), 2.0 + 8 * u);
    cr_expect_eq(run_f32("fma(f32,rne) | promote(2)", tail, one, 8, 0), 1.0 + 6 * u);
    cr_expect_eq(run_f32("fma(f32,rne) | promote(3,f32,ru)", head, one, 8, 1.0), 2.0 + 8 * u);
    /* split K: the second part is summed from 0, then added. */
    cr_expect_eq(run_f32("fma(f32,rne) | splitk(2)", tail, one, 8, 0), 1.0 + 4 * u);
    cr_expect_eq(run_f32("fma(f32,rne) | splitk(8)", tail, one, 8, 0), 1.0);
    cr_expect_eq(run_f32("fma(f32,rne) | promote(2) | splitk(2)", tail, one, 8, 0), 1.0 + 6 * u);
    /* conversions */
    cr_expect_eq(run_f32("fma(f32,rne) | out(bf16,rne)", one, one, 8, 0x1p-7), 8.0);
    cr_expect_eq(run_f32("fma(f32,rne) | out(bf16,ru)", one, one, 8, 0x1p-7), 8.0625);
    cr_expect_eq(run_f32("fma(f32,rne) | out(f8e4m3fn,rne,sat)", one, one, 8, 1000.0), 448.0);
    const double third[] = {1.0 + 0x1p-11, 1.0 + 0x1p-12}, two[] = {1, 1};
    cr_expect_eq(run_f32("in(tf32,rz) | fma(f32,rne)", third, two, 2, 0), 2.0);
    cr_expect_eq(run_f32("in(tf32,rna) | fma(f32,rne)", third, two, 2, 0), 2.0 + 0x1p-10);
    cr_expect_eq(run_f32("in(tf32,rne) | fma(f32,rne)", third, two, 2, 0), 2.0);
    cr_expect_eq(run_f32("fma(f32,rne)", one, one, 0, 3.0), 3.0); /* no k: c */
}

/* -2^-150 alone: a negative sum that is cut to zero. */
Test(properties, the_sign_of_a_vanished_sum_is_an_option)
{
    const double a[] = {-0x1p-75}, b[] = {0x1p-75};
    cr_expect(signbit(run_f32("fdpa(l=16,f=25,final=rz24,e0=-133)", a, b, 1, 0)));
    cr_expect(signbit(run_f32("fdpa(l=16,f=25,final=rz24,e0=-133,zero=signed)", a, b, 1, 0)));
    cr_expect(!signbit(run_f32("fdpa(l=16,f=25,final=rz24,e0=-133,zero=plus)", a, b, 1, 0)));
}

static int64_t run_int(const char *line, int64_t c, int a0, int b0, int a1, int b1)
{
    problem_t p = problem_new("i8", "i32", 1, 2);
    ulp_tensor_set(&p.c, 0, (uint64_t)c & 0xffffffff);
    ulp_tensor_set(&p.a, 0, (uint64_t)a0 & 0xff);
    ulp_tensor_set(&p.b, 0, (uint64_t)b0 & 0xff);
    ulp_tensor_set(&p.a, 1, (uint64_t)a1 & 0xff);
    ulp_tensor_set(&p.b, 1, (uint64_t)b1 & 0xff);
    problem_connect(&p, 1, 2, 0);
    ulp_tensor_t out = emulate(&p, line, ULP_PATH_PLAIN, 1);
    int64_t value = (int32_t)ulp_tensor_get(&out, 0);
    ulp_tensor_free(&out);
    problem_free(&p);
    return value;
}

Test(properties, integers_wrap_or_clamp)
{
    cr_expect_eq(run_int("imac(wrap)", 5, -128, -128, 127, -128), 5 + 16384 - 16256);
    cr_expect_eq(run_int("imac(wrap)", INT32_MAX, 127, 127, 0, 0), INT32_MIN + 16128);
    cr_expect_eq(run_int("imac(sat)", INT32_MAX, 127, 127, 0, 0), INT32_MAX);
    cr_expect_eq(run_int("imac(sat)", INT32_MIN, 127, -127, 0, 0), INT32_MIN);
    cr_expect_eq(run_int("imac(sat)", INT32_MAX, 127, 127, -127, 127), INT32_MAX);
    cr_expect_eq(run_int("imac(sat,l=1)", INT32_MAX, 127, 127, -127, 127), INT32_MAX - 16129);
    cr_expect_eq(run_int("ampere.i8.i32.satfinite", INT32_MAX, 127, 127, -127, 127), INT32_MAX);
}

/* Block scales: ue4m3's sign is ignored, a NaN scale decides, a group that cancels keeps its
 * exponent, a zero scale does not. */
static uint64_t run_scaled(uint64_t scale0, uint64_t scale1, const double *a, uint64_t c)
{
    problem_t p = problem_new("f4e2m1fn", "f32", 1, 64);
    p.a_scale = new_tensor("f8e4m3fn", 1, 4);
    p.b_scale = new_tensor("f8e4m3fn", 1, 4);
    for (size_t i = 0; i < 4; i++) {
        ulp_tensor_set(&p.a_scale, i, i == 0 ? scale0 : scale1);
        ulp_tensor_set(&p.b_scale, i, 0x38); /* 1 */
    }
    for (size_t i = 0; i < 3; i++) { /* two in the first group, one in the second */
        size_t at = i < 2 ? i : 16;
        ulp_tensor_set(&p.a, at, code_of(a[i], p.a.format));
        ulp_tensor_set(&p.b, at, code_of(1, p.b.format));
    }
    ulp_tensor_set(&p.c, 0, c);
    problem_connect(&p, 1, 64, 16);
    ulp_tensor_t out = emulate(&p, "blackwell.mxf4nvf4.f32.tcgen05", ULP_PATH_PLAIN, 1);
    uint64_t code = ulp_tensor_get(&out, 0);
    ulp_tensor_free(&out);
    problem_free(&p);
    return code;
}

Test(properties, block_scales)
{
    const double a[] = {1, 1, 2}, cancel[] = {1, -1, 0};
    const uint64_t tiny = 0x2b800000; /* 2^-40 */
    cr_expect_eq(run_scaled(0x38, 0x38, a, 0), 0x40800000u);
    cr_expect_eq(run_scaled(0xb8, 0xb8, a, 0), 0x40800000u);
    cr_expect_eq(run_scaled(0x3c, 0x38, a, 0), 0x40a00000u); /* 1.5 */
    cr_expect_eq(run_scaled(0x7f, 0x38, a, 0), 0x7fffffffu);
    cr_expect_eq(run_scaled(0xff, 0x38, a, 0), 0x7fffffffu);
    cr_expect_eq(run_scaled(0x01, 0x01, a, 0), 0x3c000000u); /* 4 * 2^-9 */
    /* 1 - 1 at scale 1 keeps 2^0: bits of c below 2^-35 fall, all of 2^-40; at scale 0 they stay.
     */
    cr_expect_eq(run_scaled(0x38, 0x38, cancel, tiny), 0u);
    cr_expect_eq(run_scaled(0x00, 0x38, cancel, tiny), tiny);
}

static void refused(const problem_t *p, const char *line, const char *says)
{
    ulp_tensor_t out = {0};
    ulp_error_t err = {0};
    ulp_model_t model = model_of(line);
    cr_expect_eq(ulp_emulate_contraction(&out, &p->x, &model, ULP_PATH_PLAIN, 1, &err),
                 ULP_ERROR_UNSUPPORTED, "%s", line);
    cr_expect(!out.data && strstr(err.message, says), "%s: %s", line, err.message);
    cr_expect_eq(ulp_emulate_check(&p->x, &model, NULL), ULP_ERROR_UNSUPPORTED, "%s", line);
}

Test(properties, what_a_model_cannot_take_is_refused)
{
    problem_t p = problem_new("f16", "f32", 1, 4);
    problem_connect(&p, 1, 4, 0);
    refused(&p, "hopper.f16.f16", "c is f32");
    refused(&p, "imac(wrap)", "takes integers");
    refused(&p, "scale(32) | fdpa(l=32,f=25,final=rz24,e0=-133)", "needs block scales");
    p.x.shape.alpha = 2.0;
    refused(&p, "hopper.f16.f32", "alpha = 2");
    problem_free(&p);
    p = problem_new("f64", "f32", 1, 4);
    problem_connect(&p, 1, 4, 0);
    refused(&p, "hopper.f16.f32", "needs 106");
    problem_free(&p);
    p = problem_new("i8", "i32", 1, 4);
    problem_connect(&p, 1, 4, 0);
    refused(&p, "imac(wrap) | promote(4)", "no other stage");
    problem_free(&p);
    p = problem_new("f4e2m1fn", "f32", 1, 64);
    p.a_scale = new_tensor("f8e8m0fnu", 1, 4);
    p.b_scale = new_tensor("f8e8m0fnu", 1, 4);
    problem_connect(&p, 1, 64, 16);
    refused(&p, "blackwell.mxf4.f32.tcgen05", "one scale per 16");
    refused(&p, "hopper.f16.f32", "no scale()");
    problem_free(&p);
}

/* A matrix product: any number of threads, element by element, with strides of a transpose. */
Test(properties, matrix_products_are_their_dot_products)
{
    enum { M = 70, N = 67, DEPTH = 40 };
    uint64_t state = test_seed();
    problem_t p = {0};
    p.a = new_tensor("bf16", DEPTH, M); /* transposed */
    p.b = new_tensor("bf16", DEPTH, N);
    p.c = new_tensor("f32", M, N);
    fill_near_one(&p.a, &state);
    fill_near_one(&p.b, &state);
    fill_near_one(&p.c, &state);
    p.x = (ulp_contraction_t){.a = &p.a,
                              .b = &p.b,
                              .c = &p.c,
                              .out_rank = 2,
                              .out_shape = {M, N},
                              .out_nelems = (size_t)M * N};
    p.x.shape = (ulp_contraction_shape_t){.groups = 1,
                                          .m = M,
                                          .n = N,
                                          .k = DEPTH,
                                          .a_row = 1,
                                          .a_k = M,
                                          .b_k = N,
                                          .b_col = 1,
                                          .c_row = N,
                                          .c_col = 1,
                                          .alpha = 1.0,
                                          .beta = 1.0};
    const char *line = "hopper.bf16.f32 | out(bf16,rne)";
    ulp_tensor_t one = emulate(&p, line, ULP_PATH_PLAIN, 1);
    ulp_tensor_t two = emulate(&p, line, ULP_PATH_AUTO, 2);
    cr_expect_eq(memcmp(one.data, two.data, one.nelems * 2), 0);
    ulp_model_t model = model_of(line);
    for (size_t i = 0; i < one.nelems; i += 37) {
        uint64_t code;
        cr_assert_eq(ulp_emulate_elements(&code, &i, 1, &p.x, &model, NULL), ULP_OK);
        cr_expect_eq(code, ulp_tensor_get(&one, i), "element %zu", i);
        problem_t q = problem_new("bf16", "f32", 1, DEPTH);
        for (size_t k = 0; k < DEPTH; k++) {
            ulp_tensor_set(&q.a, k, ulp_tensor_get(&p.a, k * M + i / N));
            ulp_tensor_set(&q.b, k, ulp_tensor_get(&p.b, k * N + i % N));
        }
        ulp_tensor_set(&q.c, 0, ulp_tensor_get(&p.c, i));
        problem_connect(&q, 1, DEPTH, 0);
        ulp_tensor_t dot = emulate(&q, line, ULP_PATH_PLAIN, 1);
        cr_expect_eq(ulp_tensor_get(&dot, 0), code, "dot %zu", i);
        ulp_tensor_free(&dot);
        problem_free(&q);
    }
    ulp_tensor_free(&one);
    ulp_tensor_free(&two);
    problem_free(&p);
}
