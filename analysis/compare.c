/* analysis/compare.c - two arrays of codes, element by element. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare.h"

#include <math.h>
#include <string.h>

#include "analysis/compare_lanes.h"
#include "precision/number.h"
#include "precision/ulp.h"

/* What stays the same over a call. */
typedef struct {
    const ulp_format_t *format;
    const ulp_compare_how_t *how;
    ulp_lane_format_t lanes;
} comparer_t;

static int comes_first(const ulp_compare_worst_t *a, const ulp_compare_worst_t *b)
{
    return a->distance != b->distance ? a->distance > b->distance : a->index < b->index;
}

static void keep_worst(ulp_comparison_t *out, const ulp_compare_worst_t *element)
{
    size_t place = out->nworst;
    if (place == ULP_WORST_MAX) {
        if (!comes_first(element, &out->worst[place - 1])) {
            return;
        }
        place--;
    } else {
        out->nworst++;
    }
    while (place > 0 && comes_first(element, &out->worst[place - 1])) {
        out->worst[place] = out->worst[place - 1];
        place--;
    }
    out->worst[place] = *element;
}

static size_t histogram_bin(uint64_t distance)
{
    if (distance == UINT64_MAX) {
        return ULP_HISTOGRAM_BINS - 1;
    }
    size_t bin = 0;
    while (distance != 0) {
        bin++;
        distance >>= 1;
    }
    return bin;
}

static int within_tolerance(double apart, double want, uint64_t distance,
                            const ulp_compare_how_t *how)
{
    unsigned given = how->given;
    return ((given & ULP_TOLERANCE_ABS) != 0 && apart <= how->abs) ||
           ((given & ULP_TOLERANCE_REL) != 0 && apart <= how->rel * fabs(want)) ||
           ((given & ULP_TOLERANCE_ULP) != 0 && distance <= how->ulp);
}

/* |got - want| of a pair, with the magnitudes of the largest differences kept. */
static double keep_apart(ulp_comparison_t *out, double got, double want)
{
    double apart = fabs(got - want);
    if (isfinite(got) && isfinite(want)) {
        double relative = apart / fabs(want);
        out->max_abs = apart > out->max_abs ? apart : out->max_abs;
        out->max_rel = relative > out->max_rel ? relative : out->max_rel;
    }
    return apart;
}

/* Differing elements only: distance > 0, or NaN or signs of zero under a policy that tells them
 * apart. */
static void add_differing(ulp_comparison_t *out, const ulp_compare_worst_t *element,
                          const comparer_t *c)
{
    if (out->differing == 0 || element->index < out->first_index) {
        out->first_index = element->index;
    }
    out->differing++;
    keep_worst(out, element);
    double got = ulp_number_to_double(ulp_number_decode(element->got, c->format));
    double want = ulp_number_to_double(ulp_number_decode(element->want, c->format));
    double apart = keep_apart(out, got, want);
    int passes = 0;
    /* NaN is within no tolerance, and a sign of zero that counts is not a distance. */
    if (!isnan(got) && !isnan(want) && element->distance != 0) {
        passes = within_tolerance(apart, want, element->distance, c->how);
    }
    out->outside += !passes;
}

static void add_element(ulp_comparison_t *out, uint64_t got, uint64_t want, size_t index,
                        const comparer_t *c)
{
    uint64_t distance = ulp_ulp_distance(got, want, c->format);
    out->histogram[histogram_bin(distance)]++;
    if (distance != UINT64_MAX && distance > out->max_distance) {
        out->max_distance = distance;
    }
    int differs = distance != 0;
    if (!differs) {
        if (ulp_format_is_nan(got, c->format)) {
            differs = c->how->nan == ULP_NAN_DIFFER;
        } else {
            differs = got != want && c->how->zero == ULP_ZERO_DIFFER;
        }
    }
    if (differs) {
        ulp_compare_worst_t element = {index, got, want, distance};
        add_differing(out, &element, c);
    }
}

static uint64_t code_at(const void *data, size_t i, size_t nbytes)
{
    return nbytes == 1   ? ((const uint8_t *)data)[i]
           : nbytes == 2 ? ((const uint16_t *)data)[i]
           : nbytes == 4 ? ((const uint32_t *)data)[i]
                         : ((const uint64_t *)data)[i];
}

static void add_each(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                     size_t first, const comparer_t *c)
{
    for (size_t i = 0; i < n; i++) {
        add_element(out, code_at(got, i, c->lanes.nbytes), code_at(want, i, c->lanes.nbytes),
                    first + i, c);
    }
}

static void add_counts(ulp_comparison_t *out, const ulp_lane_counts_t *counts)
{
    out->nan_got += counts->nan_got;
    out->nan_want += counts->nan_want;
    out->nan_both += counts->nan_both;
    out->inf_got += counts->inf_got;
    out->inf_want += counts->inf_want;
    out->zero_got += counts->zero_got;
    out->zero_want += counts->zero_want;
    out->zero_sign_differs += counts->zero_sign_differs;
}

/* Whether the lanes alone tell all that a block with these distances adds: nothing in it sets a
 * record, and no tolerance has to be asked element by element. */
static int lanes_suffice(const ulp_comparison_t *out, const ulp_lane_distances_t *d,
                         const void *got, const void *want, size_t n, const comparer_t *c)
{
    const ulp_compare_how_t *how = c->how;
    int all_pass = (how->given & ULP_TOLERANCE_ULP) != 0 && d->max <= how->ulp;
    if (!c->lanes.has_fast_value && c->lanes.nbytes < 8) {
        return 0;
    }
    return out->nworst == ULP_WORST_MAX && d->max <= out->worst[ULP_WORST_MAX - 1].distance &&
           (how->given == 0 || all_pass) &&
           !ulp_lanes_exceed(got, want, n, out->max_abs, out->max_rel, &c->lanes);
}

/* A block with no NaN, in which a sign of zero does not count. */
static void add_block(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                      size_t first, const comparer_t *c)
{
    ulp_lane_distances_t d;
    ulp_lanes_distances(&d, got, want, n, &c->lanes);
    if (d.max == 0) {
        out->histogram[0] += n;
        return;
    }
    size_t nbytes = c->lanes.nbytes;
    if (out->differing != 0 && first > out->first_index &&
        lanes_suffice(out, &d, got, want, n, c)) {
        size_t counted = 0;
        for (size_t bin = 0; bin < ULP_LANES_BINS; bin++) {
            out->histogram[bin] += d.small[bin];
            counted += d.small[bin];
        }
        for (size_t i = 0; counted < n && i < n; i++) {
            if (d.distance[i] >= 8) {
                out->histogram[histogram_bin(d.distance[i])]++;
                counted++;
            }
        }
        out->differing += n - d.small[0];
        out->outside += c->how->given == 0 ? n - d.small[0] : 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (d.distance[i] == 0) {
            out->histogram[0]++;
        } else {
            add_element(out, code_at(got, i, nbytes), code_at(want, i, nbytes), first + i, c);
        }
    }
}

void ulp_compare_codes(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                       size_t first, const ulp_format_t *format, const ulp_compare_how_t *how)
{
    static const ulp_compare_how_t equality = {0};
    comparer_t c = {format, how != NULL ? how : &equality, ulp_lane_format(format)};
    const char *g = got;
    const char *w = want;
    out->n += n;
    for (size_t done = 0; done < n; done += ULP_LANES) {
        size_t count = n - done < ULP_LANES ? n - done : ULP_LANES;
        const void *gb = g + done * c.lanes.nbytes;
        const void *wb = w + done * c.lanes.nbytes;
        ulp_lane_counts_t counts;
        ulp_lanes_count(&counts, gb, wb, count, &c.lanes);
        add_counts(out, &counts);
        int nan = counts.nan_got != 0 || counts.nan_want != 0;
        int signed_zero = counts.zero_sign_differs != 0 && c.how->zero == ULP_ZERO_DIFFER;
        if (counts.unequal == 0 && !(nan && c.how->nan == ULP_NAN_DIFFER)) {
            out->histogram[0] += count;
        } else if (nan || signed_zero || format->kind != ULP_KIND_FLOAT) {
            add_each(out, gb, wb, count, first + done, &c);
        } else {
            add_block(out, gb, wb, count, first + done, &c);
        }
    }
}

void ulp_compare_merge(ulp_comparison_t *out, const ulp_comparison_t *part)
{
    if (part->differing != 0 && (out->differing == 0 || part->first_index < out->first_index)) {
        out->first_index = part->first_index;
    }
    out->n += part->n;
    out->differing += part->differing;
    out->outside += part->outside;
    out->nan_got += part->nan_got;
    out->nan_want += part->nan_want;
    out->nan_both += part->nan_both;
    out->inf_got += part->inf_got;
    out->inf_want += part->inf_want;
    out->zero_got += part->zero_got;
    out->zero_want += part->zero_want;
    out->zero_sign_differs += part->zero_sign_differs;
    if (part->max_distance > out->max_distance) {
        out->max_distance = part->max_distance;
    }
    out->max_abs = part->max_abs > out->max_abs ? part->max_abs : out->max_abs;
    out->max_rel = part->max_rel > out->max_rel ? part->max_rel : out->max_rel;
    for (size_t bin = 0; bin < ULP_HISTOGRAM_BINS; bin++) {
        out->histogram[bin] += part->histogram[bin];
    }
    for (size_t i = 0; i < part->nworst; i++) {
        keep_worst(out, &part->worst[i]);
    }
}
