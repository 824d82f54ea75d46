/* analysis/explain.c - each output of a case against the reference, the models and the bound. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "analysis/replay.h"
#include "analysis/verdict.h"

static int count_threads(const ulp_explain_how_t *how)
{
    if (how && how->threads > 0) {
        return how->threads;
    }
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

static ulp_status_t check_shape(const ulp_case_dataset_t *output, const ulp_contraction_t *x,
                                ulp_error_t *err)
{
    const ulp_tensor_t *t = &output->tensor;
    int same = t->rank == x->out_rank;
    for (int i = 0; same && i < t->rank; i++) {
        same = t->shape[i] == x->out_shape[i];
    }
    if (same) {
        return ULP_OK;
    }
    char got[192], want[192];
    ulp_shape_print(got, sizeof got, t->rank, t->shape);
    ulp_shape_print(want, sizeof want, x->out_rank, x->out_shape);
    return ulp_error_set(err, ULP_ERROR_SHAPE, "/outputs/%s is %s, the operation gives %s",
                         output->name, got, want);
}

/* The reference in that format, computed when first asked for. */
static ulp_status_t find_reference(const ulp_reference_t **out, ulp_explain_t *explain,
                                   const ulp_format_t *format, int threads, ulp_error_t *err)
{
    for (size_t i = 0; i < explain->nreferences; i++) {
        if (explain->reference[i].rounded.format == format) {
            *out = &explain->reference[i];
            return ULP_OK;
        }
    }
    ulp_reference_t *made = &explain->reference[explain->nreferences];
    ulp_status_t status =
        ulp_reference_contraction(made, &explain->contraction, format, threads, err);
    if (status == ULP_OK) {
        explain->nreferences++;
        *out = made;
    }
    return status;
}

/* Move the candidates' results into the explanation. */
static ulp_status_t keep_replays(ulp_explanation_t *e, const ulp_candidates_t *candidates,
                                 ulp_error_t *err)
{
    e->replay = calloc(candidates->count ? candidates->count : 1, sizeof *e->replay);
    if (!e->replay) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for %zu models",
                             candidates->count);
    }
    for (size_t i = 0; i < candidates->count; i++) {
        e->replay[i] = candidates->item[i].result;
        e->nmatches += e->replay[i].screened_n == 0 && e->replay[i].matched == e->n;
    }
    e->nreplays = candidates->count;
    return ULP_OK;
}

static ulp_status_t explain_output(ulp_explanation_t *e, ulp_explain_t *explain,
                                   const ulp_explain_how_t *how, ulp_error_t *err)
{
    const ulp_contraction_t *x = &explain->contraction;
    const ulp_tensor_t *output = &e->output->tensor;
    int threads = count_threads(how);
    e->n = output->nelems;
    ulp_candidates_t candidates = {0};
    ulp_status_t status = check_shape(e->output, x, err);
    if (status == ULP_OK && e->n == 0) {
        status = ulp_error_set(err, ULP_ERROR_MISSING, "/outputs/%s is empty: nothing to compare",
                               e->output->name);
    }
    if (status == ULP_OK) {
        status = find_reference(&e->reference, explain, output->format, threads, err);
    }
    if (status == ULP_OK) {
        status = ulp_score_output(&e->score, output, e->reference, err);
    }
    if (status == ULP_OK && x->shape.alpha == 1.0 && x->shape.beta == 1.0) {
        status = ulp_candidates_find(&candidates, x, output->format, how, err);
    }
    if (status == ULP_OK) {
        status = ulp_candidates_replay(&candidates, x, output, e->reference,
                                       ULP_REPLAY_SCREEN_PRODUCTS, threads, err);
    }
    if (status == ULP_OK) {
        status = keep_replays(e, &candidates, err);
    }
    if (status == ULP_OK) {
        ulp_verdict_decide(e, &candidates, x);
    }
    ulp_candidates_free(&candidates);
    return status;
}

/* "a, b, c" */
static void list_outputs(char *text, size_t size, const ulp_case_t *c)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < c->noutputs && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s%s", i ? ", " : "", c->output[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
}

static ulp_status_t choose_outputs(ulp_explain_t *explain, const ulp_case_t *c,
                                   const ulp_explain_how_t *how, ulp_error_t *err)
{
    if (c->noutputs == 0) {
        return ulp_error_set(err, ULP_ERROR_MISSING,
                             "%s: no datasets under /outputs: nothing to compare", c->path);
    }
    explain->output = calloc(c->noutputs, sizeof *explain->output);
    explain->reference = calloc(c->noutputs, sizeof *explain->reference);
    if (!explain->output || !explain->reference) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for %zu outputs", c->noutputs);
    }
    for (size_t i = 0; i < c->noutputs; i++) {
        if (!how || !how->output || strcmp(how->output, c->output[i].name) == 0) {
            explain->output[explain->count++].output = &c->output[i];
        }
    }
    if (explain->count == 0) {
        char names[256];
        list_outputs(names, sizeof names, c);
        return ulp_error_set(err, ULP_ERROR_MISSING, "%s: no output %s; there are: %s", c->path,
                             how->output, names);
    }
    return ULP_OK;
}

ulp_status_t ulp_explain_case(ulp_explain_t *out, const ulp_case_t *c, const ulp_explain_how_t *how,
                              ulp_error_t *err)
{
    ulp_explain_t made = {0};
    ulp_status_t status = choose_outputs(&made, c, how, err);
    if (status == ULP_OK) {
        status = ulp_case_contraction(&made.contraction, c, err);
    }
    for (size_t i = 0; i < made.count && status == ULP_OK; i++) {
        status = explain_output(&made.output[i], &made, how, err);
    }
    if (status != ULP_OK) {
        ulp_explain_free(&made);
        return status;
    }
    *out = made;
    return ULP_OK;
}

void ulp_explain_free(ulp_explain_t *explain)
{
    for (size_t i = 0; explain->output && i < explain->count; i++) {
        free(explain->output[i].replay);
    }
    for (size_t i = 0; i < explain->nreferences; i++) {
        ulp_reference_free(&explain->reference[i]);
    }
    free(explain->output);
    free(explain->reference);
    *explain = (ulp_explain_t){0};
}
