/* analysis/replay.c - find candidate models, replay them, count the elements they reproduce. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulators/emulate.h"
#include "precision/ulp.h"

static int has_stage(const ulp_model_t *model, ulp_stage_kind_t kind)
{
    for (size_t i = 0; i < model->nstages; i++) {
        if (model->stage[i].kind == kind) {
            return 1;
        }
    }
    return 0;
}

/* Parse text (a name or a line), continue it to the output's format if need be. */
static ulp_status_t make_candidate(ulp_candidate_t *out, const char *text,
                                   const ulp_named_model_t *row, const ulp_format_t *output,
                                   ulp_error_t *err)
{
    ulp_candidate_t c = {.result.row = row};
    ulp_status_t status = ulp_model_parse(&c.model, text, err);
    if (status != ULP_OK) {
        return status;
    }
    const ulp_format_t *given = ulp_model_output(&c.model);
    int convert = given != output;
    if (convert && (has_stage(&c.model, ULP_STAGE_OUT) || given->kind != ULP_KIND_FLOAT ||
                    output->kind != ULP_KIND_FLOAT)) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT, "model %.200s gives %s, the output is %s",
                             text, given->name, output->name);
    }
    char line[ULP_MODEL_LINE_MAX + 32];
    (void)snprintf(line, sizeof line, convert ? "%s | out(%s,rne)" : "%s", text, output->name);
    if (convert) {
        status = ulp_model_parse(&c.model, line, err);
        if (status != ULP_OK) {
            return status;
        }
    }
    (void)snprintf(c.result.name, sizeof c.result.name, "%.*s", (int)sizeof c.result.name - 1,
                   line);
    ulp_model_print(c.result.line, &c.model);
    /* What a conversion makes of a NaN is the kernel's affair, and a bare line says nothing. */
    c.any_nan = !row || row->nan_payload_open || has_stage(&c.model, ULP_STAGE_OUT);
    *out = c;
    return ULP_OK;
}

/* A kernel's last step makes results shorter, never longer. */
static int shortens(const ulp_format_t *from, const ulp_format_t *to)
{
    return from->kind == ULP_KIND_FLOAT && to->kind == ULP_KIND_FLOAT && to->p < from->p &&
           to->emax <= from->emax;
}

/* Scales of one format, one for as many k as the model says. */
static int scales_fit(const ulp_model_t *model, const ulp_contraction_t *x)
{
    if (!x->a_scale) {
        return !has_stage(model, ULP_STAGE_SCALE);
    }
    for (size_t i = 0; i < model->nstages; i++) {
        if (model->stage[i].kind == ULP_STAGE_SCALE) {
            return (size_t)model->stage[i].n == x->shape.scale_block &&
                   x->a_scale->format == x->b_scale->format;
        }
    }
    return 0;
}

/* 1 if the row's instruction takes these operands and gives the output, or a wider float that a
 * kernel rounds to it. */
static int row_fits(const ulp_named_model_t *row, const ulp_contraction_t *x,
                    const ulp_format_t *output)
{
    ulp_model_t model = ulp_named_model_parse(row);
    if (!scales_fit(&model, x)) {
        return 0;
    }
    const ulp_format_t *c = x->c ? x->c->format : NULL;
    const ulp_format_t *scale = x->a_scale ? x->a_scale->format : NULL;
    if (ulp_named_model_fits(row, x->a->format, x->b->format, c, scale, output)) {
        return 1;
    }
    const ulp_format_t *given = ulp_model_output(&model);
    return shortens(given, output) && !has_stage(&model, ULP_STAGE_OUT) &&
           ulp_named_model_fits(row, x->a->format, x->b->format, c, scale, given);
}

ulp_status_t ulp_candidates_find(ulp_candidates_t *out, const ulp_contraction_t *x,
                                 const ulp_format_t *output, const ulp_explain_how_t *how,
                                 ulp_error_t *err)
{
    int chosen = how && how->model && how->nmodels > 0;
    size_t most = chosen ? how->nmodels : ulp_named_model_count();
    ulp_candidates_t found = {.item = calloc(most ? most : 1, sizeof *found.item)};
    ulp_status_t status = ULP_OK;
    if (!found.item) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for %zu models", most);
    }
    for (size_t i = 0; i < most && status == ULP_OK; i++) {
        if (chosen) {
            const char *text = how->model[i];
            status = make_candidate(&found.item[found.count++], text, ulp_named_model_find(text),
                                    output, err);
        } else if (row_fits(ulp_named_model_at(i), x, output)) {
            const ulp_named_model_t *row = ulp_named_model_at(i);
            status = make_candidate(&found.item[found.count], row->name, row, output, err);
            found.item[found.count++].from_table = 1;
        }
    }
    if (status != ULP_OK) {
        ulp_candidates_free(&found);
        return status;
    }
    *out = found;
    return ULP_OK;
}

void ulp_candidates_free(ulp_candidates_t *candidates)
{
    free(candidates->item);
    *candidates = (ulp_candidates_t){0};
}

/* Count one element. */
static void compare(ulp_candidate_t *c, uint64_t emulated, uint64_t got, size_t index, size_t *seen,
                    const ulp_format_t *format)
{
    int same = emulated == got;
    if (!same && c->any_nan && ulp_format_is_nan(emulated, format) &&
        ulp_format_is_nan(got, format)) {
        same = 1;
        c->result.nan_any = 1;
    }
    if (same) {
        c->result.matched++;
    } else if (*seen == c->result.matched) { /* none differed before */
        c->result.first_mismatch = index;
        c->result.emulated = emulated;
    }
    (*seen)++;
}

static ulp_status_t replay_in_full(ulp_candidate_t *c, const ulp_contraction_t *x,
                                   const ulp_tensor_t *output, int threads, ulp_error_t *err)
{
    ulp_tensor_t emulated;
    ulp_status_t status =
        ulp_emulate_contraction(&emulated, x, &c->model, ULP_PATH_AUTO, threads, err);
    if (status != ULP_OK) {
        return status;
    }
    c->result.matched = c->result.screened_n = c->result.screened_matched = 0;
    size_t seen = 0;
    for (size_t i = 0; i < output->nelems; i++) {
        compare(c, ulp_tensor_get(&emulated, i), ulp_tensor_get(output, i), i, &seen,
                output->format);
    }
    ulp_tensor_free(&emulated);
    return ULP_OK;
}

/* How far the exact result is from the nearest tie of the output's rounding, in ulp. */
static double distance_to_tie(const ulp_reference_t *r, size_t i)
{
    uint64_t rounded = ulp_tensor_get(&r->rounded, i);
    double error = ulp_ulp_error(rounded, r->rounded.format, r->hi[i], r->lo[i]);
    return error <= 0.5 ? 0.5 - error : 1.0;
}

/* One element of each of `count` equal parts: the one nearest to a tie, for there a rounding to a
 * short format tells apart what differs in the last bits of the sum. */
static void choose_sample(size_t *index, size_t count, const ulp_reference_t *r)
{
    size_t length = r->rounded.nelems / count;
    for (size_t i = 0; i < count; i++) {
        size_t first = length * i;
        double least = 2.0;
        for (size_t j = first; j < first + length; j++) {
            double distance = distance_to_tie(r, j);
            if (distance < least) {
                least = distance;
                index[i] = j;
            }
        }
    }
}

static ulp_status_t replay_sample(ulp_candidate_t *c, const ulp_contraction_t *x,
                                  const ulp_tensor_t *output, const size_t *index, size_t count,
                                  ulp_error_t *err)
{
    uint64_t *code = calloc(count, sizeof *code);
    if (!code) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for a sample of %zu", count);
    }
    ulp_status_t status = ulp_emulate_elements(code, index, count, x, &c->model, err);
    size_t seen = 0;
    c->result.matched = 0;
    for (size_t i = 0; i < count && status == ULP_OK; i++) {
        compare(c, code[i], ulp_tensor_get(output, index[i]), index[i], &seen, output->format);
    }
    c->result.screened_n = count;
    c->result.screened_matched = c->result.matched;
    free(code);
    return status;
}

/* Results of an earlier candidate with the same line: generations share datapaths. */
static int copy_twin(ulp_candidates_t *all, size_t i)
{
    ulp_candidate_t *c = &all->item[i];
    for (size_t j = 0; j < i; j++) {
        const ulp_replay_t *twin = &all->item[j].result;
        if (all->item[j].any_nan == c->any_nan && strcmp(twin->line, c->result.line) == 0) {
            ulp_replay_t own = c->result;
            c->result = *twin;
            c->result.row = own.row;
            memcpy(c->result.name, own.name, sizeof own.name);
            return 1;
        }
    }
    return 0;
}

static int by_matches(const ulp_candidate_t *a, const ulp_candidate_t *b)
{
    int a_sampled = a->result.screened_n > 0, b_sampled = b->result.screened_n > 0;
    if (a_sampled != b_sampled) {
        return a_sampled - b_sampled;
    }
    if (a->result.matched != b->result.matched) {
        return a->result.matched > b->result.matched ? -1 : 1;
    }
    /* An instruction that gives the output's format itself is the simpler explanation. */
    return has_stage(&a->model, ULP_STAGE_OUT) - has_stage(&b->model, ULP_STAGE_OUT);
}

/* Insertion sort: stable, and the lists are short. */
static void sort_candidates(ulp_candidates_t *all)
{
    for (size_t i = 1; i < all->count; i++) {
        ulp_candidate_t moved = all->item[i];
        size_t j = i;
        for (; j > 0 && by_matches(&all->item[j - 1], &moved) > 0; j--) {
            all->item[j] = all->item[j - 1];
        }
        all->item[j] = moved;
    }
}

static int is_refuted(const ulp_candidate_t *c)
{
    return c->result.matched < c->result.screened_n;
}

/* A sample of every candidate that none has refuted yet; *best is the most that one reproduces. */
static ulp_status_t screen(ulp_candidates_t *all, const ulp_contraction_t *x,
                           const ulp_tensor_t *output, const ulp_reference_t *reference,
                           size_t count, size_t *best, ulp_error_t *err)
{
    size_t *index = calloc(count, sizeof *index);
    if (!index) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for a sample of %zu", count);
    }
    choose_sample(index, count, reference);
    ulp_status_t status = ULP_OK;
    for (size_t i = 0; i < all->count && status == ULP_OK; i++) {
        ulp_candidate_t *c = &all->item[i];
        if (is_refuted(c) || copy_twin(all, i)) {
            continue;
        }
        status = replay_sample(c, x, output, index, count, err);
        *best = c->result.matched > *best ? c->result.matched : *best;
    }
    free(index);
    return status;
}

/* A small sample, then a larger one for those that pass. */
static ulp_status_t screen_twice(ulp_candidates_t *all, const ulp_contraction_t *x,
                                 const ulp_tensor_t *output, const ulp_reference_t *reference,
                                 size_t *best, ulp_error_t *err)
{
    size_t n = output->nelems, small = n < ULP_REPLAY_SAMPLE ? n : ULP_REPLAY_SAMPLE;
    size_t large = (size_t)32 * ULP_REPLAY_SAMPLE;
    ulp_status_t status = screen(all, x, output, reference, small, best, err);
    if (status == ULP_OK && n >= 4 * large) { /* else in full costs as little */
        status = screen(all, x, output, reference, large, best, err);
    }
    return status;
}

ulp_status_t ulp_candidates_replay(ulp_candidates_t *candidates, const ulp_contraction_t *x,
                                   const ulp_tensor_t *output, const ulp_reference_t *reference,
                                   uint64_t screen_products, int threads, ulp_error_t *err)
{
    size_t k = x->shape.k ? x->shape.k : 1;
    int large = (uint64_t)output->nelems > screen_products / k;
    size_t best = 0;
    ulp_status_t status = ULP_OK;
    if (large) {
        status = screen_twice(candidates, x, output, reference, &best, err);
    }
    for (size_t i = 0; i < candidates->count && status == ULP_OK; i++) {
        ulp_candidate_t *c = &candidates->item[i];
        if (copy_twin(candidates, i)) {
            continue;
        }
        /* In full; of those that the sample refuted, the best alone. */
        int refuted = is_refuted(c);
        if (refuted && c->result.screened_matched < best) {
            continue;
        }
        status = replay_in_full(c, x, output, threads, err);
        best = refuted ? SIZE_MAX : best;
    }
    if (status == ULP_OK) {
        sort_candidates(candidates);
    }
    return status;
}
