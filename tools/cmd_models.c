/* tools/cmd_models.c - ulpscope models [NAME|LINE]: the device models, from their tables. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <fnmatch.h>
#include <string.h>

#include "emulators/table.h"
#include "tools/commands.h"
#include "tools/json.h"

enum { DEVICE = 1, DTYPE };

static const struct poptOption options[] = {
    {"device", 0, POPT_ARG_STRING, NULL, DEVICE, "only rows whose name or device matches", "GLOB"},
    {"dtype", 0, POPT_ARG_STRING, NULL, DTYPE, "only rows that take this input format", "FORMAT"},
    POPT_TABLEEND};

static const char *evidence_text(ulp_evidence_t evidence)
{
    static const char *const text[] = {
        [ULP_EVIDENCE_REPLAYED] = "reproduces recorded hardware outputs",
        [ULP_EVIDENCE_HARDWARE] = "compared with the device by its source",
        [ULP_EVIDENCE_DOCUMENT] = "vendor documentation",
        [ULP_EVIDENCE_MODEL] = "a published model; no hardware output seen"};
    return text[evidence];
}

static void print_row(FILE *out, const ulp_named_model_t *row)
{
    fprintf(out, "%s\n    %s\n    %s; %s; %s%s%s -> %s, K = %d\n    %s; source %s\n", row->name,
            row->line, row->device, row->instruction, row->inputs, row->scales[0] ? ", scales " : "",
            row->scales, row->out, row->k, evidence_text(row->evidence), row->source);
    if (row->open[0] != '\0') {
        fprintf(out, "    open: %s\n", row->open);
    }
}

static json_t *to_json(const ulp_named_model_t *row)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:i,s:s,s:s,s:s}", "name", row->name, "spec",
                     row->line, "device", row->device, "instruction", row->instruction, "inputs",
                     row->inputs, "scales", row->scales, "c", row->c, "out", row->out, "k", row->k,
                     "evidence", evidence_text(row->evidence), "source", row->source, "open",
                     row->open);
}

/* 1 if `word` stands in a list with spaces between. */
static int lists(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n) {
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return 1;
        }
    }
    return 0;
}

static int selected(const ulp_call_t *call, const ulp_named_model_t *row, const ulp_format_t *f)
{
    const char *glob = ulp_call_option(call, DEVICE);
    if (glob != NULL && fnmatch(glob, row->name, 0) != 0 && fnmatch(glob, row->device, 0) != 0) {
        return 0;
    }
    return f == NULL || lists(row->inputs, f->name);
}

static ulp_exit_t list(ulp_call_t *call)
{
    const char *name = ulp_call_option(call, DTYPE);
    const char *ambiguity = NULL;
    const ulp_format_t *format = name ? ulp_format_find(name, &ambiguity) : NULL;
    if (name != NULL && format == NULL) {
        return ulp_call_usage(call, "--dtype: %s%s", ambiguity ? ambiguity : name,
                              ambiguity ? "" : " is not a format");
    }
    json_t *array = json_array();
    size_t count = 0;
    for (size_t i = 0; i < ulp_named_model_count(); i++) {
        const ulp_named_model_t *row = ulp_named_model_at(i);
        if (!selected(call, row, format)) {
            continue;
        }
        count++;
        if (call->report == ULP_REPORT_JSON) {
            json_array_append_new(array, to_json(row));
        } else {
            print_row(call->out, row);
        }
    }
    if (count > 0 && call->report == ULP_REPORT_JSON) {
        json_t *object = ulp_json_begin("ulpscope.models/1");
        json_object_set(object, "models", array);
        ulp_json_end(call, object);
    }
    json_decref(array);
    return count ? ULP_EXIT_YES : ulp_call_fail(call, "no model is of that device and format");
}

/* One name or line: what it stands for, and which rows are the same arithmetic. */
static ulp_exit_t show(ulp_call_t *call, const char *text)
{
    ulp_model_t model;
    ulp_error_t err;
    char line[ULP_MODEL_LINE_MAX];
    char other[ULP_MODEL_LINE_MAX];
    if (ulp_model_parse(&model, text, &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message);
    }
    ulp_model_print(line, &model);
    const ulp_named_model_t *row = ulp_named_model_find(text);
    json_t *same = json_array();
    if (call->report != ULP_REPORT_JSON) {
        fprintf(call->out, "%s\n", line);
        if (row != NULL) {
            print_row(call->out, row);
        }
    }
    for (size_t i = 0; i < ulp_named_model_count(); i++) {
        const ulp_named_model_t *candidate = ulp_named_model_at(i);
        ulp_model_t parsed = ulp_named_model_parse(candidate);
        ulp_model_print(other, &parsed);
        if (candidate != row && strcmp(other, line) == 0) {
            json_array_append_new(same, json_string(candidate->name));
            if (call->report != ULP_REPORT_JSON) {
                fprintf(call->out, "    the same arithmetic: %s\n", candidate->name);
            }
        }
    }
    if (call->report == ULP_REPORT_JSON) {
        json_t *object = ulp_json_begin("ulpscope.models/1");
        json_object_set_new(object, "spec", json_string(line));
        json_object_set_new(object, "model", row ? to_json(row) : json_null());
        json_object_set(object, "same", same);
        ulp_json_end(call, object);
    }
    json_decref(same);
    return ULP_EXIT_YES;
}

static ulp_exit_t run(ulp_call_t *call)
{
    return call->noperands == 1 ? show(call, call->operand[0]) : list(call);
}

const ulp_command_t ulp_cmd_models = {
    .name = "models",
    .operands = "[NAME|LINE]",
    .least = 0,
    .most = 1,
    .summary = "the device models: parameters, evidence, sources, what is open",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON,
    .examples = "  ulpscope models --device 'hopper.*'\n"
                "  ulpscope models 'fdpa(l=16,f=25,final=rz24,e0=-133) | out(bf16,rne)'\n",
    .run = run};
