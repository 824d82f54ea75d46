/*
 * emulators/emulate.h - replay a contraction under a model, bit by bit.
 */
#ifndef ULP_EMULATORS_EMULATE_H
#define ULP_EMULATORS_EMULATE_H

#include "core/op.h"
#include "emulators/model.h"

/* Which path computes; the bits are the same. */
typedef enum {
    ULP_PATH_AUTO = 0, /* vectorised where the model and the data allow, else plain */
    ULP_PATH_PLAIN     /* the obviously right one, in integers, one output at a time */
} ulp_path_t;

/**
 * Format of the result of a model: that of its out() stage, else the accumulator's.
 */
const ulp_format_t *ulp_model_output(const ulp_model_t *model);

/**
 * Can the model replay this contraction? OK, or what ulp_emulate_contraction would say, at no cost
 * but that of K: formats, block scales and their length, alpha and beta.
 *
 * Fails: UNSUPPORTED, MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_emulate_check(const ulp_contraction_t *x, const ulp_model_t *model,
                                              ulp_error_t *err);

/**
 * d under the model.
 *
 * @param out     created here: shape of the operation's output, format ulp_model_output(model)
 * @param x       operands; alpha = beta = 1
 * @param path    see above
 * @param threads >= 1; the bits do not depend on it
 *
 * K that is not a multiple of a step is padded with products of +0. K = 0 gives c.
 * NaN: fdpa (finite f) and gdpa give 0x7fffffff, 0x7fff [MMASIM]; other kernels the format's quiet
 * NaN.
 *
 * Fails: UNSUPPORTED when the model cannot take these formats (says which), MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_emulate_contraction(ulp_tensor_t *out, const ulp_contraction_t *x,
                                                    const ulp_model_t *model, ulp_path_t path,
                                                    int threads, ulp_error_t *err);

/**
 * The same for chosen elements of the output: code[i] is that of flat output element index[i].
 */
ULP_MUST_CHECK ulp_status_t ulp_emulate_elements(uint64_t *code, const size_t *index,
                                                 size_t nindices, const ulp_contraction_t *x,
                                                 const ulp_model_t *model, ulp_error_t *err);

#endif
