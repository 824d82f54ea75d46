/*
 * emulators/vector_kernel.c - the fused dot-product-add, 64 outputs side by side.
 *
 * Compiled once for each instruction set (CMakeLists.txt); ULP_VECTOR_SET is the name of the set.
 *
 * A step in lanes [KM25, MMASIM T-FDPA; the same numbers as fdpa.c]. e is the largest of the sums
 * of exponents, of the exponent of c and of e0.
 *
 *   a b is exact: at most 24 bits, and within 2^-100 and 4 after the division by 2^(ra + rb).
 *   a b 2^(f - e) is exact, or below 2^-18 and then 0 once cut; its conversion to an integer cuts
 * toward zero: that is the alignment. |a b| < 4 2^e, so l of them are below l 2^(f + 2): 32 bits
 * hold the sum for l 2^(f + 2) <= 2^31, and half of it otherwise. c 2^(f - e) likewise, below 2^(f
 * + 1). F32:  the sum of both, if 32 bits do not hold it, is hard; its conversion to binary32 in
 * the mode toward zero is the one rounding; times 2^(e - f) is exact, for 2^-101 <= 2^e < 2^120.
 *   F16:  the sum is exact in binary64; adding and subtracting 1.5 2^(52 + q) rounds it to a
 * multiple of 2^q, nearest even.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vector_kernel.h"

#include <math.h>
#include <string.h>

#define SIMD   _Pragma("omp simd")
#define UNROLL _Pragma("GCC unroll 32")
#if defined(__GNUC__) /* a constant l and kind in each copy: the loops unroll */
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif
#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)

enum { WIDTH = ULP_VECTOR_WIDTH, LANES = 16, HALVES = 32, BIAS = ULP_VECTOR_BIAS };
/* Biased exponents between which nothing is near a limit; no product is above -5000. */
enum { EASY_FROM = 26, EASY_TO = 246, NO_PRODUCT = -5000 };

INLINE int32_t bits_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* 2^(field - 127). */
INLINE float power(int32_t field)
{
    int32_t bits = field * (1 << 23);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The largest exponent sum of the products of a step, biased. */
INLINE void largest(int32_t *e, const int16_t *ea, const int16_t *eb, int l)
{
    for (int h = 0; h < WIDTH; h += HALVES) {
        int16_t m[HALVES];
        SIMD for (int j = 0; j < HALVES; j++)
        {
            m[j] = 2 * ULP_VECTOR_NO_EXPONENT;
        }
        UNROLL for (int k = 0; k < l; k++)
        {
            SIMD for (int j = 0; j < HALVES; j++)
            {
                int16_t sum = (int16_t)(ea[k] + eb[k * WIDTH + h + j]);
                m[j] = sum > m[j] ? sum : m[j];
            }
        }
        int16_t kept[HALVES];
        SIMD for (int j = 0; j < HALVES; j++)
        {
            kept[j] = m[j];
        }
        SIMD for (int j = 0; j < HALVES; j++)
        {
            e[h + j] = kept[j];
        }
    }
}

/* Exponents and powers of two of 16 lanes of a step. */
typedef struct {
    int32_t d[LANES]; /* biased exponent e - f of the unit of the sum */
    float s[LANES];   /* 2^(f - e + ra + rb), of products */
    float sc[LANES];  /* 2^(f - e), of c */
    uint32_t hard[LANES];
} align_t;

/* f32: e0 is below EASY_FROM, so that it decides nothing here. f16: e0 is above, nothing is hard.
 */
INLINE void align(align_t *to, const int32_t *e, const float *c, const int32_t *rb,
                  const ulp_vector_chain_t *x, int ra, int is_f16)
{
    const int32_t f = x->f, e0 = x->e0 + BIAS, scale = 2 * BIAS + ra;
    SIMD for (int j = 0; j < LANES; j++)
    {
        int32_t field = bits_of(c[j]) >> 23 & 255;
        if (is_f16) { /* a subnormal binary16 has the exponent of the least normal number */
            field = field < BIAS - 14 ? BIAS - 14 : field;
            field = c[j] != 0.0f ? field : e0;
            field = field > e0 ? field : e0;
        }
        int32_t most = e[j] > field ? e[j] : field;
        int32_t easy = most > EASY_TO ? EASY_TO : most;
        easy = easy < EASY_FROM ? EASY_FROM : easy;
        /* No product and c = 0: the step gives +0, whatever the scales are. */
        uint32_t busy = (e[j] > NO_PRODUCT) | (c[j] != 0.0f);
        to->hard[j] = (easy != most) & busy;
        int32_t d = easy - f;
        int32_t product = scale + rb[j] - d;
        product = product < 107 ? 107 : product;
        /* Above EASY_TO nothing is known of the sizes, and nothing may leave the integers. */
        to->s[j] = most > EASY_TO ? 0.0f : power(product > 252 ? 252 : product);
        to->sc[j] = most > EASY_TO ? 0.0f : power(2 * BIAS - d);
        to->d[j] = d;
    }
}

/* sum[j] += trunc(a b[j] s[j]) over n products. */
INLINE void add_products(int32_t *sum, const float *a, const float *b, const float *s, int n)
{
    UNROLL for (int k = 0; k < n; k++)
    {
        SIMD for (int j = 0; j < LANES; j++)
        {
            float q = a[k] * b[k * WIDTH + j] * s[j];
            sum[j] += (int32_t)q;
        }
    }
}

/* The result of a sum that is exact in `total`: one rounding, toward zero, then a power of two. */
INLINE float cut(float total, int32_t d, uint32_t keep)
{
    uint32_t bits = (uint32_t)bits_of(total) & keep;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x * power(d);
}

INLINE void finish_f32(float *c, uint32_t *hard, const int32_t *sum, const align_t *at,
                       uint32_t keep)
{
    SIMD for (int j = 0; j < LANES; j++)
    {
        int32_t addend = (int32_t)(c[j] * at->sc[j]);
        int32_t total = (int32_t)((uint32_t)sum[j] + (uint32_t)addend);
        uint32_t wrapped = ((sum[j] ^ total) & (addend ^ total)) < 0;
        hard[j] |= at->hard[j] | wrapped;
        c[j] = cut((float)total, at->d[j], keep);
    }
}

/* As finish_f32, with the sum in two halves that 32 bits do not hold together. */
INLINE void finish_wide(float *c, uint32_t *hard, const int32_t *sum, const int32_t *more,
                        const align_t *at)
{
    SIMD for (int j = 0; j < LANES; j++)
    {
        double total = (double)sum[j] + (double)more[j] + (double)(int32_t)(c[j] * at->sc[j]);
        hard[j] |= at->hard[j];
        c[j] = cut((float)total, at->d[j], ~(uint32_t)0);
    }
}

INLINE double round_at(double x, double unit)
{
    double anchor = 0x1.8p52 * unit;
    return (x + anchor) - anchor;
}

INLINE void finish_f16(float *c, uint32_t *hard, const int32_t *sum, const int32_t *more,
                       const align_t *at)
{
    SIMD for (int j = 0; j < LANES; j++)
    {
        double total = (double)sum[j] + (double)more[j] + (double)(int32_t)(c[j] * at->sc[j]);
        double x = total * (double)power(at->d[j]);
        uint64_t field;
        memcpy(&field, &x, sizeof field);
        field &= (uint64_t)0x7ff << 52;
        double binade; /* 2^floor(log2 |x|); of 0 it is 0 */
        memcpy(&binade, &field, sizeof binade);
        double last = binade * 0x1p-10;
        double rounded = round_at(x, last > 0x1p-24 ? last : 0x1p-24);
        uint32_t lost = (total != 0.0) & (rounded == 0.0);
        hard[j] |= at->hard[j] | lost | (fabs(rounded) > 65504.0);
        c[j] = (float)rounded;
    }
}

INLINE void run(const ulp_vector_chain_t *x, float *c, uint32_t *hard, int l,
                ulp_vector_kind_t kind)
{
    const int half = l > 16 && kind != ULP_VECTOR_F32 && kind != ULP_VECTOR_F32_14 ? l / 2 : l;
    for (size_t step = 0; step < x->nsteps; step++) {
        const float *a = x->a + step * (size_t)l;
        const float *b = x->b + step * (size_t)l * WIDTH;
        const int32_t *rb = x->rb + step * WIDTH;
        int32_t e[WIDTH];
        largest(e, x->ea + step * (size_t)l, x->eb + step * (size_t)l * WIDTH, l);
        for (int h = 0; h < WIDTH; h += LANES) {
            align_t at;
            int32_t sum[LANES] = {0};
            int32_t more[LANES] = {0};
            align(&at, e + h, c + h, rb + h, x, x->ra[step], kind == ULP_VECTOR_F16);
            add_products(sum, a, b + h, at.s, half);
            if (half < l) {
                add_products(more, a + half, b + half * WIDTH + h, at.s, l - half);
            }
            if (kind == ULP_VECTOR_F16) {
                finish_f16(c + h, hard + h, sum, more, &at);
            } else if (kind == ULP_VECTOR_F32_WIDE) {
                finish_wide(c + h, hard + h, sum, more, &at);
            } else {
                finish_f32(c + h, hard + h, sum, &at,
                           kind == ULP_VECTOR_F32_14 ? ~(uint32_t)0x3ff : ~(uint32_t)0);
            }
        }
    }
}

/* One function a kind and length. */
#define CHAIN(kind, l)                                                                             \
    static void JOIN(chain_##l##_, kind)(const ulp_vector_chain_t *x, float *c, uint32_t *hard)    \
    {                                                                                              \
        run(x, c, hard, l, kind);                                                                  \
    }
#define CHAINS(kind) CHAIN(kind, 4) CHAIN(kind, 8) CHAIN(kind, 16) CHAIN(kind, 32)
#define ROW(kind)                                                                                  \
    {                                                                                              \
        chain_4_##kind, chain_8_##kind, chain_16_##kind, chain_32_##kind                           \
    }
CHAINS(ULP_VECTOR_F32)
CHAINS(ULP_VECTOR_F32_14)
CHAINS(ULP_VECTOR_F32_WIDE)
CHAINS(ULP_VECTOR_F16)

#ifdef __FMA__
void JOIN(ulp_vector_fma_, ULP_VECTOR_SET)(float *c, const float *a, const float *b, size_t n);
#define FMA_CHAIN JOIN(ulp_vector_fma_, ULP_VECTOR_SET)
#else
#define FMA_CHAIN NULL
#endif

const ulp_vector_kernels_t *JOIN(ulp_vector_kernels_, ULP_VECTOR_SET)(void);
const ulp_vector_kernels_t *JOIN(ulp_vector_kernels_, ULP_VECTOR_SET)(void)
{
    static const ulp_vector_kernels_t kernels = {ULP_VECTOR_NAME,
                                                 {ROW(ULP_VECTOR_F32), ROW(ULP_VECTOR_F32_14),
                                                  ROW(ULP_VECTOR_F32_WIDE), ROW(ULP_VECTOR_F16)},
                                                 FMA_CHAIN};
    return &kernels;
}
