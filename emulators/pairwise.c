/* emulators/pairwise.c - products rounded, summed in a balanced tree, the sum added to c. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/step.h"

enum { PRODUCTS_MAX = 64 };

/* [MMASIM], [MIOPEN]: every product and every sum rounds, and flushes if the stage says so. */
ulp_operand_t ulp_step_pairwise(const ulp_step_t *step, const ulp_slice_t *x, size_t first,
                                size_t n, ulp_operand_t c)
{
    ulp_operand_t sum[PRODUCTS_MAX];
    int fraction = step->c_fraction;
    ULP_ASSERT(n >= 1 && n <= PRODUCTS_MAX);
    for (size_t i = 0; i < n; i++) {
        sum[i] = ulp_operand_multiply(x->a[first + i], step->a_fraction, x->b[first + i],
                                      step->b_fraction, &step->target);
    }
    for (size_t left = n; left > 1; left = (left + 1) / 2) {
        for (size_t i = 0; i < left / 2; i++) {
            sum[i] = ulp_operand_add(sum[2 * i], fraction, sum[2 * i + 1], fraction, &step->target);
        }
        if (left % 2 == 1) {
            sum[left / 2] = sum[left - 1];
        }
    }
    return ulp_operand_add(c, fraction, sum[0], fraction, &step->target);
}
