/* tests/bench/bench_accumulator.c - exact sums of products against a loop of mpfr_fma. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "precision/accumulator.h"

enum { N = 4096, REPEATS = 100 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double normal(uint64_t *state)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += ldexp((double)(*state >> 11), -53);
    }
    return sum;
}

/* ns a product, by mpfr_fma at 113 bits: neither exact nor rounded once. */
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
    for (int i = 0; i < N * REPEATS; i++) {
        mpfr_fma(sum, a[i % 64], b[i % 64], sum, MPFR_RNDN);
    }
    double ns = (now() - start) / (N * REPEATS) * 1e9;
    for (int i = 0; i < 64; i++) {
        mpfr_clears(a[i], b[i], (mpfr_ptr)NULL);
    }
    mpfr_clear(sum);
    mpfr_free_cache();
    return ns;
}

/* ns a product of decoded numbers; alternating: each term changes the sign of the sum. */
static double products(const char *name, int alternating, uint64_t *code)
{
    static ulp_number_t a[N], b[N];
    const ulp_format_t *format = ulp_format_find(name, NULL);
    uint64_t state = 7;
    for (size_t i = 0; i < N; i++) {
        double x = alternating ? ((i & 1) != 0 ? -2.0 : i == 0 ? 1.0 : 2.0) : normal(&state);
        double y = alternating ? 1.0 : normal(&state);
        a[i] = ulp_number_decode(ulp_number_encode(ulp_number_from_double(x), format, NULL, NULL),
                                 format);
        b[i] = ulp_number_decode(ulp_number_encode(ulp_number_from_double(y), format, NULL, NULL),
                                 format);
    }
    ulp_accumulator_t acc = {0};
    double start = now();
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (size_t i = 0; i < N; i++) {
            ulp_accumulator_add_product(&acc, a[i], b[i]);
        }
    }
    double ns = (now() - start) / ((double)N * REPEATS) * 1e9;
    *code ^= ulp_accumulator_round(&acc, ulp_format_find("f64", NULL), NULL, NULL);
    return ns;
}

/* ns a sum of 16 products, empty register to rounded f32. */
static double short_sums(uint64_t *code)
{
    static ulp_number_t a[N];
    uint64_t state = 9;
    const ulp_format_t *to = ulp_format_find("f32", NULL);
    for (size_t i = 0; i < N; i++) {
        a[i] = ulp_number_from_double(normal(&state));
    }
    double start = now();
    for (size_t i = 0; i + 16 < N; i++) {
        ulp_accumulator_t acc = {0};
        for (size_t k = 0; k < 16; k++) {
            ulp_accumulator_add_product(&acc, a[i + k], a[i]);
        }
        *code ^= ulp_accumulator_round(&acc, to, NULL, NULL);
    }
    return (now() - start) / (N - 16) * 1e9;
}

int main(void)
{
    double loop = mpfr_loop();
    uint64_t code = 0;
    printf("mpfr_fma loop, 113 bits: %.1f ns a product\n", loop);
    static const char *const formats[] = {"f8e4m3fn", "bf16", "f32", "f64"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        double ns = products(formats[i], 0, &code);
        printf("exact products, %-8s: %5.1f ns (%.1f x the loop)\n", formats[i], ns, loop / ns);
    }
    printf("the sign of the sum changes each time: %.1f ns\n", products("f64", 1, &code));
    printf("16 products and a rounding to f32: %.1f ns (check %#llx)\n", short_sums(&code),
           (unsigned long long)code);
    return 0;
}
