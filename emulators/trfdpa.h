/*
 * emulators/trfdpa.h - the two halves of CDNA3's step, which its kernels share.
 */
#ifndef ULP_EMULATORS_TRFDPA_H
#define ULP_EMULATORS_TRFDPA_H

#include "emulators/step.h"

/* For ulp_trfdpa_join: c is never dropped. */
enum { ULP_TRFDPA_KEEP_C = 1 << 26 };

/** Sum of every stride-th product, each cut toward zero to 2^(e - f), in units of 2^(e - f); e is
 * the largest exponent of a nonzero product, or far below all others. */
int64_t ulp_trfdpa_products(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            size_t stride, int *e_products);

/** That sum and c joined: both floored, added, floored to f2 bits, rounded. c is dropped if its
 * exponent is more than drop_below under the larger one. */
ulp_operand_t ulp_trfdpa_join(const ulp_step_t *step, int64_t products, int e_products,
                              ulp_operand_t c, int drop_below);

#endif
