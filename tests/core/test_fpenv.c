/*
 * tests/core/test_fpenv.c - an environment that is set wrong is seen and set right.
 */
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>

#include "core/fpenv.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static double half_of_least_normal(void)
{
    volatile double x = DBL_MIN;
    volatile double half = 0.5;
    return x * half;
}

Test(fpenv, rounding_mode_is_reset)
{
    static const struct {
        int mode;
        const char *words;
    } row[] = {{FE_UPWARD, "round up, subnormals kept"},
               {FE_DOWNWARD, "round down, subnormals kept"},
               {FE_TOWARDZERO, "round toward zero, subnormals kept"}};
    cr_expect_eq(ulp_fpenv_reset(), 0);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        fesetround(row[i].mode);
        cr_expect_str_eq(ulp_fpenv_describe(), row[i].words);
        cr_expect_eq(ulp_fpenv_reset(), 1);
        cr_expect_eq(fegetround(), FE_TONEAREST);
        cr_expect_eq(ulp_fpenv_reset(), 0);
    }
    cr_expect_str_eq(ulp_fpenv_describe(), "round to nearest, subnormals kept");
}

Test(fpenv, flushing_is_reset)
{
#if defined(__x86_64__)
    static const unsigned bits[] = {0x8000, 0x0040, 0x8040}; /* FTZ, DAZ, both */
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        _mm_setcsr(_mm_getcsr() | bits[i]);
        cr_expect_str_eq(ulp_fpenv_describe(), "round to nearest, subnormals flushed to zero",
                         "MXCSR bits %#x", bits[i]);
        cr_expect_eq(ulp_fpenv_reset(), 1, "MXCSR bits %#x", bits[i]);
        cr_expect_eq(_mm_getcsr() & 0x8040u, 0, "MXCSR bits %#x", bits[i]);
        cr_expect(half_of_least_normal() == DBL_MIN / 2, "MXCSR bits %#x", bits[i]);
    }
#endif
    cr_expect_eq(ulp_fpenv_reset(), 0);
    cr_expect(half_of_least_normal() > 0);
}
