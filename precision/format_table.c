/* precision/format_table.c - the formats, one row each. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/format.h"

#define IEEE ULP_NAN_IEEE, ULP_INF_IEEE, ULP_ZERO_SIGNED
#define FN   ULP_NAN_ALL_ONES, ULP_INF_NONE, ULP_ZERO_SIGNED
#define FNUZ ULP_NAN_MINUS_ZERO, ULP_INF_NONE, ULP_ZERO_UNSIGNED
#define FNU  ULP_NAN_ALL_ONES, ULP_INF_NONE, ULP_ZERO_NONE
#define MXFN ULP_NAN_NONE, ULP_INF_NONE, ULP_ZERO_SIGNED
#define INT  ULP_NAN_NONE, ULP_INF_NONE, ULP_ZERO_UNSIGNED
#define F    ULP_KIND_FLOAT
#define S    ULP_KIND_SIGNED
#define U    ULP_KIND_UNSIGNED
#define TWOS "two's complement; C11 7.20.1.1 for the widths of 8 and more"

/* clang-format off */
static const ulp_format_t formats[] = {
/* name           kind bits eb   p  bias   emin  emax pad sign specials source */
{"f64",            F,  64, 11, 53, 1023, -1022, 1023,  0, 1, IEEE, "[IEEE754] table 3.5, binary64"},
{"f32",            F,  32,  8, 24,  127,  -126,  127,  0, 1, IEEE, "[IEEE754] table 3.5, binary32"},
{"tf32",           F,  32,  8, 11,  127,  -126,  127, 13, 1, IEEE, "[PTX] .tf32: the range of f32, 10 fraction bits, low 13 bits of the register ignored"},
{"f16",            F,  16,  5, 11,   15,   -14,   15,  0, 1, IEEE, "[IEEE754] table 3.5, binary16"},
{"bf16",           F,  16,  8,  8,  127,  -126,  127,  0, 1, IEEE, "[MLDTYPES] bfloat16: the upper half of f32"},
{"f8e4m3fn",       F,   8,  4,  4,    7,    -6,    8,  0, 1, FN,   "[OCPFP8] table 1, E4M3: max 448, no inf"},
{"f8e4m3",         F,   8,  4,  4,    7,    -6,    7,  0, 1, IEEE, "[MLDTYPES] float8_e4m3: IEEE rules, max 240"},
{"f8e5m2",         F,   8,  5,  3,   15,   -14,   15,  0, 1, IEEE, "[OCPFP8] table 1, E5M2: max 57344"},
{"f8e3m4",         F,   8,  3,  5,    3,    -2,    3,  0, 1, IEEE, "[MLDTYPES] float8_e3m4: IEEE rules, max 15.5"},
{"f8e4m3fnuz",     F,   8,  4,  4,    8,    -7,    7,  0, 1, FNUZ, "[MLDTYPES] float8_e4m3fnuz: max 240, NaN 0x80"},
{"f8e5m2fnuz",     F,   8,  5,  3,   16,   -15,   15,  0, 1, FNUZ, "[MLDTYPES] float8_e5m2fnuz: max 57344, NaN 0x80"},
{"f8e4m3b11fnuz",  F,   8,  4,  4,   11,   -10,    4,  0, 1, FNUZ, "[MLDTYPES] float8_e4m3b11fnuz: max 30, NaN 0x80"},
{"f8e8m0fnu",      F,   8,  8,  1,  127,  -127,  127,  0, 0, FNU,  "[OCPMX] 5.4.1, E8M0: powers of two, NaN 0xFF"},
{"f6e2m3fn",       F,   6,  2,  4,    1,     0,    2,  0, 1, MXFN, "[OCPMX] 5.3.2, FP6 E2M3: max 7.5"},
{"f6e3m2fn",       F,   6,  3,  3,    3,    -2,    4,  0, 1, MXFN, "[OCPMX] 5.3.2, FP6 E3M2: max 28"},
{"f4e2m1fn",       F,   4,  2,  2,    1,     0,    2,  0, 1, MXFN, "[OCPMX] 5.3.3, FP4 E2M1: max 6"},
{"i64",            S,  64,  0, 63,    0,     0,    0,  0, 1, INT,  TWOS},
{"u64",            U,  64,  0, 64,    0,     0,    0,  0, 0, INT,  TWOS},
{"i32",            S,  32,  0, 31,    0,     0,    0,  0, 1, INT,  TWOS},
{"u32",            U,  32,  0, 32,    0,     0,    0,  0, 0, INT,  TWOS},
{"i16",            S,  16,  0, 15,    0,     0,    0,  0, 1, INT,  TWOS},
{"u16",            U,  16,  0, 16,    0,     0,    0,  0, 0, INT,  TWOS},
{"i8",             S,   8,  0,  7,    0,     0,    0,  0, 1, INT,  TWOS},
{"u8",             U,   8,  0,  8,    0,     0,    0,  0, 0, INT,  TWOS},
{"i4",             S,   4,  0,  3,    0,     0,    0,  0, 1, INT,  "[MLDTYPES] int4: low 4 bits of a byte, the upper ignored"},
{"u4",             U,   4,  0,  4,    0,     0,    0,  0, 0, INT,  "[MLDTYPES] uint4: low 4 bits of a byte, the upper ignored"},
};
/* clang-format on */

size_t ulp_format_count(void)
{
    return sizeof formats / sizeof formats[0];
}

const ulp_format_t *ulp_format_at(size_t i)
{
    return i < ulp_format_count() ? &formats[i] : NULL;
}
