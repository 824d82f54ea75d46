/* core/case_contraction.c - dot and gemm as one contraction: shapes checked, layouts as strides. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/case.h"

enum { SHAPE_TEXT = 192 };

/* What is being checked: the contraction under construction, and where messages come from. */
struct work {
    const ulp_case_t *c;
    ulp_contraction_t x;
    ulp_error_t *err;
};

/* "x.h5: gemm: a is 4x8 and b is 9x4: RULE" */
static ulp_status_t mismatch(const struct work *work, const char *left, const ulp_tensor_t *a,
                             const char *right, const ulp_tensor_t *b, const char *rule)
{
    char left_shape[SHAPE_TEXT];
    char right_shape[SHAPE_TEXT];
    ulp_shape_print(left_shape, sizeof left_shape, a->rank, a->shape);
    ulp_shape_print(right_shape, sizeof right_shape, b->rank, b->shape);
    return ulp_error_set(work->err, ULP_ERROR_SHAPE, "%.160s: %s: %s is %s and %s is %s: %s",
                         work->c->path, work->c->op->name, left, left_shape, right, right_shape,
                         rule);
}

static ulp_status_t too_large(const struct work *work)
{
    return ulp_error_set(work->err, ULP_ERROR_SHAPE, "%.160s: %s: the result has too many elements",
                         work->c->path, work->c->op->name);
}

/* Returns 0, or -1 on overflow. */
static int multiply(size_t *out, size_t a, size_t b)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return -1;
    }
    *out = a * b;
    return 0;
}

static int same_shape(const ulp_tensor_t *a, int a_rank, const ulp_tensor_t *b, int b_rank)
{
    return a_rank == b_rank &&
           (a_rank == 0 || memcmp(a->shape, b->shape, (size_t)a_rank * sizeof a->shape[0]) == 0);
}

/* Elements of k that share a scale, from the two extents. */
static ulp_status_t find_block(size_t *block, const struct work *work, const char *name,
                               const ulp_tensor_t *operand, const char *scale_name,
                               const ulp_tensor_t *scale, size_t k, size_t nscales)
{
    if ((k == 0) != (nscales == 0) || (k != 0 && k % nscales != 0)) {
        return mismatch(work, name, operand, scale_name, scale,
                        "K must be a whole number of blocks, one scale each");
    }
    *block = k == 0 ? 1 : k / nscales;
    return ULP_OK;
}

/* Scales come together and agree on their block. */
static ulp_status_t check_scales(struct work *work, size_t a_block, size_t b_block)
{
    if (a_block != b_block) {
        return mismatch(work, "a_scale", work->x.a_scale, "b_scale", work->x.b_scale,
                        "both must have one scale per block of the same length");
    }
    work->x.shape.scale_block = a_block;
    return ULP_OK;
}

static ulp_status_t set_output(struct work *work, int rank, const size_t *shape)
{
    work->x.out_rank = rank;
    memcpy(work->x.out_shape, shape, (size_t)rank * sizeof *shape);
    if (ulp_shape_nelems(&work->x.out_nelems, rank, shape, NULL) != ULP_OK) {
        return too_large(work);
    }
    return ULP_OK;
}

static ulp_status_t dot(struct work *work)
{
    const ulp_tensor_t *a = work->x.a;
    const ulp_tensor_t *b = work->x.b;
    ulp_contraction_shape_t *shape = &work->x.shape;
    if (a->rank == 0 || !same_shape(a, a->rank, b, b->rank)) {
        return mismatch(work, "a", a, "b", b, "dot takes two arrays of one shape, K last");
    }
    int rank = a->rank - 1;
    shape->k = a->shape[rank];
    shape->m = 1;
    shape->n = 1;
    shape->a_k = 1;
    shape->b_k = 1;
    shape->a_group = shape->k;
    shape->b_group = shape->k;
    shape->c_group = 1;
    ulp_status_t status = set_output(work, rank, a->shape);
    if (status != ULP_OK) {
        return status;
    }
    shape->groups = work->x.out_nelems;
    const ulp_tensor_t *c = work->x.c;
    if (c != NULL && !same_shape(a, rank, c, c->rank)) {
        return mismatch(work, "a", a, "c", c, "c must have the shape of a without its last, K");
    }
    if (work->x.a_scale == NULL) {
        return ULP_OK;
    }
    const ulp_tensor_t *const scale[2] = {work->x.a_scale, work->x.b_scale};
    size_t block[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const char *operand_name = i == 0 ? "a" : "b";
        const char *scale_name = i == 0 ? "a_scale" : "b_scale";
        if (scale[i]->rank != rank + 1 || !same_shape(a, rank, scale[i], rank)) {
            return mismatch(work, operand_name, a, scale_name, scale[i],
                            "scales have the same shape but for the last, K/block");
        }
        status = find_block(&block[i], work, operand_name, a, scale_name, scale[i], shape->k,
                            scale[i]->shape[rank]);
        if (status != ULP_OK) {
            return status;
        }
    }
    shape->sa_group = work->x.a_scale->shape[rank];
    shape->sb_group = work->x.b_scale->shape[rank];
    shape->sa_k = 1;
    shape->sb_k = 1;
    return check_scales(work, block[0], block[1]);
}

/* A tensor as matrices: its last two dimensions, swapped on demand, and a group for the others. */
struct matrix {
    size_t rows, cols;
    size_t group, row, col; /* strides; group is 0 without batch dimensions: repeats */
};

static ulp_status_t matrix_of(struct matrix *out, const struct work *work, const char *name,
                              const ulp_tensor_t *tensor, int transposed)
{
    if (tensor->rank < 2) {
        char shape[SHAPE_TEXT];
        ulp_shape_print(shape, sizeof shape, tensor->rank, tensor->shape);
        return ulp_error_set(work->err, ULP_ERROR_SHAPE,
                             "%.160s: %s: %s is %s: gemm takes matrices, batch dimensions in front",
                             work->c->path, work->c->op->name, name, shape);
    }
    size_t rows = tensor->shape[tensor->rank - 2];
    size_t cols = tensor->shape[tensor->rank - 1];
    size_t area = 0;
    if (multiply(&area, rows, cols) != 0) {
        return too_large(work);
    }
    out->rows = transposed ? cols : rows;
    out->cols = transposed ? rows : cols;
    out->row = transposed ? 1 : cols;
    out->col = transposed ? cols : 1;
    out->group = tensor->rank > 2 ? area : 0;
    return ULP_OK;
}

static int same_batch(const ulp_tensor_t *a, const ulp_tensor_t *b)
{
    return same_shape(a, a->rank - 2, b, b->rank - 2);
}

/* Scales of the operands, as matrices of K/block. */
static ulp_status_t gemm_scales(struct work *work, int trans_a, int trans_b)
{
    const ulp_contraction_t *x = &work->x;
    ulp_contraction_shape_t *shape = &work->x.shape;
    struct matrix sa = {0};
    struct matrix sb = {0};
    size_t a_block = 0;
    size_t b_block = 0;
    ulp_status_t status = matrix_of(&sa, work, "a_scale", x->a_scale, trans_a);
    if (status == ULP_OK) {
        status = matrix_of(&sb, work, "b_scale", x->b_scale, trans_b);
    }
    if (status != ULP_OK) {
        return status;
    }
    if (!same_batch(x->a, x->a_scale) || sa.rows != shape->m) {
        return mismatch(work, "a", x->a, "a_scale", x->a_scale,
                        trans_a ? "a_scale is K/block x M (trans_a)" : "a_scale is M x K/block");
    }
    if (!same_batch(x->b, x->b_scale) || sb.cols != shape->n) {
        return mismatch(work, "b", x->b, "b_scale", x->b_scale,
                        trans_b ? "b_scale is N x K/block (trans_b)" : "b_scale is K/block x N");
    }
    status = find_block(&a_block, work, "a", x->a, "a_scale", x->a_scale, shape->k, sa.cols);
    if (status == ULP_OK) {
        status = find_block(&b_block, work, "b", x->b, "b_scale", x->b_scale, shape->k, sb.rows);
    }
    if (status != ULP_OK) {
        return status;
    }
    shape->sa_group = sa.group;
    shape->sa_row = sa.row;
    shape->sa_k = sa.col;
    shape->sb_group = sb.group;
    shape->sb_k = sb.row;
    shape->sb_col = sb.col;
    return check_scales(work, a_block, b_block);
}

static ulp_status_t gemm_c(struct work *work)
{
    const ulp_tensor_t *c = work->x.c;
    ulp_contraction_shape_t *shape = &work->x.shape;
    struct matrix view = {0};
    if (c == NULL) {
        return ULP_OK;
    }
    ulp_status_t status = matrix_of(&view, work, "c", c, 0);
    if (status != ULP_OK) {
        return status;
    }
    int rank = work->x.out_rank;
    int batch_fits =
        c->rank == 2 || (c->rank == rank && memcmp(c->shape, work->x.out_shape,
                                                   (size_t)(rank - 2) * sizeof c->shape[0]) == 0);
    if (!batch_fits || view.rows != shape->m || view.cols != shape->n) {
        const ulp_tensor_t *wider = work->x.a->rank >= work->x.b->rank ? work->x.a : work->x.b;
        char rule[SHAPE_TEXT + 32];
        char expected[SHAPE_TEXT];
        ulp_shape_print(expected, sizeof expected, rank, work->x.out_shape);
        (void)snprintf(rule, sizeof rule, "c must be MxN, here %s", expected);
        return mismatch(work, wider == work->x.a ? "a" : "b", wider, "c", c, rule);
    }
    shape->c_group = view.group;
    shape->c_row = view.row;
    shape->c_col = view.col;
    return ULP_OK;
}

static ulp_status_t gemm_output(struct work *work)
{
    const ulp_tensor_t *wider = work->x.a->rank >= work->x.b->rank ? work->x.a : work->x.b;
    ulp_contraction_shape_t *shape = &work->x.shape;
    size_t out[ULP_RANK_MAX];
    int rank = wider->rank;
    memcpy(out, wider->shape, sizeof out);
    out[rank - 2] = shape->m;
    out[rank - 1] = shape->n;
    shape->groups = 1;
    for (int i = 0; i < rank - 2; i++) {
        if (multiply(&shape->groups, shape->groups, out[i]) != 0) {
            return too_large(work);
        }
    }
    return set_output(work, rank, out);
}

static ulp_status_t gemm(struct work *work, int trans_a, int trans_b)
{
    const ulp_tensor_t *a = work->x.a;
    const ulp_tensor_t *b = work->x.b;
    ulp_contraction_shape_t *shape = &work->x.shape;
    struct matrix left = {0};
    struct matrix right = {0};
    ulp_status_t status = matrix_of(&left, work, "a", a, trans_a);
    if (status == ULP_OK) {
        status = matrix_of(&right, work, "b", b, trans_b);
    }
    if (status != ULP_OK) {
        return status;
    }
    if (left.cols != right.rows) {
        char rule[128];
        (void)snprintf(rule, sizeof rule, "K must agree (%zu in a%s, %zu in b%s)", left.cols,
                       trans_a ? ", trans_a" : "", right.rows, trans_b ? ", trans_b" : "");
        return mismatch(work, "a", a, "b", b, rule);
    }
    if (a->rank > 2 && b->rank > 2 && !same_batch(a, b)) {
        return mismatch(work, "a", a, "b", b, "the batch dimensions must agree, or one have none");
    }
    shape->m = left.rows;
    shape->n = right.cols;
    shape->k = left.cols;
    shape->a_group = left.group;
    shape->a_row = left.row;
    shape->a_k = left.col;
    shape->b_group = right.group;
    shape->b_k = right.row;
    shape->b_col = right.col;
    status = gemm_output(work);
    if (status == ULP_OK) {
        status = gemm_c(work);
    }
    return status == ULP_OK && work->x.a_scale != NULL ? gemm_scales(work, trans_a, trans_b)
                                                       : status;
}

static ulp_status_t find_operands(struct work *work)
{
    ulp_contraction_t *x = &work->x;
    const ulp_case_t *c = work->c;
    x->a = ulp_case_input(c, "a");
    x->b = ulp_case_input(c, "b");
    x->c = ulp_case_input(c, "c");
    x->a_scale = ulp_case_input(c, "a_scale");
    x->b_scale = ulp_case_input(c, "b_scale");
    if (x->a == NULL || x->b == NULL) {
        return ulp_error_set(work->err, ULP_ERROR_MISSING,
                             "%.160s: /inputs/%s is absent: %s needs it", c->path,
                             x->a == NULL ? "a" : "b", c->op->name);
    }
    if ((x->a_scale == NULL) != (x->b_scale == NULL)) {
        return ulp_error_set(work->err, ULP_ERROR_MISSING,
                             "%.160s: /inputs/%s is absent: block scales come for a and b together",
                             c->path, x->a_scale == NULL ? "a_scale" : "b_scale");
    }
    return ULP_OK;
}

ulp_status_t ulp_case_contraction(ulp_contraction_t *out, const ulp_case_t *c, ulp_error_t *err)
{
    ULP_ASSERT(out != NULL && c != NULL && c->op != NULL);
    struct work work = {.c = c, .err = err};
    double trans_a = 0;
    double trans_b = 0;
    ulp_status_t status = find_operands(&work);
    work.x.shape.alpha = 1;
    work.x.shape.beta = 1;
    if (status == ULP_OK && strcmp(c->op->name, "dot") == 0) {
        status = dot(&work);
    } else if (status == ULP_OK && strcmp(c->op->name, "gemm") == 0) {
        const struct {
            double *value;
            const char *key;
        } parameter[] = {{&work.x.shape.alpha, "alpha"},
                         {&work.x.shape.beta, "beta"},
                         {&trans_a, "trans_a"},
                         {&trans_b, "trans_b"}};
        for (size_t i = 0; i < 4 && status == ULP_OK; i++) {
            status = ulp_case_parameter(parameter[i].value, c, parameter[i].key, err);
        }
        if (status == ULP_OK) {
            status = gemm(&work, trans_a != 0, trans_b != 0);
        }
    } else if (status == ULP_OK) {
        status = ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "%.160s: %s is not a contraction",
                               c->path, c->op->name);
    }
    if (status == ULP_OK) {
        *out = work.x;
    }
    return status;
}
