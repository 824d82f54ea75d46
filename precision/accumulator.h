/*
 * precision/accumulator.h - an exact accumulator: sums of numbers and of products, rounded once at
 * the end.
 *
 * A fixed-point register [KULISCH] that holds any sum of up to 2^63 products of two numbers of
 * formats up to f64, block scales included, with no rounding and no overflow. A plain value: no
 * allocation, copy it with =. A zeroed struct is the empty sum.
 */
#ifndef ULP_PRECISION_ACCUMULATOR_H
#define ULP_PRECISION_ACCUMULATOR_H

#include <stdint.h>

#include "precision/number.h"

enum {
    ULP_ACCUMULATOR_LSB = -2560, /* weight of the last bit is 2^LSB */
    ULP_ACCUMULATOR_WORDS = 78,  /* 64-bit words, least significant first, two's complement */
    ULP_ACCUMULATOR_EXPONENT_MAX = 2240 /* 2^63 terms of 128 bits at 2^2240 fit */
};

typedef struct {
    uint64_t word[ULP_ACCUMULATOR_WORDS];
    uint64_t nterms;               /* terms added, zeros included */
    uint64_t nterms_negative_zero; /* of them, -0 */
    uint8_t has_nan;               /* a NaN came in, or inf * 0 */
    uint8_t has_plus_inf;
    uint8_t has_minus_inf;
} ulp_accumulator_t;

/** acc += x. x must not be sticky; exponent in [ULP_ACCUMULATOR_LSB, ULP_ACCUMULATOR_EXPONENT_MAX],
 * else it aborts. */
void ulp_accumulator_add(ulp_accumulator_t *acc, ulp_number_t x);

/** acc += a * b, exactly, for significands of up to 64 bits each. inf * 0 is NaN. */
void ulp_accumulator_add_product(ulp_accumulator_t *acc, ulp_number_t a, ulp_number_t b);

/** acc += a * b * 2^shift; the three exponents together in the range of ulp_accumulator_add. */
void ulp_accumulator_add_product_scaled(ulp_accumulator_t *acc, ulp_number_t a, ulp_number_t b,
                                        int shift);

/** acc += other. */
void ulp_accumulator_merge(ulp_accumulator_t *acc, const ulp_accumulator_t *other);

/**
 * The sum as a number: a significand of 64 bits, its top bit set, and the sticky flag for all bits
 * below.
 *
 * Special: NaN if a NaN came in or both infinities did; else an infinity if one did. An exact sum
 * of zero is -0 if there was at least one term and all terms were -0, +0 otherwise (IEEE 754 in all
 * modes but RD).
 */
ulp_number_t ulp_accumulator_value(const ulp_accumulator_t *acc);

/** The sum rounded once, as ulp_number_encode rounds: of ulp_accumulator_value, or of more bits
 * where a stochastic rounding or a 64-bit integer needs them. */
uint64_t ulp_accumulator_round(const ulp_accumulator_t *acc, const ulp_format_t *format,
                               const ulp_rounding_t *how, unsigned *flags);

/** The sum as hi + lo, hi the nearest double (ties to even), lo the nearest double to the rest. */
void ulp_accumulator_to_double2(double *hi, double *lo, const ulp_accumulator_t *acc);

#endif
