/*
 * core/op.h - operations as descriptions: name, formula, inputs, shape rule, parameters.
 *
 * The reference of an operation lives in refs/, its emulation in emulators/; each is found there by
 * the operation's name. To add an operation, add a row here first.
 */
#ifndef ULP_CORE_OP_H
#define ULP_CORE_OP_H

#include "core/tensor.h"

enum { ULP_OP_INPUTS_MAX = 8, ULP_OP_PARAMETERS_MAX = 8 };

typedef struct {
    const char *name;
    uint8_t optional;
    const char *shape; /* rule in words: "MxK (KxM with trans_a)" */
    const char *meaning;
} ulp_op_input_t;

typedef enum { ULP_OP_REAL = 0, ULP_OP_SWITCH /* 0 or 1 */ } ulp_op_value_t;

typedef struct {
    const char *name;
    const char *fallback; /* default, as text */
    const char *meaning;
    ulp_op_value_t value;
} ulp_op_parameter_t;

typedef struct {
    const char *name;
    const char *formula;
    const char *output_shape;
    ulp_op_input_t input[ULP_OP_INPUTS_MAX];             /* ends with name NULL */
    ulp_op_parameter_t parameter[ULP_OP_PARAMETERS_MAX]; /* ends with name NULL */
    const char *source;                                  /* whose convention */
} ulp_op_t;

/** Number of rows of the table, and row i < ulp_op_count(). */
size_t ulp_op_count(void);
const ulp_op_t *ulp_op_at(size_t i);

/** The operation of that name; NULL if there is none. */
const ulp_op_t *ulp_op_find(const char *name);

/** The input, or the parameter, of that name; NULL if the operation has none. */
const ulp_op_input_t *ulp_op_input(const ulp_op_t *op, const char *name);
const ulp_op_parameter_t *ulp_op_parameter(const ulp_op_t *op, const char *name);

/**
 * A contraction d[g,i,j] = c[g,i,j] + sum_k a[g,i,k] b[g,k,j] over tensors, as element strides. dot
 * is the case m = n = 1 with one group a row. A stride of 0 repeats. Block scales, where present,
 * have one element per `scale_block` of k: a_scale[g,i,k/scale_block], b_scale[g,k/scale_block,j].
 */
typedef struct {
    size_t groups, m, n, k;
    size_t a_group, a_row, a_k;
    size_t b_group, b_k, b_col;
    size_t c_group, c_row, c_col; /* of c; the output d is dense: groups x m x n */
    size_t scale_block;           /* 0: no scales */
    size_t sa_group, sa_row, sa_k;
    size_t sb_group, sb_k, sb_col;
    double alpha, beta; /* 1 and 1 unless the case says otherwise */
} ulp_contraction_shape_t;

/* The operands stay the case's: valid as long as it is. */
typedef struct {
    const ulp_tensor_t *a, *b;
    const ulp_tensor_t *c;                 /* NULL: absent, +0 */
    const ulp_tensor_t *a_scale, *b_scale; /* both or neither */
    ulp_contraction_shape_t shape;
    int out_rank; /* shape of d */
    size_t out_shape[ULP_RANK_MAX];
    size_t out_nelems;
} ulp_contraction_t;

#endif
