/* tools/cmd_emulate.c - ulpscope emulate CASE --model M: what a device of that model gives. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "core/case.h"
#include "emulators/emulate.h"
#include "emulators/table.h"
#include "tools/commands.h"
#include "tools/json.h"

enum { MODEL = 1, NAME, DTYPE };

static const struct poptOption options[] = {
    {"model", 0, POPT_ARG_STRING, NULL, MODEL, "a name of `ulpscope models`, or a line", "MODEL"},
    {"name", 0, POPT_ARG_STRING, NULL, NAME, "name of the dataset (default: the model's)", "NAME"},
    {"dtype", 0, POPT_ARG_STRING, NULL, DTYPE, "formats that the storage does not say",
     "NAME=FORMAT,..."},
    POPT_TABLEEND};

/* The dataset's name: as asked, or the first word of the model line. */
static int dataset_name(char *name, size_t size, const ulp_call_t *call, const char *model)
{
    const char *asked = ulp_call_option(call, NAME);
    size_t n = asked ? strlen(asked) : strcspn(model, " |(");
    const char *from = asked ? asked : model;
    if (n == 0 || n >= size || memchr(from, '/', n) != NULL) {
        ulp_call_usage(call, "--name: '%s' is no name of a dataset (1 to %zu characters, no '/')",
                       from, size - 1);
        return -1;
    }
    memcpy(name, from, n);
    name[n] = '\0';
    return 0;
}

static void print(ulp_call_t *call, const char *to, const char *name, const char *line,
                  const ulp_tensor_t *t)
{
    char shape[192];
    ulp_shape_print(shape, sizeof shape, t->rank, t->shape);
    if (call->report == ULP_REPORT_JSON) {
        json_t *object = ulp_json_begin("ulpscope.emulate/1");
        json_object_set_new(object, "file", json_string(to));
        json_object_set_new(object, "name", json_string(name));
        json_object_set_new(object, "model", json_string(line));
        json_object_set_new(object, "dtype", json_string(t->format->name));
        json_object_set_new(object, "shape", ulp_json_shape(t->rank, t->shape));
        json_object_set_new(object, "n", ulp_json_count(t->nelems));
        ulp_json_end(call, object);
    } else {
        fprintf(call->out, "%s:/emulated/%s: %s, %s\n  = %s\n", to, name, t->format->name, shape,
                line);
    }
}

/* -o names the case to write here, so the report goes to stdout. */
static ulp_exit_t emulate(ulp_call_t *call, const ulp_case_t *c, const ulp_model_t *model,
                          const char *name)
{
    ulp_contraction_t x;
    ulp_tensor_t result;
    ulp_error_t err;
    memset(&result, 0, sizeof result);
    if (ulp_case_contraction(&x, c, &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message); /* names the file */
    }
    if (ulp_emulate_contraction(&result, &x, model, ULP_PATH_AUTO, call->threads, &err) != ULP_OK) {
        return ulp_call_fail(call, "%s: %s", c->path, err.message);
    }
    char line[ULP_MODEL_LINE_MAX];
    ulp_model_print(line, model);
    ulp_attribute_t attribute = {(char[]){"model"}, line};
    ulp_case_addition_t add = {"emulated", name, &result, 1, &attribute};
    const char *to = call->output ? call->output : c->path;
    ulp_exit_t code = ULP_EXIT_YES;
    if (ulp_case_add(to, c->path, &add, 1, &err) != ULP_OK) {
        code = ulp_call_fail(call, "%s", err.message);
    } else {
        print(call, to, name, line, &result);
    }
    ulp_tensor_free(&result);
    return code;
}

static ulp_exit_t run(ulp_call_t *call)
{
    const char *text = ulp_call_option(call, MODEL);
    char name[128];
    ulp_model_t model;
    ulp_error_t err;
    ulp_case_t c;
    if (text == NULL) {
        return ulp_call_usage(call, "needs --model");
    }
    if (ulp_model_parse(&model, text, &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message);
    }
    if (dataset_name(name, sizeof name, call, text) != 0) {
        return ULP_EXIT_NO_ANSWER;
    }
    memset(&c, 0, sizeof c);
    if (ulp_case_read(&c, call->operand[0], ulp_call_option(call, DTYPE), &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message);
    }
    ulp_exit_t code = emulate(call, &c, &model, name);
    ulp_case_free(&c);
    call->output = NULL;
    return code;
}

const ulp_command_t ulp_cmd_emulate = {
    .name = "emulate",
    .operands = "CASE",
    .least = 1,
    .most = 1,
    .summary = "what a device of a model gives on the inputs of a case, into the case or -o FILE",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON,
    .examples = "  ulpscope emulate case.h5 --model hopper.bf16.f32\n"
                "  ulpscope emulate case.h5 --model 'ampere.tf32.f32 | out(bf16,rne)' -o new.h5\n",
    .run = run};
