/*
 * tests/core/test_op.c - the table of operations: complete rows, found by name.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "core/op.h"

Test(op, every_row_is_complete_and_found)
{
    cr_assert_eq(ulp_op_count(), 2);
    for (size_t i = 0; i < ulp_op_count(); i++) {
        const ulp_op_t *op = ulp_op_at(i);
        cr_expect_eq(ulp_op_find(op->name), op, "%s", op->name);
        cr_expect(op->formula && op->output_shape && op->source, "%s", op->name);
        size_t needed = 0;
        for (size_t j = 0; op->input[j].name != NULL; j++) {
            cr_expect(op->input[j].shape && op->input[j].meaning, "%s", op->input[j].name);
            cr_expect_eq(ulp_op_input(op, op->input[j].name), &op->input[j]);
            needed += !op->input[j].optional;
        }
        cr_expect_eq(needed, 2, "%s", op->name);
        for (size_t j = 0; j < ULP_OP_PARAMETERS_MAX && op->parameter[j].name != NULL; j++) {
            const ulp_op_parameter_t *parameter = &op->parameter[j];
            cr_expect(parameter->fallback && parameter->meaning, "%s", parameter->name);
            cr_expect_eq(ulp_op_parameter(op, parameter->name), parameter);
        }
    }
}

Test(op, other_names_are_not_found)
{
    static const char *const name[] = {"", "Gemm", "gem", "gemm ", "softmax"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        cr_expect_null(ulp_op_find(name[i]), "%s", name[i]);
    }
    cr_expect_null(ulp_op_input(ulp_op_find("gemm"), "A"));
    cr_expect_null(ulp_op_input(ulp_op_find("gemm"), "bias"));
    cr_expect_null(ulp_op_parameter(ulp_op_find("gemm"), "activation"));
    cr_expect_null(ulp_op_parameter(ulp_op_find("dot"), "alpha"));
}
