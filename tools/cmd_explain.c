/* tools/cmd_explain.c - ulpscope explain CASE: which arithmetic produced the outputs? */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tools/commands.h"
#include "tools/report_explain.h"

enum { MODEL = 1, OUTPUT, DTYPE };

static const struct poptOption options[] = {
    {"model", 0, POPT_ARG_STRING, NULL, MODEL, "only this model, a name or a line; may be repeated",
     "MODEL"},
    {"output", 0, POPT_ARG_STRING, NULL, OUTPUT, "only this output", "NAME"},
    {"dtype", 0, POPT_ARG_STRING, NULL, DTYPE, "formats that the storage does not say",
     "NAME=FORMAT,..."},
    POPT_TABLEEND};

static ulp_exit_t exit_of(ulp_verdict_t verdict)
{
    switch (verdict) {
    case ULP_VERDICT_EXPLAINED:
    case ULP_VERDICT_IDENTICAL:
        return ULP_EXIT_YES;
    case ULP_VERDICT_ROUNDING:
    case ULP_VERDICT_OUTSIDE:
        return ULP_EXIT_NO;
    case ULP_VERDICT_UNDECIDED:
        break;
    }
    return ULP_EXIT_NO_ANSWER;
}

static void print(ulp_call_t *call, const ulp_case_t *c, const ulp_explain_t *explain)
{
    if (call->report == ULP_REPORT_JSON) {
        ulp_report_explain_json(call, c, explain);
        return;
    }
    if (call->report == ULP_REPORT_TEXT) {
        fprintf(call->out, "%s: %s, K = %zu\n", c->path, c->op->formula,
                explain->contraction.shape.k);
    }
    for (size_t i = 0; i < explain->count; i++) {
        if (call->report == ULP_REPORT_TEXT) {
            ulp_report_explain_text(call, explain, &explain->output[i]);
        } else {
            fputs(i ? "\n" : "", call->out);
            ulp_report_explain_markdown(call, c, &explain->output[i]);
        }
    }
}

static ulp_exit_t run(ulp_call_t *call)
{
    const char *model[ULP_GIVEN_MAX];
    ulp_explain_how_t how = {.output = ulp_call_option(call, OUTPUT), .threads = call->threads};
    for (size_t i = 0; i < call->ngiven; i++) {
        if (call->given[i].code == MODEL) {
            model[how.nmodels++] = call->given[i].value;
        }
    }
    how.model = model;
    ulp_error_t err;
    ulp_case_t c;
    memset(&c, 0, sizeof c);
    if (ulp_case_read(&c, call->operand[0], ulp_call_option(call, DTYPE), &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message);
    }
    ulp_explain_t explain;
    ulp_exit_t code = ULP_EXIT_YES;
    if (ulp_explain_case(&explain, &c, &how, &err) != ULP_OK) {
        code = ulp_call_fail(call, "%s", err.message);
    } else {
        print(call, &c, &explain);
        for (size_t i = 0; i < explain.count; i++) {
            code = ulp_exit_worse(code, exit_of(explain.output[i].verdict));
        }
        ulp_explain_free(&explain);
    }
    ulp_case_free(&c);
    return code;
}

const ulp_command_t ulp_cmd_explain = {
    .name = "explain",
    .operands = "CASE",
    .least = 1,
    .most = 1,
    .summary = "which arithmetic produced the outputs of a case; rounding, or a bug?",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON | 1u << ULP_REPORT_MARKDOWN,
    .examples = "  ulpscope explain case.h5\n"
                "  ulpscope explain case.h5 --model 'hopper.bf16.f32 | out(bf16,rne)' --json\n",
    .run = run};
