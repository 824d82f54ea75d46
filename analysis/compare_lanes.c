/* analysis/compare_lanes.c - one block of codes, counted in lanes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare_lanes.h"

#include <math.h>
#include <string.h>

#include "core/clones.h"

#define SIMD _Pragma("omp simd")

ulp_lane_format_t ulp_lane_format(const ulp_format_t *format)
{
    uint64_t all = format->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << format->bits) - 1;
    uint64_t sign = format->has_sign ? (uint64_t)1 << (format->bits - 1) : 0;
    uint64_t padding = ((uint64_t)1 << format->padding_bits) - 1;
    ulp_lane_format_t f = {ulp_format_bytes(format),
                           sign,
                           all & ~sign & ~padding,
                           UINT64_MAX,
                           UINT64_MAX,
                           UINT64_MAX,
                           format->zero == ULP_ZERO_NONE ? UINT64_MAX : 0,
                           format->padding_bits,
                           0,
                           1.0f,
                           0};
    if (ulp_format_has_inf(format)) {
        f.inf = ulp_format_inf(format, 0);
        f.nan_from = f.inf + padding + 1;
    } else if (format->nan == ULP_NAN_ALL_ONES) {
        f.nan_from = f.mask;
    } else if (format->nan == ULP_NAN_MINUS_ZERO) {
        f.nan_code = sign;
    }
    f.value_shift = 24 - format->p - format->padding_bits;
    f.has_fast_value =
        format->kind == ULP_KIND_FLOAT && format->bits <= 32 && format->zero != ULP_ZERO_NONE;
    if (f.has_fast_value) {
        f.value_scale = ldexpf(1.0f, 127 - format->bias);
    }
    return f;
}

/* Codes of up to 4 bytes as 32-bit lanes; nbytes is a constant where this is inlined. */
static inline uint32_t lane(const void *data, size_t i, size_t nbytes)
{
    if (nbytes == 1) {
        return ((const uint8_t *)data)[i];
    }
    if (nbytes == 2) {
        return ((const uint16_t *)data)[i];
    }
    return ((const uint32_t *)data)[i];
}

static inline void count_narrow(ulp_lane_counts_t *out, const void *got, const void *want, size_t n,
                                const ulp_lane_format_t *f, size_t nbytes)
{
    uint32_t mask = (uint32_t)f->mask;
    uint32_t inf = (uint32_t)f->inf;
    uint32_t none_inf = f->inf == UINT64_MAX;
    uint32_t none_zero = f->zero == UINT64_MAX;
    /* m > nan_above is NaN; a format without NaN has no m above its mask */
    uint32_t nan_above = f->nan_from == UINT64_MAX ? mask : (uint32_t)(f->nan_from - 1);
    uint32_t code = (uint32_t)f->nan_code;
    uint32_t has_code = f->nan_code != UINT64_MAX;
    uint32_t unequal = 0, nan_g = 0, nan_w = 0, nan_b = 0;
    uint32_t inf_g = 0, inf_w = 0, zero_g = 0, zero_w = 0, zero_s = 0;
#pragma omp simd reduction(+ : unequal, nan_g, nan_w, nan_b, inf_g, inf_w, zero_g, zero_w, zero_s)
    for (size_t i = 0; i < n; i++) {
        uint32_t g = lane(got, i, nbytes);
        uint32_t w = lane(want, i, nbytes);
        uint32_t mg = g & mask;
        uint32_t mw = w & mask;
        uint32_t ng = (mg > nan_above) | ((g == code) & has_code);
        uint32_t nw = (mw > nan_above) | ((w == code) & has_code);
        uint32_t zg = (mg == 0) & !none_zero & !ng;
        uint32_t zw = (mw == 0) & !none_zero & !nw;
        unequal += g != w;
        nan_g += ng;
        nan_w += nw;
        nan_b += ng & nw;
        inf_g += (mg == inf) & !none_inf;
        inf_w += (mw == inf) & !none_inf;
        zero_g += zg;
        zero_w += zw;
        zero_s += zg & zw & (g != w);
    }
    *out = (ulp_lane_counts_t){unequal, nan_g, nan_w, nan_b, inf_g, inf_w, zero_g, zero_w, zero_s};
}

static inline void count_wide(ulp_lane_counts_t *out, const uint64_t *got, const uint64_t *want,
                              size_t n, const ulp_lane_format_t *f)
{
    uint64_t mask = f->mask;
    uint64_t inf = f->inf; /* UINT64_MAX is no magnitude of a signed format */
    uint64_t none_inf = f->inf == UINT64_MAX;
    uint64_t nan_above = f->nan_from == UINT64_MAX ? UINT64_MAX : f->nan_from - 1;
    uint64_t unequal = 0, nan_g = 0, nan_w = 0, nan_b = 0;
    uint64_t inf_g = 0, inf_w = 0, zero_g = 0, zero_w = 0, zero_s = 0;
#pragma omp simd reduction(+ : unequal, nan_g, nan_w, nan_b, inf_g, inf_w, zero_g, zero_w, zero_s)
    for (size_t i = 0; i < n; i++) {
        uint64_t mg = got[i] & mask;
        uint64_t mw = want[i] & mask;
        uint64_t differ = got[i] != want[i];
        uint64_t ng = mg > nan_above;
        uint64_t nw = mw > nan_above;
        unequal += differ;
        nan_g += ng;
        nan_w += nw;
        nan_b += ng & nw;
        inf_g += (mg == inf) & !none_inf;
        inf_w += (mw == inf) & !none_inf;
        zero_g += mg == 0;
        zero_w += mw == 0;
        zero_s += (mg == 0) & (mw == 0) & differ;
    }
    *out = (ulp_lane_counts_t){(uint32_t)unequal, (uint32_t)nan_g,  (uint32_t)nan_w,
                               (uint32_t)nan_b,   (uint32_t)inf_g,  (uint32_t)inf_w,
                               (uint32_t)zero_g,  (uint32_t)zero_w, (uint32_t)zero_s};
}

ULP_CLONES void ulp_lanes_count(ulp_lane_counts_t *out, const void *got, const void *want, size_t n,
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

static inline void distances_narrow(ulp_lane_distances_t *out, const void *got, const void *want,
                                    size_t n, const ulp_lane_format_t *f, size_t nbytes)
{
    uint32_t mask = (uint32_t)f->mask;
    uint32_t sign = (uint32_t)f->sign;
    int padding = f->padding_bits;
    uint32_t most = 0, d0 = 0, d1 = 0, d2 = 0, d4 = 0;
    uint32_t d[ULP_LANES];
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
    SIMD for (size_t i = 0; i < n; i++)
    {
        out->distance[i] = d[i];
    }
    out->max = most;
    memcpy(out->small, (uint32_t[]){d0, d1, d2, d4}, sizeof out->small);
}

static inline void distances_wide(ulp_lane_distances_t *out, const uint64_t *got,
                                  const uint64_t *want, size_t n, const ulp_lane_format_t *f)
{
    uint64_t mask = f->mask;
    uint64_t sign = f->sign;
    uint64_t most = 0, d0 = 0, d1 = 0, d2 = 0, d4 = 0;
#pragma omp simd reduction(+ : d0, d1, d2, d4) reduction(max : most)
    for (size_t i = 0; i < n; i++) {
        uint64_t mg = got[i] & mask;
        uint64_t mw = want[i] & mask;
        uint64_t apart = mg > mw ? mg - mw : mw - mg;
        uint64_t x = ((got[i] ^ want[i]) & sign) != 0 ? mg + mw : apart;
        out->distance[i] = x;
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

ULP_CLONES void ulp_lanes_distances(ulp_lane_distances_t *out, const void *got, const void *want,
                                    size_t n, const ulp_lane_format_t *f)
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

static inline float narrow_value(uint32_t bits, const ulp_lane_format_t *f)
{
    uint32_t word = (bits & (uint32_t)f->mask) << f->value_shift;
    float x;
    memcpy(&x, &word, sizeof x);
    x *= f->value_scale;
    return (bits & (uint32_t)f->sign) != 0 ? -x : x;
}

static inline int exceeds_narrow(const void *got, const void *want, size_t n, double max_abs,
                                 double max_rel, const ulp_lane_format_t *f, size_t nbytes)
{
    uint32_t any = 0;
    double factor = max_rel * (1.0 - 0x1p-50);
#pragma omp simd reduction(| : any)
    for (size_t i = 0; i < n; i++) {
        double g = (double)narrow_value(lane(got, i, nbytes), f);
        double w = (double)narrow_value(lane(want, i, nbytes), f);
        double apart = fabs(g - w);
        any |= (apart > max_abs) | (apart > factor * fabs(w));
    }
    return any != 0;
}

static inline int exceeds_wide(const uint64_t *got, const uint64_t *want, size_t n, double max_abs,
                               double max_rel)
{
    uint64_t any = 0;
    double factor = max_rel * (1.0 - 0x1p-50);
#pragma omp simd reduction(| : any)
    for (size_t i = 0; i < n; i++) {
        double g;
        double w;
        memcpy(&g, &got[i], sizeof g);
        memcpy(&w, &want[i], sizeof w);
        double apart = fabs(g - w);
        any |= (apart > max_abs) | (apart > factor * fabs(w));
    }
    return any != 0;
}

ULP_CLONES int ulp_lanes_exceed(const void *got, const void *want, size_t n, double max_abs,
                                double max_rel, const ulp_lane_format_t *f)
{
    switch (f->nbytes) {
    case 1:
        return exceeds_narrow(got, want, n, max_abs, max_rel, f, 1);
    case 2:
        return exceeds_narrow(got, want, n, max_abs, max_rel, f, 2);
    case 4:
        return exceeds_narrow(got, want, n, max_abs, max_rel, f, 4);
    default:
        return exceeds_wide(got, want, n, max_abs, max_rel);
    }
}
