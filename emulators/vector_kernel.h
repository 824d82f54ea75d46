/*
 * emulators/vector_kernel.h - steps of a chain for 64 outputs of a row at once, in lanes.
 *
 * vector_kernel.c is compiled once for each instruction set of ulp_vector_kernels; the bits are the
 * same on each, since every floating-point operation in it is exact or correctly rounded in the
 * mode that its comment names.
 */
#ifndef ULP_EMULATORS_VECTOR_KERNEL_H
#define ULP_EMULATORS_VECTOR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    ULP_VECTOR_WIDTH = 64,          /* outputs side by side */
    ULP_VECTOR_RANGE = 50,          /* factors of a step lie within 2^-50 of the largest */
    ULP_VECTOR_NO_EXPONENT = -8192, /* of a zero: two of them, biased, stay below all others */
    ULP_VECTOR_BIAS = 127
};

/**
 * One row of A against 64 columns of B over whole steps of l products. In each step, of a row or of
 * a column, factors are divided by 2^r, r the largest exponent of the step, and are 0 or of
 * magnitude in [2^-50, 2).
 */
typedef struct {
    const float *a;    /* [nsteps][l] */
    const int16_t *ea; /* [nsteps][l]: exponent, or NO_EXPONENT */
    const int32_t *ra; /* [nsteps]: r */
    const float *b;    /* [nsteps][l][64] */
    const int16_t *eb; /* [nsteps][l][64]: exponent + BIAS, or NO_EXPONENT */
    const int32_t *rb; /* [nsteps][64] */
    size_t nsteps;
    int f;  /* fraction bits kept */
    int e0; /* exponent of a zero term; f32: below -101, so that it decides nothing here */
} ulp_vector_chain_t;

/**
 * c[j] = the chain of fused steps from c[j] on, j < 64. Where `hard[j]` becomes non-zero, c[j] is
 * meaningless and the output is to be computed by the plain path: exponents near the limits of
 * binary32, results that underflow or overflow the accumulator.
 */
typedef void ulp_vector_chain_run_t(const ulp_vector_chain_t *x, float *c, uint32_t *hard);

/* Kinds of accumulator. */
typedef enum {
    ULP_VECTOR_F32 = 0,  /* toward zero into 24 bits, l 2^(f + 2) <= 2^31; call with the machine's
                            mode  toward zero */
    ULP_VECTOR_F32_14,   /* the same into 14 bits */
    ULP_VECTOR_F32_WIDE, /* as F32, for l 2^(f + 2) <= 2^32 */
    ULP_VECTOR_F16,      /* nearest even into binary16; call in the mode nearest even */
    ULP_VECTOR_KINDS
} ulp_vector_kind_t;

enum { ULP_VECTOR_LENGTHS = 4 }; /* l = 4, 8, 16, 32 */

typedef struct {
    const char *name;
    ulp_vector_chain_run_t *chain[ULP_VECTOR_KINDS][ULP_VECTOR_LENGTHS];
    /** c[j] = fma(a[k], b[k][j], c[j]) for k ascending, in the machine's mode; NULL: no such
     * instruction. */
    void (*fma)(float *c, const float *a, const float *b, size_t n);
} ulp_vector_kernels_t;

/** The sets that this build has, best first, and whether this machine can run one. */
size_t ulp_vector_kernels_count(void);
const ulp_vector_kernels_t *ulp_vector_kernels_at(size_t i);
int ulp_vector_kernels_runs(size_t i);

#endif
