/* tools/report_explain_markdown.c - an explanation as a review comment. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tools/report_explain.h"
#include "tools/value.h"

enum { NAMES_MAX = 1024, LINES_SHOWN = 6 };

static const char *const meaning[] = {
    [ULP_VERDICT_UNDECIDED] = "No answer",
    [ULP_VERDICT_EXPLAINED] = "A device model reproduces every bit",
    [ULP_VERDICT_IDENTICAL] = "Every element is correctly rounded",
    [ULP_VERDICT_ROUNDING] =
        "No model tried reproduces it, and its error is within the worst case of these "
        "arithmetics: rounding is not excluded, and not shown",
    [ULP_VERDICT_OUTSIDE] = "No order of this arithmetic can give it: a bug, or another operation",
};

static void print_matches(FILE *out, const ulp_explanation_t *e)
{
    char names[NAMES_MAX];
    size_t lines = 0;
    size_t left = 0;
    for (size_t i = 0; i < e->nmatches; i++) {
        size_t count = ulp_report_same_line(names, sizeof names, e, i);
        if (count > 0 && lines >= LINES_SHOWN) {
            left += count;
        } else if (count > 0) {
            fprintf(out, "- %s: `%s`\n", names, e->replay[i].line);
            lines++;
        }
    }
    if (left > 0) {
        fprintf(out, "- and %zu more, which `--format text` and `--json` list\n", left);
    }
}

static void print_mismatch(FILE *out, const ulp_explanation_t *e)
{
    const ulp_replay_t *best = &e->replay[0];
    const ulp_tensor_t *t = &e->output->tensor;
    char index[192];
    char got[ULP_VALUE_MAX];
    char gives[ULP_VALUE_MAX];
    ulp_index_print(index, sizeof index, best->first_mismatch, t->rank, t->shape);
    ulp_value_text(got, ulp_tensor_get(t, best->first_mismatch), t->format);
    ulp_value_text(gives, best->emulated, t->format);
    fprintf(out,
            "Closest model: %s (`%s`), %zu of %zu. First mismatch at [%s]: got %s, the model "
            "gives %s.\n\n",
            best->name, best->line, best->matched, best->screened_n ? best->screened_n : e->n,
            index, got, gives);
}

void ulp_report_explain_markdown(ulp_call_t *call, const ulp_case_t *c, const ulp_explanation_t *e)
{
    FILE *out = call->out;
    const ulp_score_t *s = &e->score;
    const ulp_tensor_t *t = &e->output->tensor;
    char index[192];
    fprintf(out, "**`%s` (%s): %s.** %s.\n\n", e->output->name, t->format->name,
            ulp_verdict_name(e->verdict), meaning[e->verdict]);
    if (e->reason[0] != '\0' && e->nmatches == 0) {
        fprintf(out, "In detail: %s.\n\n", e->reason);
    }
    if (e->nmatches > 0) {
        fprintf(out, "Every bit of %zu of %zu elements is given by any of\n\n", e->n, e->n);
        print_matches(out, e);
        fprintf(out, "\n");
    } else if (e->nreplays > 0 && e->verdict != ULP_VERDICT_IDENTICAL) {
        print_mismatch(out, e);
    }
    ulp_index_print(index, sizeof index, s->worst_index, t->rank, t->shape);
    fprintf(out,
            "| against the exact result | |\n|---|---|\n| correctly rounded | %zu of %zu |\n"
            "| ULP error: max, mean, p99 | %.4g, %.4g, %.4g |\n",
            s->exact, s->n, s->max_ulp, s->mean_ulp, s->p99_ulp);
    if (s->exact < s->n) {
        fprintf(out, "| worst element | [%s] |\n", index);
    }
    if (e->verdict == ULP_VERDICT_ROUNDING || e->verdict == ULP_VERDICT_OUTSIDE) {
        fprintf(out, "| beyond the bound of any order | %zu |\n| largest error / bound | %.4g |\n",
                e->outside, e->bound_ratio);
    }
    fprintf(out, "\nReproduce: `ulpscope explain %s --output %s` (ulpscope %s)\n", c->path,
            e->output->name, ULP_VERSION);
}
