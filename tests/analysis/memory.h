/*
 * tests/analysis/memory.h - a gemm case in memory, its output what a model gives.
 */
#ifndef ULP_TESTS_ANALYSIS_MEMORY_H
#define ULP_TESTS_ANALYSIS_MEMORY_H

#include <criterion/criterion.h>
#include <math.h>

#include "core/case.h"
#include "emulators/emulate.h"
#include "tests/harness/random.h"

/* A case in memory: a, b, perhaps c, one output. */
typedef struct {
    ulp_case_dataset_t input[5], output[1];
    ulp_attribute_t attribute[1];
    ulp_case_t c;
} memory_t;

static inline void dataset(ulp_case_dataset_t *d, const char *name, const char *format, int rank,
                           const size_t *shape)
{
    *d = (ulp_case_dataset_t){.name = (char *)name};
    ulp_error_t err;
    cr_assert(ulp_tensor_create(&d->tensor, ulp_format_find(format, NULL), rank, shape, &err) ==
                  ULP_OK,
              "%s", err.message);
}

static inline void memory_init(memory_t *m, size_t rows, size_t columns, size_t k,
                               const char *inputs, const char *c, const char *output)
{
    *m = (memory_t){0};
    size_t a[2] = {rows, k}, b[2] = {k, columns}, d[2] = {rows, columns};
    dataset(&m->input[0], "a", inputs, 2, a);
    dataset(&m->input[1], "b", inputs, 2, b);
    if (c) {
        dataset(&m->input[2], "c", c, 2, d);
    }
    dataset(&m->output[0], "device", output, 2, d);
    m->c = (ulp_case_t){.path = (char *)"memory.h5",
                        .op = ulp_op_find("gemm"),
                        .ninputs = c ? 3 : 2,
                        .noutputs = 1,
                        .input = m->input,
                        .output = m->output};
    uint64_t random = test_seed();
    for (size_t t = 0; t < m->c.ninputs; t++) {
        ulp_tensor_t *x = &m->input[t].tensor;
        for (size_t i = 0; i < x->nelems; i++) {
            double value = ldexp((double)(int64_t)test_random(&random), -62);
            ulp_tensor_set(x, i,
                           ulp_number_encode(ulp_number_from_double(value), x->format, NULL, NULL));
        }
    }
}

static inline void memory_free(memory_t *m)
{
    for (int i = 0; i < 5; i++) {
        ulp_tensor_free(&m->input[i].tensor);
    }
    ulp_tensor_free(&m->output[0].tensor);
}

/* The output becomes what a line gives on inputs (m's own, or those of another case). */
static inline void emulate_into(memory_t *m, const memory_t *inputs, const char *line)
{
    ulp_contraction_t x;
    ulp_model_t model;
    ulp_error_t err;
    cr_assert(ulp_case_contraction(&x, &inputs->c, &err) == ULP_OK, "%s", err.message);
    cr_assert(ulp_model_parse(&model, line, &err) == ULP_OK, "%s", err.message);
    ulp_tensor_free(&m->output[0].tensor);
    cr_assert(ulp_emulate_contraction(&m->output[0].tensor, &x, &model, ULP_PATH_PLAIN, 1, &err) ==
                  ULP_OK,
              "%s", err.message);
}

#endif
