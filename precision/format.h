/*
 * precision/format.h - number formats: one table row each.
 *
 * Names are those of MLIR and ml_dtypes; the names of torch, NumPy, NKI and safetensors are
 * accepted as aliases. An alias that different ecosystems use for different formats is ambiguous
 * and never resolved. To add a format, add a row to format_table.c, its aliases, and its line in
 * tests/precision/test_format.c.
 */
#ifndef ULP_PRECISION_FORMAT_H
#define ULP_PRECISION_FORMAT_H

#include <stddef.h>
#include <stdint.h>

typedef enum { ULP_KIND_FLOAT = 0, ULP_KIND_SIGNED, ULP_KIND_UNSIGNED } ulp_kind_t;

/* Which codes are NaN. */
typedef enum {
    ULP_NAN_IEEE = 0,   /* exponent field all ones, fraction not 0 */
    ULP_NAN_ALL_ONES,   /* "fn": exponent and fraction all ones, either sign */
    ULP_NAN_MINUS_ZERO, /* "fnuz": the code of -0, and no other */
    ULP_NAN_NONE
} ulp_nan_rule_t;

typedef enum { ULP_INF_IEEE = 0, ULP_INF_NONE } ulp_inf_rule_t;

typedef enum {
    ULP_ZERO_SIGNED = 0, /* +0 and -0 */
    ULP_ZERO_UNSIGNED,   /* one zero */
    ULP_ZERO_NONE        /* no zero: f8e8m0fnu */
} ulp_zero_rule_t;

/**
 * A format. For kind FLOAT the code is, from the most significant bit: sign (if has_sign), exponent
 * field (exponent_bits), fraction (p - 1 bits), padding (padding_bits, always 0). The value of a
 * normal code is (-1)^s * 1.f * 2^(field - bias); field 0 holds zero and the subnormals (0.f *
 * 2^emin), except in a format with ZERO_NONE, where field 0 is the normal 2^(-bias). For integers p
 * is the number of value bits and emin = emax = bias = 0.
 */
typedef struct {
    const char *name;
    ulp_kind_t kind;
    int bits; /* width of the code, padding included: 4, 6, 8, 16, 32 or 64 */
    int exponent_bits;
    int p; /* precision: significand bits, hidden bit included */
    int bias;
    int emin;         /* exponent of the least normal number */
    int emax;         /* exponent of the largest finite number */
    int padding_bits; /* low bits of the code that carry nothing: 13 for tf32, else 0 */
    uint8_t has_sign;
    ulp_nan_rule_t nan;
    ulp_inf_rule_t inf;
    ulp_zero_rule_t zero;
    const char *source; /* document that defines it */
} ulp_format_t;

/** Number of rows, and row i < ulp_format_count(); the order is that of DESIGN: f64 first, integers
 * last. */
size_t ulp_format_count(void);
const ulp_format_t *ulp_format_at(size_t i);

/**
 * The format of that name or alias (case-sensitive names; aliases such as "torch.float8_e4m3fn",
 * "float8_e4m3fn", "F8_E4M3", "nl.float8_e4m3", "float32", "<f4").
 *
 * @param name       name or alias
 * @param ambiguity  if not NULL: set to NULL, or, when the name is used for several formats
 *                   ("fp8", "float8", "float8_e4m3", "V2", "e4m3", "float"), to one line of words
 * that stands alone: "fp8" may mean several 8-bit formats: say ...
 * @return           the format; NULL if unknown or ambiguous
 */
const ulp_format_t *ulp_format_find(const char *name, const char **ambiguity);

/** Alias i of a format, NULL past the last. */
const char *ulp_format_alias(const ulp_format_t *format, size_t i);

/** Bytes of one element in a tensor: 1, 2, 4 or 8 (formats under 8 bits take one byte each). */
size_t ulp_format_bytes(const ulp_format_t *format);

/** A float format of precision p inside the exponent range and code layout of `container` (2 <= p
 * <= container->p): what "rounded to 14 significant bits in an f32 container" means. Its name is
 * "".
 */
ulp_format_t ulp_format_container(const ulp_format_t *container, int p);

/* Codes that a format singles out. */
uint64_t ulp_format_max(const ulp_format_t *format);          /* largest finite */
uint64_t ulp_format_min_normal(const ulp_format_t *format);   /* 2^emin */
uint64_t ulp_format_min_positive(const ulp_format_t *format); /* least subnormal; 2^emin if none */
uint64_t ulp_format_inf(const ulp_format_t *format, int negative); /* the format must have one */
/** The quiet NaN that encode writes: IEEE: sign 0, top fraction bit; ALL_ONES: sign 0; MINUS_ZERO:
 * 0x80; a format with no NaN: the code of +0. */
uint64_t ulp_format_nan(const ulp_format_t *format);

/** 1 or 0. */
int ulp_format_has_nan(const ulp_format_t *format);
int ulp_format_has_inf(const ulp_format_t *format);
int ulp_format_is_nan(uint64_t bits, const ulp_format_t *format);
int ulp_format_is_inf(uint64_t bits, const ulp_format_t *format);

#endif
