/* tests/refs/test_contraction.c - the reference against Arb: codes, enclosure, specials. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <arf.h>
#include <criterion/criterion.h>
#include <math.h>

#include "refs/contraction.h"
#include "tests/refs/oracle.h"
#include "tests/refs/problem.h"

/* Arb's exact sum of output (g, i, j) and of the terms' magnitudes. */
static int exact(arf_t sum, arf_t magnitude, arf_t largest, const problem_t *p, size_t g, size_t i,
                 size_t j)
{
    const ulp_contraction_shape_t *s = &p->x.shape;
    oracle_format_t fa = oracle_format(p->a_name), fb = oracle_format(p->b_name);
    arf_t a, b;
    arf_init(a);
    arf_init(b);
    arf_zero(sum);
    arf_zero(magnitude);
    arf_zero(largest);
    int all_negative = 0; /* c absent is +0 */
    for (size_t k = 0; k <= s->k; k++) {
        int negative;
        if (k == s->k) {
            if (!p->c_name) {
                break;
            }
            oracle_format_t fc = oracle_format(p->c_name);
            negative = oracle_decode(
                a, ulp_tensor_get(&p->c, g * s->c_group + i * s->c_row + j * s->c_col), &fc);
            all_negative = s->k == 0 ? negative : all_negative && negative;
        } else {
            negative = oracle_decode(
                a, ulp_tensor_get(&p->a, g * s->a_group + i * s->a_row + k * s->a_k), &fa);
            negative ^= oracle_decode(
                b, ulp_tensor_get(&p->b, g * s->b_group + k * s->b_k + j * s->b_col), &fb);
            arf_mul(a, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
            all_negative = p->c_name && (k == 0 || all_negative) && negative;
        }
        arf_add(sum, sum, a, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_abs(a, a);
        arf_add(magnitude, magnitude, a, ARF_PREC_EXACT, ARF_RND_DOWN);
        if (arf_cmp(a, largest) > 0) {
            arf_set(largest, a);
        }
    }
    arf_clear(a);
    arf_clear(b);
    return all_negative;
}

/* |hi + lo - sum| <= 2^-100 |sum| + 2^-1075, hi nearest, and the two sizes as promised. */
static int enclosed(const ulp_reference_t *r, size_t index, const arf_t sum, const arf_t magnitude,
                    const arf_t largest, size_t k)
{
    arf_t t, limit;
    arf_init(t);
    arf_init(limit);
    int good = 1;
    if (isfinite(r->hi[index])) {
        arf_set_d(t, r->hi[index]);
        arf_set_d(limit, r->lo[index]);
        arf_add(t, t, limit, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_sub(t, t, sum, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_abs(t, t);
        arf_abs(limit, sum);
        arf_mul_2exp_si(limit, limit, -100);
        arf_t least;
        arf_init(least);
        arf_one(least);
        arf_mul_2exp_si(least, least, -1075);
        arf_add(limit, limit, least, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_clear(least);
        good &= arf_cmp(t, limit) <= 0 && arf_get_d(sum, ARF_RND_NEAR) == r->hi[index];
    }
    const double *measured[2] = {r->magnitude, r->largest};
    const arf_struct *true_size[2] = {magnitude, largest};
    for (int i = 0; i < 2; i++) {
        double size = measured[i][index], least = arf_get_d(true_size[i], ARF_RND_UP);
        good &= size >= least;
        good &= !isfinite(least * 2) || least < 0x1p-900 ||
                size <= least * (1.0 + ((double)k + 4.0) * 0x1p-51);
        good &= least != 0.0 || size == 0.0;
    }
    arf_clear(t);
    arf_clear(limit);
    return good;
}

/* Every output of a problem against Arb; the number of outputs that differ. */
static size_t count_bad(const problem_t *p, const char *target, int threads)
{
    ulp_reference_t r;
    ulp_error_t err;
    cr_assert(ulp_reference_contraction(&r, &p->x, ulp_format_find(target, NULL), threads, &err) ==
                  ULP_OK,
              "%s", err.message);
    oracle_format_t f = oracle_format(target);
    const ulp_contraction_shape_t *s = &p->x.shape;
    arf_t sum, magnitude, largest;
    arf_init(sum);
    arf_init(magnitude);
    arf_init(largest);
    size_t bad = 0;
    for (size_t index = 0; index < p->x.out_nelems; index++) {
        int negative = exact(sum, magnitude, largest, p, index / (s->m * s->n), index / s->n % s->m,
                             index % s->n);
        uint64_t want = oracle_round(sum, negative, &f), got = ulp_tensor_get(&r.rounded, index);
        int good = got == want;
        if (arf_is_finite(sum)) {
            good &= enclosed(&r, index, sum, magnitude, largest, s->k);
        }
        if (!good && bad++ < 3) {
            cr_expect(good, "%s*%s+%s k=%zu -> %s: output %zu is %#llx (%a + %a), Arb has %#llx",
                      p->a_name, p->b_name, p->c_name ? p->c_name : "0", s->k, target, index,
                      (unsigned long long)got, r.hi[index], r.lo[index], (unsigned long long)want);
        }
    }
    arf_clear(sum);
    arf_clear(magnitude);
    arf_clear(largest);
    ulp_reference_free(&r);
    return bad;
}

/* All pairs of codes of two 8-bit formats, one product each. */
Test(reference, products_of_all_codes)
{
    static const char *const pairs[][3] = {
        {"f8e4m3fn", "f8e5m2", "f8e4m3fn"},   {"f8e5m2", "f8e5m2", "f8e5m2"},
        {"f8e4m3", "f8e3m4", "f8e4m3fnuz"},   {"f8e4m3fnuz", "f8e5m2fnuz", "f8e5m2fnuz"},
        {"f8e4m3b11fnuz", "f8e4m3fn", "f16"}, {"f8e5m2", "f8e4m3b11fnuz", "f6e2m3fn"},
        {"f8e3m4", "f8e3m4", "f8e3m4"},       {"f8e5m2fnuz", "f8e5m2", "f8e4m3b11fnuz"},
        {"f8e4m3fn", "f8e4m3fn", "f4e2m1fn"}, {"f8e5m2", "f8e4m3", "f6e3m2fn"},
        {"f8e5m2", "f8e5m2", "f8e4m3"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        problem_t p;
        problem_init(&p, 1, 256, 256, 1, pairs[i][0], pairs[i][1], NULL);
        for (uint64_t code = 0; code < 256; code++) {
            ulp_tensor_set(&p.a, code, code);
            ulp_tensor_set(&p.b, code, code);
        }
        cr_expect(count_bad(&p, pairs[i][2], 2) == 0, "%s * %s -> %s", pairs[i][0], pairs[i][1],
                  pairs[i][2]);
        problem_free(&p);
    }
}

/* Sums: short and beyond a chunk, near and wide exponents, every target. */
Test(reference, sums)
{
    static const char *const formats[] = {"f64",    "f32",      "tf32",       "f16",
                                          "bf16",   "f8e4m3fn", "f8e5m2fnuz", "f6e3m2fn",
                                          "f8e3m4", "f4e2m1fn"};
    static const size_t lengths[] = {0, 1, 2, 16, 100, 511, 512, 513, 1400};
    enum { FORMATS = sizeof formats / sizeof formats[0] };
    uint64_t random = test_seed();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t t = 0; t < FORMATS * test_multiplier(); t++) {
            for (int wide = 0; wide < 2; wide++) {
                const char *a = formats[test_random(&random) % FORMATS];
                const char *b = formats[test_random(&random) % FORMATS];
                const char *c = t % 3 ? formats[test_random(&random) % FORMATS] : NULL;
                problem_t p;
                problem_init(&p, 2, 3, 2, lengths[i], a, b, c);
                fill(&p.a, &random, wide);
                fill(&p.b, &random, wide);
                if (c) {
                    fill(&p.c, &random, wide);
                }
                count_bad(&p, formats[t % FORMATS], 1);
                problem_free(&p);
            }
        }
    }
}

/* c = -(sum of the rest), then a last product that decides a tie or is all that remains. */
Test(reference, cancellation_and_ties)
{
    uint64_t random = test_seed();
    for (int round = 0; round < 200 * (int)test_multiplier(); round++) {
        size_t k = 2 * (1 + test_random(&random) % 40) + 1;
        problem_t p;
        problem_init(&p, 1, 1, 1, k, "f64", "f64", "f32");
        /* pairs x, -x at random exponents; the last product 2^e, or half an ulp beside c */
        for (size_t i = 0; i + 1 < k; i += 2) {
            uint64_t x = test_random(&random) % (UINT64_C(0x7fe) << 52);
            ulp_tensor_set(&p.a, i, x);
            ulp_tensor_set(&p.a, i + 1, x | UINT64_C(1) << 63);
            ulp_tensor_set(&p.b, i, UINT64_C(0x3ff0000000000000));
            ulp_tensor_set(&p.b, i + 1, UINT64_C(0x3ff0000000000000));
        }
        int tie = round & 1;
        uint64_t e = tie ? 127 : 1 + test_random(&random) % 253;
        uint64_t c = e << 23 | (test_random(&random) & 0x7fffff);
        ulp_tensor_set(&p.c, 0, tie ? c : 0);
        /* tie: 2^-24 exactly, or a hair more or less; else anything down to the subnormals */
        double hair = (double[]){0x1p-24, 0x1p-24 + 0x1p-76, 0x1p-24 - 0x1p-77}[round / 2 % 3];
        double last = tie ? hair : ldexp(1.0, -140 - (int)(test_random(&random) % 900));
        uint64_t bits;
        memcpy(&bits, &last, sizeof bits);
        ulp_tensor_set(&p.a, k - 1, bits);
        ulp_tensor_set(&p.b, k - 1, UINT64_C(0x3ff0000000000000));
        if (tie && round % 4 == 1) { /* or a hair that only a sticky bit can remember */
            uint64_t far = (UINT64_C(400) + test_random(&random) % 100) << 52 |
                           (test_random(&random) & 1) << 63;
            ulp_tensor_set(&p.a, 0, far);
            ulp_tensor_set(&p.a, 1, 0);
        }
        count_bad(&p, "f32", 1);
        count_bad(&p, "f64", 1);
        problem_free(&p);
    }
}
