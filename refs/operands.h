/*
 * refs/operands.h - runs of operands of a contraction, decoded for MPFR, with what bounds need.
 */
#ifndef ULP_REFS_OPERANDS_H
#define ULP_REFS_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

#include <mpfr.h>

#include "core/op.h"

/* Rows of decoded operands; entry i of each array speaks of operand i. */
typedef struct {
    size_t capacity;
    mpfr_t *value;     /* element * scale * factor, exactly; zeros keep their sign */
    int64_t *integer;  /* the same as integer * 2^shift where it fits 53 bits and is finite */
    int *shift;        /* 0 for zero */
    double *size;      /* |value| rounded up; inf where it is not finite */
    double *exponent;  /* 2^exp: the format's exponent, emin for a subnormal; 0 for zero */
    double *subnormal; /* the same if element or scale is subnormal, else 0 */
} ulp_operands_t;

/* What a load found. */
typedef struct {
    double least;             /* the least size that is not 0; inf: none */
    int subnormal;            /* one of them is */
    int integers;             /* all are integers as above */
    int shift_min, shift_max; /* of the non-zero ones; min > max: none */
} ulp_operands_found_t;

/* Where a run lies: operand i is element first + i * step, its scale, if scales is not NULL,
 * element scale_first + ((k_first + i) / block) * scale_step. */
typedef struct {
    const ulp_tensor_t *elements;
    size_t first, step;
    const ulp_tensor_t *scales;
    size_t scale_first, scale_step, block, k_first;
    double factor; /* multiplies every operand; 1: none */
} ulp_run_t;

/** Row `row` of a and column `column` of b from k on; element (row, column) of c, its factor beta.
 */
ulp_run_t ulp_run_of_a(const ulp_contraction_t *x, size_t group, size_t row, size_t k);
ulp_run_t ulp_run_of_b(const ulp_contraction_t *x, size_t group, size_t column, size_t k);
ulp_run_t ulp_run_of_c(const ulp_contraction_t *x, size_t group, size_t row, size_t column);

/** Significand bits that an operand of this run can need. */
int ulp_operands_bits(const ulp_run_t *run);

/** 0, or -1 if memory is short. `precision`: that of the values, at least ulp_operands_bits. */
int ulp_operands_init(ulp_operands_t *operands, size_t capacity, int precision);
void ulp_operands_clear(ulp_operands_t *operands);

/** Decode n operands of a run to entries at, at + 1, ..., but for their MPFR values; `found` is
 * widened. */
void ulp_operands_load(ulp_operands_t *operands, size_t at, const ulp_run_t *run, size_t n,
                       ulp_operands_found_t *found);

/** Their MPFR values. */
void ulp_operands_load_values(ulp_operands_t *operands, size_t at, const ulp_run_t *run, size_t n);

#endif
