/*
 * core/case.h - the case file: inputs, operation and outputs of one computation in one HDF5 file.
 *
 * Layout: DESIGN and ulpscope-case(5): /inputs/NAME, /outputs/NAME, attributes ulpscope_case = 1,
 * op, and the op's parameters at the root. Written by ulpscope: /reference/FORMAT, /emulated/NAME.
 */
#ifndef ULP_CORE_CASE_H
#define ULP_CORE_CASE_H

#include "core/op.h"
#include "core/status.h"
#include "core/tensor.h"

typedef struct {
    char *key;
    char *value; /* numbers as text: integers in decimal, floats as %.17g */
} ulp_attribute_t;

typedef struct {
    char *name;
    ulp_tensor_t tensor;
    size_t nattributes;
    ulp_attribute_t *attribute; /* platform, device, library, note, ...; without dtype and sha256 */
} ulp_case_dataset_t;

typedef struct {
    char *path;
    const ulp_op_t *op;
    size_t nattributes;
    ulp_attribute_t
        *attribute; /* of the root, op's parameters among them; without ulpscope_case and op */
    size_t ninputs, noutputs;
    ulp_case_dataset_t *input, *output; /* in the order of their names */
} ulp_case_t;

/**
 * Read a whole case. A file without /outputs is a case with no outputs.
 *
 * @param dtype  "NAME=FORMAT,..." for datasets whose storage does not say, or NULL. NAME is that of
 * a dataset, with its group ("outputs/a") where an input and an output share it
 *
 * Fails: as ulp_source_open; FORMAT for a file that is no case; MISSING when op or an input that
 * the op needs is absent; ARGUMENT for an unknown op, an input or a parameter that the op does not
 * have, a parameter that is no number; AMBIGUOUS naming the datasets with no format
 */
ULP_MUST_CHECK ulp_status_t ulp_case_read(ulp_case_t *out, const char *path, const char *dtype,
                                          ulp_error_t *err);
/** Free what the case holds and zero it; a zeroed case is accepted. */
void ulp_case_free(ulp_case_t *c);

/** Input of that name; NULL if absent. */
const ulp_tensor_t *ulp_case_input(const ulp_case_t *c, const char *name);
/** Attribute of the root; NULL if absent. */
const char *ulp_case_attribute(const ulp_case_t *c, const char *key);

/**
 * The value of a parameter of the case's op: the attribute of the root, or the op's default.
 *
 * @param key  a parameter of c->op
 *
 * Fails: ARGUMENT, naming the key, when the attribute is no number (or, for a switch, not 0 or 1)
 */
ULP_MUST_CHECK ulp_status_t ulp_case_parameter(double *out, const ulp_case_t *c, const char *key,
                                               ulp_error_t *err);

/**
 * The contraction of a case whose op is dot or gemm: shapes checked against the op's rule,
 * transposes as strides.
 *
 * Fails: SHAPE, naming the inputs and both shapes
 */
ULP_MUST_CHECK ulp_status_t ulp_case_contraction(ulp_contraction_t *out, const ulp_case_t *c,
                                                 ulp_error_t *err);

/** A dataset to be written: group ("outputs", "emulated", "reference"), name, tensor, attributes.
 */
typedef struct {
    const char *group;
    const char *name;
    const ulp_tensor_t *tensor;
    size_t nattributes;
    const ulp_attribute_t *attribute;
} ulp_case_addition_t;

/**
 * Copy the case at `from` to `to` (may be the same path) with datasets added or replaced; all else
 * is copied as it is, chunks undecoded. The new file is made beside the target and renamed when
 * complete: on failure the target is as it was. A symbolic link keeps pointing where it points.
 *
 * Cost:  memory for the tensors and the new file
 * Fails: IO (cannot write: says why), FORMAT (`from` is no case or damaged), ARGUMENT (a name that
 * is empty, has a slash or comes twice)
 */
ULP_MUST_CHECK ulp_status_t ulp_case_add(const char *to, const char *from,
                                         const ulp_case_addition_t *add, size_t nadditions,
                                         ulp_error_t *err);

/**
 * Write a new case file with those root attributes and datasets (groups "inputs" and "outputs"
 * among them); no time stamps, chunked + shuffle + gzip + fletcher32, sha256 of the raw
 * little-endian bytes as an attribute of each dataset. The same call writes the same bytes.
 * ulpscope_case, op, dtype and sha256 are written by it and refused among the attributes.
 *
 * Fails: as ulp_case_add; ARGUMENT for an unknown op
 */
ULP_MUST_CHECK ulp_status_t ulp_case_write(const char *path, const char *op,
                                           const ulp_attribute_t *attribute, size_t nattributes,
                                           const ulp_case_addition_t *add, size_t nadditions,
                                           ulp_error_t *err);

#endif
