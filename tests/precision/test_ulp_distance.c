/*
 * tests/precision/test_ulp_distance.c - ULP distance and neighbours against the members of a format
 * put in order by MPFR's values: all pairs of 8-bit codes, neighbours in 16 bits, ends of the rest.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "mpfr_oracle.h"
#include "precision/ulp.h"
#include "tests/harness/random.h"

typedef struct {
    double value; /* exact for formats of up to 16 bits */
    uint32_t code;
} member_t;

static int by_value(const void *x, const void *y)
{
    const member_t *p = x;
    const member_t *q = y;
    return (p->value > q->value) - (p->value < q->value);
}

/* The members but NaN in order; rank[code] counts distinct values from the least, -1 for NaN. */
static size_t order(member_t *member, int *rank, const oracle_format_t *f)
{
    MPFR_DECL_INIT(v, 70);
    size_t n = 0;
    for (uint32_t code = 0; code < 1u << oracle_bits(f); code++) {
        oracle_value(v, code, f);
        rank[code] = -1;
        if (!mpfr_nan_p(v)) {
            member[n++] = (member_t){mpfr_get_d(v, MPFR_RNDN), code};
        }
    }
    qsort(member, n, sizeof *member, by_value);
    int last = 0;
    for (size_t i = 0; i < n; i++) {
        last += i > 0 && member[i].value != member[i - 1].value;
        rank[member[i].code] = last;
    }
    return n;
}

Test(ulp_distance, all_pairs_up_to_8_bits)
{
    static member_t member[256];
    static int rank[256];
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        const oracle_format_t *f = oracle_format_at(i);
        if (oracle_bits(f) > 8) {
            continue;
        }
        const ulp_format_t *format = ulp_format_find(f->name, NULL);
        order(member, rank, f);
        unsigned codes = 1u << oracle_bits(f);
        for (unsigned a = 0; a < codes; a++) {
            for (unsigned b = 0; b < codes; b++) {
                uint64_t want = rank[a] < 0 || rank[b] < 0 ? (rank[a] == rank[b] ? 0 : UINT64_MAX)
                                                           : (uint64_t)abs(rank[a] - rank[b]);
                uint64_t got = ulp_ulp_distance(a, b, format);
                cr_assert_eq(got, want, "%s: %#x to %#x: %llu, want %llu", f->name, a, b,
                             (unsigned long long)got, (unsigned long long)want);
                /* bits above the width carry nothing (i4 in a byte) */
                if (oracle_bits(f) < 8) {
                    unsigned above = 0xffu << oracle_bits(f);
                    cr_assert_eq(ulp_ulp_distance(a | above, b, format), want);
                    cr_assert_eq(ulp_ulp_distance(a, b | above, format), want);
                }
            }
        }
    }
}

/* In 16 bits: the rank is the index up to a constant, and the neighbours are those in the order. */
Test(ulp_distance, indices_and_neighbours_up_to_16_bits)
{
    static member_t member[65536];
    static int rank[65536];
    for (size_t i = 0; oracle_format_at(i) != NULL; i++) {
        const oracle_format_t *f = oracle_format_at(i);
        if (oracle_bits(f) > 16) {
            continue;
        }
        const ulp_format_t *format = ulp_format_find(f->name, NULL);
        size_t n = order(member, rank, f);
        int most = rank[member[n - 1].code];
        int64_t base = ulp_ulp_index(member[0].code, format);
        for (size_t k = 0; k < n; k++) {
            uint64_t code = member[k].code;
            int64_t index = ulp_ulp_index(code, format);
            cr_assert_eq(index - base, rank[code], "%s %#llx", f->name, (unsigned long long)code);
            cr_assert_eq(member[k].value == 0, index == 0, "%s %#llx", f->name,
                         (unsigned long long)code);
            for (int up = 0; up < 2; up++) {
                uint64_t next = ulp_ulp_next(code, format, up);
                int at_end = up ? rank[code] == most : rank[code] == 0;
                int want = rank[code] + (at_end ? 0 : up ? 1 : -1);
                cr_assert(rank[next] == want && (!at_end || next == code),
                          "%s: %s of %#llx is %#llx, of rank %d, want %d", f->name,
                          up ? "above" : "below", (unsigned long long)code,
                          (unsigned long long)next, rank[next], want);
            }
        }
        for (uint32_t code = 0; code < 1u << oracle_bits(f); code++) {
            if (rank[code] < 0) {
                cr_assert_eq(ulp_ulp_next(code, format, 1), code);
                cr_assert_eq(ulp_ulp_next(code, format, 0), code);
            }
        }
    }
}

Test(ulp_distance, by_hand)
{
    static const struct {
        const char *format;
        uint64_t a, b, want;
    } rows[] = {
        {"f32", 0x00000000, 0x80000000, 0},
        {"f32", 0x00000001, 0x80000001, 2},
        {"f32", 0x7f7fffff, 0x7f800000, 1},
        {"f32", 0x7f800000, 0xff800000, 0xff000000},
        {"f32", 0x3f7fffff, 0x3f800001, 2},
        {"f32", 0x7fc00000, 0xffffffff, 0},
        {"f32", 0x7fc00000, 0x7f800000, UINT64_MAX},
        {"tf32", 0x3f800000, 0x3f802000, 1},
        {"tf32", 0x7f800000, 0xff800000, 0xff000000 >> 13},
        {"f64", 0x7ff0000000000000, 0xfff0000000000000, 0xffe0000000000000},
        {"f64", 0x7fefffffffffffff, 0x7ff0000000000000, 1},
        {"f64", 0x0000000000000001, 0x8000000000000001, 2},
        {"f64", 0x7ff8000000000000, 0x0000000000000000, UINT64_MAX},
        {"i32", 0x80000000, 0x7fffffff, 0xffffffff},
        {"i64", 0x8000000000000000, 0x7fffffffffffffff, UINT64_MAX},
        {"u64", 0, UINT64_MAX - 1, UINT64_MAX - 1},
        {"u32", 0, 0xffffffff, 0xffffffff},
        {"f8e4m3fn", 0x7e, 0x7f, UINT64_MAX}, /* 448 and NaN */
        {"f8e4m3fn", 0x77, 0x78, 1},          /* 240 and 256 */
        {"f8e4m3", 0x77, 0x78, 1},            /* 240 and infinity */
        {"f8e4m3fnuz", 0x80, 0x00, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ulp_format_t *format = ulp_format_find(rows[i].format, NULL);
        for (int swap = 0; swap < 2; swap++) {
            uint64_t got = ulp_ulp_distance(swap ? rows[i].b : rows[i].a,
                                            swap ? rows[i].a : rows[i].b, format);
            cr_expect_eq(got, rows[i].want, "row %zu: %s %#llx to %#llx: %llu, want %llu", i,
                         rows[i].format, (unsigned long long)rows[i].a,
                         (unsigned long long)rows[i].b, (unsigned long long)got,
                         (unsigned long long)rows[i].want);
        }
    }
}

/* Formats of 32 and 64 bits: from any member k steps up are k apart and k steps back. */
Test(ulp_distance, steps_of_wide_formats)
{
    static const char *const names[] = {"f32", "tf32", "f64", "i32", "u32", "i64", "u64"};
    uint64_t state = test_seed();
    MPFR_DECL_INIT(v, 70);
    MPFR_DECL_INIT(w, 70);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const ulp_format_t *format = ulp_format_find(names[i], NULL);
        const oracle_format_t *f = oracle_format(names[i]);
        uint64_t mask = UINT64_MAX >> (64 - format->bits) & ~(((uint64_t)1 << f->padding) - 1);
        for (size_t round = 0; round < 2000 * test_multiplier(); round++) {
            uint64_t code = test_random(&state) & mask;
            if (round % 4 == 0) { /* near zero and the signs */
                code =
                    (round >> 2 & 1 ? 0 - (round >> 3 & 3) : round >> 3 & 3) << f->padding & mask;
            }
            if (ulp_format_is_nan(code, format)) {
                continue;
            }
            uint64_t up = ulp_ulp_next(code, format, 1);
            oracle_value(v, code, f);
            oracle_value(w, up, f);
            cr_assert(up == code ? ulp_ulp_distance(code, up, format) == 0
                                 : ulp_ulp_distance(code, up, format) == 1 && mpfr_less_p(v, w),
                      "%s %#llx, next %#llx; seed %llu", names[i], (unsigned long long)code,
                      (unsigned long long)up, (unsigned long long)test_seed());
            uint64_t back = ulp_ulp_next(up, format, 0);
            cr_assert(up == code || ulp_ulp_distance(back, code, format) == 0);
        }
    }
}
