/* emulators/gdpa.c - block-scaled groups: each summed exactly, scaled, then aligned by its scales.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/step.h"

enum { GROUPS_MAX = 1024 };

typedef struct {
    int64_t s; /* exact sum of the products, times the significands of both scales: in units of the
                  least product's last place */
    int e;     /* sum of the scales' exponents */
} group_t;

static int has_special(const ulp_slice_t *x, size_t first, size_t n, size_t g,
                       const ulp_operand_t *c, ulp_operand_t *result)
{
    ulp_specials_t seen = {0, 0, 0};
    ulp_specials_term(&seen, c);
    for (size_t i = first; x->special && i < first + n; i++) {
        ulp_specials_product(&seen, &x->a[i], &x->b[i]);
        if (x->a_scale) {
            ulp_specials_t scales = {0, 0, 0};
            ulp_specials_product(&scales, &x->a_scale[i / g], &x->b_scale[i / g]);
            seen.nan |= scales.nan;
            seen.plus |= scales.plus; /* an infinite scale: no scale format has one */
        }
    }
    return ulp_specials_decide(&seen, result);
}

/* A group reads the exponent of zero if all its products are zero or a scale is; one that cancels
 * keeps the exponent of its scales [MMASIM GST-FDPA]. */
static group_t sum_group(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t g)
{
    group_t out = {0, ULP_OPERAND_ZERO_EXPONENT};
    int any = 0, least = step->a_emin + step->b_emin;
    for (size_t i = first; i < first + g; i++) {
        int64_t product = x->a[i].s * x->b[i].s;
        if (product != 0) {
            any = 1;
            out.s += product * ((int64_t)1 << (x->a[i].e + x->b[i].e - least));
        }
    }
    if (!any) {
        return out;
    }
    if (!x->a_scale) {
        out.e = 0;
        return out;
    }
    const ulp_operand_t *sa = &x->a_scale[first / g], *sb = &x->b_scale[first / g];
    out.s *= sa->s * sb->s;
    out.e = sa->e + sb->e; /* of a zero scale: far below all */
    return out;
}

ulp_operand_t ulp_step_gdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            ulp_operand_t c)
{
    ulp_operand_t result;
    size_t g = (size_t)step->stage->g;
    if ((x->special || c.kind) && has_special(x, first, n, g, &c, &result)) {
        return result;
    }
    group_t group[GROUPS_MAX];
    int e = c.e > step->stage->e0 ? c.e : step->stage->e0, f = step->stage->f;
    for (size_t i = 0; i < n / g; i++) {
        group[i] = sum_group(step, x, first + i * g, g);
        e = group[i].e > e ? group[i].e : e;
    }
    int spare =
        step->a_fraction + step->b_fraction + step->a_scale_fraction + step->b_scale_fraction - f;
    int left = spare < 0 ? -spare : 0, right = spare > 0 ? spare : 0;
    int64_t sum = 0;
    for (size_t i = 0; i < n / g; i++) {
        sum += ulp_shift_toward_zero(group[i].s * ((int64_t)1 << left), e - group[i].e + right);
    }
    int c_spare = step->c_fraction - f;
    sum += ulp_shift_toward_zero(c.s * ((int64_t)1 << (c_spare < 0 ? -c_spare : 0)),
                                 e - c.e + (c_spare > 0 ? c_spare : 0));
    uint64_t magnitude = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
    return ulp_operand_round(sum < 0, magnitude, e - f, 0, &step->target);
}
