/*
 * emulators/operand.h - a number as matrix units hold it: a signed significand and the exponent
 * that products are aligned by.
 *
 * Every function here is pure and computes in integers: the same bits in every rounding mode of the
 * machine.
 */
#ifndef ULP_EMULATORS_OPERAND_H
#define ULP_EMULATORS_OPERAND_H

#include <stdint.h>

#include "precision/number.h"

typedef enum { ULP_OPERAND_FINITE = 0, ULP_OPERAND_INF, ULP_OPERAND_NAN } ulp_operand_kind_t;

/* Exponent of a zero: so far below all others that a zero never decides an alignment. Two of them,
 * and two of scales, can be added up. */
enum { ULP_OPERAND_ZERO_EXPONENT = -(1 << 24) };

/**
 * A number of known format: value = s * 2^(e - fraction), where `fraction` is a property of the
 * place it is kept in, p - 1 for a format of precision p. e = max(floor(log2 |x|), emin), so that a
 * subnormal has |s| < 2^fraction. Zero: s = 0 and e = ULP_OPERAND_ZERO_EXPONENT. A zeroed struct is
 * not a valid operand: use ulp_operand_zero.
 */
typedef struct {
    int64_t s;
    int32_t e;
    uint8_t kind;
    uint8_t negative; /* of zeros and infinities too */
} ulp_operand_t;

/* Where a step leaves its result: p significand bits in the range of a format, which may have more.
 */
typedef struct {
    int p;
    int shift; /* the format's precision less p: fraction = p + shift - 1 */
    int emin, emax;
    ulp_round_mode_t mode;
    uint8_t ieee_overflow; /* 1: as IEEE 754 by mode; 0: infinity in every mode */
    uint8_t flush;         /* ulp_flush_t of results that are subnormal after rounding */
    uint8_t zero_plus;     /* 1: a negative number that rounds to zero gives +0 */
} ulp_target_t;

/** +0 or -0. */
ulp_operand_t ulp_operand_zero(int negative);

/** The value of a code; fraction = format->p - 1. */
ulp_operand_t ulp_operand_decode(uint64_t code, const ulp_format_t *format);
ulp_operand_t ulp_operand_from_number(ulp_number_t x, int p);

/** The same value as a number; NaN without payload. */
ulp_number_t ulp_operand_number(ulp_operand_t x, int fraction);

/**
 * A number rounded once: (-1)^negative * significand * 2^exponent, plus something below the last
 * bit if sticky. fraction = target->p + target->shift - 1. significand 0 gives +0 or -0 by
 * `negative`.
 */
ulp_operand_t ulp_operand_round(int negative, uint64_t significand, int exponent, int sticky,
                                const ulp_target_t *target);

/**
 * round(a * b + c), exact before the one rounding [IEEE754 fusedMultiplyAdd]: significands of up to
 * 53 bits each. The fractions are those of the operands.
 */
ulp_operand_t ulp_operand_muladd(ulp_operand_t a, int a_fraction, ulp_operand_t b, int b_fraction,
                                 ulp_operand_t c, int c_fraction, const ulp_target_t *target);

/** round(a * b), round(a + b) likewise. */
ulp_operand_t ulp_operand_multiply(ulp_operand_t a, int a_fraction, ulp_operand_t b, int b_fraction,
                                   const ulp_target_t *target);
ulp_operand_t ulp_operand_add(ulp_operand_t a, int a_fraction, ulp_operand_t b, int b_fraction,
                              const ulp_target_t *target);

/** The rounding of a model into p bits of a format's range. */
ulp_target_t ulp_target_make(const ulp_format_t *range, int p, ulp_round_mode_t mode);

#endif
