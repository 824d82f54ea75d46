/* emulators/specials.c - infinities and NaNs among the addends of a step. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/step.h"

static int is_zero(const ulp_operand_t *x)
{
    return x->kind == ULP_OPERAND_FINITE && x->s == 0;
}

void ulp_specials_term(ulp_specials_t *seen, const ulp_operand_t *x)
{
    seen->nan |= x->kind == ULP_OPERAND_NAN;
    if (x->kind == ULP_OPERAND_INF) {
        seen->plus |= !x->negative;
        seen->minus |= x->negative;
    }
}

void ulp_specials_product(ulp_specials_t *seen, const ulp_operand_t *a, const ulp_operand_t *b)
{
    if ((a->kind | b->kind) == 0) {
        return;
    }
    int inf = a->kind == ULP_OPERAND_INF || b->kind == ULP_OPERAND_INF;
    if (a->kind == ULP_OPERAND_NAN || b->kind == ULP_OPERAND_NAN ||
        (inf && (is_zero(a) || is_zero(b)))) {
        seen->nan = 1;
    } else if (a->negative ^ b->negative) {
        seen->minus = 1;
    } else {
        seen->plus = 1;
    }
}

int ulp_specials_decide(const ulp_specials_t *seen, ulp_operand_t *result)
{
    if (!seen->nan && !seen->plus && !seen->minus) {
        return 0;
    }
    *result = ulp_operand_zero(seen->minus);
    result->kind = seen->nan || (seen->plus && seen->minus) ? ULP_OPERAND_NAN : ULP_OPERAND_INF;
    return 1;
}

int ulp_specials_step(const ulp_slice_t *x, size_t first, size_t n, const ulp_operand_t *c,
                      ulp_operand_t *result)
{
    ulp_specials_t seen = {0, 0, 0};
    ulp_specials_term(&seen, c);
    if (x->special) {
        for (size_t i = first; i < first + n; i++) {
            ulp_specials_product(&seen, &x->a[i], &x->b[i]);
        }
    }
    return ulp_specials_decide(&seen, result);
}
