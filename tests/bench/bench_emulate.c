/*
 * tests/bench/bench_emulate.c - replaying a GEMM under device models: multiply-adds per second on
 * one core, as a ratio to OpenBLAS DGEMM of the same size in the same run, to the plain path, and
 * of two threads to one.
 *
 * usage: bench_emulate [SIZE]. For DGEMM's best kernels run it without OPENBLAS_CORETYPE in the
 * environment, as
 * ./dev bench does. The goals are 0.3 of DGEMM and 20 times the plain path.
 */
#define _POSIX_C_SOURCE 200809L
#include <cblas.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emulators/emulate.h"

enum { REPEATS = 5, PLAIN_SIZE = 192 };
/* MMA-Sim's m16n8k16 on a CPU, GMAC/s: 16 to 22 ms an instruction. */
static const double mmasim = 0.00011;

char *openblas_get_corename(void);
void openblas_set_num_threads(int);

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sum of three uniform numbers: near enough to normal. */
static void fill(ulp_tensor_t *t, const char *format, size_t n, uint64_t seed)
{
    size_t shape[2] = {n, n};
    const ulp_format_t *f = ulp_format_find(format, NULL);
    if (ulp_tensor_create(t, f, 2, shape, NULL) != ULP_OK) {
        exit(2);
    }
    for (size_t i = 0; i < t->nelems; i++) {
        double x = 0;
        for (int j = 0; j < 3; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x += (double)(seed >> 40) * 0x1p-24 - 0.5;
        }
        ulp_tensor_set(t, i, ulp_number_encode(ulp_number_from_double(2 * x), f, NULL, NULL));
    }
}

static double run(const char *line, const ulp_tensor_t *a, const ulp_tensor_t *b, size_t n,
                  ulp_path_t path, int threads)
{
    ulp_model_t model;
    ulp_error_t err;
    ulp_contraction_t x = {.a = a, .b = b, .out_rank = 2, .out_shape = {n, n}, .out_nelems = n * n};
    x.shape = (ulp_contraction_shape_t){.groups = 1,
                                        .m = n,
                                        .n = n,
                                        .k = n,
                                        .a_row = n,
                                        .a_k = 1,
                                        .b_k = n,
                                        .b_col = 1,
                                        .alpha = 1,
                                        .beta = 1};
    if (ulp_model_parse(&model, line, &err) != ULP_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(2);
    }
    ulp_tensor_t out;
    double start = seconds();
    if (ulp_emulate_contraction(&out, &x, &model, path, threads, &err) != ULP_OK) {
        fprintf(stderr, "%s: %s\n", line, err.message);
        exit(2);
    }
    double time = seconds() - start;
    ulp_tensor_free(&out);
    return 1e-9 * (double)n * (double)n * (double)n / time;
}

static double dgemm(const double *a, const double *b, double *c, int n)
{
    double start = seconds();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
    return 1e-9 * (double)n * n * n / (seconds() - start);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *x)
{
    qsort(x, REPEATS, sizeof *x, by_value);
    return x[REPEATS / 2];
}

int main(int argc, char **argv)
{
    static const char *const cases[][2] = {{"hopper.bf16.f32", "bf16"},
                                           {"hopper.f16.f32", "f16"},
                                           {"hopper.f16.f16", "f16"},
                                           {"ampere.bf16.f32", "bf16"},
                                           {"volta.f16.f32", "f16"},
                                           {"hopper.tf32.f32", "tf32"},
                                           {"hopper.f8.f32.wgmma", "f8e4m3fn"},
                                           {"ada.f8.f32", "f8e4m3fn"},
                                           {"hopper.f8.f32.mma", "f8e4m3fn"},
                                           {"blackwell.f8f6f4.f32.tcgen05", "f8e4m3fn"},
                                           {"fma.f32.f32", "f32"}};
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
    double *da = malloc(n * n * sizeof *da), *dc = malloc(n * n * sizeof *dc);
    for (size_t i = 0; i < n * n; i++) {
        da[i] = (double)i * 1e-6;
    }
    openblas_set_num_threads(1);
    printf("GEMM %zu^3, OpenBLAS kernels %s; medians of %d, interleaved\n", n,
           openblas_get_corename(), (int)REPEATS);
    printf("%-30s %9s %9s %9s %9s %9s\n", "model", "GMAC/s", "/ DGEMM", "/ plain", "/ MMA-Sim",
           "2 thr / 1");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ulp_tensor_t a, b, pa, pb;
        fill(&a, cases[i][1], n, 1);
        fill(&b, cases[i][1], n, 2);
        fill(&pa, cases[i][1], PLAIN_SIZE, 1);
        fill(&pb, cases[i][1], PLAIN_SIZE, 2);
        double fast[REPEATS], ratio[REPEATS], two[REPEATS], plain[REPEATS];
        for (int r = 0; r < REPEATS; r++) {
            fast[r] = run(cases[i][0], &a, &b, n, ULP_PATH_AUTO, 1);
            ratio[r] = fast[r] / dgemm(da, da, dc, (int)n);
            two[r] = run(cases[i][0], &a, &b, n, ULP_PATH_AUTO, 2) / fast[r];
            plain[r] = run(cases[i][0], &pa, &pb, PLAIN_SIZE, ULP_PATH_PLAIN, 1);
        }
        double speed = median(fast);
        printf("%-30s %9.2f %9.2f %9.0f %9.0f %9.2f\n", cases[i][0], speed, median(ratio),
               speed / median(plain), speed / mmasim, median(two));
        fflush(stdout);
        ulp_tensor_free(&a);
        ulp_tensor_free(&b);
        ulp_tensor_free(&pa);
        ulp_tensor_free(&pb);
    }
    free(da);
    free(dc);
    return 0;
}
