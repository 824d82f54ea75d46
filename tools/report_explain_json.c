/* tools/report_explain_json.c - explanations as JSON: schema ulpscope.explain/1. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tools/json.h"
#include "tools/report_explain.h"

static void set_element(json_t *object, const ulp_tensor_t *t, size_t index, uint64_t got,
                        uint64_t want)
{
    json_object_set_new(object, "index", ulp_json_index(index, t->rank, t->shape));
    json_object_set_new(object, "flat_index", ulp_json_count(index));
    json_object_set_new(object, "got", ulp_json_code(got, t->format));
    json_object_set_new(object, "got_value", ulp_json_value(got, t->format));
    json_object_set_new(object, "want", ulp_json_code(want, t->format));
    json_object_set_new(object, "want_value", ulp_json_value(want, t->format));
}

static json_t *score(const ulp_explanation_t *e)
{
    const ulp_score_t *s = &e->score;
    json_t *object = json_object();
    json_object_set_new(object, "exact", ulp_json_count(s->exact));
    json_object_set_new(object, "max_ulp", ulp_json_real(s->max_ulp));
    json_object_set_new(object, "mean_ulp", ulp_json_real(s->mean_ulp));
    json_object_set_new(object, "p50_ulp", ulp_json_real(s->p50_ulp));
    json_object_set_new(object, "p99_ulp", ulp_json_real(s->p99_ulp));
    json_object_set_new(object, "no_finite_ulp", ulp_json_count(s->infinite));
    json_t *worst = json_object();
    set_element(worst, &e->output->tensor, s->worst_index, s->worst_got, s->worst_want);
    json_object_set_new(worst, "ulp", ulp_json_real(s->worst_ulp));
    json_object_set_new(object, "worst", worst);
    return object;
}

/* What a replay was judged on: all elements, or the sample that refuted it. */
static size_t judged(const ulp_explanation_t *e, const ulp_replay_t *r)
{
    return r->screened_n ? r->screened_n : e->n;
}

static json_t *model(const ulp_explanation_t *e)
{
    json_t *object = json_object();
    json_t *matches = json_array();
    for (size_t i = 0; i < e->nmatches; i++) {
        json_array_append_new(matches, json_string(e->replay[i].name));
    }
    if (e->nreplays > 0) {
        const ulp_replay_t *best = &e->replay[0];
        json_object_set_new(object, "name", json_string(best->name));
        json_object_set_new(object, "spec", json_string(best->line));
        json_object_set_new(object, "matched", ulp_json_count(best->matched));
        json_object_set_new(object, "of", ulp_json_count(judged(e, best)));
        json_object_set_new(object, "open", json_string(best->row ? best->row->open : ""));
    } else {
        json_object_set_new(object, "name", json_null());
        json_object_set_new(object, "spec", json_null());
        json_object_set_new(object, "matched", json_integer(0));
        json_object_set_new(object, "of", ulp_json_count(e->n));
    }
    json_object_set_new(object, "matches", matches);
    return object;
}

static json_t *closest_other(const ulp_explanation_t *e)
{
    size_t at = e->nmatches;
    /* Where nothing matches, [0] is `model`: another name of its line is no other arithmetic. */
    while (e->nmatches == 0 && at < e->nreplays &&
           strcmp(e->replay[at].line, e->replay[0].line) == 0) {
        at++;
    }
    if (e->nreplays <= at) {
        return json_null();
    }
    const ulp_replay_t *next = &e->replay[at];
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(next->name));
    json_object_set_new(object, "spec", json_string(next->line));
    json_object_set_new(object, "matched", ulp_json_count(next->matched));
    json_object_set_new(object, "of", ulp_json_count(judged(e, next)));
    return object;
}

static json_t *first_mismatch(const ulp_explanation_t *e)
{
    if (e->nmatches > 0 || e->nreplays == 0) {
        return json_null();
    }
    const ulp_replay_t *best = &e->replay[0];
    const ulp_tensor_t *t = &e->output->tensor;
    json_t *object = json_object();
    size_t at = best->first_mismatch;
    set_element(object, t, at, ulp_tensor_get(t, at), ulp_tensor_get(&e->reference->rounded, at));
    json_object_set_new(object, "emulated", ulp_json_code(best->emulated, t->format));
    json_object_set_new(object, "emulated_value", ulp_json_value(best->emulated, t->format));
    return object;
}

static json_t *bound(const ulp_explanation_t *e)
{
    const ulp_tensor_t *t = &e->output->tensor;
    json_t *object = json_object();
    json_object_set_new(object, "ratio", ulp_json_real(e->bound_ratio));
    json_object_set_new(object, "outside", ulp_json_count(e->outside));
    json_object_set_new(object, "worst_index",
                        e->outside ? ulp_json_index(e->outside_index, t->rank, t->shape)
                                   : json_null());
    return object;
}

void ulp_report_explain_json(ulp_call_t *call, const ulp_case_t *c, const ulp_explain_t *explain)
{
    json_t *object = ulp_json_begin("ulpscope.explain/1");
    json_t *outputs = json_array();
    json_object_set_new(object, "case", json_string(c->path));
    json_object_set_new(object, "op", json_string(c->op->name));
    for (size_t i = 0; i < explain->count; i++) {
        const ulp_explanation_t *e = &explain->output[i];
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(e->output->name));
        json_object_set_new(o, "dtype", json_string(e->output->tensor.format->name));
        json_object_set_new(o, "n", ulp_json_count(e->n));
        json_object_set_new(o, "verdict", json_string(ulp_verdict_name(e->verdict)));
        json_object_set_new(o, "reason", json_string(e->reason));
        json_object_set_new(o, "model", model(e));
        json_object_set_new(o, "vs_reference", score(e));
        json_object_set_new(o, "tried", ulp_json_count(e->nreplays));
        json_object_set_new(o, "closest_other", closest_other(e));
        json_object_set_new(o, "first_mismatch", first_mismatch(e));
        json_object_set_new(o, "bound", bound(e));
        json_array_append_new(outputs, o);
    }
    json_object_set_new(object, "outputs", outputs);
    ulp_json_end(call, object);
}
