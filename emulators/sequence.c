/* emulators/sequence.c - which k meets the unit when: order, whole steps, segments, parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "emulators/plan.h"

enum { PAIRS_BLOCK = 32, ORDER_DESC = 1, ORDER_PAIRS = 2 };

static size_t round_up(size_t n, size_t to)
{
    return to > 1 ? (n + to - 1) / to * to : n;
}

static size_t order_block(const ulp_plan_t *plan, size_t k)
{
    if (!plan->order) {
        return 1;
    }
    if (plan->order->n > 0) {
        return (size_t)plan->order->n;
    }
    return plan->order->order == ORDER_PAIRS ? PAIRS_BLOCK : k ? k : 1;
}

/* The k at place i of the ordered sequence: blocks in ascending order, each turned or with the k
 * that have k mod 4 < 2 first. */
static size_t ordered(const ulp_plan_t *plan, size_t i, size_t block, size_t k)
{
    int order = plan->order ? plan->order->order : 0;
    size_t start = i / block * block, j = i - start, at = i;
    if (order == ORDER_DESC) {
        size_t size = k - start < block ? k - start : block;
        at = start + size - 1 - j;
    } else if (order == ORDER_PAIRS) {
        size_t half = block / 2;
        size_t second = j >= half;
        j -= second ? half : 0;
        at = start + j / 2 * 4 + j % 2 + 2 * second;
    }
    return at < k ? at : ULP_PLAN_PADDING;
}

/* Lengths of the ordered sequence, of a part, of a segment. */
typedef struct {
    size_t all, part, segment, block;
} cut_t;

static cut_t cut(const ulp_plan_t *plan, size_t k)
{
    cut_t c = {.block = order_block(plan, k)};
    c.all = plan->order && plan->order->order == ORDER_PAIRS ? round_up(k, c.block) : k;
    c.part = c.all;
    if (plan->splitk) {
        size_t parts = (size_t)plan->splitk->n;
        size_t whole = plan->promote ? (size_t)plan->promote->n : plan->unit;
        whole = whole > c.block ? whole : c.block;
        c.part = round_up((c.all + parts - 1) / parts, whole);
    }
    c.segment = plan->promote ? (size_t)plan->promote->n : c.part;
    return c;
}

/* Walk over the segments; fill places and segments if they are there. */
static void lay_out(ulp_plan_t *plan, size_t k, const cut_t *c)
{
    size_t place = 0, nsegments = 0;
    for (size_t part = 0; part < c->all; part += c->part) {
        size_t part_end = c->all - part < c->part ? c->all : part + c->part;
        for (size_t at = part; at < part_end; at += c->segment) {
            size_t size = part_end - at < c->segment ? part_end - at : c->segment;
            size_t padded = round_up(size, plan->unit);
            if (plan->segment) {
                plan->segment[nsegments] = (ulp_segment_t){place, padded, at == part && part > 0};
                for (size_t i = 0; i < padded; i++) {
                    plan->place[place + i] =
                        i < size ? ordered(plan, at + i, c->block, k) : ULP_PLAN_PADDING;
                }
            }
            place += padded;
            nsegments++;
        }
    }
    plan->nplaces = place;
    plan->nsegments = nsegments;
}

ulp_status_t ulp_plan_sequence(ulp_plan_t *plan, size_t k, ulp_error_t *err)
{
    if (k > SIZE_MAX / 64) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "K = %zu is too large to emulate", k);
    }
    cut_t c = cut(plan, k);
    lay_out(plan, k, &c); /* counts */
    size_t *place = calloc(plan->nplaces ? plan->nplaces : 1, sizeof *place);
    ulp_segment_t *segment = calloc(plan->nsegments ? plan->nsegments : 1, sizeof *segment);
    if (!place || !segment) {
        free(place);
        free(segment);
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for K = %zu", k);
    }
    plan->place = place;
    plan->segment = segment;
    lay_out(plan, k, &c);
    return ULP_OK;
}
