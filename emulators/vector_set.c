/* emulators/vector_set.c - the instruction sets that the kernels were compiled for, best first. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vector_kernel.h"

const ulp_vector_kernels_t *ulp_vector_kernels_baseline(void);
#ifdef ULP_VECTOR_X86
const ulp_vector_kernels_t *ulp_vector_kernels_v3(void);
const ulp_vector_kernels_t *ulp_vector_kernels_v4(void);

static int has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
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
    const ulp_vector_kernels_t *(*kernels)(void);
    int (*runs)(void);
} sets[] = {
#ifdef ULP_VECTOR_X86
    {ulp_vector_kernels_v4, has_v4},
    {ulp_vector_kernels_v3, has_v3},
#endif
    {ulp_vector_kernels_baseline, always},
};

size_t ulp_vector_kernels_count(void)
{
    return sizeof sets / sizeof sets[0];
}

const ulp_vector_kernels_t *ulp_vector_kernels_at(size_t i)
{
    return sets[i].kernels();
}

int ulp_vector_kernels_runs(size_t i)
{
    return sets[i].runs();
}
