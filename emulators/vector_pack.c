/* emulators/vector_pack.c - codes into lanes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vector_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulators/tile.h"

enum { ALIGNMENT = 64, WIDTH = ULP_VECTOR_WIDTH, UNIT_MAX = 32 };

static ulp_entry_t decode(const ulp_decoder_t *d, uint64_t code)
{
    const ulp_plan_t *plan = d->plan;
    const ulp_format_t *from = d->tensor->format;
    const ulp_format_t *to = plan->in && plan->in->format ? plan->in->format : from;
    ulp_operand_t x = ulp_tile_decode(code, from, plan->in);
    ulp_entry_t entry = {0.0f, ULP_VECTOR_NO_EXPONENT, x.kind != ULP_OPERAND_FINITE};
    if (x.s != 0) {
        entry.value = ldexpf((float)x.s, x.e - (to->p - 1));
        entry.exponent = (int16_t)x.e;
    } else if (x.negative) {
        entry.value = -0.0f;
    }
    return entry;
}

int ulp_decoder_make(ulp_decoder_t *out, const ulp_plan_t *plan, const ulp_tensor_t *tensor)
{
    ulp_decoder_t d = {plan, tensor, NULL};
    size_t codes = (size_t)1 << (tensor->format->bits & 31);
    if (tensor->format->bits <= 16 && tensor->nelems >= codes) {
        d.table = malloc(codes * sizeof *d.table);
        if (d.table == NULL) {
            return -1;
        }
        for (size_t code = 0; code < codes; code++) {
            d.table[code] = decode(&d, code);
        }
    }
    *out = d;
    return 0;
}

void ulp_decoder_free(ulp_decoder_t *decoder)
{
    free(decoder->table);
    decoder->table = NULL;
}

/* The entry of a binary32 that no stage changes, or cuts to tf32. */
static ulp_entry_t decode_f32(uint32_t word)
{
    ulp_entry_t entry;
    int field = (int)(word >> 23 & 255);
    entry.special = field == 255;
    memcpy(&entry.value, &word, sizeof entry.value);
    entry.exponent = (int16_t)(entry.value == 0.0f ? ULP_VECTOR_NO_EXPONENT
                                                   : (field ? field : 1) - ULP_VECTOR_BIAS);
    if (entry.special) {
        entry.value = 0.0f;
        entry.exponent = ULP_VECTOR_NO_EXPONENT;
    }
    return entry;
}

static ulp_entry_t entry_at(const ulp_decoder_t *d, size_t at)
{
    const ulp_tensor_t *t = d->tensor;
    if (d->table != NULL) {
        uint64_t code = t->format->bits == 16 ? ((const uint16_t *)t->data)[at]
                                              : ((const uint8_t *)t->data)[at];
        return d->table[code & (((uint64_t)1 << t->format->bits) - 1)];
    }
    if (t->format->bits == 32 && t->format->exponent_bits == 8 && d->plan->in == NULL) {
        return decode_f32(((const uint32_t *)t->data)[at]);
    }
    return decode(d, ulp_tensor_get(t, at));
}

static void *lanes(size_t count, size_t size)
{
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *p = aligned_alloc(ALIGNMENT, bytes ? bytes : ALIGNMENT);
    if (p != NULL) {
        memset(p, 0, bytes);
    }
    return p;
}

int ulp_packed_make(ulp_packed_t *out, const ulp_plan_t *plan, size_t lines)
{
    ulp_packed_t p = {.places = plan->nplaces};
    p.nsteps = plan->unit ? plan->nplaces / plan->unit : 0;
    p.value = lanes(lines * p.places, sizeof *p.value);
    p.exponent = lanes(lines * p.places, sizeof *p.exponent);
    p.largest = lanes(lines * p.nsteps, sizeof *p.largest);
    p.wide = lanes(lines, 1);
    if (p.value == NULL || p.exponent == NULL || p.largest == NULL || p.wide == NULL) {
        ulp_packed_free(&p);
        return -1;
    }
    *out = p;
    return 0;
}

void ulp_packed_free(ulp_packed_t *packed)
{
    free(packed->value);
    free(packed->exponent);
    free(packed->largest);
    free(packed->wide);
    memset(packed, 0, sizeof *packed);
}

static const ulp_entry_t nothing = {0.0f, ULP_VECTOR_NO_EXPONENT, 0};

/* 2^-r; exact, for any exponent of a binary32. */
static double reciprocal_power(int32_t r)
{
    uint64_t bits = (uint64_t)(1023 - r) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* value 2^-r: exact, since all that is kept lies within 2^-50 and 2; returns 1 if it does not. */
static uint8_t divide(float *value, double power)
{
    float x = (float)((double)*value * power);
    uint8_t wide = *value != 0.0f && fabsf(x) < 0x1p-50f;
    *value = x;
    return wide;
}

void ulp_packed_row(ulp_packed_t *to, size_t line, const ulp_decoder_t *decoder, size_t start,
                    size_t step)
{
    const ulp_plan_t *plan = decoder->plan;
    float *value = to->value + line * to->places;
    int16_t *exponent = to->exponent + line * to->places;
    uint8_t wide = 0;
    for (size_t i = 0; i < to->places; i++) {
        size_t k = plan->place[i];
        ulp_entry_t x = k == ULP_PLAN_PADDING ? nothing : entry_at(decoder, start + k * step);
        value[i] = x.value;
        exponent[i] = x.exponent;
        wide |= x.special;
    }
    for (size_t s = 0; s < to->nsteps; s++) {
        int32_t r = ULP_VECTOR_NO_EXPONENT;
        for (size_t i = s * plan->unit; i < (s + 1) * plan->unit; i++) {
            r = exponent[i] > r ? exponent[i] : r;
        }
        r = r == ULP_VECTOR_NO_EXPONENT ? 0 : r;
        double power = reciprocal_power(r);
        to->largest[line * to->nsteps + s] = r;
        for (size_t i = s * plan->unit; i < (s + 1) * plan->unit; i++) {
            wide |= divide(&value[i], power);
        }
    }
    to->wide[line] = wide;
}

/* Place i of a panel, before the division by the largest. */
static void load_place(ulp_packed_t *to, size_t i, const ulp_decoder_t *decoder, size_t at,
                       size_t across, size_t columns)
{
    float *value = to->value + i * WIDTH;
    int16_t *exponent = to->exponent + i * WIDTH;
    size_t k = decoder->plan->place[i];
    for (size_t j = 0; j < WIDTH; j++) {
        ulp_entry_t x = nothing;
        if (k != ULP_PLAN_PADDING && j < columns) {
            x = entry_at(decoder, at + j * across);
        }
        value[j] = x.value;
        exponent[j] = x.exponent;
        to->wide[j] |= x.special;
    }
}

/* Step s of a panel divided by its largest; exponents biased. */
static void divide_step(ulp_packed_t *to, size_t s, size_t unit)
{
    int32_t *r = to->largest + s * WIDTH;
    double power[WIDTH];
    for (size_t j = 0; j < WIDTH; j++) {
        r[j] = ULP_VECTOR_NO_EXPONENT;
    }
    for (size_t i = s * unit; i < (s + 1) * unit; i++) {
        for (size_t j = 0; j < WIDTH; j++) {
            int16_t e = to->exponent[i * WIDTH + j];
            r[j] = e > r[j] ? e : r[j];
        }
    }
    for (size_t j = 0; j < WIDTH; j++) {
        r[j] = r[j] == ULP_VECTOR_NO_EXPONENT ? 0 : r[j];
        power[j] = reciprocal_power(r[j]);
    }
    for (size_t i = s * unit; i < (s + 1) * unit; i++) {
        for (size_t j = 0; j < WIDTH; j++) {
            int16_t *e = &to->exponent[i * WIDTH + j];
            to->wide[j] |= divide(&to->value[i * WIDTH + j], power[j]);
            *e = (int16_t)(*e + (*e == ULP_VECTOR_NO_EXPONENT ? 0 : ULP_VECTOR_BIAS));
        }
    }
}

void ulp_packed_panel(ulp_packed_t *to, const ulp_decoder_t *decoder, size_t start, size_t step,
                      size_t across, size_t columns)
{
    const ulp_plan_t *plan = decoder->plan;
    memset(to->wide, 0, WIDTH);
    for (size_t i = 0; i < to->places; i++) {
        size_t k = plan->place[i];
        load_place(to, i, decoder, k == ULP_PLAN_PADDING ? 0 : start + k * step, across, columns);
    }
    for (size_t s = 0; s < to->nsteps; s++) {
        divide_step(to, s, plan->unit);
    }
}
