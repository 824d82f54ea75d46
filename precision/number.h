/*
 * precision/number.h - an unpacked number, and the two ways between it and the bits of a format.
 *
 * Every function here is pure: it allocates nothing, reads no global state, computes in integers
 * and so gives the same answer in every rounding mode of the machine.
 */
#ifndef ULP_PRECISION_NUMBER_H
#define ULP_PRECISION_NUMBER_H

#include <stdint.h>

#include "precision/format.h"
#include "precision/rounding.h"

typedef enum {
    ULP_CLASS_ZERO = 0, /* +0 or -0, by `negative` */
    ULP_CLASS_FINITE,   /* finite and not zero */
    ULP_CLASS_INF,
    ULP_CLASS_NAN
} ulp_class_t;

/**
 * A number x with |x| = significand * 2^exponent, or, if `sticky`, with
 * significand * 2^exponent < |x| < (significand + 1) * 2^exponent.
 *
 * ulp_number_decode gives the natural form of a floating-point format: significand < 2^p with the
 * hidden bit included, exponent = max(e, emin) - (p - 1) where e = floor(log2 |x|). So a normal
 * number has significand >= 2^(p-1), a subnormal one less, and exponent + p - 1 is the exponent
 * that matrix units align by. A zeroed struct is +0.
 */
typedef struct {
    ulp_class_t kind;
    uint8_t negative;     /* 0 or 1: the sign bit, of zeros, infinities and NaNs too */
    uint8_t sticky;       /* 0 or 1; 0 from decode */
    int exponent;         /* meaningful for FINITE only */
    uint64_t significand; /* FINITE: not 0 (unless sticky); NAN: the fraction field (payload) */
} ulp_number_t;

/**
 * The exact value of a code.
 *
 * @param bits    the code, in the low `format->bits` bits; padding bits (tf32) and bits above the
 * format's width (i4 in a byte) are ignored
 * @param format  a row of the table, or one made by ulp_format_container
 * @return        the value in natural form
 *
 * Error: exact
 */
ulp_number_t ulp_number_decode(uint64_t bits, const ulp_format_t *format);

/**
 * Round once to a format: the code of the member of `format` that `how` selects for x.
 *
 * Integer targets round to an integer in the same modes, then clamp.
 *
 * @param x       any number. Sticky bits stand for something above significand * 2^exponent and
 * below all bits that decide: give at least p + 1 significant bits above them (p +
 * how->random_bits with ULP_ROUND_STOCHASTIC)
 * @param format  target
 * @param how     mode, overflow rule, flushing; NULL means a zeroed struct: nearest even, overflow
 * as the format says, subnormals kept
 * @param flags   what happened (ULP_FLAG_...), or NULL; assigned, not accumulated
 * @return        the code, in the low `format->bits` bits
 *
 * Error:   correctly rounded: one rounding, from the exact x, at the subnormals' place too
 *
 * Special: zero keeps its sign where the format has -0, else becomes +0. NaN gives the format's
 * quiet NaN (ulp_format_nan; sign and payload are not carried). Ties of a format with p = 1
 * (f8e8m0fnu) go up: of q and q + 1 the even one [IEEE754 4.3.1].
 *
 * What the format lacks, so look at the flags: NaN into a format without NaN gives the code that
 * ulp_format_nan documents and ULP_FLAG_INVALID ([OCPMX] leaves it open, [MLDTYPES] gives -0, [PTX]
 * cvt.satfinite the largest number). Zero into f8e8m0fnu gives its least value and
 * ULP_FLAG_UNDERFLOW ([MLDTYPES]: NaN unless it saturates). A negative number into f8e8m0fnu gives
 * NaN, with ULP_OVERFLOW_SATURATE the least value, and ULP_FLAG_INVALID [MLDTYPES]. An infinity
 * into a format without gives NaN, or the largest number if it has no NaN either, and
 * ULP_FLAG_OVERFLOW.
 */
uint64_t ulp_number_encode(ulp_number_t x, const ulp_format_t *format, const ulp_rounding_t *how,
                           unsigned *flags);

/**
 * Convert a code from one format to another with one rounding: encode(decode(bits)).
 */
uint64_t ulp_number_convert(uint64_t bits, const ulp_format_t *to, const ulp_format_t *from,
                            const ulp_rounding_t *how, unsigned *flags);

/** x as a binary64 double; exact if x has at most 53 significant bits in range, else rounded to
 * nearest even. */
double ulp_number_to_double(ulp_number_t x);

/** The number that a double holds, exactly. */
ulp_number_t ulp_number_from_double(double x);

/** Exact product a * b of two numbers from ulp_number_decode of formats with p <= 32: the
 * significands are multiplied and not renormalised. inf * 0 and NaN give NaN; the sign is the xor
 * of the signs. */
ulp_number_t ulp_number_product(ulp_number_t a, ulp_number_t b);

/** x, or zero if 0 < |x| < 2^emin of `format` and `flush` says so: what a unit that flushes its
 * inputs sees. For the flush of results see ulp_rounding_t. */
ulp_number_t ulp_number_flush(ulp_number_t x, const ulp_format_t *format, ulp_flush_t flush);

#endif
