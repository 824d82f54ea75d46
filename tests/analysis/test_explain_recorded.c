/* tests/analysis/test_explain_recorded.c - recorded outputs of tensor cores name their datapath. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "analysis/explain.h"
#include "emulators/emulate.h"

/* Files of ULP_TEST_SHARED_DIR/recorded [KM25]: a row that must match every bit, and beginnings of
 * names that must not (generations that the recorded values tell apart). */
typedef struct {
    const char *file, *row, *others[4];
} recorded_t;

static const recorded_t files[] = {
    {"v100_f16_f32", "volta.f16.f32", {"turing.", "ampere.", "hopper.", "blackwell."}},
    {"v100_f16_f16", "volta.f16.f16", {NULL}},
    {"a100_f16_f32", "ampere.f16.f32", {"volta.", "hopper.", "blackwell."}},
    {"a100_f16_f16", "ampere.f16.f16", {NULL}},
    {"a100_bf16_f32", "ampere.bf16.f32", {"hopper.", "blackwell.", "cdna"}},
    {"a100_tf32_f32", "ampere.tf32.f32", {"hopper.", "blackwell."}},
    {"ada_f16_f32", "ada.f16.f32", {"volta.", "hopper.", "blackwell."}},
    {"ada_f16_f16", "ada.f16.f16", {NULL}},
    {"ada_bf16_f32", "ada.bf16.f32", {"hopper.", "blackwell.", "cdna"}},
    {"ada_tf32_f32", "ada.tf32.f32", {"hopper.", "blackwell."}},
    {"ada_f8e4m3fn_f32", "ada.f8.f32", {"hopper.", "blackwell."}},
    {"ada_f8e5m2_f32", "ada.f8.f32", {"hopper.", "blackwell."}},
    {"ada_f8e4m3fn_f16", "ada.f8.f16", {"hopper."}},
    {"ada_f8e5m2_f16", "ada.f8.f16", {"hopper."}},
    {"h100_f16_f32", "hopper.f16.f32", {"volta.", "ampere.", "ada.", "cdna"}},
    {"h100_f16_f16", "hopper.f16.f16", {NULL}},
    {"h100_bf16_f32", "hopper.bf16.f32", {"ampere.", "ada.", "cdna"}},
    {"h100_tf32_f32", "hopper.tf32.f32", {"ampere.", "ada."}},
    {"h100_f8e4m3fn_f32", "hopper.f8.f32.wgmma", {"ada.", "blackwell.", "hopper.f8.f32.mma"}},
    {"h100_f8e5m2_f32", "hopper.f8.f32.wgmma", {"ada.", "blackwell.", "hopper.f8.f32.mma"}},
    {"h100_f8e4m3fn_f16", "hopper.f8.f16.mma", {"ada."}},
    {"h100_f8e5m2_f16", "hopper.f8.f16.mma", {"ada."}},
    {"b200_f16_f32", "blackwell.f16.f32", {"volta.", "ampere.", "ada.", "cdna"}},
    {"b200_f16_f16", "blackwell.f16.f16", {NULL}},
    {"b200_bf16_f32", "blackwell.bf16.f32", {"ampere.", "ada.", "cdna"}},
    {"b200_tf32_f32", "blackwell.tf32.f32", {"ampere.", "ada."}},
    {"b200_f8e4m3fn_f32", "blackwell.f8.f32.mma", {"ada.", "blackwell.f8f6f4.f32.tcgen05"}},
    {"b200_f8e5m2_f32", "blackwell.f8.f32.mma", {"ada.", "blackwell.f8f6f4.f32.tcgen05"}},
    {"b200_f8e4m3fn_f16", "blackwell.f8.f16.mma", {"ada."}},
    {"b200_f8e5m2_f16", "blackwell.f8.f16.mma", {"ada."}},
};
enum { FILES = sizeof files / sizeof files[0], ROWS = 2500 };

static void read_file(ulp_case_t *c, const char *file)
{
    char path[512];
    ulp_error_t err;
    snprintf(path, sizeof path, "%s/recorded/%s.h5", ULP_TEST_SHARED_DIR, file);
    cr_assert(ulp_case_read(c, path, NULL, &err) == ULP_OK, "%s", err.message);
}

static ulp_explain_t explain(const ulp_case_t *c)
{
    ulp_explain_t e;
    ulp_error_t err;
    cr_assert(ulp_explain_case(&e, c, NULL, &err) == ULP_OK, "%s", err.message);
    cr_assert(e.count == 1, "%zu outputs", e.count);
    return e;
}

static int begins(const char *name, const char *with)
{
    return with && strncmp(name, with, strlen(with)) == 0;
}

/* A row's own output, not one that was converted. */
static int is_forbidden(const recorded_t *f, const ulp_replay_t *r)
{
    int forbidden = 0;
    for (int i = 0; i < 4; i++) {
        forbidden |= begins(r->name, f->others[i]);
    }
    return forbidden;
}

Test(recorded, each_file_names_its_datapath)
{
    for (size_t i = 0; i < FILES; i++) {
        ulp_case_t c;
        read_file(&c, files[i].file);
        ulp_explain_t e = explain(&c);
        const ulp_explanation_t *x = &e.output[0];
        cr_expect(x->verdict == ULP_VERDICT_EXPLAINED && x->n == ROWS, "%s: %s: %s", files[i].file,
                  ulp_verdict_name(x->verdict), x->reason);
        int found = 0;
        for (size_t j = 0; j < x->nreplays; j++) {
            const ulp_replay_t *r = &x->replay[j];
            int match = r->matched == ROWS && r->screened_n == 0;
            cr_expect((j < x->nmatches) == match, "%s: order of replays", files[i].file);
            /* GENERATION.INPUT.ACCUMULATOR may stand for ... .mma, its default instruction */
            found |= match && r->row && r->row == ulp_named_model_find(files[i].row);
            cr_expect(!match || !is_forbidden(&files[i], r), "%s: %s matches too", files[i].file,
                      r->name);
        }
        cr_expect(found, "%s: %s is not among the %zu matches; the first is %s with %zu of %d",
                  files[i].file, files[i].row, x->nmatches, x->nreplays ? x->replay[0].name : "-",
                  x->nreplays ? x->replay[0].matched : 0, ROWS);
        cr_expect(x->outside == 0, "%s: %zu recorded values outside the bound, ratio %g",
                  files[i].file, x->outside, x->bound_ratio);
        ulp_explain_free(&e);
        ulp_case_free(&c);
    }
}

/* One bit of one output: not explained, and that element is the best model's first mismatch. */
Test(recorded, one_bit_is_seen)
{
    for (size_t i = 0; i < FILES; i++) {
        ulp_case_t c;
        read_file(&c, files[i].file);
        ulp_tensor_t *out = &c.output[0].tensor;
        size_t at = (i * 977 + 13) % ROWS;
        uint64_t was = ulp_tensor_get(out, at);
        ulp_tensor_set(out, at, was ^ UINT64_C(1) << i % 10);
        ulp_explain_t e = explain(&c);
        const ulp_explanation_t *x = &e.output[0];
        cr_expect(x->verdict != ULP_VERDICT_EXPLAINED && x->verdict != ULP_VERDICT_IDENTICAL &&
                      x->nmatches == 0,
                  "%s: %s", files[i].file, x->reason);
        const ulp_replay_t *r = &x->replay[0];
        cr_expect(r->matched == ROWS - 1 && r->first_mismatch == at && r->emulated == was,
                  "%s: %s matches %zu, first mismatch %zu, want %zu", files[i].file, r->name,
                  r->matched, r->first_mismatch, at);
        ulp_explain_free(&e);
        ulp_case_free(&c);
    }
}

/* The output of another generation's instruction on the same inputs: that one is named. */
Test(recorded, another_generation_is_named)
{
    static const char *const swaps[][3] = {
        {"a100_f16_f32", "ampere.f16.f32", "hopper.f16.f32"},
        {"h100_bf16_f32", "hopper.bf16.f32", "ampere.bf16.f32"},
        {"h100_f8e4m3fn_f32", "hopper.f8.f32.wgmma", "ada.f8.f32"},
        {"b200_f8e5m2_f32", "blackwell.f8.f32.mma", "blackwell.f8f6f4.f32.tcgen05"},
        {"v100_f16_f32", "volta.f16.f32", "ampere.f16.f32"},
    };
    for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++) {
        ulp_case_t c;
        ulp_error_t err;
        read_file(&c, swaps[i][0]);
        ulp_contraction_t x;
        cr_assert(ulp_case_contraction(&x, &c, &err) == ULP_OK, "%s", err.message);
        const ulp_named_model_t *own = ulp_named_model_find(swaps[i][1]);
        const ulp_named_model_t *other = ulp_named_model_find(swaps[i][2]);
        cr_assert(own && other, "%s, %s", swaps[i][1], swaps[i][2]);
        ulp_model_t model = ulp_named_model_parse(other);
        ulp_tensor_free(&c.output[0].tensor);
        cr_assert(ulp_emulate_contraction(&c.output[0].tensor, &x, &model, ULP_PATH_AUTO, 1,
                                          &err) == ULP_OK,
                  "%s", err.message);
        ulp_explain_t e = explain(&c);
        int own_matches = 0, other_matches = 0;
        for (size_t j = 0; j < e.output[0].nmatches; j++) {
            own_matches |= e.output[0].replay[j].row == own;
            other_matches |= e.output[0].replay[j].row == other;
        }
        cr_expect(other_matches && !own_matches, "%s as %s: %s", swaps[i][0], swaps[i][2],
                  e.output[0].reason);
        ulp_explain_free(&e);
        ulp_case_free(&c);
    }
}
