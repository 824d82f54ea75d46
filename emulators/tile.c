/* emulators/tile.c - decode the operands: conversion, flush, scales, order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/tile.h"

#include <stdlib.h>
#include <string.h>

#include "precision/scale.h"

/* f32 words become tf32 by ignoring their low 13 bits: a NaN whose payload is there alone becomes
 * infinite [MMASIM]. */
static int is_cut(const ulp_format_t *from, const ulp_format_t *to, ulp_round_mode_t mode)
{
    return mode == ULP_ROUND_TOWARD_ZERO && from->padding_bits == 0 && to->padding_bits > 0 &&
           from->bits == to->bits && from->exponent_bits == to->exponent_bits;
}

/* A unit that flushes to +0 looks at the exponent field: -0 loses its sign as subnormals do
 * [MMASIM]. */
static ulp_number_t flushed(ulp_number_t x, const ulp_format_t *format, ulp_flush_t flush)
{
    x = ulp_number_flush(x, format, flush);
    if (x.kind == ULP_CLASS_ZERO && flush == ULP_FLUSH_POSITIVE) {
        x.negative = 0;
    }
    return x;
}

ulp_operand_t ulp_tile_decode(uint64_t code, const ulp_format_t *format, const ulp_stage_t *in)
{
    if (in && in->format && in->format != format) {
        ulp_rounding_t how = {.mode = in->mode};
        if (!is_cut(format, in->format, in->mode)) {
            code = ulp_number_convert(code, in->format, format, &how, NULL);
        }
        format = in->format;
    }
    ulp_number_t x = ulp_number_decode(code, format);
    if (in) {
        x = flushed(x, format, in->flush);
    }
    return ulp_operand_from_number(x, format->p);
}

static ulp_operand_t scaled(ulp_operand_t x, ulp_operand_t scale)
{
    ulp_specials_t seen = {0, 0, 0};
    ulp_operand_t result;
    ulp_specials_product(&seen, &x, &scale);
    if (ulp_specials_decide(&seen, &result)) {
        return result;
    }
    uint8_t negative = x.negative ^ scale.negative;
    if (x.s == 0 || scale.s == 0) {
        return ulp_operand_zero(negative);
    }
    return (ulp_operand_t){x.s * scale.s, x.e + scale.e, ULP_OPERAND_FINITE, negative};
}

/* One operand of the contraction, as strides. */
typedef struct {
    const ulp_tensor_t *tensor, *scale;
    size_t start, step, scale_start, scale_step;
} line_t;

static ulp_operand_t scale_at(const line_t *line, size_t block)
{
    uint64_t code = ulp_tensor_get(line->scale, line->scale_start + block * line->scale_step);
    const ulp_format_t *format = line->scale->format;
    return ulp_operand_from_number(ulp_scale_decode(code, format), format->p);
}

/* Returns 1 if one of them is NaN or infinite. */
static uint8_t load(ulp_operand_t *to, const ulp_plan_t *plan, const line_t *line, size_t block)
{
    unsigned special = 0;
    int multiply = plan->scale && plan->kernel->kind != ULP_STAGE_GDPA;
    for (size_t i = 0; i < plan->nplaces; i++) {
        size_t k = plan->place[i];
        if (k == ULP_PLAN_PADDING) {
            to[i] = ulp_operand_zero(0);
            continue;
        }
        uint64_t code = ulp_tensor_get(line->tensor, line->start + k * line->step);
        to[i] = ulp_tile_decode(code, line->tensor->format, plan->in);
        if (multiply) {
            to[i] = scaled(to[i], scale_at(line, k / block));
        }
        special |= to[i].kind;
    }
    return special != 0;
}

/* Scales of the groups of GDPA; of groups that are all padding: 1. */
static uint8_t load_scales(ulp_operand_t *to, const ulp_tile_t *tile, const line_t *line)
{
    unsigned special = 0;
    size_t g = (size_t)tile->plan->kernel->g, block = tile->x->shape.scale_block;
    for (size_t i = 0; i < tile->ngroups; i++) {
        size_t k = tile->plan->place[i * g];
        if (k == ULP_PLAN_PADDING) {
            int64_t one = (int64_t)1 << (line->scale->format->p - 1);
            to[i] = (ulp_operand_t){one, 0, ULP_OPERAND_FINITE, 0};
        } else {
            to[i] = scale_at(line, k / block);
        }
        special |= to[i].kind;
    }
    return special != 0;
}

int ulp_tile_make(ulp_tile_t *out, const ulp_plan_t *plan, const ulp_contraction_t *x, size_t rows,
                  size_t cols)
{
    ulp_tile_t t = {.plan = plan, .x = x, .rows = rows, .cols = cols};
    if (plan->kernel->kind == ULP_STAGE_GDPA && plan->scale) {
        t.ngroups = plan->nplaces / (size_t)plan->kernel->g;
    }
    t.a = calloc(rows * plan->nplaces + 1, sizeof *t.a);
    t.b = calloc(cols * plan->nplaces + 1, sizeof *t.b);
    t.a_scale = calloc(rows * t.ngroups + 1, sizeof *t.a_scale);
    t.b_scale = calloc(cols * t.ngroups + 1, sizeof *t.b_scale);
    t.special = calloc(rows + cols, sizeof *t.special);
    if (!t.a || !t.b || !t.a_scale || !t.b_scale || !t.special) {
        ulp_tile_free(&t);
        return -1;
    }
    *out = t;
    return 0;
}

void ulp_tile_free(ulp_tile_t *tile)
{
    free(tile->a);
    free(tile->b);
    free(tile->a_scale);
    free(tile->b_scale);
    free(tile->special);
    memset(tile, 0, sizeof *tile);
}

void ulp_tile_load_row(ulp_tile_t *tile, size_t i, size_t g, size_t row)
{
    const ulp_contraction_t *x = tile->x;
    const ulp_contraction_shape_t *s = &x->shape;
    line_t line = {.tensor = x->a,
                   .scale = x->a_scale,
                   .start = g * s->a_group + row * s->a_row,
                   .step = s->a_k,
                   .scale_start = g * s->sa_group + row * s->sa_row,
                   .scale_step = s->sa_k};
    tile->special[i] = load(tile->a + i * tile->plan->nplaces, tile->plan, &line, s->scale_block);
    if (tile->ngroups) {
        tile->special[i] |= load_scales(tile->a_scale + i * tile->ngroups, tile, &line);
    }
}

void ulp_tile_load_column(ulp_tile_t *tile, size_t j, size_t g, size_t col)
{
    const ulp_contraction_t *x = tile->x;
    const ulp_contraction_shape_t *s = &x->shape;
    line_t line = {.tensor = x->b,
                   .scale = x->b_scale,
                   .start = g * s->b_group + col * s->b_col,
                   .step = s->b_k,
                   .scale_start = g * s->sb_group + col * s->sb_col,
                   .scale_step = s->sb_k};
    uint8_t *special = &tile->special[tile->rows + j];
    *special = load(tile->b + j * tile->plan->nplaces, tile->plan, &line, s->scale_block);
    if (tile->ngroups) {
        *special |= load_scales(tile->b_scale + j * tile->ngroups, tile, &line);
    }
}

ulp_slice_t ulp_tile_slice(const ulp_tile_t *tile, size_t i, size_t j)
{
    size_t n = tile->plan->nplaces;
    return (ulp_slice_t){
        .a = tile->a + i * n,
        .b = tile->b + j * n,
        .a_scale = tile->ngroups ? tile->a_scale + i * tile->ngroups : NULL,
        .b_scale = tile->ngroups ? tile->b_scale + j * tile->ngroups : NULL,
        .special = tile->special[i] | tile->special[tile->rows + j],
    };
}

ulp_operand_t ulp_tile_c(const ulp_tile_t *tile, size_t g, size_t row, size_t col)
{
    const ulp_contraction_shape_t *s = &tile->x->shape;
    const ulp_tensor_t *tensor = tile->x->c;
    const ulp_plan_t *plan = tile->plan;
    if (!tensor) {
        return ulp_operand_zero(0);
    }
    uint64_t code = ulp_tensor_get(tensor, g * s->c_group + row * s->c_row + col * s->c_col);
    ulp_number_t c = ulp_number_decode(code, tensor->format);
    if (plan->sum->kind != ULP_KIND_FLOAT) {
        return ulp_operand_from_number(c, 1);
    }
    if (plan->in) {
        c = flushed(c, tensor->format, plan->in->flush);
    }
    if (c.kind != ULP_CLASS_FINITE) {
        return ulp_operand_from_number(c, 1);
    }
    return ulp_operand_round(c.negative, c.significand, c.exponent, 0, &plan->c_target);
}
