/* core/op.c - the table of operations. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/op.h"

#include <string.h>

static const ulp_op_t table[] = {
    {
        .name = "dot",
        .formula = "d[...] = c[...] + sum_k a[...,k] b[...,k]",
        .output_shape = "shape of a without its last dimension",
        .input =
            {
                {"a", 0, "...xK", "left operands, one row a result"},
                {"b", 0, "...xK, as a", "right operands"},
                {"c", 1, "...", "added to each result; absent: +0"},
                {"a_scale", 1, "...xK/block", "block scales of a along K; with b_scale"},
                {"b_scale", 1, "...xK/block", "block scales of b along K; with a_scale"},
            },
        .source = "one matrix instruction a row, as recorded in [KM25]",
    },
    {
        .name = "gemm",
        .formula = "d = alpha A B + beta C",
        .output_shape = "MxN, after the batch dimensions",
        .input =
            {
                {"a", 0, "MxK (KxM with trans_a)", "left matrix"},
                {"b", 0, "KxN (NxK with trans_b)", "right matrix"},
                {"c", 1, "MxN", "added to the product; absent: +0"},
                {"a_scale", 1, "MxK/block (K/blockxM with trans_a)",
                 "block scales of a along K; with b_scale"},
                {"b_scale", 1, "K/blockxN (NxK/block with trans_b)",
                 "block scales of b along K; with a_scale"},
            },
        .parameter =
            {
                {"alpha", "1", "factor of the product", ULP_OP_REAL},
                {"beta", "1", "factor of c", ULP_OP_REAL},
                {"trans_a", "0", "1: a is stored KxM", ULP_OP_SWITCH},
                {"trans_b", "0", "1: b is stored NxK", ULP_OP_SWITCH},
            },
        .source = "GEMM of BLAS level 3, in C order, batch dimensions in front",
    },
};

size_t ulp_op_count(void)
{
    return sizeof table / sizeof table[0];
}

const ulp_op_t *ulp_op_at(size_t i)
{
    ULP_ASSERT(i < ulp_op_count());
    return &table[i];
}

const ulp_op_t *ulp_op_find(const char *name)
{
    ULP_ASSERT(name != NULL);
    for (size_t i = 0; i < ulp_op_count(); i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

const ulp_op_input_t *ulp_op_input(const ulp_op_t *op, const char *name)
{
    ULP_ASSERT(op != NULL && name != NULL);
    for (size_t i = 0; i < ULP_OP_INPUTS_MAX && op->input[i].name != NULL; i++) {
        if (strcmp(op->input[i].name, name) == 0) {
            return &op->input[i];
        }
    }
    return NULL;
}

const ulp_op_parameter_t *ulp_op_parameter(const ulp_op_t *op, const char *name)
{
    ULP_ASSERT(op != NULL && name != NULL);
    for (size_t i = 0; i < ULP_OP_PARAMETERS_MAX && op->parameter[i].name != NULL; i++) {
        if (strcmp(op->parameter[i].name, name) == 0) {
            return &op->parameter[i];
        }
    }
    return NULL;
}
