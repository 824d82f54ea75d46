/*
 * emulators/vector_fma.c - a chain of fused multiply-adds, 64 outputs side by side.
 *
 * Compiled once for each instruction set that has the fused operation, with -ffp-contract=fast: the
 * compiler makes one instruction of each multiplication and addition. (fmaf() itself stays scalar
 * under -frounding-math.) test_vector.c compares with the plain path, in which one rounding is one
 * rounding.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "emulators/vector_kernel.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)

enum { WIDTH = ULP_VECTOR_WIDTH, LANES = 32 };

void JOIN(ulp_vector_fma_, ULP_VECTOR_SET)(float *c, const float *a, const float *b, size_t n);
void JOIN(ulp_vector_fma_, ULP_VECTOR_SET)(float *c, const float *a, const float *b, size_t n)
{
    for (int h = 0; h < WIDTH; h += LANES) {
        float sum[LANES];
        memcpy(sum, c + h, sizeof sum);
        for (size_t k = 0; k < n; k++) {
#pragma omp simd
            for (int j = 0; j < LANES; j++) {
                sum[j] += a[k] * b[k * WIDTH + (size_t)(h + j)];
            }
        }
        memcpy(c + h, sum, sizeof sum);
    }
}
