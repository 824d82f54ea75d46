/* tools/report_explain.c - an explanation as text for a terminal. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/report_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/value.h"

enum { OPERANDS_SHOWN = 16, NAMES_MAX = 1024 };

size_t ulp_report_same_line(char *names, size_t size, const ulp_explanation_t *output, size_t i)
{
    const char *line = output->replay[i].line;
    size_t count = 0;
    names[0] = '\0';
    for (size_t j = 0; j < i; j++) {
        if (strcmp(output->replay[j].line, line) == 0) {
            return 0;
        }
    }
    for (size_t j = i; j < output->nmatches; j++) {
        if (strcmp(output->replay[j].line, line) == 0) {
            size_t used = strlen(names);
            snprintf(names + used, size - used, "%s%s", count ? ", " : "", output->replay[j].name);
            count++;
        }
    }
    return count;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_matches(FILE *out, const ulp_explanation_t *e)
{
    char names[NAMES_MAX];
    fprintf(out, "  every bit of %zu of %zu elements is given by %s:\n", e->n, e->n,
            e->nmatches == 1 ? "one model" : "any of these models");
    for (size_t i = 0; i < e->nmatches; i++) {
        if (ulp_report_same_line(names, sizeof names, e, i) == 0) {
            continue;
        }
        fprintf(out, "    %s\n      = %s\n", names, e->replay[i].line);
        const ulp_named_model_t *row = e->replay[i].row;
        if (row != NULL && row->open[0] != '\0') {
            fprintf(out, "      open: %s\n", row->open);
        }
        if (e->replay[i].nan_any) {
            fprintf(out, "      NaN results were compared as NaN, without their payload\n");
        }
    }
}

static void print_closest(FILE *out, const ulp_explanation_t *e)
{
    size_t tried = e->nreplays;
    if (tried == 1 && e->nmatches == 1) {
        fprintf(out, "  no other model was tried\n");
        return;
    }
    if (tried == e->nmatches) {
        fprintf(out, "  %zu models tried, and all match: this output does not tell them apart\n",
                tried);
        return;
    }
    const ulp_replay_t *next = &e->replay[e->nmatches];
    size_t of = next->screened_n ? next->screened_n : e->n;
    fprintf(out, "  %zu model%s tried; the closest %s: %s, %zu of %zu%s\n", tried, plural(tried),
            e->nmatches ? "other" : "one", next->name, next->matched, of,
            next->screened_n ? " of a sample" : "");
}

static void print_score(FILE *out, const ulp_explanation_t *e)
{
    const ulp_score_t *s = &e->score;
    char index[192];
    char got[ULP_VALUE_MAX];
    char want[ULP_VALUE_MAX];
    const ulp_tensor_t *t = &e->output->tensor;
    fprintf(out,
            "  against the exact result: %zu of %zu correctly rounded; ULP error max %.4g, "
            "mean %.4g, p99 %.4g\n",
            s->exact, s->n, s->max_ulp, s->mean_ulp, s->p99_ulp);
    if (s->infinite > 0) {
        fprintf(out, "    %zu element%s with no finite ULP error\n", s->infinite,
                plural(s->infinite));
    }
    if (s->exact < s->n) {
        ulp_index_print(index, sizeof index, s->worst_index, t->rank, t->shape);
        ulp_value_text(got, s->worst_got, t->format);
        ulp_value_text(want, s->worst_want, t->format);
        fprintf(out, "    worst [%s]: got %s, correctly rounded %s, ULP error %.4g\n", index, got,
                want, s->worst_ulp);
    }
}

static int larger_product(const void *a, const void *b)
{
    double x = fabs(((const ulp_operand_t *)a)->product);
    double y = fabs(((const ulp_operand_t *)b)->product);
    return x < y ? 1 : x > y ? -1 : 0;
}

static int lower_k(const void *a, const void *b)
{
    size_t x = ((const ulp_operand_t *)a)->k;
    size_t y = ((const ulp_operand_t *)b)->k;
    return x < y ? -1 : x > y;
}

static void print_operands(FILE *out, ulp_element_t *element, const ulp_contraction_t *x)
{
    size_t shown = element->noperands;
    char a[ULP_VALUE_MAX];
    char b[ULP_VALUE_MAX];
    char p[ULP_VALUE_MAX];
    if (shown > OPERANDS_SHOWN) {
        qsort(element->operand, shown, sizeof *element->operand, larger_product);
        shown = OPERANDS_SHOWN;
        qsort(element->operand, shown, sizeof *element->operand, lower_k);
    }
    fprintf(out, "      k     a                                    b                              "
                 "      a b\n");
    for (size_t i = 0; i < shown; i++) {
        const ulp_operand_t *o = &element->operand[i];
        ulp_value_text(a, o->a, x->a->format);
        ulp_value_text(b, o->b, x->b->format);
        ulp_value_real(p, o->product);
        fprintf(out, "      %-5zu %-36s %-36s %s\n", o->k, a, b, p);
    }
    if (shown < element->noperands) {
        fprintf(out, "      the %zu largest products of %zu; the others are smaller\n", shown,
                element->noperands);
    }
}

static void print_element(FILE *out, const ulp_explain_t *explain, const ulp_explanation_t *e,
                          size_t at, const ulp_replay_t *replay)
{
    const ulp_tensor_t *t = &e->output->tensor;
    ulp_element_t element;
    ulp_error_t err;
    char index[192];
    char text[ULP_VALUE_MAX];
    ulp_index_print(index, sizeof index, at, t->rank, t->shape);
    if (ulp_explain_operands(&element, explain, e, at, &err) != ULP_OK) {
        fprintf(out, "    [%s]: %s\n", index, err.message);
        return;
    }
    fprintf(out, "    element [%s], operand by operand:\n", index);
    print_operands(out, &element, &explain->contraction);
    if (element.has_c) {
        ulp_value_text(text, element.c, explain->contraction.c->format);
        fprintf(out, "      c                 %s\n", text);
    }
    ulp_value_real(text, element.hi);
    fprintf(out, "      exact             %s", text);
    if (element.lo != 0.0) {
        fprintf(out, " %+.3g", element.lo);
    }
    ulp_value_text(text, element.want, t->format);
    fprintf(out, "\n      correctly rounded %s\n", text);
    ulp_value_text(text, element.got, t->format);
    fprintf(out, "      got               %s\n", text);
    if (replay != NULL) {
        ulp_value_text(text, replay->emulated, t->format);
        fprintf(out, "      the model gives   %s\n", text);
    }
    ulp_element_free(&element);
}

static void print_unmatched(FILE *out, const ulp_explain_t *explain, const ulp_explanation_t *e)
{
    if (e->nreplays > 0) {
        const ulp_replay_t *best = &e->replay[0];
        size_t of = best->screened_n ? best->screened_n : e->n;
        fprintf(out, "  best partial match: %s, %zu of %zu%s\n      = %s\n", best->name,
                best->matched, of, best->screened_n ? " of a sample" : "", best->line);
        fprintf(out, "    its first mismatch:\n");
        print_element(out, explain, e, best->first_mismatch, best);
    }
    if (e->verdict == ULP_VERDICT_OUTSIDE || e->verdict == ULP_VERDICT_ROUNDING) {
        fprintf(out,
                "  bound: %zu element%s beyond what any order of these arithmetics can give; "
                "largest |got - exact| / bound %.4g\n",
                e->outside, plural(e->outside), e->bound_ratio);
    }
    if (e->verdict == ULP_VERDICT_OUTSIDE && e->nreplays > 0 &&
        e->outside_index != e->replay[0].first_mismatch) {
        fprintf(out, "    the worst of them:\n");
        print_element(out, explain, e, e->outside_index, NULL);
    }
}

void ulp_report_explain_text(ulp_call_t *call, const ulp_explain_t *explain,
                             const ulp_explanation_t *e)
{
    FILE *out = call->out;
    char shape[192];
    const ulp_tensor_t *t = &e->output->tensor;
    ulp_shape_print(shape, sizeof shape, t->rank, t->shape);
    fprintf(out, "output %s (%s, %s): %s\n", e->output->name, t->format->name, shape,
            ulp_verdict_name(e->verdict));
    if (e->reason[0] != '\0' && e->nmatches == 0) {
        fprintf(out, "  %s\n", e->reason);
    }
    if (e->nmatches > 0) {
        print_matches(out, e);
        print_closest(out, e);
    } else if (e->verdict != ULP_VERDICT_IDENTICAL) {
        print_unmatched(out, explain, e);
        fprintf(out, "  %zu model%s tried\n", e->nreplays, plural(e->nreplays));
    }
    print_score(out, e);
}
