/* core/fpenv.c - rounding mode and flushing, seen and set right. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fpenv.h"

#include <fenv.h>
#include <float.h>

#if defined(__x86_64__) || defined(_M_X64) || defined(__SSE2__)
#include <xmmintrin.h>
#define HAVE_MXCSR 1
/* Flush results (FTZ), take subnormal inputs as zero (DAZ): bits 15 and 6 of MXCSR. */
enum { MXCSR_FLUSH = 0x8040u };
#endif

/* By what it does rather than by a register, so that it holds on any machine: a subnormal as a
 * result, and as an operand. */
static int is_flushing(void)
{
    volatile double least_normal = DBL_MIN;
    volatile double half = 0.5;
    volatile double result = least_normal * half;
    /* A constant subnormal, so that its being an operand is a test of its own. */
    volatile double subnormal = 0x1p-1060;
    volatile double scale = 0x1p100;
    volatile double operand = subnormal * scale;
    return result == 0 || operand == 0;
}

int ulp_fpenv_reset(void)
{
    int wrong = fegetround() != FE_TONEAREST || is_flushing();
    fesetenv(FE_DFL_ENV);
#ifdef HAVE_MXCSR
    /* Not every libc's default environment has these two bits in it. */
    unsigned state = _mm_getcsr();
    if ((state & (unsigned)MXCSR_FLUSH) != 0) {
        wrong = 1;
        _mm_setcsr(state & ~(unsigned)MXCSR_FLUSH);
    }
#endif
    return wrong;
}

const char *ulp_fpenv_describe(void)
{
    int flushing = is_flushing();
    switch (fegetround()) {
    case FE_TONEAREST:
        return flushing ? "round to nearest, subnormals flushed to zero"
                        : "round to nearest, subnormals kept";
    case FE_TOWARDZERO:
        return flushing ? "round toward zero, subnormals flushed to zero"
                        : "round toward zero, subnormals kept";
    case FE_UPWARD:
        return flushing ? "round up, subnormals flushed to zero" : "round up, subnormals kept";
    case FE_DOWNWARD:
        return flushing ? "round down, subnormals flushed to zero" : "round down, subnormals kept";
    default:
        return "rounding mode unknown";
    }
}
