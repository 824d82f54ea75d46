/*
 * tests/emulators/test_properties.c - what must hold for any input: exact where every partial sum
 * is representable, sign symmetry, scaling, order; stages around the kernels; matrix products.
 *
 * Against integer arithmetic, libm's fma and MPFR (exact sums).
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
