/* core/case.c - a case in memory: looking things up, and letting go of it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/case_attribute.h"

static void free_datasets(ulp_case_dataset_t *dataset, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(dataset[i].name);
        ulp_tensor_free(&dataset[i].tensor);
        ulp_case_attributes_free(dataset[i].attribute, dataset[i].nattributes);
    }
    free(dataset);
}

void ulp_case_free(ulp_case_t *c)
{
    if (c == NULL) {
        return;
    }
    free_datasets(c->input, c->ninputs);
    free_datasets(c->output, c->noutputs);
    ulp_case_attributes_free(c->attribute, c->nattributes);
    free(c->path);
    memset(c, 0, sizeof *c);
}

const ulp_tensor_t *ulp_case_input(const ulp_case_t *c, const char *name)
{
    for (size_t i = 0; i < c->ninputs; i++) {
        if (strcmp(c->input[i].name, name) == 0) {
            return &c->input[i].tensor;
        }
    }
    return NULL;
}

const char *ulp_case_attribute(const ulp_case_t *c, const char *key)
{
    for (size_t i = 0; i < c->nattributes; i++) {
        if (strcmp(c->attribute[i].key, key) == 0) {
            return c->attribute[i].value;
        }
    }
    return NULL;
}

/* Text -> number; the text must be a number from end to end. */
static int parse_real(double *out, const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0') {
        return -1;
    }
    *out = value;
    return 0;
}

ulp_status_t ulp_case_parameter(double *out, const ulp_case_t *c, const char *key, ulp_error_t *err)
{
    const ulp_op_parameter_t *parameter = ulp_op_parameter(c->op, key);
    ULP_ASSERT(parameter != NULL);
    const char *text = ulp_case_attribute(c, key);
    double value = 0;
    if (parse_real(&value, text != NULL ? text : parameter->fallback) != 0) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "%s: attribute %s = \"%.60s\" is not a number (%s of %s)", c->path,
                             key, text, parameter->meaning, c->op->name);
    }
    if (!isfinite(value)) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT, "%s: attribute %s = %.60s is not finite",
                             c->path, key, text);
    }
    if (parameter->value == ULP_OP_SWITCH && value != 0 && value != 1) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "%s: attribute %s = %.60s must be 0 or 1 (%s)", c->path, key, text,
                             parameter->meaning);
    }
    *out = value;
    return ULP_OK;
}
