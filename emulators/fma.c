/* emulators/fma.c - a chain of fused multiply-adds, ascending k. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/step.h"

/* In integers: the machine's own fma may be emulated wrongly or flush subnormals. */
ulp_operand_t ulp_step_fma(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                           ulp_operand_t c)
{
    for (size_t i = first; i < first + n; i++) {
        c = ulp_operand_muladd(x->a[i], step->a_fraction, x->b[i], step->b_fraction, c,
                               step->c_fraction, &step->target);
    }
    return c;
}
