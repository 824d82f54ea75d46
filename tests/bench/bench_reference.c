/* tests/bench/bench_reference.c - the reference of a GEMM against a loop of mpfr_fma. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "precision/number.h"
#include "refs/contraction.h"

enum { N = 256, LOOP = 200000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double normal(uint64_t *state)
{
    double sum = -6.0; /* twelve uniforms: near enough for exponents to spread as they do */
    for (int i = 0; i < 12; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += ldexp((double)(*state >> 11), -53);
    }
    return sum;
}

/* ns a multiply-add of mpfr_fma at 113 bits: what one would write by hand. */
static double mpfr_loop(void)
{
    mpfr_t a[64], b[64], sum;
    uint64_t state = 1;
    for (int i = 0; i < 64; i++) {
        mpfr_inits2(53, a[i], b[i], (mpfr_ptr)NULL);
        mpfr_set_d(a[i], normal(&state), MPFR_RNDN);
        mpfr_set_d(b[i], normal(&state), MPFR_RNDN);
    }
    mpfr_init2(sum, 113);
    mpfr_set_zero(sum, 1);
    double start = now();
    for (int i = 0; i < LOOP; i++) {
        mpfr_fma(sum, a[i % 64], b[i % 64], sum, MPFR_RNDN);
    }
    double ns = (now() - start) / LOOP * 1e9;
    for (int i = 0; i < 64; i++) {
        mpfr_clears(a[i], b[i], (mpfr_ptr)NULL);
    }
    mpfr_clear(sum);
    mpfr_free_cache();
    return ns;
}

static double reference(const char *name, int threads)
{
    size_t shape[2] = {N, N};
    ulp_tensor_t a, b;
    const ulp_format_t *format = ulp_format_find(name, NULL);
    uint64_t state = 7;
    if (ulp_tensor_create(&a, format, 2, shape, NULL) != ULP_OK ||
        ulp_tensor_create(&b, format, 2, shape, NULL) != ULP_OK) {
        exit(2);
    }
    for (size_t i = 0; i < (size_t)N * N; i++) {
        ulp_number_t x = ulp_number_from_double(normal(&state));
        ulp_number_t y = ulp_number_from_double(normal(&state));
        ulp_tensor_set(&a, i, ulp_number_encode(x, format, NULL, NULL));
        ulp_tensor_set(&b, i, ulp_number_encode(y, format, NULL, NULL));
    }
    ulp_contraction_t x = {.a = &a,
                           .b = &b,
                           .shape = {.groups = 1,
                                     .m = N,
                                     .n = N,
                                     .k = N,
                                     .a_row = N,
                                     .a_k = 1,
                                     .b_k = N,
                                     .b_col = 1,
                                     .alpha = 1,
                                     .beta = 1},
                           .out_rank = 2,
                           .out_shape = {N, N},
                           .out_nelems = (size_t)N * N};
    ulp_reference_t r;
    double start = now();
    if (ulp_reference_contraction(&r, &x, ulp_format_find("f32", NULL), threads, NULL) != ULP_OK) {
        exit(2);
    }
    double ns = (now() - start) / ((double)N * N * N) * 1e9;
    ulp_reference_free(&r);
    ulp_tensor_free(&a);
    ulp_tensor_free(&b);
    return ns;
}

int main(void)
{
    double loop = mpfr_loop();
    printf("mpfr_fma loop, 113 bits: %.1f ns a multiply-add\n", loop);
    static const char *const formats[] = {"f8e4m3fn", "bf16", "f16", "f32", "f64"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        double one = reference(formats[i], 1), two = reference(formats[i], 2);
        printf("reference, %-8s %d^3: %6.1f ns (%.1f x the loop), 2 threads %.1f ns\n", formats[i],
               (int)N, one, loop / one, two);
    }
    return 0;
}
