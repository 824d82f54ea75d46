/* emulators/amd_table.c - AMD's matrix instructions (MFMA). */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vendor_table.h"

#define CDNA1 "AMD MI100 (gfx908)"
#define CDNA2 "AMD MI210, MI250 (gfx90a)"
#define CDNA3 "AMD MI300 (gfx942)"

/* What no source settles. */
#define NAN_BITS     "bits of a NaN result: any NaN matches"
#define ZERO_SUM     "sign of an exact zero sum: that of IEEE 754 by default"
#define OLD_PAIRWISE "an earlier model has rounded pairwise sums: pairwise(l=...,final=rne24)"
#define INT8         "overflow of the i32 sum: wraps by default, imac(sat,l=...) clamps"

static const ulp_named_model_t rows[] = {
    {"cdna1.f32.f32", CDNA1, "v_mfma_f32_*f32", "f32", "", "f32", "f32", 4, "fma(f32,rne)",
     ULP_EVIDENCE_HARDWARE, "[MMASIM] [IEEE754]", NAN_BITS, 1},
    {"cdna1.f16.f32", CDNA1, "v_mfma_f32_*f16", "f16", "", "f32", "f32", 16,
     "fdpa(l=4,f=inf,final=rne24)", ULP_EVIDENCE_HARDWARE, "[MMASIM] [KM25] [FTTN24]",
     NAN_BITS "; " ZERO_SUM "; " OLD_PAIRWISE, 1},
    {"cdna1.bf16.f32", CDNA1, "v_mfma_f32_*bf16", "bf16", "", "f32", "f32", 8,
     "fdpa(l=2,f=inf,final=rne24)", ULP_EVIDENCE_HARDWARE, "[MMASIM] [KM25]",
     NAN_BITS "; " ZERO_SUM "; " OLD_PAIRWISE, 1},
    {"cdna1.i8.i32", CDNA1, "v_mfma_i32_*i8", "i8", "", "i32", "i32", 16, "imac(wrap)",
     ULP_EVIDENCE_MODEL, "[MMASIM]", INT8, 0},
    {"cdna2.f64.f64", CDNA2, "v_mfma_f64_*f64", "f64", "", "f64", "f64", 4, "fma(f64,rne)",
     ULP_EVIDENCE_HARDWARE, "[MMASIM] [IEEE754]", NAN_BITS, 1},
    {"cdna2.f32.f32", CDNA2, "v_mfma_f32_*f32", "f32", "", "f32", "f32", 4, "fma(f32,rne)",
     ULP_EVIDENCE_HARDWARE, "[MMASIM] [IEEE754]", NAN_BITS, 1},
    {"cdna2.f16.f32", CDNA2, "v_mfma_f32_*f16", "f16", "", "f32", "f32", 16,
     "in(flush=zero) | pairwise(l=4,final=rne24,flush=signed)", ULP_EVIDENCE_HARDWARE,
     "[MMASIM] [MIOPEN] [FTTN24]", NAN_BITS, 1},
    {"cdna2.bf16_1k.f32", CDNA2, "v_mfma_f32_*bf16_1k", "bf16", "", "f32", "f32", 16,
     "in(flush=zero) | pairwise(l=4,final=rne24,flush=signed)", ULP_EVIDENCE_HARDWARE,
     "[MMASIM] [MIOPEN]", NAN_BITS, 1},
    {"cdna2.bf16.f32", CDNA2, "v_mfma_f32_*bf16", "bf16", "", "f32", "f32", 8,
     "in(flush=zero) | pairwise(l=2,final=rne24,flush=signed)", ULP_EVIDENCE_HARDWARE,
     "[MMASIM] [MIOPEN] [KM25]", NAN_BITS, 1},
    {"cdna2.i8.i32", CDNA2, "v_mfma_i32_*i8", "i8", "", "i32", "i32", 16, "imac(wrap)",
     ULP_EVIDENCE_MODEL, "[MMASIM]", INT8, 0},
    {"cdna3.f64.f64", CDNA3, "v_mfma_f64_*_f64", "f64", "", "f64", "f64", 4, "fma(f64,rne)",
     ULP_EVIDENCE_HARDWARE, "[MMASIM] [IEEE754]", NAN_BITS, 1},
    {"cdna3.f32.f32", CDNA3, "v_mfma_f32_*_f32", "f32", "", "f32", "f32", 4, "fma(f32,rne)",
     ULP_EVIDENCE_HARDWARE, "[MMASIM] [IEEE754]", NAN_BITS, 1},
    {"cdna3.f16.f32", CDNA3, "v_mfma_f32_16x16x16_f16, 32x32x8_f16", "f16", "", "f32", "f32", 16,
     "trfdpa(l=8,f=24,f2=31)", ULP_EVIDENCE_HARDWARE, "[MMASIM] [KM25]", NAN_BITS "; " ZERO_SUM, 1},
    {"cdna3.f16.f32.k4", CDNA3, "v_mfma_f32_32x32x4_2b_f16, 16x16x4_4b_f16, 4x4x4_16b_f16", "f16",
     "", "f32", "f32", 4, "trfdpa(l=4,f=24,f2=31)", ULP_EVIDENCE_HARDWARE, "[MMASIM]",
     NAN_BITS "; " ZERO_SUM, 1},
    {"cdna3.bf16.f32", CDNA3, "v_mfma_f32_16x16x16_bf16, 32x32x8_bf16", "bf16", "", "f32", "f32",
     16, "trfdpa(l=8,f=24,f2=31)", ULP_EVIDENCE_HARDWARE, "[MMASIM] [KM25]", NAN_BITS "; " ZERO_SUM,
     1},
    {"cdna3.bf16.f32.k4", CDNA3, "v_mfma_f32_32x32x4_2b_bf16, 16x16x4_4b_bf16, 4x4x4_16b_bf16",
     "bf16", "", "f32", "f32", 4, "trfdpa(l=4,f=24,f2=31)", ULP_EVIDENCE_HARDWARE, "[MMASIM]",
     NAN_BITS "; " ZERO_SUM, 1},
    {"cdna3.xf32.f32", CDNA3, "v_mfma_f32_16x16x8_xf32, 32x32x4_xf32", "f32 tf32", "", "f32", "f32",
     8, "in(tf32,rz) | trfdpa(l=4,f=24,f2=31)", ULP_EVIDENCE_HARDWARE, "[MMASIM]",
     NAN_BITS "; " ZERO_SUM "; the ISA text also mentions rounding of the inputs: in(tf32,rne)", 1},
    {"cdna3.f8.f32", CDNA3, "v_mfma_f32_16x16x32_fp8_fp8, 32x32x16 (bf8 and mixes)",
     "f8e4m3fnuz f8e5m2fnuz", "", "f32", "f32", 32, "gtrfdpa(l=16,f=24,f2=31)",
     ULP_EVIDENCE_REPLAYED, "[MMASIM] [FPREV25]",
     NAN_BITS
     "; " ZERO_SUM
     "; a NaN or infinite c decides as IEEE 754 says, which no source has seen on the device",
     1},
    {"cdna3.i8.i32", CDNA3, "v_mfma_i32_*_i8", "i8", "", "i32", "i32", 32, "imac(wrap)",
     ULP_EVIDENCE_MODEL, "[MMASIM]", INT8, 0},
};

const ulp_vendor_table_t ulp_amd_table = {rows, sizeof rows / sizeof rows[0]};
