/* analysis/element.c - one output element, operand by operand. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/explain.h"
#include "precision/scale.h"

static double value_of(uint64_t code, const ulp_format_t *format)
{
    return ulp_number_to_double(ulp_number_decode(code, format));
}

static double scale_value(uint64_t code, const ulp_format_t *format)
{
    return ulp_number_to_double(ulp_scale_decode(code, format));
}

static ulp_operand_t operand_at(const ulp_contraction_t *x, size_t group, size_t row, size_t column,
                                size_t k)
{
    const ulp_contraction_shape_t *s = &x->shape;
    ulp_operand_t o = {.k = k};
    o.a = ulp_tensor_get(x->a, group * s->a_group + row * s->a_row + k * s->a_k);
    o.b = ulp_tensor_get(x->b, group * s->b_group + k * s->b_k + column * s->b_col);
    o.a_value = value_of(o.a, x->a->format);
    o.b_value = value_of(o.b, x->b->format);
    o.product = o.a_value * o.b_value;
    if (s->scale_block > 0 && x->a_scale && x->b_scale) {
        size_t block = k / s->scale_block;
        o.a_scale =
            ulp_tensor_get(x->a_scale, group * s->sa_group + row * s->sa_row + block * s->sa_k);
        o.b_scale =
            ulp_tensor_get(x->b_scale, group * s->sb_group + block * s->sb_k + column * s->sb_col);
        o.product *= scale_value(o.a_scale, x->a_scale->format);
        o.product *= scale_value(o.b_scale, x->b_scale->format);
    }
    return o;
}

ulp_status_t ulp_explain_operands(ulp_element_t *out, const ulp_explain_t *explain,
                                  const ulp_explanation_t *output, size_t index, ulp_error_t *err)
{
    ULP_ASSERT(index < output->n);
    const ulp_contraction_t *x = &explain->contraction;
    const ulp_contraction_shape_t *s = &x->shape;
    size_t group = index / (s->m * s->n), row = index / s->n % s->m, column = index % s->n;
    ulp_element_t e = {.index = index,
                       .got = ulp_tensor_get(&output->output->tensor, index),
                       .want = ulp_tensor_get(&output->reference->rounded, index),
                       .hi = output->reference->hi[index],
                       .lo = output->reference->lo[index],
                       .noperands = s->k};
    e.operand = calloc(s->k ? s->k : 1, sizeof *e.operand);
    if (!e.operand) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for %zu operands", s->k);
    }
    if (x->c) {
        e.has_c = 1;
        e.c = ulp_tensor_get(x->c, group * s->c_group + row * s->c_row + column * s->c_col);
        e.c_value = value_of(e.c, x->c->format);
    }
    for (size_t k = 0; k < s->k; k++) {
        e.operand[k] = operand_at(x, group, row, column, k);
    }
    *out = e;
    return ULP_OK;
}

void ulp_element_free(ulp_element_t *element)
{
    free(element->operand);
    *element = (ulp_element_t){0};
}
