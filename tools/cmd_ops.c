/* tools/cmd_ops.c - ulpscope ops: the operations, their inputs and parameters. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "core/op.h"
#include "emulators/nearest.h"
#include "tools/commands.h"
#include "tools/json.h"

static const struct poptOption options[] = {POPT_TABLEEND};

static void print_op(FILE *out, const ulp_op_t *op)
{
    fprintf(out, "%s: %s\n", op->name, op->formula);
    for (size_t i = 0; i < ULP_OP_INPUTS_MAX && op->input[i].name != NULL; i++) {
        const ulp_op_input_t *input = &op->input[i];
        fprintf(out, "  input %-9s %-32s %s%s\n", input->name, input->shape, input->meaning,
                input->optional ? " (optional)" : "");
    }
    for (size_t i = 0; i < ULP_OP_PARAMETERS_MAX && op->parameter[i].name != NULL; i++) {
        const ulp_op_parameter_t *parameter = &op->parameter[i];
        fprintf(out, "  parameter %-9s default %-4s %s\n", parameter->name, parameter->fallback,
                parameter->meaning);
    }
    fprintf(out, "  output shape: %s\n  source: %s\n", op->output_shape, op->source);
}

static json_t *describe_op(const ulp_op_t *op)
{
    json_t *inputs = json_array();
    for (size_t i = 0; i < ULP_OP_INPUTS_MAX && op->input[i].name != NULL; i++) {
        const ulp_op_input_t *input = &op->input[i];
        json_array_append_new(inputs, json_pack("{s:s, s:b, s:s, s:s}", "name", input->name,
                                                "optional", (int)input->optional, "shape",
                                                input->shape, "meaning", input->meaning));
    }
    json_t *parameters = json_array();
    for (size_t i = 0; i < ULP_OP_PARAMETERS_MAX && op->parameter[i].name != NULL; i++) {
        const ulp_op_parameter_t *parameter = &op->parameter[i];
        json_array_append_new(
            parameters, json_pack("{s:s, s:s, s:s, s:s}", "name", parameter->name, "type",
                                  parameter->value == ULP_OP_SWITCH ? "switch" : "real", "default",
                                  parameter->fallback, "meaning", parameter->meaning));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:s, s:s}", "name", op->name, "formula", op->formula,
                     "inputs", inputs, "parameters", parameters, "output_shape", op->output_shape,
                     "source", op->source);
}

static ulp_exit_t refuse(const ulp_call_t *call, const char *name)
{
    ulp_nearest_t nearest = ulp_nearest_start(name);
    for (size_t i = 0; i < ulp_op_count(); i++) {
        ulp_nearest_try(&nearest, ulp_op_at(i)->name);
    }
    const char *near = ulp_nearest_word(&nearest);
    return ulp_call_fail(call, "'%s' is not an operation%s%s%s; ulpscope ops lists them", name,
                         near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static ulp_exit_t run(ulp_call_t *call)
{
    const char *name = call->noperands > 0 ? call->operand[0] : NULL;
    if (name != NULL && ulp_op_find(name) == NULL) {
        return refuse(call, name);
    }
    json_t *ops = json_array();
    for (size_t i = 0, printed = 0; i < ulp_op_count(); i++) {
        const ulp_op_t *op = ulp_op_at(i);
        if (name != NULL && strcmp(op->name, name) != 0) {
            continue;
        }
        if (call->report == ULP_REPORT_JSON) {
            json_array_append_new(ops, describe_op(op));
        } else {
            fputs(printed++ ? "\n" : "", call->out);
            print_op(call->out, op);
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

const ulp_command_t ulp_cmd_ops = {.name = "ops",
                                   .operands = "[NAME]",
                                   .least = 0,
                                   .most = 1,
                                   .summary =
                                       "the operations of a case: formula, inputs, parameters",
                                   .options = options,
                                   .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON,
                                   .examples = "  ulpscope ops\n"
                                               "  ulpscope ops gemm --json\n",
                                   .run = run};
