/* tools/cmd_models.c - ulpscope models [NAME|LINE]: the device models, from their tables. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <fnmatch.h>
#include <string.h>

#include "emulators/table.h"
#include "tools/commands.h"
#include "tools/json.h"
#include "tools/stage_words.h"

enum { DEVICE = 1, DTYPE };

static const struct poptOption options[] = {
    {"device", 0, POPT_ARG_STRING, NULL, DEVICE, "only rows whose name or device matches: *H100*",
     "GLOB"},
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
    fprintf(out, "%s\n    %s\n    %s; %s; %s%s%s + %s -> %s, K = %d\n    %s; source %s\n",
            row->name, row->line, row->device, row->instruction, row->inputs,
            row->scales[0] ? ", scales " : "", row->scales, row->c, row->out, row->k,
            evidence_text(row->evidence), row->source);
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
    const ulp_format_t *format = name ? ulp_call_format(call, name) : NULL;
    if (name != NULL && format == NULL) {
        return ULP_EXIT_NO_ANSWER;
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
    if (count == 0) {
        const char *device = ulp_call_option(call, DEVICE);
        return ulp_call_fail(call, "no model%s%s%s%s%s; ulpscope models lists all",
                             device ? " of device '" : "", device ? device : "", device ? "'" : "",
                             format ? " with input " : "", format ? format->name : "");
    }
    return ULP_EXIT_YES;
}

/* Names of the rows with this canonical line. */
static json_t *find_same(const char *line)
{
    json_t *same = json_array();
    char other[ULP_MODEL_LINE_MAX];
    for (size_t i = 0; i < ulp_named_model_count(); i++) {
        ulp_model_t parsed = ulp_named_model_parse(ulp_named_model_at(i));
        ulp_model_print(other, &parsed);
        if (strcmp(other, line) == 0) {
            json_array_append_new(same, json_string(ulp_named_model_at(i)->name));
        }
    }
    return same;
}

/* Words that go on under their first line. */
static void print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    fprintf(out, "%*s", indent, "");
    for (const char *at = text; *at != '\0';) {
        int n = (int)strcspn(at, " ");
        if (column > indent && column + 1 + n > 96) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", n, at);
        at += n + (at[n] == ' ');
    }
    fputc('\n', out);
}

static void print_model(FILE *out, const ulp_model_t *model, const char *line,
                        const ulp_named_model_t *row, const json_t *same)
{
    char words[ULP_STAGE_WORDS_MAX];
    char stage[ULP_MODEL_LINE_MAX];
    if (row != NULL) {
        print_row(out, row);
        fputc('\n', out);
    }
    fprintf(out, "%s\n", line);
    for (size_t i = 0; i < model->nstages; i++) {
        ulp_stage_line(stage, &model->stage[i]);
        ulp_stage_words(words, &model->stage[i]);
        fprintf(out, "  %s\n", stage);
        print_wrapped(out, words, 6);
    }
    size_t i;
    json_t *name;
    fprintf(out, "rows of this line: %s\n", json_array_size(same) == 0 ? "none" : "");
    json_array_foreach(same, i, name)
    {
        fprintf(out, "  %s\n", json_string_value(name));
    }
}

static json_t *describe_stages(const ulp_model_t *model)
{
    char words[ULP_STAGE_WORDS_MAX];
    char line[ULP_MODEL_LINE_MAX];
    json_t *stages = json_array();
    for (size_t i = 0; i < model->nstages; i++) {
        ulp_stage_line(line, &model->stage[i]);
        ulp_stage_words(words, &model->stage[i]);
        json_array_append_new(stages, json_pack("{s:s, s:s}", "stage", line, "meaning", words));
    }
    return stages;
}

/* One name or line: what it stands for, and which rows are the same arithmetic. */
static ulp_exit_t show(ulp_call_t *call, const char *text)
{
    ulp_model_t model;
    ulp_error_t err;
    char line[ULP_MODEL_LINE_MAX];
    if (ulp_model_parse(&model, text, &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message);
    }
    ulp_model_print(line, &model);
    const ulp_named_model_t *row = ulp_named_model_find(text);
    json_t *same = find_same(line);
    if (call->report == ULP_REPORT_JSON) {
        json_t *object = ulp_json_begin("ulpscope.models/1");
        json_object_set_new(object, "spec", json_string(line));
        json_object_set_new(object, "model", row ? to_json(row) : json_null());
        json_object_set_new(object, "stages", describe_stages(&model));
        json_object_set(object, "same", same);
        ulp_json_end(call, object);
    } else {
        print_model(call->out, &model, line, row, same);
    }
    json_decref(same);
    return ULP_EXIT_YES;
}

static ulp_exit_t run(ulp_call_t *call)
{
    if (call->noperands == 1 &&
        (ulp_call_option(call, DEVICE) != NULL || ulp_call_option(call, DTYPE) != NULL)) {
        return ulp_call_usage(call, "--device and --dtype choose from the list; '%s' is one model",
                              call->operand[0]);
    }
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
