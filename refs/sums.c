/* refs/sums.c - exact products, exact sums, the sticky bit. */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every product of an output is one MPFR number, exact because its precision is the sum of the
 * precisions of its factors (operands are kept at that precision too: MPFR multiplies fastest when
 * all three agree and fit in one or two words). mpfr_sum adds them with correct rounding whatever
 * their exponents. A sum longer than CHUNK goes on from the exact sum of what came before, held at
 * a precision that its exponents ask for.
 *
 * Where factors are short (all formats but f64 and wide integers), products of one and the same
 * exponent are added as 64-bit integers first, one bucket an exponent: CHUNK products of 53 bits
 * cannot overflow it. MPFR then adds the buckets: some tens of numbers in the place of hundreds.
 *
 * The last sum is truncated to ULP_SUMS_BITS and, if that lost anything, gets one more bit below:
 * the sticky bit, which stands for the rest in every later rounding to at most ULP_SUMS_BITS - 2
 * bits.
 */
#include "refs/sums.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refs/round.h"

enum { BUCKET_BITS = 53 };

static int reads_c(const ulp_contraction_t *x)
{
    return x->c && x->shape.beta != 0.0;
}

static mpfr_t *new_numbers(size_t n, int precision)
{
    mpfr_t *numbers = malloc(n * sizeof *numbers);
    for (size_t i = 0; numbers && i < n; i++) {
        mpfr_init2(numbers[i], precision);
    }
    return numbers;
}

static void free_numbers(mpfr_t *numbers, size_t n)
{
    for (size_t i = 0; numbers && i < n; i++) {
        mpfr_clear(numbers[i]);
    }
    free(numbers);
}

void ulp_sums_clear(ulp_sums_t *w, const ulp_sums_job_t *job)
{
    ulp_operands_clear(&w->a);
    ulp_operands_clear(&w->b);
    ulp_operands_clear(&w->c);
    free_numbers(w->product, job->chunk);
    free_numbers(w->so_far, job->rows * job->columns);
    free(w->term);
    free(w->magnitude);
    mpfr_clears(w->sum, w->longer, w->part, (mpfr_ptr)NULL);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

int ulp_sums_init(ulp_sums_t *w, const ulp_sums_job_t *job)
{
    size_t outputs = job->rows * job->columns;
    *w = (ulp_sums_t){0};
    mpfr_init2(w->sum, ULP_SUMS_BITS);
    mpfr_init2(w->longer, ULP_SUMS_BITS + 1);
    mpfr_init2(w->part, ULP_SUMS_BITS + 1);
    int c_bits = 64;
    if (job->x->c) {
        ulp_run_t c = ulp_run_of_c(job->x, 0, 0, 0);
        c_bits = ulp_operands_bits(&c);
    }
    int failed = ulp_operands_init(&w->a, job->rows * job->chunk, job->precision) ||
                 ulp_operands_init(&w->b, job->columns * job->chunk, job->precision) ||
                 ulp_operands_init(&w->c, 1, c_bits);
    w->product = new_numbers(job->chunk, job->precision);
    w->so_far = new_numbers(outputs, 64);
    w->term = malloc((job->chunk + 1) * sizeof(mpfr_ptr));
    w->magnitude = calloc(3 * outputs, sizeof *w->magnitude);
    if (failed || !w->product || !w->so_far || !w->term || !w->magnitude) {
        ulp_sums_clear(w, job);
        return -1;
    }
    w->largest = w->magnitude + outputs;
    w->subnormal = w->largest + outputs;
    for (size_t i = 0; i < job->chunk; i++) {
        w->term[i] = w->product[i];
    }
    w->term[job->chunk] = NULL;
    return 0;
}

/* out = the sum of the first n terms exactly, at the precision that their exponents ask for. */
static void sum_exactly(mpfr_ptr out, const mpfr_ptr *term, size_t n)
{
    mpfr_exp_t top = 0, bottom = 0;
    size_t regular = 0;
    for (size_t i = 0; i < n; i++) {
        if (mpfr_regular_p(term[i])) {
            mpfr_exp_t e = mpfr_get_exp(term[i]), last = e - (mpfr_exp_t)mpfr_get_prec(term[i]);
            top = !regular || e > top ? e : top;
            bottom = !regular || last < bottom ? last : bottom;
            regular++;
        }
    }
    mpfr_prec_t carry = 2; /* n terms below 2^top stay below 2^(top + log2 n) */
    for (size_t m = n; m > 0; m >>= 1) {
        carry++;
    }
    mpfr_set_prec(out, (mpfr_prec_t)(top - bottom) + carry);
    int inexact = mpfr_sum(out, (mpfr_ptr *)term, n, MPFR_RNDN);
    ULP_ASSERT(inexact == 0);
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

/* What the products of sizes that may leave the doubles below lose in `sum`, at most. */
static double vanished(const double *a, const double *b, size_t n)
{
    double lost = 0.0;
    for (size_t i = 0; i < n; i++) {
        lost += a[i] * b[i] < 0x1p-960 && a[i] != 0.0 && b[i] != 0.0 ? 0x1p-1074 : 0.0;
    }
    return lost;
}

/* Sizes of n terms of output t, in double: see ulp_reference_t for what is promised. */
static void measure(ulp_sums_t *w, size_t t, size_t at_a, size_t at_b, size_t n)
{
    const double *a = w->a.size + at_a, *b = w->b.size + at_b;
    double sum = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        double size = a[i] * b[i];
        largest = larger(size, largest);
        sum += size;
    }
    double lost = w->found_a.least * w->found_b.least < 0x1p-960 ? vanished(a, b, n) : 0.0;
    w->magnitude[t] += sum + lost;
    w->largest[t] = larger(w->largest[t], largest + (lost > 0.0 ? 0x1p-1074 : 0.0));
    if (!w->found_a.subnormal && !w->found_b.subnormal) {
        return;
    }
    const double *ea = w->a.exponent + at_a, *eb = w->b.exponent + at_b;
    const double *sa = w->a.subnormal + at_a, *sb = w->b.subnormal + at_b;
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = larger(larger(sa[i] * eb[i], ea[i] * sb[i]), most);
    }
    /* A product that left the doubles is below any that did not; 2^-1074 covers it. */
    w->subnormal[t] = larger(w->subnormal[t], larger(most, lost > 0.0 ? 0x1p-1074 : 0.0));
}

/* w->longer = the exact sum with its sticky bit, in ULP_SUMS_BITS + 1 bits. */
static void sum_with_sticky(ulp_sums_t *w, size_t n)
{
    int inexact = mpfr_sum(w->sum, w->term, n, MPFR_RNDZ);
    mpfr_set(w->longer, w->sum, MPFR_RNDN);
    if (inexact != 0 && mpfr_regular_p(w->sum)) {
        long below = (long)mpfr_get_exp(w->sum) - ULP_SUMS_BITS - 1;
        mpfr_set_si_2exp(w->part, mpfr_signbit(w->sum) ? -1 : 1, below, MPFR_RNDN);
        mpfr_add(w->longer, w->longer, w->part, MPFR_RNDN); /* exact */
    }
}

static void store(const ulp_sums_job_t *job, ulp_sums_t *w, size_t t, size_t index)
{
    ulp_reference_t *out = job->out;
    ulp_tensor_set(&out->rounded, index, ulp_round_to_format(w->longer, out->rounded.format));
    double hi = mpfr_get_d(w->longer, MPFR_RNDN), lo = 0.0;
    if (isfinite(hi)) {
        mpfr_sub_d(w->part, w->longer, hi, MPFR_RNDN);
        lo = mpfr_get_d(w->part, MPFR_RNDN);
    }
    out->hi[index] = hi;
    out->lo[index] = lo;
    /* A sum of k + 1 terms, each a product of two sizes rounded up: k + 4 roundings of at most
     * 2^-52 in any rounding mode of the machine. */
    double up = 1.0 + ((double)job->x->shape.k + 4.0) * 0x1p-52;
    out->magnitude[index] = isnan(w->magnitude[t]) ? HUGE_VAL : w->magnitude[t] * up;
    out->largest[index] = isnan(w->largest[t]) ? HUGE_VAL : w->largest[t] * up;
    if (!mpfr_number_p(w->longer)) {
        out->magnitude[index] = out->largest[index] = HUGE_VAL;
    }
    out->subnormal[index] = w->subnormal[t] * up;
}

/* Exact products of n operands as numbers; returns how many numbers there are, n or fewer. */
static size_t multiply(ulp_sums_t *w, size_t at_a, size_t at_b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mpfr_mul(w->product[i], w->a.value[at_a + i], w->b.value[at_b + i], MPFR_RNDN);
    }
    return n;
}

/* The same by buckets; 0 if all of them are zero, where the sign of a zero is still open. */
static size_t multiply_in_buckets(ulp_sums_t *w, size_t at_a, size_t at_b, size_t n)
{
    const int64_t *a = w->a.integer + at_a, *b = w->b.integer + at_b;
    const int *shift_a = w->a.shift + at_a, *shift_b = w->b.shift + at_b;
    int base = w->found_a.shift_min + w->found_b.shift_min;
    memset(w->bucket, 0, w->nbuckets * sizeof w->bucket[0]);
    for (size_t i = 0; i < n; i++) {
        w->bucket[shift_a[i] + shift_b[i] - base] += a[i] * b[i];
    }
    size_t count = 0;
    for (size_t i = 0; i < w->nbuckets; i++) {
        if (w->bucket[i] != 0) {
            mpfr_set_sj_2exp(w->product[count++], w->bucket[i], base + (int)i, MPFR_RNDN);
        }
    }
    return count;
}

/* MPFR values of products [k, k + n) of a tile, unless they are there already. */
static void need_values(const ulp_sums_job_t *job, ulp_sums_t *w, const ulp_sums_tile_t *tile,
                        size_t k, size_t n)
{
    if (w->has_values) {
        return;
    }
    for (size_t i = 0; i < tile->rows; i++) {
        ulp_run_t run = ulp_run_of_a(job->x, tile->group, tile->row + i, k);
        ulp_operands_load_values(&w->a, i * job->chunk, &run, n);
    }
    for (size_t j = 0; j < tile->columns; j++) {
        ulp_run_t run = ulp_run_of_b(job->x, tile->group, tile->column + j, k);
        ulp_operands_load_values(&w->b, j * job->chunk, &run, n);
    }
    w->has_values = 1;
}

/* The first term of an output and its size: c, or +0. */
static mpfr_ptr start_with_c(const ulp_sums_job_t *job, ulp_sums_t *w, const ulp_sums_tile_t *tile,
                             size_t row, size_t column)
{
    mpfr_set_zero(w->c.value[0], 1);
    w->c.size[0] = 0.0;
    if (reads_c(job->x)) {
        ulp_run_t c = ulp_run_of_c(job->x, tile->group, tile->row + row, tile->column + column);
        ulp_operands_found_t found = {0};
        ulp_operands_load(&w->c, 0, &c, 1, &found);
        ulp_operands_load_values(&w->c, 0, &c, 1);
    }
    size_t t = row * job->columns + column;
    w->magnitude[t] = w->largest[t] = w->c.size[0];
    w->subnormal[t] = 0.0;
    return w->c.value[0];
}

/* Products [k, k + n) of output (row, column) of a tile; c comes in first. */
static void add_products(const ulp_sums_job_t *job, ulp_sums_t *w, const ulp_sums_tile_t *tile,
                         size_t row, size_t column, size_t k, size_t n)
{
    const ulp_contraction_shape_t *s = &job->x->shape;
    size_t t = row * job->columns + column;
    size_t at_a = row * job->chunk, at_b = column * job->chunk;
    mpfr_ptr before = k == 0 ? start_with_c(job, w, tile, row, column) : w->so_far[t];
    measure(w, t, at_a, at_b, n);
    size_t count = w->nbuckets > 0 ? multiply_in_buckets(w, at_a, at_b, n) : 0;
    if (count == 0) {
        need_values(job, w, tile, k, n);
        count = multiply(w, at_a, at_b, n);
    }
    mpfr_ptr kept = w->term[count];
    w->term[count] = before;
    if (k + n < s->k && s->alpha != 0.0) {
        mpfr_t next;
        mpfr_init2(next, 64);
        sum_exactly(next, w->term, count + 1);
        mpfr_swap(next, w->so_far[t]);
        mpfr_clear(next);
    } else {
        sum_with_sticky(w, count + 1);
        store(job, w, t, (tile->group * s->m + tile->row + row) * s->n + tile->column + column);
    }
    w->term[count] = kept;
}

/* A zero is a bucket's neighbour of no exponent: give it one that has a bucket. */
static void place_zeros(ulp_operands_t *operands, size_t at, size_t n, int shift)
{
    for (size_t i = at; i < at + n; i++) {
        operands->shift[i] = operands->integer[i] == 0 ? shift : operands->shift[i];
    }
}

/* Decode products [k, k + n) of a tile and choose how to add them. */
static void load_tile(const ulp_sums_job_t *job, ulp_sums_t *w, const ulp_sums_tile_t *tile,
                      size_t k, size_t n)
{
    ulp_operands_found_t none = {
        .integers = 1, .least = HUGE_VAL, .shift_min = INT_MAX, .shift_max = INT_MIN};
    w->found_a = w->found_b = none;
    for (size_t i = 0; i < tile->rows; i++) {
        ulp_run_t run = ulp_run_of_a(job->x, tile->group, tile->row + i, k);
        ulp_operands_load(&w->a, i * job->chunk, &run, n, &w->found_a);
    }
    for (size_t j = 0; j < tile->columns; j++) {
        ulp_run_t run = ulp_run_of_b(job->x, tile->group, tile->column + j, k);
        ulp_operands_load(&w->b, j * job->chunk, &run, n, &w->found_b);
    }
    w->has_values = 0;
    w->nbuckets = 0;
    const ulp_operands_found_t *a = &w->found_a, *b = &w->found_b;
    if (job->bits > BUCKET_BITS || !a->integers || !b->integers || a->shift_min > a->shift_max ||
        b->shift_min > b->shift_max) {
        return;
    }
    size_t exponents =
        (size_t)(a->shift_max - a->shift_min) + (size_t)(b->shift_max - b->shift_min) + 1;
    if (exponents > ULP_SUMS_BUCKET_COUNT || exponents > 64 + 8 * n) {
        return; /* mostly empty: looking through them would cost more than it saves */
    }
    w->nbuckets = exponents;
    for (size_t i = 0; i < tile->rows; i++) {
        place_zeros(&w->a, i * job->chunk, n, a->shift_min);
    }
    for (size_t j = 0; j < tile->columns; j++) {
        place_zeros(&w->b, j * job->chunk, n, b->shift_min);
    }
}

void ulp_sums_compute(const ulp_sums_job_t *job, ulp_sums_t *w, const ulp_sums_tile_t *tile)
{
    const ulp_contraction_t *x = job->x;
    size_t length = x->shape.alpha != 0.0 ? x->shape.k : 0;
    size_t k = 0;
    do {
        size_t n = length - k < job->chunk ? length - k : job->chunk;
        load_tile(job, w, tile, k, n);
        for (size_t i = 0; i < tile->rows; i++) {
            for (size_t j = 0; j < tile->columns; j++) {
                add_products(job, w, tile, i, j, k, n);
            }
        }
        k += n;
    } while (k < length);
}
