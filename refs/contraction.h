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

typedef struct {
    ulp_tensor_t rounded; /* the correctly rounded result in the target format, nearest even */
    double *hi, *lo;      /* the exact result as hi + lo, |hi + lo - exact| <= bound * |exact|; not
                             finite: hi alone */
    double bound;         /* relative, 2^-100 */
    double *magnitude;    /* sum of |terms|, rounded up: |c| + sum |a b| */
    double *largest;      /* largest |term|, rounded up */
} ulp_reference_t;

/**
 * Reference of every output element.
 *
 * @param target   format of the rounded values
 * @param threads  >= 1; the bits do not depend on it
 *
 * Error:   `rounded` is correctly rounded, from the exact sum (mpfr_sum with enough precision, then
 * once) Special: NaN where a term is NaN or inf * 0 or both infinities meet; overflow as the format
 * says; an exact zero is -0 only if all terms are -0 Fails:   MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_reference_contraction(ulp_reference_t *out,
                                                      const ulp_contraction_t *x,
                                                      const ulp_format_t *target, int threads,
                                                      ulp_error_t *err);
void ulp_reference_free(ulp_reference_t *reference);

#endif
