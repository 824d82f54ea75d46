/* tests/analysis/test_replay.c - large outputs: what samples refute, what is replayed in full. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/replay.h"
#include "tests/analysis/memory.h"

static const ulp_candidate_t *find_candidate(const ulp_candidates_t *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->item[i].result.name, name) == 0) {
            return &all->item[i];
        }
    }
    cr_assert(0, "%s is no candidate", name);
    return NULL;
}

/* Large outputs: a sample refutes, survivors and the best loser are replayed in full. */
Test(replay, screening)
{
    memory_t m;
    memory_init(&m, 50, 40, 64, "f16", "f32", "f32");
    emulate_into(&m, &m, "ampere.f16.f32");
    ulp_contraction_t x;
    cr_assert(ulp_case_contraction(&x, &m.c, NULL) == ULP_OK);
    ulp_reference_t ref;
    cr_assert(ulp_reference_contraction(&ref, &x, m.output[0].tensor.format, 1, NULL) == ULP_OK);
    size_t wrong = 0; /* then one element that no sample sees, then every eighth */
    for (int round = 0; round < 3; round++) {
        ulp_tensor_t *out = &m.output[0].tensor;
        for (size_t i = 0; round == 2 && i < out->nelems; i += 8) {
            ulp_tensor_set(out, i, ulp_tensor_get(out, i) ^ 4);
            wrong++;
        }
        ulp_candidates_t all;
        cr_assert(ulp_candidates_find(&all, &x, out->format, NULL, NULL) == ULP_OK);
        cr_assert(ulp_candidates_replay(&all, &x, out, &ref, 1000, 1, NULL) == ULP_OK);
        size_t in_full = 0;
        const char *ampere = find_candidate(&all, "ampere.f16.f32")->result.line;
        for (size_t i = 0; i < all.count; i++) {
            const ulp_replay_t *r = &all.item[i].result;
            int full = r->screened_n == 0;
            in_full += (size_t)full;
            cr_expect(full || (r->screened_n == 64 && r->screened_matched < 64 &&
                               r->matched == r->screened_matched));
            cr_expect(full == (strcmp(r->line, ampere) == 0), "round %d: %s in full: %d", round,
                      r->name, full);
            cr_expect(!full || r->matched == 2000 - wrong, "%zu matched", r->matched);
        }
        cr_expect(in_full > 0 && in_full < all.count && all.item[0].result.screened_n == 0);
        ulp_candidates_free(&all);
        if (round == 0) {
            ulp_tensor_set(out, 1235, ulp_tensor_get(out, 1235) ^ 4);
            wrong = 1;
        }
    }
    ulp_reference_free(&ref);
    memory_free(&m);
    /* outputs large enough for the second sample: bf16 hides most differences from the first */
    memory_init(&m, 160, 128, 96, "bf16", NULL, "bf16");
    emulate_into(&m, &m, "hopper.bf16.f32 | out(bf16,rne)");
    cr_assert(ulp_case_contraction(&x, &m.c, NULL) == ULP_OK);
    ulp_candidates_t all;
    const ulp_tensor_t *out = &m.output[0].tensor;
    cr_assert(ulp_reference_contraction(&ref, &x, out->format, 1, NULL) == ULP_OK);
    cr_assert(ulp_candidates_find(&all, &x, out->format, NULL, NULL) == ULP_OK);
    cr_assert(ulp_candidates_replay(&all, &x, out, &ref, 1000, 1, NULL) == ULP_OK);
    for (size_t i = 0; i < all.count; i++) {
        const ulp_replay_t *r = &all.item[i].result;
        cr_expect(r->screened_n == 0 || r->screened_n == 64 || r->screened_n == 2048);
        cr_expect(r->screened_n == 0 || r->matched < r->screened_n, "%s", r->name);
    }
    const ulp_replay_t *r = &find_candidate(&all, "hopper.bf16.f32 | out(bf16,rne)")->result;
    cr_expect(r->screened_n == 0 && r->matched == 160 * 128, "%zu", r->matched);
    r = &find_candidate(&all, "fma.f32.f32 | out(bf16,rne)")->result;
    cr_expect(r->screened_n > 0, "the samples do not tell a loop of fma from hopper: %zu in full",
              r->matched);
    ulp_candidates_free(&all);
    ulp_reference_free(&ref);
    memory_free(&m);
}
