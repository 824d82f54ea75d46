/*
 * tests/precision/mpfr_oracle.h - what decode and encode must give, by MPFR and from the documents.
 *
 * Shares no code and no table with precision/: the formats are entered a second time, as field
 * widths; a value is built from its fields with MPFR; a rounding is an integer rounding of x /
 * quantum by MPFR's own functions (mpfr_roundeven, mpfr_round, mpfr_trunc, mpfr_ceil, mpfr_floor).
 * Only the plain types of precision/rounding.h and number.h are common.
 */
#ifndef ULP_TESTS_PRECISION_MPFR_ORACLE_H
#define ULP_TESTS_PRECISION_MPFR_ORACLE_H

#include <stdint.h>

#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#include "precision/number.h"

typedef struct {
    const char *name;
    int sign, exponent_bits, fraction_bits, bias;
    char specials; /* i: IEEE, n: fn, u: fnuz, m: none (MX), p: powers of two, s: signed, z:
                      unsigned */
    int padding;
} oracle_format_t;

/* The formats in the order of the design; NULL past the last, or if the name is not there. */
const oracle_format_t *oracle_format_at(size_t i);
const oracle_format_t *oracle_format(const char *name);
int oracle_bits(const oracle_format_t *f);

/* v = the value of the code, NaN and infinities too; v needs 64 bits of precision. A zero has its
 * sign. */
void oracle_value(mpfr_t v, uint64_t code, const oracle_format_t *f);

/* v = the largest finite number, 2^emin, the least positive number. */
void oracle_max(mpfr_t v, const oracle_format_t *f);
int oracle_emin(const oracle_format_t *f);
int oracle_least_exponent(const oracle_format_t *f);

/* The code and the flags that x rounded once must give. */
uint64_t oracle_encode(const mpfr_t x, const oracle_format_t *f, const ulp_rounding_t *how,
                       unsigned *flags);

/* x as a number of n significant bits (n <= 64), top bit set, the rest in sticky. */
ulp_number_t oracle_number(const mpfr_t x, int n);

#endif
