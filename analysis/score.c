/* analysis/score.c - ULP errors of an output against the exact result. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/score.h"

#include <math.h>
#include <stdlib.h>

#include "precision/ulp.h"

/* The value of rank `rank` (0 the least) in x[0, n), which is reordered; no NaN among them. */
static double select_rank(double *x, size_t n, size_t rank)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = x[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (x[i] < pivot) {
                i++;
            }
            while (x[j] > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            double swap = x[i];
            x[i++] = x[j];
            x[j--] = swap;
        }
        /* x[low..j] <= pivot <= x[j+1..high] */
        if (rank <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
    return x[low];
}

/* A result that is as it should be beyond the largest number has no error, whatever stands for it.
 */
static double error_of(uint64_t got, uint64_t want, const ulp_reference_t *r, size_t i)
{
    const ulp_format_t *format = r->rounded.format;
    int want_nan = ulp_format_is_nan(want, format);
    if (want_nan && ulp_format_is_nan(got, format)) {
        return 0.0;
    }
    if (got == want && ulp_format_is_inf(want, format)) {
        return 0.0;
    }
    return ulp_ulp_error(got, format, r->hi[i], r->lo[i]);
}

ulp_status_t ulp_score_output(ulp_score_t *out, const ulp_tensor_t *got,
                              const ulp_reference_t *want, ulp_error_t *err)
{
    size_t n = got->nelems;
    if (n == 0) {
        return ulp_error_set(err, ULP_ERROR_MISSING, "nothing to compare: the output is empty");
    }
    if (n != want->rounded.nelems || got->format != want->rounded.format) {
        return ulp_error_set(err, ULP_ERROR_SHAPE,
                             "output of %zu elements of %s against a reference of %zu of %s", n,
                             got->format->name, want->rounded.nelems, want->rounded.format->name);
    }
    double *error = malloc(n * sizeof *error);
    if (!error) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for %zu ULP errors", n);
    }
    ulp_score_t s = {.n = n, .worst_ulp = -1.0};
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        uint64_t y = ulp_tensor_get(got, i), r = ulp_tensor_get(&want->rounded, i);
        int both_nan = ulp_format_is_nan(y, got->format) && ulp_format_is_nan(r, got->format);
        s.exact += y == r || both_nan;
        error[i] = error_of(y, r, want, i);
        if (isfinite(error[i])) {
            sum += error[i];
        } else {
            error[i] = HUGE_VAL;
            s.infinite++;
        }
        if (error[i] > s.worst_ulp) {
            s.worst_index = i;
            s.worst_ulp = error[i];
            s.worst_got = y;
            s.worst_want = r;
            s.worst_hi = want->hi[i];
            s.worst_lo = want->lo[i];
        }
    }
    s.max_ulp = s.worst_ulp;
    s.mean_ulp = n > s.infinite ? sum / (double)(n - s.infinite) : HUGE_VAL;
    s.p50_ulp = select_rank(error, n, n - n / 2 - 1);   /* ceil(n / 2) - 1 */
    s.p99_ulp = select_rank(error, n, n - n / 100 - 1); /* ceil(99 n / 100) - 1 */
    free(error);
    *out = s;
    return ULP_OK;
}
