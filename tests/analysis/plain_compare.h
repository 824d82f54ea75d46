/*
 * tests/analysis/plain_compare.h - a comparison as a plain loop over what MPFR says of each code.
 *
 * Shares nothing with the code under test: distances of formats of up to 16 bits are ranks in the
 * order of MPFR's values, of wider ones differences of integers.
 */
#ifndef ULP_TESTS_ANALYSIS_PLAIN_COMPARE_H
#define ULP_TESTS_ANALYSIS_PLAIN_COMPARE_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "tests/harness/random.h"
#include "tests/precision/mpfr_oracle.h"

enum { N = 1500 };

/* What a code is. */
typedef struct {
    double value;
    int64_t rank;
    uint64_t code;
    uint8_t nan, inf, zero, negative;
} member_t;

static inline int by_value(const void *x, const void *y)
{
    const member_t *p = x;
    const member_t *q = y;
    return (p->value > q->value) - (p->value < q->value);
}

static inline member_t describe(uint64_t code, const oracle_format_t *f)
{
    MPFR_DECL_INIT(v, 70);
    oracle_value(v, code, f);
    member_t m = {.value = mpfr_get_d(v, MPFR_RNDN),
                  .code = code,
                  .nan = mpfr_nan_p(v) != 0,
                  .inf = mpfr_inf_p(v) != 0,
                  .zero = mpfr_zero_p(v) != 0};
    m.negative = (uint8_t)(mpfr_signbit(v) != 0);
    if (f->specials == 's' || f->specials == 'z') { /* u64 wraps, and so do differences */
        m.rank = mpfr_signbit(v) ? (int64_t)mpfr_get_sj(v, MPFR_RNDN)
                                 : (int64_t)mpfr_get_uj(v, MPFR_RNDN);
    } else if (oracle_bits(f) > 16) { /* sign and magnitude */
        uint64_t size = (code & ~((uint64_t)1 << (oracle_bits(f) - 1))) >> f->padding;
        m.rank = m.negative ? -(int64_t)size : (int64_t)size;
    }
    return m;
}

/* All members of a format of up to 16 bits, with ranks; NULL of a wider one. */
static inline member_t *members(const oracle_format_t *f)
{
    if (oracle_bits(f) > 16) {
        return NULL;
    }
    size_t n = (size_t)1 << oracle_bits(f);
    member_t *table = calloc(n, sizeof *table);
    member_t *sorted = calloc(n, sizeof *sorted);
    size_t count = 0;
    for (size_t code = 0; code < n; code++) {
        table[code] = describe(code, f);
        if (!table[code].nan) {
            sorted[count++] = table[code];
        }
    }
    qsort(sorted, count, sizeof *sorted, by_value);
    int64_t rank = 0;
    for (size_t i = 0; i < count; i++) {
        rank += i > 0 && sorted[i].value != sorted[i - 1].value;
        table[sorted[i].code].rank = rank;
    }
    free(sorted);
    return table;
}

static inline member_t member(uint64_t code, const member_t *table, const oracle_format_t *f)
{
    return table != NULL ? table[code] : describe(code, f);
}

typedef struct {
    member_t got, want;
    size_t index;
} pair_t;

static inline uint64_t distance_of(const pair_t *p)
{
    if (p->got.nan || p->want.nan) {
        return p->got.nan && p->want.nan ? 0 : UINT64_MAX;
    }
    return p->got.value == p->want.value  ? (uint64_t)llabs(p->got.rank - p->want.rank)
           : p->got.value > p->want.value ? (uint64_t)p->got.rank - (uint64_t)p->want.rank
                                          : (uint64_t)p->want.rank - (uint64_t)p->got.rank;
}

static inline int worse(const void *x, const void *y)
{
    const ulp_compare_worst_t *p = x;
    const ulp_compare_worst_t *q = y;
    if (p->distance != q->distance) {
        return p->distance > q->distance ? -1 : 1;
    }
    return (p->index > q->index) - (p->index < q->index);
}

/* Whether a differing pair passes; its difference is taken into the largest. */
static inline int passes(ulp_comparison_t *out, const pair_t *p, uint64_t distance, int is_integer,
                         const ulp_compare_how_t *how)
{
    if (p->got.nan || p->want.nan || distance == 0) {
        return 0;
    }
    int finite = !p->got.inf && !p->want.inf;
    double apart = is_integer ? (double)distance : fabs(p->got.value - p->want.value);
    if (finite) {
        out->max_abs = fmax(out->max_abs, apart);
        out->max_rel = fmax(out->max_rel, apart / fabs(p->want.value));
    }
    return ((how->given & ULP_TOLERANCE_ULP) && distance <= how->ulp) ||
           (finite && (how->given & ULP_TOLERANCE_ABS) && apart <= how->abs) ||
           (finite && (how->given & ULP_TOLERANCE_REL) && apart <= how->rel * fabs(p->want.value));
}

static inline void plain_compare(ulp_comparison_t *out, const pair_t *pair, size_t n,
                                 int is_integer, const ulp_compare_how_t *how)
{
    static ulp_compare_worst_t differing[N];
    memset(out, 0, sizeof *out);
    out->n = n;
    for (size_t i = 0; i < n; i++) {
        const pair_t *p = &pair[i];
        out->nan_got += p->got.nan;
        out->nan_want += p->want.nan;
        out->nan_both += p->got.nan && p->want.nan;
        out->inf_got += p->got.inf;
        out->inf_want += p->want.inf;
        out->zero_got += p->got.zero;
        out->zero_want += p->want.zero;
        size_t signs = p->got.zero && p->want.zero && p->got.negative != p->want.negative;
        out->zero_sign_differs += signs;
        uint64_t distance = distance_of(p);
        int one_nan = p->got.nan != p->want.nan;
        size_t bin = 0; /* bits of the distance */
        for (uint64_t d = distance; d != 0; d >>= 1) {
            bin++;
        }
        out->histogram[one_nan ? ULP_HISTOGRAM_BINS - 1 : bin]++;
        if (!one_nan && distance > out->max_distance) {
            out->max_distance = distance;
        }
        if (distance != 0 || (signs && how->zero == ULP_ZERO_DIFFER) ||
            (p->got.nan && how->nan == ULP_NAN_DIFFER)) {
            if (out->differing == 0) {
                out->first_index = p->index;
            }
            differing[out->differing++] =
                (ulp_compare_worst_t){p->index, p->got.code, p->want.code, distance};
            out->outside += !passes(out, p, distance, is_integer, how);
        }
    }
    qsort(differing, out->differing, sizeof *differing, worse);
    out->nworst = out->differing < ULP_WORST_MAX ? out->differing : ULP_WORST_MAX;
    memcpy(out->worst, differing, out->nworst * sizeof *differing);
}

static inline void expect_same(const ulp_comparison_t *got, const ulp_comparison_t *want,
                               const char *what)
{
#define SAME(field)                                                                                \
    cr_assert_eq(got->field, want->field, "%s: " #field " %llu, want %llu; seed %llu", what,       \
                 (unsigned long long)got->field, (unsigned long long)want->field,                  \
                 (unsigned long long)test_seed())
    SAME(n);
    SAME(nan_got);
    SAME(nan_want);
    SAME(nan_both);
    SAME(inf_got);
    SAME(inf_want);
    SAME(zero_got);
    SAME(zero_want);
    SAME(zero_sign_differs);
    SAME(differing);
    SAME(outside);
    SAME(max_distance);
    SAME(first_index);
    SAME(nworst);
    cr_assert(got->max_abs == want->max_abs, "%s: max_abs %a, want %a", what, got->max_abs,
              want->max_abs);
    cr_assert(got->max_rel == want->max_rel, "%s: max_rel %a, want %a", what, got->max_rel,
              want->max_rel);
    for (size_t i = 0; i < ULP_HISTOGRAM_BINS; i++) {
        cr_assert_eq(got->histogram[i], want->histogram[i], "%s: bin %zu: %zu, want %zu", what, i,
                     got->histogram[i], want->histogram[i]);
    }
    for (size_t i = 0; i < got->nworst; i++) {
        const ulp_compare_worst_t *a = &got->worst[i];
        const ulp_compare_worst_t *b = &want->worst[i];
        cr_assert(a->index == b->index && a->got == b->got && a->want == b->want &&
                      a->distance == b->distance,
                  "%s: worst %zu: index %zu distance %llu, want %zu, %llu", what, i, a->index,
                  (unsigned long long)a->distance, b->index, (unsigned long long)b->distance);
    }
#undef SAME
}

#endif
