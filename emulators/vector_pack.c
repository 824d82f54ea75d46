/* emulators/vector_pack.c - decoded operands into lanes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vector_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static void *lanes(size_t count, size_t size)
{
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *p = aligned_alloc(ALIGNMENT, bytes ? bytes : ALIGNMENT);
    if (p) {
        memset(p, 0, bytes);
    }
    return p;
}

int ulp_packed_make(ulp_packed_t *out, const ulp_plan_t *plan, size_t lines, int panel)
{
    ulp_packed_t p = {.lines = lines, .places = plan->nplaces};
    p.nsteps = plan->unit ? plan->nplaces / plan->unit : plan->nplaces;
    size_t wide = panel ? (size_t)ULP_VECTOR_WIDTH : lines;
    p.value = lanes(wide * p.places, sizeof *p.value);
    p.exponent = lanes(wide * p.places, sizeof *p.exponent);
    p.largest = lanes(wide * p.nsteps, sizeof *p.largest);
    p.wide = lanes(wide, 1);
    if (!p.value || !p.exponent || !p.largest || !p.wide) {
        ulp_packed_free(&p);
        return -1;
    }
    for (size_t i = 0; i < wide * p.places; i++) {
        p.exponent[i] = ULP_VECTOR_NO_EXPONENT;
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

/* The largest exponent of a step; 0 if all are zeros. */
static int32_t step_exponent(const ulp_operand_t *x, size_t n)
{
    int32_t r = ULP_OPERAND_ZERO_EXPONENT;
    for (size_t i = 0; i < n; i++) {
        r = x[i].s != 0 && x[i].e > r ? x[i].e : r;
    }
    return r == ULP_OPERAND_ZERO_EXPONENT ? 0 : r;
}

/* x 2^-r as a binary32: exact, for a significand of at most 24 bits. */
static float divided(const ulp_operand_t *x, int fraction, int32_t r)
{
    if (x->s == 0) {
        return x->negative ? -0.0f : 0.0f;
    }
    return ldexpf((float)x->s, x->e - fraction - r);
}

/* Where element i of a line goes. */
typedef struct {
    size_t start, stride;
    int bias;
} lane_t;

static void pack_line(ulp_packed_t *to, const ulp_plan_t *plan, size_t line, lane_t place,
                      lane_t step, const ulp_operand_t *x, int fraction)
{
    size_t unit = plan->unit ? plan->unit : 1;
    uint8_t wide = 0;
    for (size_t s = 0; s < to->nsteps; s++) {
        const ulp_operand_t *first = x + s * unit;
        /* A chain of FMAs takes the values as they are. */
        int32_t r = plan->unit ? step_exponent(first, unit) : 0;
        to->largest[step.start + s * step.stride] = r;
        for (size_t i = 0; i < unit; i++) {
            size_t at = place.start + (s * unit + i) * place.stride;
            float value = divided(&first[i], fraction, r);
            wide |= first[i].kind != ULP_OPERAND_FINITE;
            wide |= plan->unit && first[i].s != 0 && fabsf(value) < 0x1p-50f;
            to->value[at] = value;
            to->exponent[at] = first[i].s != 0 ? (int16_t)(first[i].e + place.bias)
                                               : (int16_t)ULP_VECTOR_NO_EXPONENT;
        }
    }
    to->wide[line] = wide;
}

void ulp_packed_row(ulp_packed_t *to, const ulp_plan_t *plan, size_t line, const ulp_operand_t *x,
                    int fraction)
{
    lane_t place = {line * to->places, 1, 0}, step = {line * to->nsteps, 1, 0};
    pack_line(to, plan, line, place, step, x, fraction);
}

void ulp_packed_column(ulp_packed_t *to, const ulp_plan_t *plan, size_t line,
                       const ulp_operand_t *x, int fraction)
{
    lane_t place = {line, ULP_VECTOR_WIDTH, ULP_VECTOR_BIAS}, step = {line, ULP_VECTOR_WIDTH, 0};
    pack_line(to, plan, line, place, step, x, fraction);
}
