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
    const ulp_lanes_t *lanes;
    ulp_lane_format_t lane_format;
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
    if (distance == 0) {
        return 0;
    }
#if defined(__GNUC__)
    return 64 - (size_t)__builtin_clzll(distance);
#else
    size_t bin = 0;
    while (distance != 0) {
        bin++;
        distance >>= 1;
    }
    return bin;
#endif
}

/* As compare.h says; ulp_lanes_t.judge says the same of finite numbers. */
static int within_tolerance(double got, double want, double apart, uint64_t distance,
                            const ulp_compare_how_t *how)
{
    unsigned given = how->given;
    if ((given & ULP_TOLERANCE_ULP) != 0 && distance <= how->ulp) {
        return 1;
    }
    if (!isfinite(got) || !isfinite(want)) {
        return 0;
    }
    return ((given & ULP_TOLERANCE_ABS) != 0 && apart <= how->abs) ||
           ((given & ULP_TOLERANCE_REL) != 0 && apart <= how->rel * fabs(want));
}

/* Whether a differing pair passes; the largest differences are kept. */
static int judge_element(ulp_comparison_t *out, const ulp_compare_worst_t *element,
                         const comparer_t *c)
{
    double got = ulp_number_to_double(ulp_number_decode(element->got, c->format));
    double want = ulp_number_to_double(ulp_number_decode(element->want, c->format));
    /* NaN is within no tolerance, and a sign of zero that counts is not a distance. */
    if (isnan(got) || isnan(want) || element->distance == 0) {
        return 0;
    }
    /* The difference of integers is their distance: two doubles might not tell them apart. */
    double apart = c->format->kind == ULP_KIND_FLOAT ? fabs(got - want) : (double)element->distance;
    if (isfinite(got) && isfinite(want)) {
        double relative = apart / fabs(want);
        out->max_abs = apart > out->max_abs ? apart : out->max_abs;
        out->max_rel = relative > out->max_rel ? relative : out->max_rel;
    }
    return within_tolerance(got, want, apart, element->distance, c->how);
}

/* Whether codes at distance 0 differ all the same. */
static int policy_differs(uint64_t got, uint64_t want, const comparer_t *c)
{
    if (ulp_format_is_nan(got, c->format)) {
        return c->how->nan == ULP_NAN_DIFFER;
    }
    uint64_t sign = c->lane_format.sign; /* same value, other sign: zeros */
    return c->how->zero == ULP_ZERO_DIFFER && ((got ^ want) & sign) != 0;
}

static void add_element(ulp_comparison_t *out, uint64_t got, uint64_t want, size_t index,
                        const comparer_t *c)
{
    ulp_compare_worst_t element = {index, got, want, ulp_ulp_distance(got, want, c->format)};
    int one_nan = ulp_format_is_nan(got, c->format) != ulp_format_is_nan(want, c->format);
    size_t bin = one_nan ? ULP_HISTOGRAM_BINS - 1 : histogram_bin(element.distance);
    out->histogram[bin]++;
    if (!one_nan && element.distance > out->max_distance) {
        out->max_distance = element.distance;
    }
    if (element.distance == 0 && !policy_differs(got, want, c)) {
        return;
    }
    if (out->differing == 0 || index < out->first_index) {
        out->first_index = index;
    }
    out->differing++;
    keep_worst(out, &element);
    out->outside += !judge_element(out, &element, c);
}

static uint64_t code_at(const void *data, size_t i, size_t nbytes)
{
    return nbytes == 1   ? ((const uint8_t *)data)[i]
           : nbytes == 2 ? ((const uint16_t *)data)[i]
           : nbytes == 4 ? ((const uint32_t *)data)[i]
                         : ((const uint64_t *)data)[i];
}

/* One block of at most ULP_LANES pairs. */
typedef struct {
    const void *got, *want;
    size_t n, first;
} block_t;

static void add_each(ulp_comparison_t *out, const block_t *b, const comparer_t *c)
{
    size_t nbytes = c->lane_format.nbytes;
    for (size_t i = 0; i < b->n; i++) {
        add_element(out, code_at(b->got, i, nbytes), code_at(b->want, i, nbytes), b->first + i, c);
    }
}

static uint64_t distance_at(const ulp_lane_distances_t *d, size_t i, size_t nbytes)
{
    return nbytes == 8 ? d->wide[i] : d->narrow[i];
}

static void add_histogram(ulp_comparison_t *out, const ulp_lane_distances_t *d, size_t n,
                          size_t nbytes)
{
    size_t counted = 0;
    for (size_t bin = 0; bin < ULP_LANES_BINS; bin++) {
        out->histogram[bin] += d->small[bin];
        counted += d->small[bin];
    }
    for (size_t i = 0; counted < n && i < n; i++) {
        uint64_t distance = distance_at(d, i, nbytes);
        if (distance >= 8) {
            out->histogram[histogram_bin(distance)]++;
            counted++;
        }
    }
}

/* The worst elements and the first of a block that has one that differs. */
static void keep_elements(ulp_comparison_t *out, const ulp_lane_distances_t *d, const block_t *b,
                          size_t nbytes)
{
    if (out->differing == 0 || b->first < out->first_index) {
        size_t i = 0;
        while (distance_at(d, i, nbytes) == 0) {
            i++;
        }
        if (out->differing == 0 || b->first + i < out->first_index) {
            out->first_index = b->first + i;
        }
    }
    uint64_t least = 1; /* what has a chance to be among the worst */
    if (out->nworst == ULP_WORST_MAX) {
        const ulp_compare_worst_t *last = &out->worst[ULP_WORST_MAX - 1];
        least = last->distance + (b->first > last->index);
        if (d->max < least || last->distance == UINT64_MAX) {
            return;
        }
    }
    for (size_t i = 0; i < b->n; i++) {
        uint64_t distance = distance_at(d, i, nbytes);
        if (distance >= least && distance != 0) {
            keep_worst(out, &(ulp_compare_worst_t){b->first + i, code_at(b->got, i, nbytes),
                                                   code_at(b->want, i, nbytes), distance});
        }
    }
}

/* A block of finite numbers, in which a sign of zero does not count. */
static void add_block(ulp_comparison_t *out, const block_t *b, const comparer_t *c)
{
    ulp_lane_distances_t d;
    const ulp_lane_format_t *f = &c->lane_format;
    c->lanes->distances(&d, b->got, b->want, b->n, f);
    add_histogram(out, &d, b->n, f->nbytes);
    if (d.max == 0) {
        return;
    }
    keep_elements(out, &d, b, f->nbytes);
    out->differing += b->n - d.small[0];
    out->max_distance = d.max > out->max_distance ? d.max : out->max_distance;
    const ulp_compare_how_t *how = c->how;
    ulp_lane_limits_t limits = {f,
                                how->given != 0,
                                (how->given & ULP_TOLERANCE_ABS) != 0 ? how->abs : -1,
                                (how->given & ULP_TOLERANCE_REL) != 0 ? how->rel : -1,
                                (how->given & ULP_TOLERANCE_ULP) != 0 ? how->ulp : 0,
                                out->max_abs,
                                out->max_rel};
    ulp_lane_judgement_t judgement;
    c->lanes->judge(&judgement, b->got, b->want, &d, b->n, &limits);
    out->outside += judgement.outside;
    if (judgement.beyond) {
        c->lanes->extremes(&out->max_abs, &out->max_rel, b->got, b->want, b->n, f);
    }
}

/* A block of finite numbers of which few differ: those alone. Returns 0, and adds nothing, if they
 * are more. */
static int add_few(ulp_comparison_t *out, const block_t *b, const comparer_t *c)
{
    enum { FEW = 4, STRETCH = 16 };
    size_t nbytes = c->lane_format.nbytes;
    size_t at[FEW];
    size_t count = 0;
    for (size_t begin = 0; begin < b->n; begin += STRETCH) {
        size_t end = begin + STRETCH < b->n ? begin + STRETCH : b->n;
        const char *got = (const char *)b->got + begin * nbytes;
        const char *want = (const char *)b->want + begin * nbytes;
        if (memcmp(got, want, (end - begin) * nbytes) == 0) {
            continue;
        }
        for (size_t i = begin; i < end; i++) {
            if (code_at(b->got, i, nbytes) == code_at(b->want, i, nbytes)) {
                continue;
            }
            if (count == FEW) {
                return 0;
            }
            at[count++] = i;
        }
    }
    out->histogram[0] += b->n - count;
    for (size_t i = 0; i < count; i++) {
        add_element(out, code_at(b->got, at[i], nbytes), code_at(b->want, at[i], nbytes),
                    b->first + at[i], c);
    }
    return 1;
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

void ulp_compare_codes_with(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                            size_t first, const ulp_format_t *format, const ulp_compare_how_t *how,
                            const ulp_lanes_t *lanes)
{
    static const ulp_compare_how_t equality = {0};
    comparer_t c = {format, how != NULL ? how : &equality, lanes, ulp_lane_format(format)};
    size_t nbytes = c.lane_format.nbytes;
    /* The least magnitude that is no number; all specials of fnuz have the magnitude 0. */
    uint64_t special_from =
        c.lane_format.inf < c.lane_format.nan_from ? c.lane_format.inf : c.lane_format.nan_from;
    out->n += n;
    for (size_t done = 0; done < n; done += ULP_LANES) {
        block_t b = {(const char *)got + done * nbytes, (const char *)want + done * nbytes,
                     n - done < ULP_LANES ? n - done : ULP_LANES, first + done};
        ulp_lane_glance_t glance;
        ulp_lane_counts_t counts = {0};
        lanes->glance(&glance, b.got, b.want, b.n, &c.lane_format);
        if (glance.least == 0 || glance.most >= special_from) {
            lanes->count(&counts, b.got, b.want, b.n, &c.lane_format);
            add_counts(out, &counts);
        }
        int nan = counts.nan_got != 0 || counts.nan_want != 0;
        int inf = counts.inf_got != 0 || counts.inf_want != 0;
        int signed_zero = counts.zero_sign_differs != 0 && c.how->zero == ULP_ZERO_DIFFER;
        if (glance.unequal == 0 && !(nan && c.how->nan == ULP_NAN_DIFFER)) {
            out->histogram[0] += b.n;
        } else if (nan || inf || signed_zero || !c.lane_format.has_values) {
            add_each(out, &b, &c);
        } else if (!add_few(out, &b, &c)) {
            add_block(out, &b, &c);
        }
    }
}

void ulp_compare_codes(ulp_comparison_t *out, const void *got, const void *want, size_t n,
                       size_t first, const ulp_format_t *format, const ulp_compare_how_t *how)
{
    ulp_compare_codes_with(out, got, want, n, first, format, how, ulp_lanes_best());
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
