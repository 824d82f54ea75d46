/*
 * precision/ulp.h - units in the last place: spacing, error against a real number, distance of two
 * codes.
 *
 * The two measures are different and are never both called "ulp": ULP error is |y - r| / ulp(r) for
 * a real r; ULP distance counts steps between two members of a format. Every function is pure.
 */
#ifndef ULP_PRECISION_ULP_H
#define ULP_PRECISION_ULP_H

#include <stdint.h>

#include "precision/format.h"

/**
 * Exponent u of the spacing at r: ulp(r) = 2^u, u = clamp(floor(log2 |r|), emin, emax) - (p - 1)
 * [Goldberg, Muller; emin clamped]. Integers: 0.
 *
 * @param hi  leading part of r = hi + lo, |lo| <= ulp(hi)/2; finite
 * @param lo  trailing part: decides the binade when hi is a power of two and lo has the other sign
 *
 * Special: r = 0 has the spacing of the least subnormal
 */
int ulp_ulp_exponent(double hi, double lo, const ulp_format_t *format);

/**
 * ULP error of the code `got` against r = hi + lo: |y - r| / ulp(r).
 *
 * @param got  a code of `format`
 * @param hi   leading part of r; finite, infinite or NaN
 * @param lo   trailing part; 0 if hi is not finite
 * @return     >= 0. got inf and r finite: y is placed at 2^(emax+1). got finite and r infinite:
 * inf. Both the same infinity, or both NaN: 0. One NaN: inf.
 *
 * Error:    relative 2^-50, or 2^-16 absolute where that is larger
 * Special:  +0 and -0 are the same point; inf where the largest double is passed (1.0 against 0 in
 * f64)
 */
double ulp_ulp_error(uint64_t got, const ulp_format_t *format, double hi, double lo);

/**
 * Place of a code on the number line of its format: consecutive members have consecutive indices,
 * both zeros have 0, and -x has the negated index of x. Infinity follows the largest finite number.
 *
 * @param bits  a code that is not NaN
 */
int64_t ulp_ulp_index(uint64_t bits, const ulp_format_t *format);

/**
 * ULP distance: |index(a) - index(b)|.
 *
 * @return  steps; 0 if both are NaN (payloads ignored); UINT64_MAX if just one is
 */
uint64_t ulp_ulp_distance(uint64_t a, uint64_t b, const ulp_format_t *format);

/**
 * The neighbour of a code: one step up (toward +inf) or down.
 *
 * @return  the code; the same code at the end of the line or for NaN
 */
uint64_t ulp_ulp_next(uint64_t bits, const ulp_format_t *format, int up);

#endif
