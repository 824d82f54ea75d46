/*
 * refs/operands.h - runs of operands of a contraction, decoded for MPFR, with what bounds need.
 */
#ifndef ULP_REFS_OPERANDS_H
#define ULP_REFS_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

#include <mpfr.h>

#include "core/tensor.h"

/* Rows of decoded operands; entry i of each array speaks of operand i. */
typedef struct {
    size_t capacity;
    mpfr_t *value;     /* element * scale * factor, exactly; zeros keep their sign */
    double *size;      /* |value| rounded up; inf where it is not finite */
    double *exponent;  /* 2^exp: the format's exponent, emin for a subnormal; 0 for zero */
    double *subnormal; /* the same if element or scale is subnormal, else 0 */
} ulp_operands_t;

/* Where a run lies: operand i is element first + i * step, its scale, if scales is not NULL,
 * element scale_first + ((k_first + i) / block) * scale_step. */
typedef struct {
    const ulp_tensor_t *elements;
    size_t first, step;
    const ulp_tensor_t *scales;
    size_t scale_first, scale_step, block, k_first;
    double factor; /* multiplies every operand; 1: none */
} ulp_run_t;

/** Significand bits that an operand of this run can need. */
int ulp_operands_bits(const ulp_run_t *run);

/** 0, or -1 if memory is short. `precision`: that of the values, at least ulp_operands_bits. */
int ulp_operands_init(ulp_operands_t *operands, size_t capacity, int precision);
void ulp_operands_clear(ulp_operands_t *operands);

/** Decode n operands of a run to entries at, at + 1, ...; returns 1 if one of them is subnormal. */
int ulp_operands_load(ulp_operands_t *operands, size_t at, const ulp_run_t *run, size_t n);

#endif
