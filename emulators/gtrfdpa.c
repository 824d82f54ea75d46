/* emulators/gtrfdpa.c - CDNA3 FP8: even and odd k summed apart, then joined as in trfdpa.c. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/trfdpa.h"

/* [MMASIM] GTR-FDPA, [FPREV25] for the order. A NaN or infinite c decides as IEEE 754 says: what
 * the published model does with it is an artefact that no device has confirmed. */
ulp_operand_t ulp_step_gtrfdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                               ulp_operand_t c)
{
    ulp_operand_t result;
    if ((x->special || c.kind) && ulp_specials_step(x, first, n, &c, &result)) {
        return result;
    }
    int e_even, e_odd = 2 * ULP_OPERAND_ZERO_EXPONENT;
    int64_t even = ulp_trfdpa_products(step, x, first, n, 2, &e_even), odd = 0;
    if (n > 1) {
        odd = ulp_trfdpa_products(step, x, first + 1, n - 1, 2, &e_odd);
    }
    int e = e_even > e_odd ? e_even : e_odd;
    int64_t products = ulp_shift_down(even, e - e_even) + ulp_shift_down(odd, e - e_odd);
    return ulp_trfdpa_join(step, products, e, c, step->stage->f + 1);
}
