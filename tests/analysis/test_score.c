/* tests/analysis/test_score.c - ULP errors against figures by hand, percentiles by full sorting. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/score.h"
#include "tests/harness/random.h"

/* A reference whose exact results the test chooses; its rounded codes come with them. */
typedef struct {
    ulp_reference_t r;
    ulp_tensor_t got;
} pair_t;

static pair_t make(const char *format, size_t n)
{
    pair_t p = {0};
    const ulp_format_t *f = ulp_format_find(format, NULL);
    cr_assert(ulp_tensor_create(&p.r.rounded, f, 1, &n, NULL) == ULP_OK);
    cr_assert(ulp_tensor_create(&p.got, f, 1, &n, NULL) == ULP_OK);
    p.r.hi = calloc(n + 1, sizeof(double));
    p.r.lo = calloc(n + 1, sizeof(double));
    return p;
}

static void free_pair(pair_t *p)
{
    ulp_reference_free(&p->r);
    ulp_tensor_free(&p->got);
}

/* One element at a time, f16 unless said. */
Test(score, single)
{
    static const struct {
        const char *what, *format;
        uint64_t got, want;
        double hi, lo, ulp;
        size_t exact;
    } rows[] = {
        {"exact", "f16", 0x3c00, 0x3c00, 1.0, 0.0, 0.0, 1},
        {"rounded", "f16", 0x3c00, 0x3c00, 1.0 + 0x1p-11, 0.0, 0.5, 1},
        {"lo counts", "f16", 0x3c00, 0x3c00, 1.0 + 0x1p-11, -0x1p-65, 0.5, 1},
        {"next door", "f16", 0x3c01, 0x3c00, 1.0, 0.0, 1.0, 0},
        {"below a power of two", "f16", 0x3bff, 0x3c00, 1.0, 0.0, 0.5, 0},
        {"sign of zero", "f16", 0x8000, 0x0000, 0.0, 0.0, 0.0, 0},
        {"subnormal", "f16", 0x0003, 0x0001, 0x1p-24, 0.0, 2.0, 0},
        {"inf for 65536", "f16", 0x7c00, 0x7c00, 65536.0, 0.0, 0.0, 1},
        {"inf for 2^100, as it should", "f16", 0x7c00, 0x7c00, 0x1p100, 0.0, 0.0, 1},
        {"max for inf", "f16", 0x7bff, 0x7c00, HUGE_VAL, 0.0, HUGE_VAL, 0},
        {"inf for 1", "f16", 0x7c00, 0x3c00, 1.0, 0.0, 65535.0 * 1024.0, 0},
        {"NaN for 1", "f16", 0x7e00, 0x3c00, 1.0, 0.0, HUGE_VAL, 0},
        {"1 for NaN", "f16", 0x3c00, 0x7e00, (double)NAN, 0.0, HUGE_VAL, 0},
        {"any NaN for NaN", "f16", 0xfe01, 0x7e00, (double)NAN, 0.0, 0.0, 1},
        {"NaN for 500 in a format without inf", "f8e4m3fn", 0x7f, 0x7f, 500.0, 0.0, 0.0, 1},
        {"448 for 500", "f8e4m3fn", 0x7e, 0x7f, 500.0, 0.0, 52.0 / 32.0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pair_t p = make(rows[i].format, 1);
        ulp_tensor_set(&p.got, 0, rows[i].got);
        ulp_tensor_set(&p.r.rounded, 0, rows[i].want);
        p.r.hi[0] = rows[i].hi;
        p.r.lo[0] = rows[i].lo;
        ulp_score_t s;
        cr_assert(ulp_score_output(&s, &p.got, &p.r, NULL) == ULP_OK);
        double want = rows[i].ulp;
        int close = s.max_ulp == want || fabs(s.max_ulp - want) <= 0x1p-16;
        cr_expect(close && s.p50_ulp == s.max_ulp && s.p99_ulp == s.max_ulp && s.worst_index == 0 &&
                      s.worst_got == rows[i].got && s.exact == rows[i].exact &&
                      s.infinite == (isinf(want) ? 1 : 0),
                  "%s: %g ulp, exact %zu; want %g, %zu", rows[i].what, s.max_ulp, s.exact, want,
                  rows[i].exact);
        free_pair(&p);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Percentiles by nearest rank, for sizes around the hundreds, with many equal values. */
Test(score, percentiles)
{
    static const size_t sizes[] = {1, 2, 3, 10, 99, 100, 101, 199, 200, 201, 1000, 5003};
    uint64_t random = test_seed();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int kinds = 2; kinds < 3000; kinds *= 30) {
            size_t n = sizes[i];
            pair_t p = make("f32", n);
            double *error = calloc(n, sizeof *error), sum = 0.0;
            size_t first_worst = 0;
            for (size_t j = 0; j < n; j++) { /* distances from 1, upwards: whole ulps */
                uint64_t steps = test_random(&random) % (uint64_t)kinds;
                ulp_tensor_set(&p.got, j, 0x3f800000 + steps);
                ulp_tensor_set(&p.r.rounded, j, 0x3f800000);
                p.r.hi[j] = 1.0;
                error[j] = (double)steps;
                sum += error[j];
                first_worst = error[j] > error[first_worst] ? j : first_worst;
            }
            ulp_score_t s;
            cr_assert(ulp_score_output(&s, &p.got, &p.r, NULL) == ULP_OK);
            cr_expect(s.worst_index == first_worst, "n %zu: worst %zu, want %zu", n, s.worst_index,
                      first_worst);
            qsort(error, n, sizeof *error, ascending);
            size_t p50 = (size_t)ceil(0.5 * (double)n), p99 = (99 * n + 99) / 100;
            cr_expect(s.p50_ulp == error[p50 - 1] && s.p99_ulp == error[p99 - 1] &&
                          s.max_ulp == error[n - 1] && fabs(s.mean_ulp - sum / (double)n) < 1e-9,
                      "n %zu: %g %g %g %g", n, s.p50_ulp, s.p99_ulp, s.max_ulp, s.mean_ulp);
            free(error);
            free_pair(&p);
        }
    }
}

Test(score, refusals)
{
    pair_t none = make("f16", 0), one = make("f16", 1), other = make("bf16", 1);
    ulp_score_t s;
    ulp_error_t err;
    cr_expect(ulp_score_output(&s, &none.got, &none.r, &err) == ULP_ERROR_MISSING);
    cr_expect(strstr(err.message, "nothing to compare") != NULL, "%s", err.message);
    cr_expect(ulp_score_output(&s, &one.got, &none.r, &err) == ULP_ERROR_SHAPE);
    cr_expect(ulp_score_output(&s, &one.got, &other.r, &err) == ULP_ERROR_SHAPE);
    free_pair(&none);
    free_pair(&one);
    free_pair(&other);
}
