/*
 * refs/sums.h - exact sums of products for one tile of outputs: the workspace of one thread.
 */
#ifndef ULP_REFS_SUMS_H
#define ULP_REFS_SUMS_H

#include "refs/contraction.h"
#include "refs/operands.h"

enum { ULP_SUMS_BITS = 254, ULP_SUMS_BUCKET_COUNT = 2048 };

/* What all threads read. */
typedef struct {
    const ulp_contraction_t *x;
    ulp_reference_t *out;
    size_t rows, columns; /* of a tile, at most */
    size_t chunk;
    int bits;      /* that a product needs */
    int precision; /* that it gets */
} ulp_sums_job_t;

/* What one thread owns. */
typedef struct {
    ulp_operands_t a, b, c;
    mpfr_t *product;
    mpfr_ptr *term; /* chunk products, then c or the sum so far */
    mpfr_t *so_far; /* of each output of the tile */
    mpfr_t sum, longer, part;
    double *magnitude, *largest, *subnormal; /* of each output of the tile */
    ulp_operands_found_t found_a, found_b;
    int has_values;  /* MPFR values of this chunk of the tile are loaded */
    size_t nbuckets; /* 0: products go to MPFR one by one */
    int64_t bucket[ULP_SUMS_BUCKET_COUNT];
} ulp_sums_t;

typedef struct {
    size_t group, row, column, rows, columns;
} ulp_sums_tile_t;

/** 0, or -1 if memory is short. */
int ulp_sums_init(ulp_sums_t *w, const ulp_sums_job_t *job);
void ulp_sums_clear(ulp_sums_t *w, const ulp_sums_job_t *job);

/** The outputs of a tile, into job->out. */
void ulp_sums_compute(const ulp_sums_job_t *job, ulp_sums_t *w, const ulp_sums_tile_t *tile);

#endif
