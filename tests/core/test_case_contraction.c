/*
 * tests/core/test_case_contraction.c - shapes that do not fit: refused, with both shapes named.
 */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "core/case.h"

enum { OPERANDS = 5 };
static const char *const names[OPERANDS] = {"a", "b", "c", "a_scale", "b_scale"};

struct shape {
    int rank; /* 0: absent; -1: a scalar */
    size_t shape[ULP_RANK_MAX];
};

/* A case of shapes only: nothing looks at the elements. */
static ulp_status_t contract(ulp_contraction_t *x, const char *op, const struct shape *shape,
                             const char *trans, ulp_error_t *err)
{
    ulp_case_dataset_t input[OPERANDS];
    ulp_case_t c = {.path = (char *)"x.h5", .op = ulp_op_find(op), .input = input};
    ulp_attribute_t attribute = {(char *)trans, (char *)"1"};
    memset(input, 0, sizeof input);
    for (size_t i = 0; i < OPERANDS; i++) {
        if (shape[i].rank != 0) {
            ulp_case_dataset_t *dataset = &input[c.ninputs++];
            dataset->name = (char *)names[i];
            dataset->tensor.format = ulp_format_find("f32", NULL);
            dataset->tensor.rank = shape[i].rank < 0 ? 0 : shape[i].rank;
            memcpy(dataset->tensor.shape, shape[i].shape, sizeof shape[i].shape);
        }
    }
    if (trans != NULL) {
        c.attribute = &attribute;
        c.nattributes = 1;
    }
    return ulp_case_contraction(x, &c, err);
}

#define HUGE_SIDE ((size_t)1 << 40)

Test(case_contraction, shapes_that_do_not_fit)
{
    static const struct {
        const char *op;
        struct shape shape[OPERANDS];
        const char *trans;
        ulp_status_t status;
        const char *words[3];
    } row[] = {
        {"gemm", {{2, {4, 8}}, {2, {9, 4}}}, NULL, ULP_ERROR_SHAPE, {"4x8", "9x4", "K"}},
        {"gemm", {{2, {8, 4}}, {2, {4, 9}}}, "trans_a", ULP_ERROR_SHAPE, {"8x4", "4x9", "trans_a"}},
        {"gemm", {{2, {4, 8}}, {2, {8, 9}}}, "trans_b", ULP_ERROR_SHAPE, {"4x8", "8x9", "trans_b"}},
        {"gemm", {{1, {8}}, {2, {8, 9}}}, NULL, ULP_ERROR_SHAPE, {"a is 8", "matrices", ""}},
        {"gemm", {{2, {8, 8}}, {-1, {0}}}, NULL, ULP_ERROR_SHAPE, {"b is scalar", "", ""}},
        {"gemm",
         {{3, {2, 4, 8}}, {3, {3, 8, 4}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"2x4x8", "3x8x4", "batch"}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {2, {5, 4}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"c is 5x4", "4x5", "MxN"}},
        {"gemm", {{2, {4, 8}}, {2, {8, 5}}, {1, {5}}}, NULL, ULP_ERROR_SHAPE, {"c is 5", "", ""}},
        {"gemm",
         {{3, {2, 4, 8}}, {2, {8, 5}}, {3, {3, 4, 5}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"2x4x8", "3x4x5", "2x4x5"}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {3, {1, 4, 5}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"1x4x5", "", ""}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {0}, {2, {4, 2}}},
         NULL,
         ULP_ERROR_MISSING,
         {"b_scale", "together", ""}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {0}, {2, {4, 3}}, {2, {2, 5}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x8", "4x3", "whole number"}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {0}, {2, {4, 2}}, {2, {4, 5}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x2", "4x5", "same length"}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {0}, {2, {3, 2}}, {2, {2, 5}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x8", "3x2", "M x K/block"}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {0}, {2, {4, 2}}, {2, {2, 4}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"8x5", "2x4", "K/block x N"}},
        {"gemm",
         {{2, {4, 8}}, {2, {8, 5}}, {0}, {2, {4, 0}}, {2, {0, 5}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x0", "whole number", ""}},
        {"gemm",
         {{2, {HUGE_SIDE, 0}}, {2, {0, HUGE_SIDE}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"too many", "", ""}},
        {"gemm",
         {{3, {0, HUGE_SIDE, HUGE_SIDE}}, {2, {HUGE_SIDE, 1}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"too many", "", ""}},
        {"dot", {{2, {4, 8}}, {2, {4, 9}}}, NULL, ULP_ERROR_SHAPE, {"4x8", "4x9", "one shape"}},
        {"dot", {{2, {4, 8}}, {1, {8}}}, NULL, ULP_ERROR_SHAPE, {"4x8", "b is 8", ""}},
        {"dot", {{-1, {0}}, {-1, {0}}}, NULL, ULP_ERROR_SHAPE, {"scalar", "", ""}},
        {"dot",
         {{2, {4, 8}}, {2, {4, 8}}, {1, {8}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x8", "c is 8", "last"}},
        {"dot",
         {{2, {4, 8}}, {2, {4, 8}}, {0}, {2, {4, 3}}, {2, {4, 2}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x8", "4x3", "whole number"}},
        {"dot",
         {{2, {4, 8}}, {2, {4, 8}}, {0}, {1, {2}}, {2, {4, 2}}},
         NULL,
         ULP_ERROR_SHAPE,
         {"4x8", "a_scale is 2", ""}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_contraction_t x = {0};
        ulp_error_t err = {0};
        ulp_status_t status = contract(&x, row[i].op, row[i].shape, row[i].trans, &err);
        cr_expect(status == row[i].status, "row %zu: status %d, want %d: %s", i, status,
                  row[i].status, err.message);
        for (size_t j = 0; j < 3; j++) {
            cr_expect(strstr(err.message, row[i].words[j]) != NULL, "row %zu: \"%s\" lacks \"%s\"",
                      i, err.message, row[i].words[j]);
        }
        cr_expect_null(x.a, "row %zu: out was touched", i);
    }
}

Test(case_contraction, nothing_to_sum_is_allowed)
{
    static const struct {
        const char *op;
        struct shape shape[OPERANDS];
        size_t groups, m, n, k, nelems;
    } row[] = {
        {"gemm", {{2, {4, 0}}, {2, {0, 5}}, {2, {4, 5}}}, 1, 4, 5, 0, 20},
        {"gemm", {{2, {4, 0}}, {2, {0, 5}}, {0}, {2, {4, 0}}, {2, {0, 5}}}, 1, 4, 5, 0, 20},
        {"gemm", {{2, {0, 3}}, {2, {3, 5}}}, 1, 0, 5, 3, 0},
        {"gemm", {{3, {0, 2, 3}}, {2, {3, 5}}}, 0, 2, 5, 3, 0},
        {"dot", {{2, {4, 0}}, {2, {4, 0}}, {1, {4}}}, 4, 1, 1, 0, 4},
        {"dot", {{2, {0, 4}}, {2, {0, 4}}}, 0, 1, 1, 4, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_contraction_t x = {0};
        ulp_error_t err = {0};
        cr_expect(contract(&x, row[i].op, row[i].shape, NULL, &err) == ULP_OK, "row %zu: %s", i,
                  err.message);
        cr_expect(x.shape.groups == row[i].groups && x.shape.m == row[i].m &&
                      x.shape.n == row[i].n && x.shape.k == row[i].k &&
                      x.out_nelems == row[i].nelems,
                  "row %zu", i);
    }
}
