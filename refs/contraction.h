/*
 * refs/contraction.h - the true answer of dot and gemm: alpha sum_k a b + beta c in MPFR, rounded
 * once.
 *
 * Nothing of precision/'s rounding or accumulator takes part: operands are decoded, everything
 * after is MPFR.
 */
#ifndef ULP_REFS_CONTRACTION_H
#define ULP_REFS_CONTRACTION_H

#include "core/op.h"

/**
 * The exact results, one of each per output element in C order.
 *
 * hi + lo: hi is the double nearest to the exact result x, lo the double nearest to x - hi, so
 * |hi + lo - x| <= bound * |x| + 2^-1075; the second term is the spacing of doubles near zero and
 * matters for |x| < 2^-974 only. |x| that rounds beyond the largest double: hi = +-inf, lo = 0. x
 * infinite or NaN: hi alone.
 *
 * magnitude and largest are upper bounds that exceed the true value by less than a factor
 * 1 + (k + 4) 2^-51 (and by k * 2^-1074 where a product is below 2^-960); inf where a term is not
 * finite or the sum leaves the doubles.
 */
typedef struct {
    ulp_tensor_t rounded; /* the correctly rounded result in the target format, nearest even */
    double *hi, *lo;
    double bound;      /* relative, 2^-100 */
    double *magnitude; /* sum of |terms|: |beta c| + sum |alpha a b| */
    double *largest;   /* largest |term| */
    double *subnormal; /* largest 2^(exp(a) + exp(b)) over the non-zero products that have a
                          subnormal factor (a scale among them), exp() being the format's exponent,
                          emin for a subnormal: matrix units align by it though the product is
                          smaller. 0: no such product */
} ulp_reference_t;

/**
 * Reference of every output element: alpha * sum_k a b + beta * c, block scales multiplied in.
 *
 * @param out      made here; free it with ulp_reference_free
 * @param target   format of the rounded values
 * @param threads  >= 1; the bits do not depend on it
 *
 * Error:    `rounded` is correctly rounded: from the exact sum, once
 * Special:  NaN where a term is NaN, inf * 0, or where both infinities meet; overflow as the format
 *           says (inf, else NaN, else the largest); an exact zero is -0 only if all terms are -0; a
 *           zero beta means that c is not read, a zero alpha that a and b are not (BLAS)
 * Fails:    MEMORY
 * Source:   MPFR's mpfr_mul and mpfr_sum (correctly rounded); tests/refs compares with Arb
 */
ULP_MUST_CHECK ulp_status_t ulp_reference_contraction(ulp_reference_t *out,
                                                      const ulp_contraction_t *x,
                                                      const ulp_format_t *target, int threads,
                                                      ulp_error_t *err);
void ulp_reference_free(ulp_reference_t *reference);

#endif
