/* emulators/trfdpa.c - CDNA3: products truncated and summed, then joined with c, then rounded. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/trfdpa.h"

/* A product of 2^128 or more becomes infinite at once, unlike on NVIDIA. */
static int overflows(int64_t product, int exponent)
{
    uint64_t m = product < 0 ? -(uint64_t)product : (uint64_t)product;
    return m != 0 && exponent + 64 - __builtin_clzll(m) > 128;
}

static int has_special(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                       const ulp_operand_t *c, ulp_operand_t *result)
{
    ulp_specials_t seen = {0, 0, 0};
    ulp_specials_term(&seen, c);
    int fraction = step->a_fraction + step->b_fraction;
    for (size_t i = first; i < first + n; i++) {
        const ulp_operand_t *a = &x->a[i], *b = &x->b[i];
        ulp_specials_product(&seen, a, b);
        if ((a->kind | b->kind) == 0 && overflows(a->s * b->s, a->e + b->e - fraction)) {
            seen.minus |= a->negative ^ b->negative;
            seen.plus |= !(a->negative ^ b->negative);
        }
    }
    return ulp_specials_decide(&seen, result);
}

ulp_operand_t ulp_trfdpa_join(const ulp_step_t *step, int64_t products, int e_products,
                              ulp_operand_t c, int drop_below)
{
    int f = step->stage->f, f2 = step->stage->f2;
    const int e_least = step->target.emin; /* of zero and of subnormals */
    int e_c = c.e > e_least ? c.e : e_least;
    int e = e_products > e_c ? e_products : e_c;
    /* Both in units of 2^(e - f2 - 1). */
    int64_t sum = ulp_shift_down(products, e - e_products + f - f2 - 1);
    if (e_c >= e - drop_below) {
        int64_t kept = ulp_shift_down(c.s, e - e_c + step->c_fraction - f);
        sum += ulp_shift_down(kept, f - f2 - 1);
    }
    if (sum == 0) {
        return ulp_operand_zero(0);
    }
    /* f2 fraction bits of its own exponent, toward -infinity; then the one rounding. */
    uint64_t m = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
    int unit = e - f2 - 1;
    int own = 63 - __builtin_clzll(m) + unit;
    own = own > e_least ? own : e_least;
    int last = own - f2;
    if (last > unit) {
        sum = ulp_shift_down(sum, last - unit);
        unit = last;
        m = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
    }
    return ulp_operand_round(sum < 0, m, unit, 0, &step->target);
}

int64_t ulp_trfdpa_products(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            size_t stride, int *e_products)
{
    const ulp_operand_t *a = x->a + first, *b = x->b + first;
    int e = 2 * ULP_OPERAND_ZERO_EXPONENT;
    for (size_t i = 0; i < n; i += stride) {
        e = a[i].e + b[i].e > e ? a[i].e + b[i].e : e;
    }
    int spare = step->a_fraction + step->b_fraction - step->stage->f;
    int left = spare < 0 ? -spare : 0, base = e + (spare > 0 ? spare : 0);
    int64_t sum = 0;
    for (size_t i = 0; i < n; i += stride) {
        sum +=
            ulp_shift_toward_zero(a[i].s * b[i].s * ((int64_t)1 << left), base - a[i].e - b[i].e);
    }
    *e_products = e;
    return sum;
}

/* [MMASIM] TR-FDPA. */
ulp_operand_t ulp_step_trfdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                              ulp_operand_t c)
{
    ulp_operand_t result;
    int e_products;
    int64_t products = ulp_trfdpa_products(step, x, first, n, 1, &e_products);
    /* A significand is below 4: under this exponent no product overflows. */
    int may_overflow = e_products >= step->target.emax - 1;
    if ((x->special || c.kind || may_overflow) && has_special(step, x, first, n, &c, &result)) {
        return result;
    }
    return ulp_trfdpa_join(step, products, e_products, c, ULP_TRFDPA_KEEP_C);
}
