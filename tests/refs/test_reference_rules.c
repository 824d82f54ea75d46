/* tests/refs/test_reference_rules.c - what the reference does with specials, factors, scales. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "refs/contraction.h"
#include "tests/refs/problem.h"

static ulp_reference_t reference(const problem_t *p, const char *target, int threads)
{
    ulp_reference_t r;
    ulp_error_t err;
    cr_assert(ulp_reference_contraction(&r, &p->x, ulp_format_find(target, NULL), threads, &err) ==
                  ULP_OK,
              "%s", err.message);
    return r;
}

/* Two products and c; the result by [IEEE754] 6.1 to 6.3 and 7.4, the formats' own rules beyond. */
Test(reference_rules, specials)
{
    static const struct {
        const char *what, *inputs, *c_format, *target;
        uint64_t a[2], b[2], c, want;
    } rows[] = {
        {"inf * 0", "f16", "f32", "f32", {0x7c00, 0x3c00}, {0, 0x3c00}, 0, 0x7fc00000},
        {"inf - inf in products",
         "f16",
         "f32",
         "f32",
         {0x7c00, 0xfc00},
         {0x3c00, 0x3c00},
         0,
         0x7fc00000},
        {"inf - inf with c", "f16", "f32", "f32", {0x7c00, 0}, {0x3c00, 0}, 0xff800000, 0x7fc00000},
        {"-inf alone",
         "f16",
         "f32",
         "f32",
         {0xfc00, 0x7bff},
         {0x3c00, 0x7bff},
         0x7f7fffff,
         0xff800000},
        {"NaN in b", "f16", "f32", "f32", {0, 0}, {0x7e01, 0}, 0, 0x7fc00000},
        {"NaN in c", "f16", "f32", "f16", {0, 0}, {0, 0}, 0xffc00001, 0x7e00},
        {"signalling NaN", "f16", "f32", "bf16", {0x7c01, 0}, {0, 0}, 0, 0x7fc0},
        {"all terms -0",
         "f16",
         "f32",
         "f32",
         {0x8000, 0x8000},
         {0x3c00, 0x3c00},
         0x80000000,
         0x80000000},
        {"one term +0", "f16", "f32", "f32", {0x8000, 0}, {0x3c00, 0x3c00}, 0x80000000, 0},
        {"c is +0", "f16", "f32", "f32", {0x8000, 0x8000}, {0x3c00, 0x3c00}, 0, 0},
        {"cancels", "f16", "f32", "f32", {0xbc00, 0x3c00}, {0x3c00, 0x3c00}, 0x80000000, 0},
        {"-0 to a format without",
         "f16",
         "f32",
         "f8e4m3fnuz",
         {0x8000, 0x8000},
         {0x3c00, 0x3c00},
         0x80000000,
         0},
        {"65520 to f16", "f16", "f32", "f16", {0, 0}, {0, 0}, 0x477ff000, 0x7c00},
        {"just below", "f16", "f32", "f16", {0, 0}, {0, 0}, 0x477fefff, 0x7bff},
        {"464, the tie above 448", "f16", "f32", "f8e4m3fn", {0, 0}, {0, 0}, 0x43e80000, 0x7e},
        {"465", "f16", "f32", "f8e4m3fn", {0, 0}, {0, 0}, 0x43e88000, 0x7f},
        {"-465", "f16", "f32", "f8e4m3fn", {0, 0}, {0, 0}, 0xc3e88000, 0x7f},
        {"inf to f4", "f16", "f32", "f4e2m1fn", {0x7c00, 0}, {0x3c00, 0}, 0, 0x7},
        {"NaN to fnuz", "f16", "f32", "f8e5m2fnuz", {0x7e00, 0}, {0x3c00, 0}, 0, 0x80},
        {"248 to fnuz overflows", "f16", "f32", "f8e4m3fnuz", {0, 0}, {0, 0}, 0x43780000, 0x80},
        {"half the least subnormal", "f16", "f32", "f16", {0, 0}, {0, 0}, 0x33000000, 0},
        {"-half the least subnormal", "f16", "f32", "f16", {0, 0}, {0, 0}, 0xb3000000, 0x8000},
        {"1.5 of it", "f16", "f32", "f16", {0, 0}, {0, 0}, 0x33c00000, 0x2},
        {"carries into the normals", "f16", "f32", "f16", {0, 0}, {0, 0}, 0x387ff000, 0x0400},
        {"2^127 * 2 leaves f32", "bf16", "f32", "f32", {0x7f00, 0}, {0x4000, 0}, 0, 0x7f800000},
        {"and comes back",
         "bf16",
         "f32",
         "f32",
         {0x7f00, 0xff00},
         {0x4000, 0x4000},
         0x3f800000,
         0x3f800000},
        {"f64 overflows and comes back",
         "f64",
         "f64",
         "f64",
         {0x7fefffffffffffff, 0xffefffffffffffff},
         {0x7fefffffffffffff, 0x7fefffffffffffff},
         0x0000000000000001,
         0x0000000000000001},
        {"products of the least f64",
         "f64",
         "f64",
         "f64",
         {1, 1},
         {1, 1},
         0x3ff0000000000000,
         0x3ff0000000000000},
        {"i8 to i32", "i8", "i32", "i32", {0x80, 0x7f}, {0x80, 0xff}, 0xffffffff, 16384 - 127 - 1},
        {"i32 clamps", "i8", "i32", "i32", {0x7f, 0x7f}, {0x7f, 0x7f}, 0x7fffffff, 0x7fffffff},
        {"i32 clamps below",
         "i8",
         "i32",
         "i32",
         {0x80, 0x80},
         {0x7f, 0x7f},
         0x80000000,
         0x80000000},
        {"u8 target clamps at 0", "i8", "i32", "u8", {0x80, 0}, {1, 0}, 0, 0},
        {"2.5 to i8 is even", "f16", "f32", "i8", {0x4100, 0}, {0x3c00, 0}, 0, 2},
        {"-3.5 to i8 is even", "f16", "f32", "i8", {0xc300, 0}, {0x3c00, 0}, 0, 0xfc},
        {"NaN to i8", "f16", "f32", "i8", {0x7e00, 0}, {0x3c00, 0}, 0, 0},
        {"0 to e8m0", "f16", "f32", "f8e8m0fnu", {0, 0}, {0, 0}, 0, 0},
        {"2 to e8m0", "f16", "f32", "f8e8m0fnu", {0x4000, 0}, {0x3c00, 0}, 0, 128},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        problem_t p;
        problem_init(&p, 1, 1, 1, 2, rows[i].inputs, rows[i].inputs, rows[i].c_format);
        for (size_t k = 0; k < 2; k++) {
            ulp_tensor_set(&p.a, k, rows[i].a[k]);
            ulp_tensor_set(&p.b, k, rows[i].b[k]);
        }
        ulp_tensor_set(&p.c, 0, rows[i].c);
        ulp_reference_t r = reference(&p, rows[i].target, 1);
        uint64_t got = ulp_tensor_get(&r.rounded, 0);
        cr_expect(got == rows[i].want, "%s: %#llx, want %#llx", rows[i].what,
                  (unsigned long long)got, (unsigned long long)rows[i].want);
        ulp_reference_free(&r);
        problem_free(&p);
    }
}

static void set_double(ulp_tensor_t *t, size_t i, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    ulp_tensor_set(t, i, bits);
}

/* alpha (a b) + beta c with factors that no double product holds. */
Test(reference_rules, factors)
{
    static const struct {
        double alpha, beta, a, b, c, hi, lo;
    } rows[] = {
        {1, 1, 3, 5, 7, 22, 0},
        {2, -1, 3, 5, 7, 23, 0},
        {0x1.0000000000001p0, 1, 0x1.0000000000001p0, 0x1.0000000000001p0, 0, 0x1.0000000000003p0,
         0x1.8p-103},
        {0, 2, (double)NAN, 1, 7, 14, 0}, /* a and b are not read */
        {2, 0, 3, 5, (double)NAN, 30, 0}, /* nor is c */
        {0, 0, (double)NAN, 1, (double)NAN, 0, 0},
        {HUGE_VAL, 1, 3, 5, 7, HUGE_VAL, 0},
        {0.1, 1, 0.1, 0.1, 0, 0x1.0624dd2f1a9fdp-10, -0x1.0a3d70a3d70a4p-64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        problem_t p;
        problem_init(&p, 1, 1, 1, 1, "f64", "f64", "f64");
        p.x.shape.alpha = rows[i].alpha;
        p.x.shape.beta = rows[i].beta;
        set_double(&p.a, 0, rows[i].a);
        set_double(&p.b, 0, rows[i].b);
        set_double(&p.c, 0, rows[i].c);
        ulp_reference_t r = reference(&p, "f64", 1);
        if (i == 7) { /* 0.1 is not 1/10: figures of the sign and size only */
            cr_expect(fabs(r.hi[0] - 0.001) < 1e-18 && r.lo[0] != 0.0 && fabs(r.lo[0]) <= 0x1p-63,
                      "row %zu: %a %a", i, r.hi[0], r.lo[0]);
        } else {
            cr_expect(r.hi[0] == rows[i].hi && (i == 2 || r.lo[0] == rows[i].lo), "row %zu: %a %a",
                      i, r.hi[0], r.lo[0]);
        }
        if (i == 2) { /* (1 + e)^3 = 1 + 3 e + 3 e^2 + e^3, e = 2^-52 */
            cr_expect(r.lo[0] == 3 * 0x1p-104 + 0x1p-156, "lo %a", r.lo[0]);
        }
        ulp_reference_free(&r);
        problem_free(&p);
    }
}

/* e2m1 with ue4m3 scales, 16 a block: exact products of four factors; NaN scale; sign bit unread.
 */
Test(reference_rules, scales)
{
    problem_t p;
    problem_init(&p, 1, 1, 1, 32, "f4e2m1fn", "f4e2m1fn", NULL);
    ulp_tensor_t sa = problem_tensor("f8e4m3fn", 2), sb = problem_tensor("f8e4m3fn", 2);
    p.x.a_scale = &sa;
    p.x.b_scale = &sb;
    p.x.shape.scale_block = 16;
    p.x.shape.sa_k = p.x.shape.sb_k = 1;
    for (size_t k = 0; k < 32; k++) {
        ulp_tensor_set(&p.a, k, k < 16 ? 0x7 : 0x1); /* 6, then 0.5, which is subnormal */
        ulp_tensor_set(&p.b, k, 0xb);                /* -1.5 */
    }
    ulp_tensor_set(&sa, 0, 0x38 | 0x80); /* 1 */
    ulp_tensor_set(&sa, 1, 0x39);        /* 1.125 */
    ulp_tensor_set(&sb, 0, 0x40);        /* 2 */
    ulp_tensor_set(&sb, 1, 0x01);        /* 2^-9 */
    ulp_reference_t r = reference(&p, "f32", 1);
    double want = 16 * 6 * -1.5 * 2 + 16 * 0.5 * -1.5 * 1.125 * 0x1p-9;
    cr_expect(r.hi[0] == want && r.lo[0] == 0.0, "%a, want %a", r.hi[0], want);
    cr_expect(r.magnitude[0] >= -want && r.magnitude[0] < -want * (1 + 0x1p-40));
    cr_expect(r.largest[0] >= 18 && r.largest[0] < 18 * (1 + 0x1p-40), "%a", r.largest[0]);
    /* exp(0.5) = 0, exp(1.5) = 0, exp(1.125) = 0, exp(2^-9) = emin = -6 */
    cr_expect(r.subnormal[0] >= 0x1p-6 && r.subnormal[0] < 0x1.01p-6, "%a", r.subnormal[0]);
    ulp_reference_free(&r);
    ulp_tensor_set(&sb, 1, 0xff);
    r = reference(&p, "f32", 1);
    cr_expect(isnan(r.hi[0]) && ulp_tensor_get(&r.rounded, 0) == 0x7fc00000);
    ulp_reference_free(&r);
    ulp_tensor_free(&sa);
    ulp_tensor_free(&sb);
    problem_free(&p);
}

/* Strides: b transposed, c one row for all; against the same operands laid out plainly. */
Test(reference_rules, strides)
{
    enum { M = 20, N = 33, K = 40 };
    uint64_t random = test_seed();
    problem_t plain, turned;
    problem_init(&plain, 2, M, N, K, "bf16", "f16", "f32");
    problem_init(&turned, 2, M, N, K, "bf16", "f16", "f32");
    fill(&plain.a, &random, 0);
    fill(&plain.b, &random, 0);
    for (size_t j = 0; j < N; j++) {
        uint64_t code = 0x3f800000 + (uint32_t)(test_random(&random) & 0xffff);
        for (size_t i = 0; i < 2 * M; i++) {
            ulp_tensor_set(&plain.c, i * N + j, code);
            ulp_tensor_set(&turned.c, j, code);
        }
    }
    for (size_t g = 0; g < 2; g++) {
        for (size_t i = 0; i < M * K; i++) {
            ulp_tensor_set(&turned.a, (i % K) * 2 * M + (i / K) * 2 + g,
                           ulp_tensor_get(&plain.a, g * M * K + i));
        }
        for (size_t i = 0; i < K * N; i++) {
            ulp_tensor_set(&turned.b, g * K * N + (i % N) * K + i / N,
                           ulp_tensor_get(&plain.b, g * K * N + i));
        }
    }
    ulp_contraction_shape_t *s = &turned.x.shape;
    s->a_group = 1, s->a_row = 2, s->a_k = 2 * M;
    s->b_k = 1, s->b_col = K;
    s->c_group = s->c_row = 0;
    ulp_reference_t want = reference(&plain, "f32", 1), got = reference(&turned, "f32", 1);
    for (size_t i = 0; i < (size_t)2 * M * N; i++) {
        cr_assert(got.hi[i] == want.hi[i] && got.magnitude[i] == want.magnitude[i], "output %zu",
                  i);
    }
    ulp_reference_free(&want);
    ulp_reference_free(&got);
    problem_free(&plain);
    problem_free(&turned);
}

static int same(const ulp_reference_t *x, const ulp_reference_t *y, int magnitudes)
{
    size_t n = x->rounded.nelems;
    return memcmp(x->rounded.data, y->rounded.data, n * ulp_format_bytes(x->rounded.format)) == 0 &&
           memcmp(x->hi, y->hi, n * sizeof *x->hi) == 0 &&
           memcmp(x->lo, y->lo, n * sizeof *x->lo) == 0 &&
           (!magnitudes || memcmp(x->magnitude, y->magnitude, n * sizeof *x->magnitude) == 0);
}

/* Threads, the machine's rounding mode and the order of k leave every bit alone. */
Test(reference_rules, invariance)
{
    uint64_t random = test_seed();
    problem_t p;
    problem_init(&p, 3, 17, 18, 700, "bf16", "f32", "f32");
    fill(&p.a, &random, 1);
    fill(&p.b, &random, 1);
    fill(&p.c, &random, 1);
    ulp_reference_t one = reference(&p, "bf16", 1), three = reference(&p, "bf16", 3);
    cr_expect(same(&one, &three, 1), "threads");
    fesetround(FE_UPWARD);
    ulp_reference_t upward = reference(&p, "bf16", 1);
    fesetround(FE_TONEAREST);
    cr_expect(same(&one, &upward, 0), "rounding mode");
    /* reverse k: read a and b from their ends */
    for (size_t r = 0; r < (size_t)3 * 17; r++) {
        for (size_t k = 0; k < 350; k++) {
            uint64_t x = ulp_tensor_get(&p.a, r * 700 + k);
            ulp_tensor_set(&p.a, r * 700 + k, ulp_tensor_get(&p.a, r * 700 + 699 - k));
            ulp_tensor_set(&p.a, r * 700 + 699 - k, x);
        }
    }
    for (size_t g = 0; g < 3; g++) {
        for (size_t k = 0; k < 350; k++) {
            for (size_t j = 0; j < 18; j++) {
                size_t here = (g * 700 + k) * 18 + j, there = (g * 700 + 699 - k) * 18 + j;
                uint64_t x = ulp_tensor_get(&p.b, here);
                ulp_tensor_set(&p.b, here, ulp_tensor_get(&p.b, there));
                ulp_tensor_set(&p.b, there, x);
            }
        }
    }
    ulp_reference_t reversed = reference(&p, "bf16", 1);
    cr_expect(same(&one, &reversed, 0), "order of k");
    ulp_reference_free(&one);
    ulp_reference_free(&three);
    ulp_reference_free(&upward);
    ulp_reference_free(&reversed);
    problem_free(&p);
}
