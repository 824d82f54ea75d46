/* refs/contraction.c - tiles of outputs over threads. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "refs/contraction.h"

#include <stdlib.h>

#include "refs/sums.h"

enum { TILE = 32, CHUNK = 512 };

static int product_bits(const ulp_contraction_t *x)
{
    ulp_run_t a = ulp_run_of_a(x, 0, 0, 0), b = ulp_run_of_b(x, 0, 0, 0);
    return ulp_operands_bits(&a) + ulp_operands_bits(&b);
}

/* MPFR's fast multiplications are for one word and for two, not for 64 or 128 bits. */
static int product_precision(int bits)
{
    return bits <= 62 ? 62 : bits <= 126 ? 126 : bits;
}

static int compute_all(const ulp_sums_job_t *job, int threads)
{
    const ulp_contraction_shape_t *s = &job->x->shape;
    size_t down = (s->m + job->rows - 1) / job->rows;
    size_t across = (s->n + job->columns - 1) / job->columns;
    size_t ntiles = s->groups * down * across;
    int failed = 0;
#pragma omp parallel num_threads(threads) reduction(| : failed)
    {
        ulp_sums_t w;
        int ready = ulp_sums_init(&w, job) == 0;
        failed |= !ready;
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < ntiles; i++) {
            if (!ready) {
                continue; /* the call fails: what is missing is not used */
            }
            ulp_sums_tile_t tile = {.group = i / (down * across),
                                    .row = i / across % down * job->rows,
                                    .column = i % across * job->columns};
            tile.rows = s->m - tile.row < job->rows ? s->m - tile.row : job->rows;
            tile.columns = s->n - tile.column < job->columns ? s->n - tile.column : job->columns;
            ulp_sums_compute(job, &w, &tile);
        }
        if (ready) {
            ulp_sums_clear(&w, job);
        }
    }
    return failed;
}

static size_t at_most(size_t value, size_t limit)
{
    return value == 0 ? 1 : value < limit ? value : limit;
}

ulp_status_t ulp_reference_contraction(ulp_reference_t *out, const ulp_contraction_t *x,
                                       const ulp_format_t *target, int threads, ulp_error_t *err)
{
    ULP_ASSERT(out && x && x->a && x->b && target && threads >= 1);
    ulp_reference_t made = {.bound = 0x1p-100};
    ulp_status_t status = ulp_tensor_create(&made.rounded, target, x->out_rank, x->out_shape, err);
    if (status != ULP_OK) {
        return status;
    }
    size_t n = made.rounded.nelems > 0 ? made.rounded.nelems : 1;
    ULP_ASSERT(made.rounded.nelems == x->shape.groups * x->shape.m * x->shape.n);
    made.hi = calloc(n, sizeof *made.hi);
    made.lo = calloc(n, sizeof *made.lo);
    made.magnitude = calloc(n, sizeof *made.magnitude);
    made.largest = calloc(n, sizeof *made.largest);
    made.subnormal = calloc(n, sizeof *made.subnormal);
    ulp_sums_job_t job = {.x = x,
                          .out = &made,
                          .rows = at_most(x->shape.m, TILE),
                          .columns = at_most(x->shape.n, TILE),
                          .chunk = at_most(x->shape.k, CHUNK),
                          .bits = product_bits(x)};
    job.precision = product_precision(job.bits);
    if (!made.hi || !made.lo || !made.magnitude || !made.largest || !made.subnormal ||
        compute_all(&job, threads) != 0) {
        ulp_reference_free(&made);
        return ulp_error_set(err, ULP_ERROR_MEMORY,
                             "out of memory for the reference of %zu outputs", made.rounded.nelems);
    }
    *out = made;
    return ULP_OK;
}

void ulp_reference_free(ulp_reference_t *reference)
{
    ulp_tensor_free(&reference->rounded);
    free(reference->hi);
    free(reference->lo);
    free(reference->magnitude);
    free(reference->largest);
    free(reference->subnormal);
    *reference = (ulp_reference_t){0};
}
