/* tests/analysis/test_explain.c - verdicts on made-up cases: rows that match, bugs, orders,
 * refusals. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/explain.h"
#include "emulators/emulate.h"
#include "tests/analysis/memory.h"

static ulp_explain_t explain(const memory_t *m, const ulp_explain_how_t *how)
{
    ulp_explain_t e;
    ulp_error_t err;
    cr_assert(ulp_explain_case(&e, &m->c, how, &err) == ULP_OK, "%s", err.message);
    cr_assert(e.count == 1);
    return e;
}

/* The first element where a line differs from the output; the number of elements if nowhere. */
static size_t first_difference(const memory_t *m, const char *line)
{
    ulp_contraction_t x;
    ulp_model_t model;
    ulp_tensor_t d;
    cr_assert(ulp_case_contraction(&x, &m->c, NULL) == ULP_OK);
    cr_assert(ulp_model_parse(&model, line, NULL) == ULP_OK);
    cr_assert(ulp_emulate_contraction(&d, &x, &model, ULP_PATH_PLAIN, 1, NULL) == ULP_OK);
    size_t i = 0;
    while (i < d.nelems && ulp_tensor_get(&d, i) == ulp_tensor_get(&m->output[0].tensor, i)) {
        i++;
    }
    ulp_tensor_free(&d);
    return i;
}

static const ulp_replay_t *find_replay(const ulp_explanation_t *e, const char *name)
{
    for (size_t i = 0; i < e->nreplays; i++) {
        if (strcmp(e->replay[i].name, name) == 0) {
            return &e->replay[i];
        }
    }
    return NULL;
}

/* What each row gives is explained by that row, and not by those of other generations. */
Test(explain, tells_generations_apart)
{
    static const char *const names[] = {"volta.f16.f32", "ampere.f16.f32", "hopper.f16.f32"};
    for (int i = 0; i < 3; i++) {
        memory_t m;
        memory_init(&m, 40, 30, 64, "f16", "f32", "f32");
        emulate_into(&m, &m, names[i]);
        ulp_explain_t e = explain(&m, NULL);
        cr_expect(e.output[0].verdict == ULP_VERDICT_EXPLAINED, "%s: %s", names[i],
                  e.output[0].reason);
        for (int j = 0; j < 3; j++) {
            const ulp_replay_t *r = find_replay(&e.output[0], names[j]);
            cr_assert(r != NULL, "%s is no candidate", names[j]);
            cr_expect((r->matched == 1200) == (i == j), "%s against %s: %zu of 1200", names[j],
                      names[i], r->matched);
            cr_expect(i == j || r->first_mismatch == first_difference(&m, names[j]),
                      "%s against %s: first mismatch %zu", names[j], names[i], r->first_mismatch);
        }
        for (size_t j = 1; j < e.output[0].nreplays; j++) {
            cr_expect(e.output[0].replay[j].matched <= e.output[0].replay[j - 1].matched);
        }
        ulp_explain_free(&e);
        memory_free(&m);
    }
}

/* bf16 output of a kernel with f32 accumulators; one flipped bit; the element operand by operand.
 */
Test(explain, converted_output_and_one_bit)
{
    memory_t m;
    memory_init(&m, 64, 48, 128, "bf16", NULL, "bf16");
    emulate_into(&m, &m, "hopper.bf16.f32 | out(bf16,rne)");
    ulp_explain_t e = explain(&m, NULL);
    cr_expect(e.output[0].verdict == ULP_VERDICT_EXPLAINED, "%s", e.output[0].reason);
    const ulp_replay_t *r = find_replay(&e.output[0], "hopper.bf16.f32 | out(bf16,rne)");
    cr_assert(r != NULL && r->matched == 64 * 48);
    ulp_explain_free(&e);
    size_t at = 17 * 48 + 5;
    ulp_tensor_t *out = &m.output[0].tensor;
    uint64_t was = ulp_tensor_get(out, at);
    ulp_tensor_set(out, at, was ^ 1);
    e = explain(&m, NULL);
    const ulp_explanation_t *x = &e.output[0];
    cr_expect(x->verdict != ULP_VERDICT_EXPLAINED && x->verdict != ULP_VERDICT_IDENTICAL, "%s",
              x->reason);
    r = find_replay(x, "hopper.bf16.f32 | out(bf16,rne)");
    cr_assert(r != NULL);
    cr_expect(r->matched == 64 * 48 - 1 && r->first_mismatch == at && r->emulated == was,
              "%zu matched, first mismatch %zu, emulated %#llx", r->matched, r->first_mismatch,
              (unsigned long long)r->emulated);
    cr_expect(x->replay[0].matched == 64 * 48 - 1 && x->replay[0].first_mismatch == at);
    ulp_element_t element;
    cr_assert(ulp_explain_operands(&element, &e, x, at, NULL) == ULP_OK);
    cr_expect(element.noperands == 128 && element.got == (was ^ 1) && !element.has_c);
    double sum = 0.0;
    for (size_t k = 0; k < 128; k++) {
        const ulp_operand_t *o = &element.operand[k];
        cr_expect(o->k == k && o->a == ulp_tensor_get(&m.input[0].tensor, 17 * 128 + k) &&
                  o->b == ulp_tensor_get(&m.input[1].tensor, k * 48 + 5) &&
                  o->product == o->a_value * o->b_value);
        sum += o->product;
    }
    cr_expect(fabs(sum - element.hi) < 1e-12, "%g against %g", sum, element.hi);
    ulp_element_free(&element);
    ulp_explain_free(&e);
    memory_free(&m);
}

/* The same terms in another order: rounding. A term lost, or an output in the wrong place: outside.
 */
Test(explain, orders_and_bugs)
{
    enum { M = 24, N = 20, K = 256 };
    for (int bf16_out = 0; bf16_out < 2; bf16_out++) {
        const char *line = bf16_out ? "hopper.bf16.f32 | out(bf16,rne)" : "hopper.bf16.f32";
        for (int what = 0; what < 4; what++) {
            memory_t m, other;
            memory_init(&m, M, N, K, "bf16", NULL, "f32");
            memory_init(&other, M, N, K, "bf16", NULL, "f32");
            for (size_t i = 0; i < (size_t)M * K; i++) { /* of other: k reversed, or changed */
                size_t row = i / K, k = i % K, from = what == 0 ? K - 1 - k : k;
                uint64_t code = ulp_tensor_get(&m.input[0].tensor, row * K + from);
                code = what == 1 && k == K - 1 ? 0 : what == 2 && k == 7 ? code ^ 0x8000 : code;
                ulp_tensor_set(&other.input[0].tensor, i, code);
            }
            for (size_t i = 0; i < (size_t)K * N; i++) {
                size_t from = what == 0 ? (K - 1 - i / N) * N + i % N : i;
                ulp_tensor_set(&other.input[1].tensor, i, ulp_tensor_get(&m.input[1].tensor, from));
            }
            emulate_into(&m, &other, line);
            if (what == 3) { /* two outputs change places */
                ulp_tensor_t *out = &m.output[0].tensor;
                uint64_t first = ulp_tensor_get(out, 0);
                ulp_tensor_set(out, 0, ulp_tensor_get(out, N + 1));
                ulp_tensor_set(out, N + 1, first);
            }
            ulp_explain_t e = explain(&m, NULL);
            const ulp_explanation_t *x = &e.output[0];
            ulp_verdict_t want = what == 0 ? ULP_VERDICT_ROUNDING : ULP_VERDICT_OUTSIDE;
            /* rounding to bf16 hides what the order changes in the last bits of f32 */
            int hidden = what == 0 && bf16_out && x->verdict == ULP_VERDICT_EXPLAINED;
            cr_expect(x->verdict == want || hidden, "case %d, bf16 %d: %s: %s", what, bf16_out,
                      ulp_verdict_name(x->verdict), x->reason);
            cr_expect(what == 0 ? x->bound_ratio <= 1.0 && x->outside == 0
                                : x->bound_ratio > 1.0 && x->outside > 0);
            cr_expect(what != 3 ||
                      (x->outside == 2 && (x->outside_index == 0 || x->outside_index == N + 1)));
            ulp_explain_free(&e);
            memory_free(&m);
            memory_free(&other);
        }
    }
}

/* Specials that no arithmetic makes of finite operands, and those that one may. */
Test(explain, specials)
{
    static const struct {
        const char *what, *inputs, *output;
        double a, b; /* of row 0, all k; 32 products */
        uint64_t got;
        ulp_verdict_t want;
    } rows[] = {
        {"NaN from finite", "bf16", "f32", 1, 1, 0x7fc00000, ULP_VERDICT_OUTSIDE},
        {"inf from finite", "bf16", "f32", 1, 1, 0x7f800000, ULP_VERDICT_OUTSIDE},
        {"inf where f32 overflows", "bf16", "f32", 0x1p100, 0x1p40, 0x7f800000,
         ULP_VERDICT_ROUNDING},
        {"inf for the largest bf16", "bf16", "bf16", 0x1.fep61, 0x1p61, 0x7f80,
         ULP_VERDICT_OUTSIDE},
        {"inf beyond it", "bf16", "bf16", 0x1.fep61, 0x1.02p61, 0x7f80, ULP_VERDICT_ROUNDING},
        {"number for NaN", "bf16", "f32", (double)NAN, 1, 0x3f800000, ULP_VERDICT_OUTSIDE},
        {"number for inf", "bf16", "f32", HUGE_VAL, 1, 0x3f800000, ULP_VERDICT_OUTSIDE},
        {"zero for 32", "bf16", "f32", 1, 1, 0, ULP_VERDICT_OUTSIDE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory_t m;
        memory_init(&m, 2, 1, 32, rows[i].inputs, NULL, rows[i].output);
        ulp_tensor_t *a = &m.input[0].tensor, *b = &m.input[1].tensor;
        for (size_t k = 0; k < 32; k++) {
            ulp_tensor_set(
                a, k, ulp_number_encode(ulp_number_from_double(rows[i].a), a->format, NULL, NULL));
            ulp_tensor_set(
                b, k, ulp_number_encode(ulp_number_from_double(rows[i].b), b->format, NULL, NULL));
            ulp_tensor_set(a, 32 + k, 0);
        }
        ulp_tensor_set(&m.output[0].tensor, 0, rows[i].got);
        ulp_explain_t e = explain(&m, NULL);
        ulp_verdict_t got = e.output[0].verdict;
        int fine =
            got == rows[i].want || (rows[i].want == ULP_VERDICT_ROUNDING &&
                                    (got == ULP_VERDICT_EXPLAINED || got == ULP_VERDICT_IDENTICAL));
        cr_expect(fine, "%s: %s: %s", rows[i].what, ulp_verdict_name(got), e.output[0].reason);
        ulp_explain_free(&e);
        memory_free(&m);
    }
}

/* Block scales: rows of another block length are no candidates, and no error either. */
Test(explain, block_scales)
{
    memory_t m;
    memory_init(&m, 8, 8, 128, "f4e2m1fn", "f32", "f32");
    size_t a[2] = {8, 4}, b[2] = {4, 8};
    dataset(&m.input[3], "a_scale", "f8e8m0fnu", 2, a);
    dataset(&m.input[4], "b_scale", "f8e8m0fnu", 2, b);
    m.c.ninputs = 5;
    for (size_t i = 0; i < 32; i++) {
        ulp_tensor_set(&m.input[3].tensor, i, 120 + i % 11);
        ulp_tensor_set(&m.input[4].tensor, i, 131 - i % 7);
    }
    emulate_into(&m, &m, "blackwell.mxf4.f32.tcgen05");
    ulp_explain_t e = explain(&m, NULL);
    const ulp_replay_t *r = find_replay(&e.output[0], "blackwell.mxf4.f32.tcgen05");
    cr_expect(e.output[0].verdict == ULP_VERDICT_EXPLAINED && r && r->matched == 64, "%s",
              e.output[0].reason);
    cr_expect(!find_replay(&e.output[0], "blackwell.mxf4nvf4.ue8m0.block16.f32.tcgen05"));
    ulp_element_t element;
    cr_assert(ulp_explain_operands(&element, &e, &e.output[0], 13, NULL) == ULP_OK);
    double sum = element.c_value;
    for (size_t k = 0; k < element.noperands; k++) {
        sum += element.operand[k].product;
    }
    cr_expect(element.has_c && sum == element.hi + element.lo, "%a against %a", sum, element.hi);
    ulp_element_free(&element);
    ulp_explain_free(&e);
    memory_free(&m);
}

/* Models that the caller names; a reference that the device equals; formats of no device. */
Test(explain, chosen_models_and_other_verdicts)
{
    memory_t m;
    memory_init(&m, 10, 10, 48, "bf16", "f32", "f32");
    emulate_into(&m, &m, "fdpa(l=48,f=inf,final=rne24)");
    const char *lines[] = {"hopper.bf16.f32", "fdpa(l=24,f=inf,final=rne24)",
                           "fdpa(l=48,f=inf,final=rne24)"};
    ulp_explain_how_t how = {.model = lines, .nmodels = 3, .threads = 1};
    ulp_explain_t e = explain(&m, &how);
    cr_expect(e.output[0].verdict == ULP_VERDICT_EXPLAINED && e.output[0].nreplays == 3, "%s",
              e.output[0].reason);
    cr_expect(e.output[0].score.exact == 100 && e.output[0].nmatches >= 1);
    cr_expect(strcmp(e.output[0].replay[0].name, lines[2]) == 0 ||
              strcmp(e.output[0].replay[0].name, lines[1]) == 0);
    ulp_explain_free(&e);
    how.nmodels = 1;
    e = explain(&m, &how);
    cr_expect(e.output[0].verdict == ULP_VERDICT_IDENTICAL, "%s", e.output[0].reason);
    ulp_explain_free(&e);
    m.attribute[0] = (ulp_attribute_t){(char *)"alpha", (char *)"2"};
    m.c.nattributes = 1;
    m.c.attribute = m.attribute;
    e = explain(&m, NULL);
    cr_expect(e.output[0].verdict == ULP_VERDICT_UNDECIDED && e.output[0].nreplays == 0, "%s",
              e.output[0].reason);
    cr_expect(strstr(e.output[0].reason, "alpha") != NULL, "%s", e.output[0].reason);
    ulp_explain_free(&e);
    memory_free(&m);
    memory_init(&m, 10, 10, 48, "f8e3m4", "f16", "f16");
    e = explain(&m, NULL);
    cr_expect(e.output[0].verdict == ULP_VERDICT_UNDECIDED, "%s: %s",
              ulp_verdict_name(e.output[0].verdict), e.output[0].reason);
    ulp_explain_free(&e);
    memory_free(&m);
}

Test(explain, refusals)
{
    memory_t m;
    ulp_explain_t e;
    ulp_error_t err;
    memory_init(&m, 4, 4, 16, "f16", "f32", "f32");
    m.c.noutputs = 0;
    cr_expect(ulp_explain_case(&e, &m.c, NULL, &err) == ULP_ERROR_MISSING);
    cr_expect(strstr(err.message, "nothing to compare") != NULL, "%s", err.message);
    m.c.noutputs = 1;
    ulp_explain_how_t how = {.output = "h100"};
    cr_expect(ulp_explain_case(&e, &m.c, &how, &err) == ULP_ERROR_MISSING);
    cr_expect(strstr(err.message, "device") != NULL, "%s", err.message);
    const char *wrong[] = {"fdpq(l=4)"};
    how = (ulp_explain_how_t){.model = wrong, .nmodels = 1};
    cr_expect(ulp_explain_case(&e, &m.c, &how, &err) == ULP_ERROR_ARGUMENT);
    cr_expect(strstr(err.message, "fdpq") != NULL, "%s", err.message);
    m.output[0].tensor.shape[0] = 2;
    m.output[0].tensor.shape[1] = 8;
    cr_expect(ulp_explain_case(&e, &m.c, NULL, &err) == ULP_ERROR_SHAPE);
    cr_expect(strstr(err.message, "2x8") != NULL && strstr(err.message, "4x4") != NULL, "%s",
              err.message);
    memory_free(&m);
    memory_init(&m, 0, 4, 16, "f16", NULL, "f32");
    cr_expect(ulp_explain_case(&e, &m.c, NULL, &err) == ULP_ERROR_MISSING);
    cr_expect(strstr(err.message, "nothing to compare") != NULL, "%s", err.message);
    memory_free(&m);
}
