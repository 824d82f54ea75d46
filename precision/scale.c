/* precision/scale.c - block formats and their scales. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/scale.h"

#include <string.h>

/* MXINT8 is not here: its element is an integer times 2^-6 [OCPMX 5.3.4], no row of the format
 * table. NVFP4's second scale, one f32 a tensor, belongs to the caller. */
static const ulp_block_format_t blocks[] = {
    {"mxfp8e4m3", "f8e4m3fn", "f8e8m0fnu", 32, "[OCPMX] table 1, MXFP8 (E4M3)"},
    {"mxfp8e5m2", "f8e5m2", "f8e8m0fnu", 32, "[OCPMX] table 1, MXFP8 (E5M2)"},
    {"mxfp6e2m3", "f6e2m3fn", "f8e8m0fnu", 32, "[OCPMX] table 1, MXFP6 (E2M3)"},
    {"mxfp6e3m2", "f6e3m2fn", "f8e8m0fnu", 32, "[OCPMX] table 1, MXFP6 (E3M2)"},
    {"mxfp4", "f4e2m1fn", "f8e8m0fnu", 32, "[OCPMX] table 1, MXFP4"},
    {"nvfp4", "f4e2m1fn", "f8e4m3fn", 16, "[PTX] mxf4nvf4 with .ue4m3 scales, scale_vec::4X"},
};

size_t ulp_block_format_count(void)
{
    return sizeof blocks / sizeof blocks[0];
}

const ulp_block_format_t *ulp_block_format_at(size_t i)
{
    return i < ulp_block_format_count() ? &blocks[i] : NULL;
}

const ulp_block_format_t *ulp_block_format_find(const char *name)
{
    for (size_t i = 0; i < ulp_block_format_count(); i++) {
        if (strcmp(blocks[i].name, name) == 0) {
            return &blocks[i];
        }
    }
    return NULL;
}

ulp_number_t ulp_scale_decode(uint64_t bits, const ulp_format_t *scale_format)
{
    int is_ue4m3 = scale_format->kind == ULP_KIND_FLOAT && scale_format->bits == 8 &&
                   scale_format->exponent_bits == 4 && scale_format->nan == ULP_NAN_ALL_ONES;
    return ulp_number_decode(is_ue4m3 ? bits & 0x7f : bits, scale_format);
}

ulp_number_t ulp_scale_apply(ulp_number_t element, ulp_number_t scale)
{
    return ulp_number_product(element, scale);
}
