/*
 * tests/analysis/test_compare.c - comparisons against a plain loop over what MPFR says of each
 * code: every format, every instruction set of this machine, policies, tolerances, any split.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "analysis/compare_lanes.h"
#include "tests/analysis/plain_compare.h"

typedef struct {
    pair_t pair[N];
    uint8_t got[N * 8], want[N * 8];
} data_t;

static void put(uint8_t *data, size_t i, uint64_t code, size_t nbytes)
{
    memcpy(data + i * nbytes, &code, nbytes); /* little-endian machines */
}

/* Families: equal; rare steps; steps everywhere; any codes; near zero; near the top; normal numbers
 * with one block of specials. */
enum { FAMILIES = 7 };

static void fill(data_t *data, int family, uint64_t *state, const member_t *table,
                 const oracle_format_t *f)
{
    const ulp_format_t *format = ulp_format_find(f->name, NULL);
    uint64_t mask = UINT64_MAX >> (64 - format->bits) & ~(((uint64_t)1 << f->padding) - 1);
    uint64_t sign = (uint64_t)1 << (format->bits - 1);
    size_t nbytes = ulp_format_bytes(format);
    for (size_t i = 0; i < N; i++) {
        uint64_t r = test_random(state);
        uint64_t want = test_random(state) & mask;
        int far = family == 3 || (family == 6 && i >= 512 && i < 600);
        if (family == 4 || family == 5) {
            uint64_t base = family == 4 ? 0 : ulp_format_max(format);
            uint64_t off = (r >> 8) % 4 << f->padding;
            want = ((family == 4 ? base + off : base + off - ((uint64_t)2 << f->padding)) |
                    (r & 1 && f->specials != 'z' ? sign : 0)) &
                   mask;
        }
        member_t m = member(want, table, f);
        if ((family < 3 || (family == 6 && !far)) && (m.nan || m.inf || m.zero)) {
            want = ulp_format_max(format) >> 1 & mask;
        }
        uint64_t got = want;
        int step = (int)((r >> 16) % 40);
        if (far || (family == 1 && r % 97 == 0) || family == 2 || family >= 4) {
            got = far ? test_random(state) & mask
                      : (want + ((uint64_t)(step % (family == 2 ? 40 : 3)) << f->padding)) & mask;
            got ^=
                r % 11 == 0 && family >= 4 && f->specials != 'z' && f->specials != 's' ? sign : 0;
            got &= mask;
        }
        data->pair[i] = (pair_t){member(got, table, f), member(want, table, f), i};
        put(data->got, i, got, nbytes);
        put(data->want, i, want, nbytes);
    }
}

/* Tolerances: none, each alone, together, at the exact difference of some pair. */
static ulp_compare_how_t tolerance(size_t i, const data_t *data, uint64_t *state)
{
    const pair_t *p = &data->pair[test_random(state) % N];
    double apart = fabs(p->got.value - p->want.value);
    double abs = isfinite(apart) ? apart : 1.0;
    double rel = p->want.value != 0 && isfinite(apart) ? apart / fabs(p->want.value) : 0.125;
    ulp_compare_how_t rows[] = {
        {.given = 0},
        {.given = ULP_TOLERANCE_ABS, .abs = abs},
        {.given = ULP_TOLERANCE_REL, .rel = rel},
        {.given = ULP_TOLERANCE_ULP, .ulp = (uint64_t)i % 3},
        {.given = ULP_TOLERANCE_ABS | ULP_TOLERANCE_REL | ULP_TOLERANCE_ULP,
         .abs = abs,
         .rel = rel,
         .ulp = 1},
        {.given = ULP_TOLERANCE_ABS | ULP_TOLERANCE_REL, .abs = HUGE_VAL, .rel = HUGE_VAL},
        {.given = ULP_TOLERANCE_ULP, .ulp = UINT64_MAX},
    };
    ulp_compare_how_t how = rows[i % 7];
    how.nan = i & 8 ? ULP_NAN_DIFFER : ULP_NAN_EQUAL;
    how.zero = i & 16 ? ULP_ZERO_DIFFER : ULP_ZERO_SAME;
    return how;
}

/* The whole, on every instruction set; and pieces in any order, merged or into one. */
static void expect_compared(const data_t *data, size_t n, const ulp_format_t *format,
                            const ulp_compare_how_t *how, uint64_t *state, const char *what)
{
    ulp_comparison_t want, got, part[2];
    size_t nbytes = ulp_format_bytes(format);
    plain_compare(&want, data->pair, n, format->kind != ULP_KIND_FLOAT, how);
    for (size_t set = 0; set < ulp_lanes_count(); set++) {
        if (ulp_lanes_runs(set)) {
            memset(&got, 0, sizeof got);
            ulp_compare_codes_with(&got, data->got, data->want, n, 0, format, how,
                                   ulp_lanes_at(set));
            char name[160];
            snprintf(name, sizeof name, "%s, %s", what, ulp_lanes_at(set)->name);
            expect_same(&got, &want, name);
        }
    }
    memset(part, 0, sizeof part);
    size_t end = n;
    while (end > 0) { /* from the last piece to the first, each to one of two parts */
        size_t size = 1 + test_random(state) % 700;
        size_t begin = end > size ? end - size : 0;
        ulp_compare_codes(&part[test_random(state) % 2], data->got + begin * nbytes,
                          data->want + begin * nbytes, end - begin, begin, format, how);
        end = begin;
    }
    ulp_compare_merge(&part[0], &part[1]);
    expect_same(&part[0], &want, what);
}

Test(compare, every_format_against_a_plain_loop)
{
    static data_t data;
    static const size_t sizes[] = {N, 0, 1, 255, 256, 257, 1000};
    uint64_t state = test_seed();
    char what[128];
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        const oracle_format_t *f = oracle_format_at(i);
        member_t *table = members(f);
        for (int family = 0; family < FAMILIES; family++) {
            for (size_t round = 0; round < 32 * test_multiplier(); round++) {
                if (round % 8 == 0) {
                    fill(&data, family, &state, table, f);
                }
                ulp_compare_how_t how = tolerance(round, &data, &state);
                size_t n = sizes[round % 7];
                snprintf(what, sizeof what, "%s, family %d, round %zu, n = %zu, given %u", f->name,
                         family, round, n, how.given);
                expect_compared(&data, n, ulp_format_find(f->name, NULL), &how, &state, what);
            }
        }
        free(table);
    }
}

/* Each code of an 8-bit format (or less) against each, a code a call of 256 pairs. */
Test(compare, all_pairs_up_to_8_bits)
{
    static data_t data;
    uint64_t state = test_seed();
    char what[128];
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        const oracle_format_t *f = oracle_format_at(i);
        if (oracle_bits(f) > 8) {
            continue;
        }
        member_t *table = members(f);
        size_t codes = (size_t)1 << oracle_bits(f);
        for (size_t want = 0; want < codes; want++) {
            for (size_t got = 0; got < codes; got++) {
                data.pair[got] = (pair_t){member(got, table, f), member(want, table, f), got};
                put(data.got, got, got, 1);
                put(data.want, got, want, 1);
            }
            ulp_compare_how_t how = {.given = want & 1 ? ULP_TOLERANCE_REL : 0,
                                     .rel = 0.25,
                                     .nan = want & 2 ? ULP_NAN_DIFFER : ULP_NAN_EQUAL,
                                     .zero = want & 4 ? ULP_ZERO_DIFFER : ULP_ZERO_SAME};
            snprintf(what, sizeof what, "%s, all against %#zx", f->name, want);
            expect_compared(&data, codes, ulp_format_find(f->name, NULL), &how, &state, what);
        }
        free(table);
    }
}

/* One pair under each rule, by hand. abs, rel, ulp: below 0 is not given. */
Test(compare, rules_by_hand)
{
    static const struct {
        const char *format;
        uint64_t got, want;
        double abs, rel, ulp;
        int nan_differs, zero_differs;
        size_t differing, outside;
    } rows[] = {
        {"f32", 0x00000000, 0x80000000, -1, -1, -1, 0, 0, 0, 0},
        {"f32", 0x00000000, 0x80000000, -1, -1, -1, 0, 1, 1, 1},
        {"f32", 0x00000000, 0x80000000, 1, 1, 9, 0, 1, 1, 1}, /* a sign is not a distance */
        {"f32", 0x7fc00000, 0xffc00001, -1, -1, -1, 0, 0, 0, 0},
        {"f32", 0x7fc00000, 0x7fc00000, 1, 1, 9, 1, 0, 1, 1},
        {"f32", 0x7fc00000, 0x3f800000, 1, 1, 9, 0, 0, 1, 1},
        {"f32", 0x3f800000, 0x7fc00000, HUGE_VAL, HUGE_VAL, 1e18, 0, 0, 1, 1},
        /* an infinity passes by steps only */
        {"f32", 0x7f800000, 0x7f7fffff, -1, -1, 1, 0, 0, 1, 0},
        {"f32", 0x7f800000, 0x7f7fffff, HUGE_VAL, HUGE_VAL, 0, 0, 0, 1, 1},
        {"f32", 0x40400000, 0x7f800000, 1, 0.5, -1, 0, 0, 1, 1},
        {"f32", 0x7f800000, 0x7f800000, -1, -1, -1, 0, 0, 0, 0},
        {"f32", 0x7f800000, 0xff800000, 1, 1, -1, 0, 0, 1, 1},
        /* at the tolerance, and beside it; any one that holds is enough */
        {"f32", 0x3f800001, 0x3f800000, 0x1p-23, -1, -1, 0, 0, 1, 0},
        {"f32", 0x3f800001, 0x3f800000, 0x1.ffffffp-24, -1, -1, 0, 0, 1, 1},
        {"f32", 0x3f800001, 0x3f800000, -1, 0x1p-23, -1, 0, 0, 1, 0},
        {"f32", 0x3f800001, 0x3f800000, -1, 0x1.ffffffp-24, -1, 0, 0, 1, 1},
        {"f32", 0x3f800000, 0x3f800001, -1, 0x1p-23, -1, 0, 0, 1, 0},
        {"f32", 0x3f800003, 0x3f800000, -1, -1, 3, 0, 0, 1, 0},
        {"f32", 0x3f800003, 0x3f800000, -1, -1, 2, 0, 0, 1, 1},
        {"f32", 0x3f800003, 0x3f800000, 0, 0, 3, 0, 0, 1, 0},
        {"f32", 0x3f800003, 0x3f800000, 1, 0, 0, 0, 0, 1, 0},
        {"f32", 0x00000001, 0x00000000, -1, 1, -1, 0, 0, 1, 1}, /* nothing relative to 0 */
        {"f32", 0x00000001, 0x80000001, 0x1p-148, -1, -1, 0, 0, 1, 0},
        {"i64", 0x1000000000000001, 0x1000000000000000, 0.5, -1, -1, 0, 0, 1, 1},
        {"i8", 0x80, 0x00, 127, -1, -1, 0, 1, 1, 1},
        {"i8", 0x80, 0x00, 128, -1, -1, 0, 1, 1, 0},
        /* bits above the width of a code, and padding, carry nothing */
        {"i4", 0x0f, 0xff, -1, -1, -1, 0, 1, 0, 0},
        {"u4", 0x0f, 0xff, -1, -1, -1, 0, 1, 0, 0},
        {"f4e2m1fn", 0x03, 0xf3, -1, -1, -1, 0, 1, 0, 0},
        {"f4e2m1fn", 0xf0, 0x08, -1, -1, -1, 0, 1, 1, 1},
        {"tf32", 0x3f800001, 0x3f800000, -1, -1, -1, 0, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ulp_compare_how_t how = {.nan = rows[i].nan_differs ? ULP_NAN_DIFFER : ULP_NAN_EQUAL,
                                 .zero = rows[i].zero_differs ? ULP_ZERO_DIFFER : ULP_ZERO_SAME};
        how.given = (rows[i].abs >= 0 ? ULP_TOLERANCE_ABS : 0) |
                    (rows[i].rel >= 0 ? ULP_TOLERANCE_REL : 0) |
                    (rows[i].ulp >= 0 ? ULP_TOLERANCE_ULP : 0);
        how.abs = rows[i].abs;
        how.rel = rows[i].rel;
        how.ulp = rows[i].ulp >= 0 ? (uint64_t)rows[i].ulp : 0;
        ulp_comparison_t c = {0};
        ulp_compare_codes(&c, &rows[i].got, &rows[i].want, 1, 7,
                          ulp_format_find(rows[i].format, NULL), &how);
        cr_expect(c.differing == rows[i].differing && c.outside == rows[i].outside,
                  "row %zu: %s %#llx against %#llx: differing %zu, outside %zu, want %zu, %zu", i,
                  rows[i].format, (unsigned long long)rows[i].got, (unsigned long long)rows[i].want,
                  c.differing, c.outside, rows[i].differing, rows[i].outside);
        cr_expect(c.nworst == c.differing && (c.differing == 0 || c.first_index == 7));
    }
}

Test(compare, some_instruction_set_runs)
{
    size_t runs = 0;
    for (size_t i = 0; i < ulp_lanes_count(); i++) {
        runs += ulp_lanes_runs(i) != 0;
    }
    cr_assert(runs > 0 && ulp_lanes_runs(ulp_lanes_count() - 1));
    cr_assert_not_null(ulp_lanes_best());
}
