/* analysis/compare_set.c - the instruction sets that the lanes were compiled for, best first; what
 * the lanes ask of a format. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "analysis/compare_lanes.h"

const ulp_lanes_t *ulp_lanes_baseline(void);
#ifdef ULP_LANES_X86
const ulp_lanes_t *ulp_lanes_v3(void);
const ulp_lanes_t *ulp_lanes_v4(void);

static int has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

static int has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

static int always(void)
{
    return 1;
}

static const struct {
    const ulp_lanes_t *(*lanes)(void);
    int (*runs)(void);
} sets[] = {
#ifdef ULP_LANES_X86
    {ulp_lanes_v4, has_v4},
    {ulp_lanes_v3, has_v3},
#endif
    {ulp_lanes_baseline, always},
};

size_t ulp_lanes_count(void)
{
    return sizeof sets / sizeof sets[0];
}

const ulp_lanes_t *ulp_lanes_at(size_t i)
{
    return sets[i].lanes();
}

int ulp_lanes_runs(size_t i)
{
    return sets[i].runs();
}

const ulp_lanes_t *ulp_lanes_best(void)
{
    size_t i = 0;
    while (!sets[i].runs()) { /* the last runs anywhere */
        i++;
    }
    return sets[i].lanes();
}

ulp_lane_format_t ulp_lane_format(const ulp_format_t *format)
{
    uint64_t all = format->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << format->bits) - 1;
    int is_float = format->kind == ULP_KIND_FLOAT;
    uint64_t sign = is_float && format->has_sign ? (uint64_t)1 << (format->bits - 1) : 0;
    uint64_t padding = ((uint64_t)1 << format->padding_bits) - 1;
    ulp_lane_format_t f = {.nbytes = ulp_format_bytes(format),
                           .sign = sign,
                           .mask = all & ~sign & ~padding,
                           .nan_from = UINT64_MAX,
                           .nan_code = UINT64_MAX,
                           .inf = UINT64_MAX,
                           .zero = format->zero == ULP_ZERO_NONE ? UINT64_MAX : 0,
                           .padding_bits = format->padding_bits,
                           .has_values = is_float};
    if (ulp_format_has_inf(format)) {
        f.inf = ulp_format_inf(format, 0);
        f.nan_from = f.inf + padding + 1;
    } else if (format->nan == ULP_NAN_ALL_ONES) {
        f.nan_from = f.mask;
    } else if (format->nan == ULP_NAN_MINUS_ZERO) {
        f.nan_code = sign;
    }
    if (f.has_values && format->bits <= 32) {
        f.value_shift = 53 - format->p - format->padding_bits;
        f.value_base = (uint64_t)(1023 - format->bias) << 52;
        f.hidden = (uint32_t)1 << (format->p - 1 + format->padding_bits);
        f.value_least = ldexp(1.0, format->emin);
    }
    return f;
}
