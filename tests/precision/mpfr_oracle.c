/* tests/precision/mpfr_oracle.c - decode and encode a second time, by MPFR. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mpfr_oracle.h"

#include <stdlib.h>
#include <string.h>

/* Field widths and bias: IEEE 754-2019 table 3.5; OCP FP8 1.0 table 1; OCP MX 1.0 section 5.3; the
 * ml_dtypes README; PTX for tf32. */
static const oracle_format_t formats[] = {
    {"f64", 1, 11, 52, 1023, 'i', 0},    {"f32", 1, 8, 23, 127, 'i', 0},
    {"tf32", 1, 8, 10, 127, 'i', 13},    {"f16", 1, 5, 10, 15, 'i', 0},
    {"bf16", 1, 8, 7, 127, 'i', 0},      {"f8e4m3fn", 1, 4, 3, 7, 'n', 0},
    {"f8e4m3", 1, 4, 3, 7, 'i', 0},      {"f8e5m2", 1, 5, 2, 15, 'i', 0},
    {"f8e3m4", 1, 3, 4, 3, 'i', 0},      {"f8e4m3fnuz", 1, 4, 3, 8, 'u', 0},
    {"f8e5m2fnuz", 1, 5, 2, 16, 'u', 0}, {"f8e4m3b11fnuz", 1, 4, 3, 11, 'u', 0},
    {"f8e8m0fnu", 0, 8, 0, 127, 'p', 0}, {"f6e2m3fn", 1, 2, 3, 1, 'm', 0},
    {"f6e3m2fn", 1, 3, 2, 3, 'm', 0},    {"f4e2m1fn", 1, 2, 1, 1, 'm', 0},
    {"i64", 1, 0, 63, 0, 's', 0},        {"u64", 0, 0, 64, 0, 'z', 0},
    {"i32", 1, 0, 31, 0, 's', 0},        {"u32", 0, 0, 32, 0, 'z', 0},
    {"i16", 1, 0, 15, 0, 's', 0},        {"u16", 0, 0, 16, 0, 'z', 0},
    {"i8", 1, 0, 7, 0, 's', 0},          {"u8", 0, 0, 8, 0, 'z', 0},
    {"i4", 1, 0, 3, 0, 's', 0},          {"u4", 0, 0, 4, 0, 'z', 0},
};

const oracle_format_t *oracle_format_at(size_t i)
{
    return i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}

const oracle_format_t *oracle_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

int oracle_bits(const oracle_format_t *f)
{
    return f->sign + f->exponent_bits + f->fraction_bits + f->padding;
}

static int is_integer(const oracle_format_t *f)
{
    return f->specials == 's' || f->specials == 'z';
}

int oracle_emin(const oracle_format_t *f)
{
    return f->specials == 'p' ? -f->bias : 1 - f->bias;
}

int oracle_least_exponent(const oracle_format_t *f)
{
    return is_integer(f) ? 0 : oracle_emin(f) - f->fraction_bits;
}

static void integer_value(mpfr_t v, uint64_t code, const oracle_format_t *f)
{
    int width = oracle_bits(f);
    mpfr_set_uj(v, width < 64 ? code % ((uint64_t)1 << width) : code, MPFR_RNDN);
    if (f->specials == 's' && mpfr_cmp_ui_2exp(v, 1, width - 1) >= 0) {
        mpfr_t wrap;
        mpfr_init2(wrap, 80);
        mpfr_set_ui_2exp(wrap, 1, width, MPFR_RNDN);
        mpfr_sub(v, v, wrap, MPFR_RNDN);
        mpfr_clear(wrap);
    }
    if (mpfr_zero_p(v)) {
        mpfr_set_zero(v, 1);
    }
}

void oracle_value(mpfr_t v, uint64_t code, const oracle_format_t *f)
{
    if (is_integer(f)) {
        integer_value(v, code, f);
        return;
    }
    uint64_t payload = code >> f->padding;
    uint64_t fraction = payload % ((uint64_t)1 << f->fraction_bits);
    uint64_t fields = (uint64_t)1 << f->exponent_bits;
    uint64_t field = (payload >> f->fraction_bits) % fields;
    int negative = f->sign && (payload >> (f->fraction_bits + f->exponent_bits)) % 2;
    uint64_t last_fraction = ((uint64_t)1 << f->fraction_bits) - 1;
    if ((f->specials == 'i' && field == fields - 1 && fraction != 0) ||
        (f->specials == 'n' && field == fields - 1 && fraction == last_fraction) ||
        (f->specials == 'u' && negative && field == 0 && fraction == 0) ||
        (f->specials == 'p' && field == fields - 1)) {
        mpfr_set_nan(v);
        return;
    }
    if (f->specials == 'i' && field == fields - 1) {
        mpfr_set_inf(v, negative ? -1 : 1);
        return;
    }
    if (field == 0 && f->specials != 'p') { /* 0.fraction * 2^emin */
        mpfr_set_uj_2exp(v, fraction, 1 - f->bias - f->fraction_bits, MPFR_RNDN);
    } else { /* 1.fraction * 2^(field - bias) */
        mpfr_set_uj_2exp(v, fraction + last_fraction + 1, (long)field - f->bias - f->fraction_bits,
                         MPFR_RNDN);
    }
    mpfr_setsign(v, v, negative, MPFR_RNDN);
}

void oracle_max(mpfr_t v, const oracle_format_t *f)
{
    uint64_t significand = 0; /* 1.11...1 */
    long top_field = (1L << f->exponent_bits) - 1;
    if (!is_integer(f)) {
        significand = ((uint64_t)2 << f->fraction_bits) - 1;
    }
    switch (f->specials) {
    case 's':
    case 'z':
        mpfr_set_ui_2exp(v, 1, f->fraction_bits, MPFR_RNDN);
        mpfr_sub_ui(v, v, 1, MPFR_RNDN);
        return;
    case 'i':
    case 'p':
        top_field--;
        break;
    case 'n':
        significand--;
        break;
    default:
        break;
    }
    mpfr_set_uj_2exp(v, significand, top_field - f->bias - f->fraction_bits, MPFR_RNDN);
}

static uint64_t code_nan(const oracle_format_t *f)
{
    switch (f->specials) {
    case 'i': /* top fraction bit */
        return ((((uint64_t)2 << f->exponent_bits) - 1) << (f->fraction_bits - 1)) << f->padding;
    case 'n':
        return 0x7f;
    case 'u':
        return 0x80;
    case 'p':
        return 0xff;
    default:
        return 0;
    }
}

static uint64_t signed_code(uint64_t magnitude, int negative, const oracle_format_t *f)
{
    uint64_t width_mask = UINT64_MAX >> (64 - oracle_bits(f));
    if (is_integer(f)) {
        return (negative ? 0 - magnitude : magnitude) & width_mask;
    }
    if (magnitude == 0 && f->specials == 'u') {
        return 0;
    }
    return magnitude | (negative ? (uint64_t)1 << (oracle_bits(f) - 1) : 0);
}

/* The code of n * 2^exponent, a member of the format and not negative. */
static uint64_t code_of(uint64_t n, long exponent, const oracle_format_t *f)
{
    if (is_integer(f)) {
        return n;
    }
    uint64_t hidden = (uint64_t)1 << f->fraction_bits;
    if (n == 2 * hidden) { /* rounded up to a power of two */
        n = hidden;
        exponent++;
    }
    if (n < hidden) {
        return n << f->padding;
    }
    uint64_t field = (uint64_t)(exponent + f->fraction_bits + f->bias);
    return ((field << f->fraction_bits) + n - hidden) << f->padding;
}

static uint64_t code_max(int negative, const oracle_format_t *f)
{
    if (f->specials == 's') {
        return signed_code(((uint64_t)1 << f->fraction_bits) - !negative, negative, f);
    }
    if (f->specials == 'z') {
        return negative ? 0 : UINT64_MAX >> (64 - f->fraction_bits);
    }
    uint64_t significand = ((uint64_t)2 << f->fraction_bits) - 1;
    long field = (1L << f->exponent_bits) - 1 - (f->specials == 'i' || f->specials == 'p');
    return signed_code(
        code_of(significand - (f->specials == 'n'), field - f->bias - f->fraction_bits, f),
        negative, f);
}

static uint64_t code_inf(int negative, const oracle_format_t *f)
{
    uint64_t ones = ((uint64_t)1 << f->exponent_bits) - 1;
    return signed_code((ones << f->fraction_bits) << f->padding, negative, f);
}

/* precision/rounding.h, the table of overflow rules. */
static uint64_t overflowed(int negative, const oracle_format_t *f, const ulp_rounding_t *how,
                           unsigned *flags)
{
    int has_inf = f->specials == 'i';
    int has_nan = has_inf || strchr("nup", f->specials) != NULL;
    *flags = ULP_FLAG_OVERFLOW | ULP_FLAG_INEXACT;
    if (how->overflow == ULP_OVERFLOW_SATURATE) {
        return code_max(negative, f);
    }
    if (how->overflow == ULP_OVERFLOW_FORMAT) {
        static const char to_inf[2][ULP_ROUND_MODE_COUNT + 1] = {"1101001", "1100101"};
        if (!has_nan || to_inf[negative][how->mode] == '0') {
            return code_max(negative, f);
        }
        return has_inf ? code_inf(negative, f) : code_nan(f);
    }
    if (!has_nan) {
        *flags |= ULP_FLAG_INVALID;
        return code_max(negative, f);
    }
    return how->overflow == ULP_OVERFLOW_INF && has_inf ? code_inf(negative, f) : code_nan(f);
}

static uint64_t special(const mpfr_t x, const oracle_format_t *f, const ulp_rounding_t *how,
                        unsigned *flags)
{
    int negative = mpfr_signbit(x) != 0;
    if (mpfr_nan_p(x)) {
        *flags = strchr("inup", f->specials) ? 0 : ULP_FLAG_INVALID;
        return code_nan(f);
    }
    if (mpfr_zero_p(x)) {
        *flags = f->specials == 'p' ? ULP_FLAG_UNDERFLOW | ULP_FLAG_INEXACT : 0;
        return f->specials == 'p' ? 0 : signed_code(0, negative, f);
    }
    if (f->specials == 'i' && how->overflow != ULP_OVERFLOW_SATURATE) {
        return code_inf(negative, f);
    }
    if (how->overflow == ULP_OVERFLOW_SATURATE || !strchr("nup", f->specials)) {
        *flags = ULP_FLAG_OVERFLOW | ULP_FLAG_INEXACT;
        return code_max(negative, f);
    }
    *flags = ULP_FLAG_OVERFLOW | ULP_FLAG_INEXACT;
    return code_nan(f);
}

/* n = z rounded to an integer (both not negative); up and down are for the sign of x. */
static void round_magnitude(mpfr_t n, const mpfr_t z, int negative, const ulp_rounding_t *how)
{
    switch (how->mode) {
    case ULP_ROUND_NEAREST_EVEN:
        mpfr_roundeven(n, z);
        return;
    case ULP_ROUND_NEAREST_AWAY:
        mpfr_round(n, z);
        return;
    case ULP_ROUND_UP:
        negative ? mpfr_floor(n, z) : mpfr_ceil(n, z);
        return;
    case ULP_ROUND_DOWN:
        negative ? mpfr_ceil(n, z) : mpfr_floor(n, z);
        return;
    case ULP_ROUND_TO_ODD:
        mpfr_trunc(n, z);
        if (!mpfr_equal_p(n, z) && mpfr_get_uj(n, MPFR_RNDZ) % 2 == 0) {
            mpfr_add_ui(n, n, 1, MPFR_RNDN);
        }
        return;
    case ULP_ROUND_STOCHASTIC: { /* floor(z + (random + 1 - ulp) / 2^r) with z cut to r bits */
        mpfr_t t;
        mpfr_init2(t, 256);
        mpfr_mul_2si(t, z, how->random_bits, MPFR_RNDN);
        mpfr_floor(t, t);
        mpfr_add_ui(t, t, how->random, MPFR_RNDN);
        mpfr_div_2si(t, t, how->random_bits, MPFR_RNDN);
        mpfr_floor(n, t);
        mpfr_clear(t);
        return;
    }
    case ULP_ROUND_TOWARD_ZERO:
        mpfr_trunc(n, z);
        return;
    }
    abort();
}

/* Whether n * 2^quantum, which came from 2^e <= |x| < 2^(e+1), is beyond the largest number. */
static int is_too_large(const mpfr_t n, long quantum, long e, int negative,
                        const oracle_format_t *f)
{
    if (!is_integer(f) && e < (1L << f->exponent_bits) - 2 - f->bias) {
        return 0; /* at least one binade below it */
    }
    MPFR_DECL_INIT(max, 70);
    oracle_max(max, f);
    if (f->specials == 's' && negative) {
        mpfr_add_ui(max, max, 1, MPFR_RNDN);
    } else if (f->specials == 'z' && negative) {
        mpfr_set_zero(max, 1);
    }
    mpfr_div_2si(max, max, quantum, MPFR_RNDN);
    return mpfr_greater_p(n, max);
}

static uint64_t encode_regular(const mpfr_t x, const oracle_format_t *f, const ulp_rounding_t *how,
                               unsigned *flags)
{
    int negative = mpfr_signbit(x) != 0;
    long e = mpfr_get_exp(x) - 1; /* 2^e <= |x| < 2^(e+1) */
    long least = oracle_least_exponent(f);
    long quantum = is_integer(f) || e - f->fraction_bits < least ? least : e - f->fraction_bits;
    if (e - quantum > 66) { /* beyond any integer format */
        return overflowed(negative, f, how, flags);
    }
    MPFR_DECL_INIT(n, 70);
    mpfr_t z = {x[0]}; /* |x| / 2^quantum, sharing the significand of x */
    mpfr_set_exp(z, e + 1 - quantum);
    mpfr_setsign(z, z, 0, MPFR_RNDN);
    round_magnitude(n, z, negative, how);
    int exact = mpfr_equal_p(n, z);
    if (is_too_large(n, quantum, e, negative, f)) {
        return overflowed(negative, f, how, flags);
    }
    uint64_t units = mpfr_get_uj(n, MPFR_RNDN);
    int below_normal = !is_integer(f) && e < oracle_emin(f);
    *flags = exact ? 0 : ULP_FLAG_INEXACT | (below_normal ? ULP_FLAG_UNDERFLOW : 0);
    if (units == 0 && f->specials == 'p') {
        *flags = ULP_FLAG_UNDERFLOW | ULP_FLAG_INEXACT;
    }
    int subnormal = !is_integer(f) && units >> f->fraction_bits == 0 && units != 0;
    if (subnormal && how->flush_output != ULP_FLUSH_NONE) {
        *flags = ULP_FLAG_UNDERFLOW | ULP_FLAG_INEXACT;
        units = 0;
        negative = negative && how->flush_output == ULP_FLUSH_SIGNED;
    }
    return signed_code(code_of(units, quantum, f), negative, f);
}

uint64_t oracle_encode(const mpfr_t x, const oracle_format_t *f, const ulp_rounding_t *how,
                       unsigned *flags)
{
    *flags = 0;
    if (f->specials == 'p' && mpfr_signbit(x) && !mpfr_zero_p(x) && !mpfr_nan_p(x)) {
        *flags = ULP_FLAG_INVALID;
        return how->overflow == ULP_OVERFLOW_SATURATE ? 0 : 0xff;
    }
    return mpfr_regular_p(x) ? encode_regular(x, f, how, flags) : special(x, f, how, flags);
}

ulp_number_t oracle_number(const mpfr_t x, int n)
{
    ulp_number_t number = {ULP_CLASS_ZERO, (uint8_t)(mpfr_signbit(x) != 0), 0, 0, 0};
    if (mpfr_nan_p(x)) {
        number.kind = ULP_CLASS_NAN;
    } else if (mpfr_inf_p(x)) {
        number.kind = ULP_CLASS_INF;
    } else if (!mpfr_zero_p(x)) {
        mpfr_t z;
        mpfr_init2(z, mpfr_get_prec(x));
        mpfr_abs(z, x, MPFR_RNDN);
        number.kind = ULP_CLASS_FINITE;
        number.exponent = (int)mpfr_get_exp(x) - n;
        mpfr_div_2si(z, z, number.exponent, MPFR_RNDN);
        number.sticky = !mpfr_integer_p(z);
        number.significand = mpfr_get_uj(z, MPFR_RNDZ);
        mpfr_clear(z);
    }
    return number;
}
