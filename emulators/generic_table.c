/* emulators/generic_table.c - arithmetic of no one device. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vendor_table.h"

#define CORE     "CPU or CUDA core, one thread an output"
#define NAN_IEEE "bits of a NaN result: any NaN matches"

static const ulp_named_model_t rows[] = {
    {"fma.f64.f64", CORE, "loop of fma()", "f64 f32", "", "f64 f32", "f64", 1, "fma(f64,rne)",
     ULP_EVIDENCE_DOCUMENT, "[IEEE754]", NAN_IEEE, 1},
    {"fma.f32.f32", CORE, "loop of fmaf()", "f32 tf32 f16 bf16 f8e4m3fn f8e5m2", "", "f32", "f32",
     1, "fma(f32,rne)", ULP_EVIDENCE_DOCUMENT, "[IEEE754] [FPREV25]", NAN_IEEE, 1},
    {"fma.f16.f16", CORE, "loop of fma in f16", "f16", "", "f16", "f16", 1, "fma(f16,rne)",
     ULP_EVIDENCE_DOCUMENT, "[IEEE754]", NAN_IEEE, 1},
    {"fma.bf16.bf16", CORE, "loop of fma in bf16", "bf16", "", "bf16", "bf16", 1, "fma(bf16,rne)",
     ULP_EVIDENCE_DOCUMENT, "[IEEE754]", NAN_IEEE, 1},
};

const ulp_vendor_table_t ulp_generic_table = {rows, sizeof rows / sizeof rows[0]};
