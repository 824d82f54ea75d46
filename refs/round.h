/*
 * refs/round.h - one rounding of an MPFR number to a format, by MPFR's own integer rounding.
 *
 * The other half of an argument: precision/ rounds device results in machine integers, this rounds
 * the true answer in MPFR, and the two share no line, so that no error can sit in both.
 */
#ifndef ULP_REFS_ROUND_H
#define ULP_REFS_ROUND_H

#include <stdint.h>

#include <mpfr.h>

#include "precision/format.h"

/**
 * The code nearest to x, ties to even.
 *
 * @param x       any number; where it stands for a longer one, its last bit must be a sticky bit
 *                more than one place below the target's last
 * @param format  a row of the table
 *
 * Error:    correctly rounded
 * Special:  |x| that rounds beyond the largest finite number gives inf, else NaN, else the largest;
 *           integers clamp. NaN gives the quiet NaN with sign 0, or +0 where there is none
 * (integers too). -0 and negative numbers that round to zero give -0 where the format has it.
 *           f8e8m0fnu, which has neither zero nor sign: zero gives its least value, a negative
 *           number NaN, a tie the larger power
 * Thread:   safe with a thread-safe MPFR
 * Source:   [IEEE754] clause 4.3.1, [OCPFP8], [OCPMX]; tests/refs compares with arf_set_round
 */
uint64_t ulp_round_to_format(mpfr_srcptr x, const ulp_format_t *format);

#endif
