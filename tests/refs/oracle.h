/*
 * tests/refs/oracle.h - Arb's side of the comparison: decodes, multiplies, adds and rounds with no
 * line of ours and none of MPFR's.
 *
 * Codes are decoded from a string of the format's name, not from its table row: a wrong row cannot
 * sit on both sides.
 */
#ifndef ULP_TESTS_REFS_ORACLE_H
#define ULP_TESTS_REFS_ORACLE_H

#include <arf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sign, exponent, fraction bits, bias and specials, as the documents of the formats give them. */
typedef struct {
    const char *name;
    int exponent, fraction, bias;
    char specials; /* i: IEEE; n: all ones is NaN, no inf; z: 0x80.. is NaN, no inf, no -0; -: none
                    */
    int padding;
} oracle_format_t;

static inline oracle_format_t oracle_format(const char *name)
{
    static const oracle_format_t rows[] = {
        {"f64", 11, 52, 1023, 'i', 0},    {"f32", 8, 23, 127, 'i', 0},
        {"tf32", 8, 10, 127, 'i', 13},    {"f16", 5, 10, 15, 'i', 0},
        {"bf16", 8, 7, 127, 'i', 0},      {"f8e4m3fn", 4, 3, 7, 'n', 0},
        {"f8e4m3", 4, 3, 7, 'i', 0},      {"f8e5m2", 5, 2, 15, 'i', 0},
        {"f8e3m4", 3, 4, 3, 'i', 0},      {"f8e4m3fnuz", 4, 3, 8, 'z', 0},
        {"f8e5m2fnuz", 5, 2, 16, 'z', 0}, {"f8e4m3b11fnuz", 4, 3, 11, 'z', 0},
        {"f6e2m3fn", 2, 3, 1, '-', 0},    {"f6e3m2fn", 3, 2, 3, '-', 0},
        {"f4e2m1fn", 2, 1, 1, '-', 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i];
        }
    }
    fprintf(stderr, "oracle: no format %s\n", name);
    abort();
}

/* The sign of a zero, which arf_t does not have, comes back as the function's value. */
static inline int oracle_decode(arf_t x, uint64_t code, const oracle_format_t *f)
{
    int top = f->exponent + f->fraction + f->padding;
    int negative = (int)(code >> top & 1);
    uint64_t fields = (code & ((UINT64_C(1) << top) - 1)) >> f->padding;
    uint64_t fraction = fields & ((UINT64_C(1) << f->fraction) - 1);
    int64_t e = (int64_t)(fields >> f->fraction), all = (INT64_C(1) << f->exponent) - 1;
    if ((f->specials == 'i' && e == all && fraction != 0) ||
        (f->specials == 'n' && fields == (UINT64_C(1) << (f->exponent + f->fraction)) - 1) ||
        (f->specials == 'z' && negative && fields == 0)) {
        arf_nan(x);
        return 0;
    }
    if (f->specials == 'i' && e == all) {
        arf_pos_inf(x);
    } else {
        fraction |= e ? UINT64_C(1) << f->fraction : 0;
        arf_set_ui(x, (ulong)fraction);
        arf_mul_2exp_si(x, x, (slong)((e ? e : 1) - f->bias - f->fraction));
    }
    if (negative) {
        arf_neg(x, x);
    }
    return negative;
}

/* The code nearest to x, ties to even; zero as `negative_zero` says. */
static inline uint64_t oracle_round(const arf_t x, int negative_zero, const oracle_format_t *f)
{
    int top = f->exponent + f->fraction;
    uint64_t sign = UINT64_C(1) << top, all = sign - 1, one = UINT64_C(1) << f->fraction;
    uint64_t infinity = f->specials == 'i'   ? all - (one - 1)
                        : f->specials == 'n' ? all
                        : f->specials == 'z' ? sign
                                             : all;
    uint64_t nan = f->specials == 'i' ? infinity | one >> 1 : f->specials == '-' ? 0 : infinity;
    uint64_t beyond = f->specials == 'i' || f->specials == 'n' ? infinity : all + 1;
    if (arf_is_nan(x)) {
        return nan << f->padding;
    }
    int negative = arf_is_zero(x) ? negative_zero : arf_sgn(x) < 0;
    uint64_t fields = beyond;
    if (arf_is_zero(x)) {
        fields = 0;
    } else if (!arf_is_inf(x)) {
        /* Let the last place be 2^q; halves and quarters by Arb's floor, the tie by hand. */
        arf_t t, floor_t;
        arf_init(t);
        arf_init(floor_t);
        slong e = arf_abs_bound_lt_2exp_si(x) - 1, least = 1 - f->bias;
        slong q = (e > least ? e : least) - f->fraction;
        if (e < 1100) { /* beyond every format otherwise */
            arf_abs(t, x);
            arf_mul_2exp_si(t, t, -q);
            arf_floor(floor_t, t);
            arf_sub(t, t, floor_t, ARF_PREC_EXACT, ARF_RND_DOWN);
            arf_mul_2exp_si(t, t, 1);
            uint64_t m = (uint64_t)arf_get_si(floor_t, ARF_RND_DOWN);
            int half = arf_cmp_si(t, 1);
            m += half > 0 || (half == 0 && (m & 1));
            fields = (uint64_t)(q - (least - f->fraction)) * one + m;
        }
        arf_clear(t);
        arf_clear(floor_t);
    }
    if (fields >= beyond) {
        if (f->specials == 'n' || f->specials == 'z') {
            return nan << f->padding;
        }
        fields = f->specials == 'i' ? infinity : all;
    }
    if (negative && !(f->specials == 'z' && fields == 0)) {
        fields |= sign;
    }
    return fields << f->padding;
}

#endif
