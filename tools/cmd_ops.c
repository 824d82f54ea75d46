/* tools/cmd_ops.c - ulpscope ops: the operations, from their table. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/op.h"
#include "tools/commands.h"
#include "tools/json.h"

static const struct poptOption options[] = {POPT_TABLEEND};

static void print_text(FILE *out, const ulp_op_t *op, const char *bullet)
{
    fprintf(out, "%s%s  %s\n    output: %s\n", bullet, op->name, op->formula, op->output_shape);
    for (const ulp_op_input_t *in = op->input; in->name != NULL; in++) {
        fprintf(out, "    input %s%s: %s; %s\n", in->name, in->optional ? " (optional)" : "",
                in->shape, in->meaning);
    }
    for (const ulp_op_parameter_t *p = op->parameter; p->name != NULL; p++) {
        fprintf(out, "    parameter %s (default %s): %s\n", p->name, p->fallback, p->meaning);
    }
    fprintf(out, "    source: %s\n", op->source);
}

static json_t *to_json(const ulp_op_t *op)
{
    json_t *object = json_object();
    json_t *inputs = json_array();
    json_t *parameters = json_array();
    for (const ulp_op_input_t *in = op->input; in->name != NULL; in++) {
        json_array_append_new(inputs, json_pack("{s:s,s:b,s:s,s:s}", "name", in->name, "optional",
                                                in->optional, "shape", in->shape, "meaning",
                                                in->meaning));
    }
    for (const ulp_op_parameter_t *p = op->parameter; p->name != NULL; p++) {
        json_array_append_new(parameters, json_pack("{s:s,s:s,s:s}", "name", p->name, "default",
                                                    p->fallback, "meaning", p->meaning));
    }
    json_object_set_new(object, "name", json_string(op->name));
    json_object_set_new(object, "formula", json_string(op->formula));
    json_object_set_new(object, "output_shape", json_string(op->output_shape));
    json_object_set_new(object, "inputs", inputs);
    json_object_set_new(object, "parameters", parameters);
    json_object_set_new(object, "source", json_string(op->source));
    return object;
}

static ulp_exit_t run(ulp_call_t *call)
{
    json_t *ops = json_array();
    for (size_t i = 0; i < ulp_op_count(); i++) {
        if (call->report == ULP_REPORT_JSON) {
            json_array_append_new(ops, to_json(ulp_op_at(i)));
        } else {
            print_text(call->out, ulp_op_at(i), call->report == ULP_REPORT_MARKDOWN ? "- " : "");
        }
    }
    if (call->report == ULP_REPORT_JSON) {
        json_t *object = ulp_json_begin("ulpscope.ops/1");
        json_object_set(object, "ops", ops);
        ulp_json_end(call, object);
    }
    json_decref(ops);
    return ULP_EXIT_YES;
}

const ulp_command_t ulp_cmd_ops = {
    .name = "ops",
    .operands = "",
    .least = 0,
    .most = 0,
    .summary = "the operations: formula, inputs and their shapes, parameters",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON | 1u << ULP_REPORT_MARKDOWN,
    .examples = "  ulpscope ops\n  ulpscope ops --json\n",
    .run = run};
