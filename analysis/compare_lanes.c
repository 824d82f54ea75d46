/* analysis/compare_lanes.c - one block of codes, counted in lanes; compiled for ULP_LANES_SET. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare_lanes.h"

#include <math.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

/* The width of a code is a constant wherever a loop is used: without that it has no lanes. */
#if defined(__GNUC__)
#define LOOP static inline __attribute__((always_inline))
#else
#define LOOP static inline
#endif

/* Lanes as narrow as the codes. */
/* clang-format off */
#define GLANCE(type)                                                                               \
    static void glance_##type(ulp_lane_glance_t *out, const type *got, const type *want, size_t n, \
                              type mask)                                                           \
    {                                                                                              \
        type least = mask, most = 0, unequal = 0;                                                  \
        _Pragma("omp simd reduction(min : least) reduction(max : most) reduction(| : unequal)")    \
        for (size_t i = 0; i < n; i++) {                                                           \
            type mg = got[i] & mask;                                                               \
            type mw = want[i] & mask;                                                              \
            type low = mg < mw ? mg : mw;                                                          \
            type high = mg < mw ? mw : mg;                                                         \
            least = low < least ? low : least;                                                     \
            most = high > most ? high : most;                                                      \
            unequal |= got[i] ^ want[i];                                                           \
        }                                                                                          \
        *out = (ulp_lane_glance_t){least, most, unequal};                                          \
    }
/* clang-format on */

GLANCE(uint8_t)
GLANCE(uint16_t)
GLANCE(uint32_t)
GLANCE(uint64_t)

static void glance(ulp_lane_glance_t *out, const void *got, const void *want, size_t n,
                   const ulp_lane_format_t *f)
{
    switch (f->nbytes) {
    case 1:
        glance_uint8_t(out, got, want, n, (uint8_t)f->mask);
        break;
    case 2:
        glance_uint16_t(out, got, want, n, (uint16_t)f->mask);
        break;
    case 4:
        glance_uint32_t(out, got, want, n, (uint32_t)f->mask);
        break;
    default:
        glance_uint64_t(out, got, want, n, f->mask);
        break;
    }
}

/* Codes of up to 4 bytes as 32-bit lanes. */
LOOP uint32_t lane(const void *data, size_t i, size_t nbytes)
{
    if (nbytes == 1) {
        return ((const uint8_t *)data)[i];
    }
    if (nbytes == 2) {
        return ((const uint16_t *)data)[i];
    }
    return ((const uint32_t *)data)[i];
}

LOOP void count_narrow(ulp_lane_counts_t *out, const void *got, const void *want, size_t n,
                       const ulp_lane_format_t *f, size_t nbytes)
{
    uint32_t mask = (uint32_t)f->mask;
    uint32_t sign = (uint32_t)f->sign;
    uint32_t inf = (uint32_t)f->inf;
    uint32_t none_inf = f->inf == UINT64_MAX;
    uint32_t none_zero = f->zero == UINT64_MAX;
    /* m > nan_above is NaN; a format without NaN has no m above its mask */
    uint32_t nan_above = f->nan_from == UINT64_MAX ? mask : (uint32_t)(f->nan_from - 1);
    uint32_t code = (uint32_t)f->nan_code;
    uint32_t has_code = f->nan_code != UINT64_MAX;
    uint32_t nan_g = 0, nan_w = 0, nan_b = 0;
    uint32_t inf_g = 0, inf_w = 0, zero_g = 0, zero_w = 0, zero_s = 0;
#pragma omp simd reduction(+ : nan_g, nan_w, nan_b, inf_g, inf_w, zero_g, zero_w, zero_s)
    for (size_t i = 0; i < n; i++) {
        uint32_t g = lane(got, i, nbytes);
        uint32_t w = lane(want, i, nbytes);
        uint32_t mg = g & mask;
        uint32_t mw = w & mask;
        uint32_t ng = (mg > nan_above) | ((g == code) & has_code);
        uint32_t nw = (mw > nan_above) | ((w == code) & has_code);
        uint32_t zg = (mg == 0) & !none_zero & !ng;
        uint32_t zw = (mw == 0) & !none_zero & !nw;
        nan_g += ng;
        nan_w += nw;
        nan_b += ng & nw;
        inf_g += (mg == inf) & !none_inf;
        inf_w += (mw == inf) & !none_inf;
        zero_g += zg;
        zero_w += zw;
        zero_s += zg & zw & (((g ^ w) & sign) != 0);
    }
    *out = (ulp_lane_counts_t){nan_g, nan_w, nan_b, inf_g, inf_w, zero_g, zero_w, zero_s};
}

static void count_wide(ulp_lane_counts_t *out, const uint64_t *got, const uint64_t *want, size_t n,
                       const ulp_lane_format_t *f)
{
    uint64_t mask = f->mask;
    uint64_t sign = f->sign;
    uint64_t inf = f->inf;
    uint64_t none_inf = f->inf == UINT64_MAX;
    uint64_t nan_above = f->nan_from == UINT64_MAX ? UINT64_MAX : f->nan_from - 1;
    uint64_t nan_g = 0, nan_w = 0, nan_b = 0;
    uint64_t inf_g = 0, inf_w = 0, zero_g = 0, zero_w = 0, zero_s = 0;
#pragma omp simd reduction(+ : nan_g, nan_w, nan_b, inf_g, inf_w, zero_g, zero_w, zero_s)
    for (size_t i = 0; i < n; i++) {
        uint64_t mg = got[i] & mask;
        uint64_t mw = want[i] & mask;
        uint64_t ng = mg > nan_above;
        uint64_t nw = mw > nan_above;
        nan_g += ng;
        nan_w += nw;
        nan_b += ng & nw;
        inf_g += (mg == inf) & !none_inf;
        inf_w += (mw == inf) & !none_inf;
        zero_g += mg == 0;
        zero_w += mw == 0;
        zero_s += (mg == 0) & (mw == 0) & (((got[i] ^ want[i]) & sign) != 0);
    }
    *out =
        (ulp_lane_counts_t){(uint32_t)nan_g, (uint32_t)nan_w,  (uint32_t)nan_b,  (uint32_t)inf_g,
                            (uint32_t)inf_w, (uint32_t)zero_g, (uint32_t)zero_w, (uint32_t)zero_s};
}

static void count(ulp_lane_counts_t *out, const void *got, const void *want, size_t n,
                  const ulp_lane_format_t *f)
{
    switch (f->nbytes) {
    case 1:
        count_narrow(out, got, want, n, f, 1);
        break;
    case 2:
        count_narrow(out, got, want, n, f, 2);
        break;
    case 4:
        count_narrow(out, got, want, n, f, 4);
        break;
    default:
        count_wide(out, got, want, n, f);
        break;
    }
}

LOOP void distances_narrow(ulp_lane_distances_t *out, const void *got, const void *want, size_t n,
                           const ulp_lane_format_t *f, size_t nbytes)
{
    uint32_t mask = (uint32_t)f->mask;
    uint32_t sign = (uint32_t)f->sign;
    int padding = f->padding_bits;
    uint32_t most = 0, d0 = 0, d1 = 0, d2 = 0, d4 = 0;
    uint32_t *d = out->narrow;
#pragma omp simd reduction(+ : d0, d1, d2, d4) reduction(max : most)
    for (size_t i = 0; i < n; i++) {
        uint32_t g = lane(got, i, nbytes);
        uint32_t w = lane(want, i, nbytes);
        uint32_t mg = (g & mask) >> padding;
        uint32_t mw = (w & mask) >> padding;
        /* same sign: the difference of the magnitudes; else their sum, below 2^32 */
        uint32_t apart = mg > mw ? mg - mw : mw - mg;
        uint32_t x = ((g ^ w) & sign) != 0 ? mg + mw : apart;
        d[i] = x;
        most = x > most ? x : most;
        d0 += x == 0;
        d1 += x == 1;
        d2 += (x & ~1u) == 2;
        d4 += (x & ~3u) == 4;
    }
    out->max = most;
    memcpy(out->small, (uint32_t[]){d0, d1, d2, d4}, sizeof out->small);
}

static void distances_wide(ulp_lane_distances_t *out, const uint64_t *got, const uint64_t *want,
                           size_t n, const ulp_lane_format_t *f)
{
    uint64_t mask = f->mask;
    uint64_t sign = f->sign;
    uint64_t most = 0, d0 = 0, d1 = 0, d2 = 0, d4 = 0;
    uint64_t *d = out->wide;
#pragma omp simd reduction(+ : d0, d1, d2, d4) reduction(max : most)
    for (size_t i = 0; i < n; i++) {
        uint64_t mg = got[i] & mask;
        uint64_t mw = want[i] & mask;
        uint64_t apart = mg > mw ? mg - mw : mw - mg;
        uint64_t x = ((got[i] ^ want[i]) & sign) != 0 ? mg + mw : apart;
        d[i] = x;
        most = x > most ? x : most;
        d0 += x == 0;
        d1 += x == 1;
        d2 += (x & ~(uint64_t)1) == 2;
        d4 += (x & ~(uint64_t)3) == 4;
    }
    out->max = most;
    memcpy(out->small, (uint32_t[]){(uint32_t)d0, (uint32_t)d1, (uint32_t)d2, (uint32_t)d4},
           sizeof out->small);
}

static void distances(ulp_lane_distances_t *out, const void *got, const void *want, size_t n,
                      const ulp_lane_format_t *f)
{
    switch (f->nbytes) {
    case 1:
        distances_narrow(out, got, want, n, f, 1);
        break;
    case 2:
        distances_narrow(out, got, want, n, f, 2);
        break;
    case 4:
        distances_narrow(out, got, want, n, f, 4);
        break;
    default:
        distances_wide(out, got, want, n, f);
        break;
    }
}

/* The value of a finite code, exactly; no subnormal takes part, for they are slow. */
LOOP double value_at(const void *data, size_t i, const ulp_lane_format_t *f, size_t nbytes)
{
    double x;
    if (nbytes == 8) {
        memcpy(&x, (const uint64_t *)data + i, sizeof x);
        return x;
    }
    uint32_t bits = lane(data, i, nbytes);
    uint32_t m = bits & (uint32_t)f->mask;
    uint64_t word = ((uint64_t)m << f->value_shift) + f->value_base;
    memcpy(&x, &word, sizeof x);
    x = m < f->hidden ? 2 * x - f->value_least : x;
    return (bits & (uint32_t)f->sign) != 0 ? -x : x;
}

LOOP void judge_each(ulp_lane_judgement_t *out, const void *got, const void *want,
                     const ulp_lane_distances_t *d, size_t n, const ulp_lane_limits_t *limits,
                     size_t nbytes, int given)
{
    ulp_lane_format_t format = *limits->format; /* a copy that no store can alias */
    double abs = limits->abs, rel = limits->rel, max_abs = limits->max_abs;
    /* The quotient |got - want| / |want| is not taken here: the product is compared instead, with
     * a margin for both roundings, and >= because the product may be rounded up to a subnormal. */
    double factor = limits->max_rel * (1.0 - 0x1p-50);
    uint64_t ulp = limits->ulp;
    uint32_t ulp32 = ulp > UINT32_MAX ? UINT32_MAX : (uint32_t)ulp;
    uint32_t outside = 0, beyond = 0;
#pragma omp simd reduction(+ : outside) reduction(| : beyond)
    for (size_t i = 0; i < n; i++) {
        double w = value_at(want, i, &format, nbytes);
        double apart = fabs(value_at(got, i, &format, nbytes) - w);
        double size = fabs(w);
        beyond |= (apart > max_abs) | ((apart >= factor * size) & (apart > 0));
        if (given) {
            uint32_t within = nbytes == 8 ? d->wide[i] <= ulp : d->narrow[i] <= ulp32;
            outside += !(within | (apart <= abs) | (apart <= rel * size));
        }
    }
    *out = (ulp_lane_judgement_t){outside, beyond};
}

#define JUDGE(nbytes)                                                                              \
    if (limits->given) {                                                                           \
        judge_each(out, got, want, d, n, limits, nbytes, 1);                                       \
    } else {                                                                                       \
        judge_each(out, got, want, d, n, limits, nbytes, 0);                                       \
    }

static void judge(ulp_lane_judgement_t *out, const void *got, const void *want,
                  const ulp_lane_distances_t *d, size_t n, const ulp_lane_limits_t *limits)
{
    switch (limits->format->nbytes) {
    case 1:
        JUDGE(1)
        break;
    case 2:
        JUDGE(2)
        break;
    case 4:
        JUDGE(4)
        break;
    default:
        JUDGE(8)
        break;
    }
    if (!limits->given) {
        out->outside = (uint32_t)n - d->small[0];
    }
}

LOOP void extremes_each(double *max_abs, double *max_rel, const void *got, const void *want,
                        size_t n, const ulp_lane_format_t *f, size_t nbytes)
{
    ulp_lane_format_t format = *f;
    double most = *max_abs, most_relative = *max_rel;
#pragma omp simd reduction(max : most, most_relative)
    for (size_t i = 0; i < n; i++) {
        double w = value_at(want, i, &format, nbytes);
        double apart = fabs(value_at(got, i, &format, nbytes) - w);
        double relative = apart > 0 ? apart / fabs(w) : 0;
        most = apart > most ? apart : most;
        most_relative = relative > most_relative ? relative : most_relative;
    }
    *max_abs = most;
    *max_rel = most_relative;
}

static void extremes(double *max_abs, double *max_rel, const void *got, const void *want, size_t n,
                     const ulp_lane_format_t *f)
{
    switch (f->nbytes) {
    case 1:
        extremes_each(max_abs, max_rel, got, want, n, f, 1);
        break;
    case 2:
        extremes_each(max_abs, max_rel, got, want, n, f, 2);
        break;
    case 4:
        extremes_each(max_abs, max_rel, got, want, n, f, 4);
        break;
    default:
        extremes_each(max_abs, max_rel, got, want, n, f, 8);
        break;
    }
}

const ulp_lanes_t *JOIN(ulp_lanes_, ULP_LANES_SET)(void);

const ulp_lanes_t *JOIN(ulp_lanes_, ULP_LANES_SET)(void)
{
    static const ulp_lanes_t lanes = {ULP_LANES_NAME, glance, count, distances, judge, extremes};
    return &lanes;
}
