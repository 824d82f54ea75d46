/* precision/format_alias.c - the names that other projects give to the formats, and those that more
 * than one of them uses. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/format.h"

#include <string.h>

typedef struct {
    const char *alias;
    const char *format;
} alias_t;

/* A dtype of NumPy that torch, JAX and NKI call by the same name. */
#define EVERYWHERE(name, format)                                                                   \
    {name, format}, {"np." name, format}, {"numpy." name, format}, {"torch." name, format},        \
        {"jnp." name, format}, {"jax.numpy." name, format}, {"nl." name, format},                  \
        {"nki.language." name, format},                                                            \
    {                                                                                              \
        "tl." name, format                                                                         \
    }

/* An extension dtype [MLDTYPES]: np.dtype(name) knows it, and jax.numpy has it. */
#define EXTENSION(name, format)                                                                    \
    {"ml_dtypes." name, format}, {"jnp." name, format},                                            \
    {                                                                                              \
        "jax.numpy." name, format                                                                  \
    }
#define TORCH(name, format)                                                                        \
    {                                                                                              \
        "torch." name, format                                                                      \
    }
#define NKI(name, format)                                                                          \
    {"nl." name, format},                                                                          \
    {                                                                                              \
        "nki.language." name, format                                                               \
    }
/* NumPy's typestr: kind and bytes; the byte order belongs to the storage, not to the format. */
#define TYPESTR(code, format)                                                                      \
    {"<" code, format}, {">" code, format},                                                        \
    {                                                                                              \
        "=" code, format                                                                           \
    }

/* clang-format off */
static const alias_t aliases[] = {
    EVERYWHERE("float32", "f32"), EVERYWHERE("float16", "f16"),
    EVERYWHERE("int32", "i32"), EVERYWHERE("int16", "i16"), EVERYWHERE("int8", "i8"),
    EVERYWHERE("uint32", "u32"), EVERYWHERE("uint16", "u16"), EVERYWHERE("uint8", "u8"),
    EVERYWHERE("float64", "f64"), EVERYWHERE("int64", "i64"), EVERYWHERE("uint64", "u64"),
    TORCH("float", "f32"), TORCH("half", "f16"), TORCH("double", "f64"),
    TORCH("int", "i32"), TORCH("long", "i64"), TORCH("short", "i16"),
    {"half", "f16"}, {"double", "f64"}, {"single", "f32"},
    {"np.half", "f16"}, {"np.single", "f32"}, {"np.double", "f64"},
    TYPESTR("f8", "f64"), TYPESTR("f4", "f32"), TYPESTR("f2", "f16"),
    TYPESTR("i8", "i64"), TYPESTR("i4", "i32"), TYPESTR("i2", "i16"),
    TYPESTR("u8", "u64"), TYPESTR("u4", "u32"), TYPESTR("u2", "u16"),
    TYPESTR("i1", "i8"), TYPESTR("u1", "u8"), {"|i1", "i8"}, {"|u1", "u8"},
    {"fp64", "f64"}, {"fp32", "f32"}, {"fp16", "f16"},
    {"binary64", "f64"}, {"binary32", "f32"}, {"binary16", "f16"},
    {"s64", "i64"}, {"s32", "i32"}, {"s16", "i16"}, {"s8", "i8"}, {"s4", "i4"},

    {"bfloat16", "bf16"}, EXTENSION("bfloat16", "bf16"), TORCH("bfloat16", "bf16"),
    NKI("bfloat16", "bf16"), {"tl.bfloat16", "bf16"},
    {"tfloat32", "tf32"}, NKI("tfloat32", "tf32"), {"tensorfloat32", "tf32"},

    /* float8_e4m3 with its module in front is clear; alone it is not (see below) */
    EXTENSION("float8_e4m3", "f8e4m3"), NKI("float8_e4m3", "f8e4m3"),
    {"f8E4M3", "f8e4m3"},
    {"float8_e4m3fn", "f8e4m3fn"}, EXTENSION("float8_e4m3fn", "f8e4m3fn"),
    TORCH("float8_e4m3fn", "f8e4m3fn"), NKI("float8_e4m3fn", "f8e4m3fn"),
    {"fp8_e4m3fn", "f8e4m3fn"}, {"f8E4M3FN", "f8e4m3fn"},
    {"tl.float8e4nv", "f8e4m3fn"}, {"fp8e4nv", "f8e4m3fn"},
    {"float8_e5m2", "f8e5m2"}, EXTENSION("float8_e5m2", "f8e5m2"),
    TORCH("float8_e5m2", "f8e5m2"), NKI("float8_e5m2", "f8e5m2"),
    {"fp8_e5m2", "f8e5m2"}, {"f8E5M2", "f8e5m2"}, {"e5m2", "f8e5m2"}, {"E5M2", "f8e5m2"},
    {"tl.float8e5", "f8e5m2"}, {"fp8e5", "f8e5m2"},
    {"float8_e3m4", "f8e3m4"}, EXTENSION("float8_e3m4", "f8e3m4"), {"f8E3M4", "f8e3m4"},
    {"e3m4", "f8e3m4"},
    {"float8_e4m3fnuz", "f8e4m3fnuz"}, EXTENSION("float8_e4m3fnuz", "f8e4m3fnuz"),
    TORCH("float8_e4m3fnuz", "f8e4m3fnuz"), {"f8E4M3FNUZ", "f8e4m3fnuz"},
    {"tl.float8e4b8", "f8e4m3fnuz"}, {"fp8e4b8", "f8e4m3fnuz"},
    {"float8_e5m2fnuz", "f8e5m2fnuz"}, EXTENSION("float8_e5m2fnuz", "f8e5m2fnuz"),
    TORCH("float8_e5m2fnuz", "f8e5m2fnuz"), {"f8E5M2FNUZ", "f8e5m2fnuz"},
    {"tl.float8e5b16", "f8e5m2fnuz"}, {"fp8e5b16", "f8e5m2fnuz"},
    {"float8_e4m3b11fnuz", "f8e4m3b11fnuz"}, EXTENSION("float8_e4m3b11fnuz", "f8e4m3b11fnuz"),
    {"f8E4M3B11FNUZ", "f8e4m3b11fnuz"},
    {"float8_e8m0fnu", "f8e8m0fnu"}, EXTENSION("float8_e8m0fnu", "f8e8m0fnu"),
    TORCH("float8_e8m0fnu", "f8e8m0fnu"), {"f8E8M0FNU", "f8e8m0fnu"},
    {"e8m0", "f8e8m0fnu"}, {"E8M0", "f8e8m0fnu"}, {"ue8m0", "f8e8m0fnu"}, {"UE8M0", "f8e8m0fnu"},
    {"float6_e2m3fn", "f6e2m3fn"}, EXTENSION("float6_e2m3fn", "f6e2m3fn"),
    {"f6E2M3FN", "f6e2m3fn"}, {"e2m3", "f6e2m3fn"}, {"E2M3", "f6e2m3fn"},
    {"float6_e3m2fn", "f6e3m2fn"}, EXTENSION("float6_e3m2fn", "f6e3m2fn"),
    {"f6E3M2FN", "f6e3m2fn"}, {"e3m2", "f6e3m2fn"}, {"E3M2", "f6e3m2fn"},
    {"float4_e2m1fn", "f4e2m1fn"}, EXTENSION("float4_e2m1fn", "f4e2m1fn"),
    {"torch.float4_e2m1fn", "f4e2m1fn"},
    {"f4E2M1FN", "f4e2m1fn"}, {"e2m1", "f4e2m1fn"}, {"E2M1", "f4e2m1fn"},
    {"int4", "i4"}, EXTENSION("int4", "i4"), {"uint4", "u4"}, EXTENSION("uint4", "u4"),

    /* [SAFETENSORS] */
    {"F64", "f64"}, {"F32", "f32"}, {"F16", "f16"}, {"BF16", "bf16"},
    {"F8_E4M3", "f8e4m3fn"}, {"F8_E5M2", "f8e5m2"}, {"F8_E8M0", "f8e8m0fnu"},
    {"F8_E4M3FNUZ", "f8e4m3fnuz"}, {"F8_E5M2FNUZ", "f8e5m2fnuz"},
    {"F6_E2M3", "f6e2m3fn"}, {"F6_E3M2", "f6e3m2fn"}, {"F4", "f4e2m1fn"},
    {"I64", "i64"}, {"I32", "i32"}, {"I16", "i16"}, {"I8", "i8"},
    {"U64", "u64"}, {"U32", "u32"}, {"U16", "u16"}, {"U8", "u8"},

    /* HDF5, ONNX, CUDA and HIP headers: the unsuffixed types are those of [OCPFP8] and [OCPMX] */
    {"__half", "f16"}, {"__nv_bfloat16", "bf16"},
    {"__nv_fp8_e4m3", "f8e4m3fn"}, {"__nv_fp8_e5m2", "f8e5m2"}, {"__nv_fp8_e8m0", "f8e8m0fnu"},
    {"__nv_fp6_e2m3", "f6e2m3fn"}, {"__nv_fp6_e3m2", "f6e3m2fn"}, {"__nv_fp4_e2m1", "f4e2m1fn"},
    {"H5T_IEEE_F64LE", "f64"}, {"H5T_IEEE_F64BE", "f64"}, {"H5T_IEEE_F32LE", "f32"},
    {"H5T_IEEE_F32BE", "f32"}, {"H5T_IEEE_F16LE", "f16"}, {"H5T_IEEE_F16BE", "f16"},
    {"H5T_FLOAT_BFLOAT16LE", "bf16"}, {"H5T_FLOAT_BFLOAT16BE", "bf16"},
    {"H5T_FLOAT_F8E5M2", "f8e5m2"}, {"H5T_FLOAT_F6E2M3", "f6e2m3fn"},
    {"H5T_FLOAT_F6E3M2", "f6e3m2fn"}, {"H5T_FLOAT_F4E2M1", "f4e2m1fn"},
    {"FLOAT16", "f16"}, {"BFLOAT16", "bf16"}, {"FLOAT8E4M3FN", "f8e4m3fn"},
    {"FLOAT8E4M3FNUZ", "f8e4m3fnuz"}, {"FLOAT8E5M2", "f8e5m2"}, {"FLOAT8E5M2FNUZ", "f8e5m2fnuz"},
    {"FLOAT4E2M1", "f4e2m1fn"},
    {"CUDA_R_64F", "f64"}, {"CUDA_R_32F", "f32"}, {"CUDA_R_16F", "f16"}, {"CUDA_R_16BF", "bf16"},
    {"CUDA_R_8F_E4M3", "f8e4m3fn"}, {"CUDA_R_8F_E5M2", "f8e5m2"},
    {"CUDA_R_6F_E2M3", "f6e2m3fn"}, {"CUDA_R_6F_E3M2", "f6e3m2fn"}, {"CUDA_R_4F_E2M1", "f4e2m1fn"},
    {"__hip_fp8_e4m3", "f8e4m3fn"}, {"__hip_fp8_e5m2", "f8e5m2"},
    {"__hip_fp8_e4m3_fnuz", "f8e4m3fnuz"}, {"__hip_fp8_e5m2_fnuz", "f8e5m2fnuz"},
};

/* Names in use for more than one format, each with its line of words: what to say instead. */
#define SEVERAL(name, words) {name, "\"" name "\" " words}
#define ANY_F8 "may mean several 8-bit formats: say f8e4m3fn (OCP, max 448), f8e4m3 (IEEE-like, max " \
               "240), f8e5m2 or another of `ulpscope formats`"
#define E4M3   "may mean f8e4m3fn (OCP, torch, CUDA: max 448, no inf) or f8e4m3 (IEEE-like, ml_dtypes, " \
               "NKI: max 240, inf): say which"
#define BF8    "may mean f8e5m2 (OCP) or f8e5m2fnuz (bias 16): say which"
#define ANY_F4 "may mean several 4-bit formats: say f4e2m1fn if it is E2M1"
#define NF4    "is a code book, not a format: say f4e2m1fn if it is E2M1"
#define ANY_F6 "may mean f6e2m3fn or f6e3m2fn: say which"
#define VOID_1 "is any one-byte type, for NumPy keeps no more than the size: say f8e4m3fn, f8e4m3, f8e5m2, ..."
#define VOID_2 "is any two-byte type, for NumPy keeps no more than the size: say bf16 if it is bfloat16"
#define FLOAT_1 "is a one-byte float, which NumPy does not have: say f8e5m2 if ml_dtypes wrote it"
#define C_FLOAT "may mean f32 (torch, C) or f64 (NumPy, Python): say which"
#define C_INT  "may mean i32 (torch, C) or i64 (NumPy): say which"
#define C_UINT "may mean u32 or u64: say which"
#define C_LONG "may mean i64 (torch) or the machine's C long (NumPy): say i64 or i32"
#define WIDTH(bits, bytes) "may count bits or, as NumPy does, bytes: say " bits " or " bytes
#define BLOCK  "is a block format, elements and scales in two tensors: say the format of each"
#define PACKED "is two elements in a byte: say f4e2m1fn after unpacking to one a byte"
#define QUAD   "is four elements in a word: say the element's format after unpacking"
#define UE4M3  "is a block scale without a sign: say f8e4m3fn for its tensor"
static const alias_t ambiguous[] = {
    SEVERAL("fp8", ANY_F8), SEVERAL("FP8", ANY_F8), SEVERAL("float8", ANY_F8),
    SEVERAL("FLOAT8", ANY_F8),
    /* torch programs write float8_e4m3 for float8_e4m3fn; ml_dtypes and NKI do not */
    SEVERAL("e4m3", E4M3), SEVERAL("E4M3", E4M3), SEVERAL("float8_e4m3", E4M3),
    SEVERAL("fp8_e4m3", E4M3), SEVERAL("fp8e4m3", E4M3), SEVERAL("fp8_e4", E4M3),
    SEVERAL("fp8e4", E4M3), SEVERAL("float8e4", E4M3), SEVERAL("F8E4M3", E4M3),
    SEVERAL("H5T_FLOAT_F8E4M3", E4M3),
    SEVERAL("bf8", BF8), SEVERAL("BF8", BF8),
    SEVERAL("fp4", ANY_F4), SEVERAL("FP4", ANY_F4), SEVERAL("float4", ANY_F4), SEVERAL("nf4", NF4),
    SEVERAL("fp6", ANY_F6), SEVERAL("FP6", ANY_F6), SEVERAL("float6", ANY_F6),
    SEVERAL("V1", VOID_1), SEVERAL("|V1", VOID_1), SEVERAL("<V1", VOID_1), SEVERAL("void8", VOID_1),
    SEVERAL("V2", VOID_2), SEVERAL("|V2", VOID_2), SEVERAL("<V2", VOID_2), SEVERAL("void16", VOID_2),
    SEVERAL("<f1", FLOAT_1), SEVERAL("|f1", FLOAT_1), SEVERAL("f1", FLOAT_1),
    SEVERAL("float", C_FLOAT), SEVERAL("int", C_INT), SEVERAL("uint", C_UINT),
    SEVERAL("long", C_LONG), SEVERAL("np.long", C_LONG),
    SEVERAL("f8", WIDTH("f8e4m3fn, f8e5m2, ...", "f64")), SEVERAL("f4", WIDTH("f4e2m1fn", "f32")),
    SEVERAL("f2", WIDTH("the format's name", "f16")), SEVERAL("i2", WIDTH("the format's name", "i16")),
    SEVERAL("u2", WIDTH("the format's name", "u16")), SEVERAL("i1", WIDTH("the format's name", "i8")),
    SEVERAL("u1", WIDTH("the format's name", "u8")),
    SEVERAL("mxfp8", BLOCK), SEVERAL("mxfp6", BLOCK), SEVERAL("mxfp4", BLOCK),
    SEVERAL("nvfp4", BLOCK), SEVERAL("mxint8", BLOCK),
    SEVERAL("float4_e2m1fn_x2", PACKED), SEVERAL("torch.float4_e2m1fn_x2", PACKED),
    SEVERAL("e2m1x2", PACKED),
    SEVERAL("nl.float8_e4m3fn_x4", QUAD), SEVERAL("nl.float8_e5m2_x4", QUAD),
    SEVERAL("nl.float4_e2m1fn_x4", QUAD), SEVERAL("float8_e4m3fn_x4", QUAD),
    SEVERAL("float8_e5m2_x4", QUAD), SEVERAL("float4_e2m1fn_x4", QUAD),
    SEVERAL("ue4m3", UE4M3), SEVERAL("UE4M3", UE4M3),
};
/* clang-format on */

static const ulp_format_t *find_canonical(const char *name)
{
    for (size_t i = 0; i < ulp_format_count(); i++) {
        if (strcmp(ulp_format_at(i)->name, name) == 0) {
            return ulp_format_at(i);
        }
    }
    return NULL;
}

static const char *find_row(const alias_t *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].alias, name) == 0) {
            return rows[i].format;
        }
    }
    return NULL;
}

const ulp_format_t *ulp_format_find(const char *name, const char **ambiguity)
{
    if (ambiguity != NULL) {
        *ambiguity = NULL;
    }
    const ulp_format_t *format = find_canonical(name);
    if (format != NULL) {
        return format;
    }
    const char *canonical = find_row(aliases, sizeof aliases / sizeof aliases[0], name);
    if (canonical != NULL) {
        return find_canonical(canonical);
    }
    if (ambiguity != NULL) {
        *ambiguity = find_row(ambiguous, sizeof ambiguous / sizeof ambiguous[0], name);
    }
    return NULL;
}

const char *ulp_format_alias(const ulp_format_t *format, size_t i)
{
    for (size_t row = 0; row < sizeof aliases / sizeof aliases[0]; row++) {
        if (strcmp(aliases[row].format, format->name) == 0 && i-- == 0) {
            return aliases[row].alias;
        }
    }
    return NULL;
}
