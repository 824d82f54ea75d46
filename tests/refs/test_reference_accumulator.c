/* tests/refs/test_reference_accumulator.c - the reference against the exact accumulator. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "precision/accumulator.h"
#include "refs/contraction.h"
#include "tests/refs/problem.h"

/* The accumulator of precision/ is the second opinion: other code, other author, the same bits. */
Test(reference, agrees_with_the_accumulator)
{
    uint64_t random = test_seed();
    static const char *const formats[] = {"f64", "f32", "f16", "bf16", "f8e5m2"};
    for (int round = 0; round < 200 * (int)test_multiplier(); round++) {
        const char *a = formats[round % 5], *b = formats[round / 5 % 5],
                   *to = formats[round / 25 % 5];
        size_t k = test_random(&random) % 100;
        problem_t p;
        problem_init(&p, 1, 1, 1, k, a, b, "f32");
        fill(&p.a, &random, round & 1);
        fill(&p.b, &random, round & 1);
        fill(&p.c, &random, round & 1);
        ulp_accumulator_t acc = {0};
        ulp_accumulator_add(&acc, ulp_number_decode(ulp_tensor_get(&p.c, 0), p.c.format));
        for (size_t i = 0; i < k; i++) {
            ulp_accumulator_add_product(&acc,
                                        ulp_number_decode(ulp_tensor_get(&p.a, i), p.a.format),
                                        ulp_number_decode(ulp_tensor_get(&p.b, i), p.b.format));
        }
        ulp_reference_t r;
        cr_assert(ulp_reference_contraction(&r, &p.x, ulp_format_find(to, NULL), 1, NULL) ==
                  ULP_OK);
        uint64_t want = ulp_accumulator_round(&acc, ulp_format_find(to, NULL), NULL, NULL);
        double hi, lo;
        ulp_accumulator_to_double2(&hi, &lo, &acc);
        cr_expect(ulp_tensor_get(&r.rounded, 0) == want && r.hi[0] == hi &&
                      (r.lo[0] == lo || fabs(r.lo[0] - lo) <= r.bound * fabs(hi)),
                  "round %d, %s*%s k=%zu -> %s: %#llx %a %a against %#llx %a %a", round, a, b, k,
                  to, (unsigned long long)ulp_tensor_get(&r.rounded, 0), r.hi[0], r.lo[0],
                  (unsigned long long)want, hi, lo);
        ulp_reference_free(&r);
        problem_free(&p);
    }
}
