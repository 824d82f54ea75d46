/*
 * emulators/step.h - the inside of emulators/: what a kernel gets, and what it gives back.
 *
 * A step takes n products and the accumulator and gives the next accumulator. Chains of steps,
 * promotion, split K and conversions are chain.c's. To add a kernel: a file with its step, and its
 * line in plan.c.
 */
#ifndef ULP_EMULATORS_STEP_H
#define ULP_EMULATORS_STEP_H

#include "emulators/model.h"
#include "emulators/operand.h"

/* One row of A against one column of B: operands in the order in which they meet the unit, padded
 * with +0 to whole steps. */
typedef struct {
    const ulp_operand_t *a, *b;
    const ulp_operand_t *a_scale, *b_scale; /* GDPA: of each group, else NULL */
    int special;                            /* 1: some operand or scale may be NaN or inf */
} ulp_slice_t;

typedef struct ulp_step ulp_step_t;
struct ulp_step {
    ulp_operand_t (*run)(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                         ulp_operand_t c);
    const ulp_stage_t *stage;
    int a_fraction, b_fraction; /* of the operands, scales multiplied in except for GDPA */
    int a_scale_fraction, b_scale_fraction;
    int a_emin, b_emin;  /* of the operands' formats: GDPA */
    int c_fraction;      /* of the accumulator */
    ulp_target_t target; /* of the accumulator */
};

/**
 * acc' = step(acc, a[first..first+n) * b[first..first+n)), one file each.
 *
 * fdpa.c: f finite and f = inf; gdpa.c; pairwise.c; trfdpa.c; gtrfdpa.c; fma.c (n is any: a chain);
 * imac.c (fractions 0; any n).
 */
ulp_operand_t ulp_step_fdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            ulp_operand_t c);
ulp_operand_t ulp_step_exact(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                             ulp_operand_t c);
ulp_operand_t ulp_step_gdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            ulp_operand_t c);
ulp_operand_t ulp_step_pairwise(const ulp_step_t *step, const ulp_slice_t *x, size_t first,
                                size_t n, ulp_operand_t c);
ulp_operand_t ulp_step_trfdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                              ulp_operand_t c);
ulp_operand_t ulp_step_gtrfdpa(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                               ulp_operand_t c);
ulp_operand_t ulp_step_fma(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                           ulp_operand_t c);
ulp_operand_t ulp_step_imac(const ulp_step_t *step, const ulp_slice_t *x, size_t first, size_t n,
                            ulp_operand_t c);

/* What infinities and NaNs among the addends of a sum decide: NaN if a NaN or inf * 0 is there, or
 * both infinities; else the infinity. decided 0 if all addends are finite. */
typedef struct {
    uint8_t nan, plus, minus;
} ulp_specials_t;
void ulp_specials_product(ulp_specials_t *seen, const ulp_operand_t *a, const ulp_operand_t *b);
void ulp_specials_term(ulp_specials_t *seen, const ulp_operand_t *x);
int ulp_specials_decide(const ulp_specials_t *seen, ulp_operand_t *result);
/** Products first..first+n, their scales apart, and c. */
int ulp_specials_step(const ulp_slice_t *x, size_t first, size_t n, const ulp_operand_t *c,
                      ulp_operand_t *result);

/** x * 2^-shift toward zero, in sign and magnitude; shift >= 0. */
static inline int64_t ulp_shift_toward_zero(int64_t x, int shift)
{
    int64_t sign = x < 0 ? -1 : 0;
    int64_t kept = ((x ^ sign) - sign) >> (shift > 63 ? 63 : shift);
    return (kept ^ sign) - sign;
}

/** x * 2^-shift toward -infinity; a negative shift multiplies. */
static inline int64_t ulp_shift_down(int64_t x, int shift)
{
    if (shift < 0) {
        return x * ((int64_t)1 << -shift);
    }
    return x >> (shift > 63 ? 63 : shift);
}

#endif
