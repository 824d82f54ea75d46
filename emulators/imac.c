/* emulators/imac.c - integer products summed exactly, then wrapped or clamped to 32 bits. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/step.h"

/* [PTX] mma .s32: without .satfinite modulo 2^32, with it clamped. Products of up to 32 bits: 1024
 * of them stay within 64 when an operand has at most 16. */
ulp_operand_t ulp_step_imac(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            ulp_operand_t c)
{
    int64_t sum = c.s;
    for (size_t i = first; i < first + n; i++) {
        sum += x->a[i].s * x->b[i].s;
        if (!step->stage->saturate) {
            sum = (int64_t)(int32_t)(uint32_t)(uint64_t)sum;
        }
    }
    if (step->stage->saturate) {
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    }
    return (ulp_operand_t){sum, 0, ULP_OPERAND_FINITE, sum < 0};
}
