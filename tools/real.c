/* tools/real.c - a real number that a user wrote, exactly. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/real.h"

#include <inttypes.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "precision/accumulator.h"
#include "precision/ulp.h"

enum { CHUNK_BITS = 64, READ_BITS = 2 * CHUNK_BITS, EXPONENT_LIMIT = 2000 };

/* x = significand * 2^exponent with 64 significant bits, and what is left. */
static void set_from_mpfr(ulp_real_t *out, const mpfr_t x, int inexact)
{
    mpz_t integer;
    mpz_init(integer);
    mpfr_exp_t exponent = mpfr_get_z_2exp(integer, x); /* READ_BITS bits */
    mpz_abs(integer, integer);
    mpz_t low;
    mpz_init(low);
    mpz_fdiv_r_2exp(low, integer, CHUNK_BITS);
    mpz_fdiv_q_2exp(integer, integer, CHUNK_BITS);
    mpz_export(&out->high.significand, NULL, 1, sizeof(uint64_t), 0, 0, integer);
    mpz_export(&out->low, NULL, 1, sizeof(uint64_t), 0, 0, low);
    out->high.exponent = (int)(exponent + CHUNK_BITS);
    out->sticky = inexact != 0;
    mpz_clears(integer, low, NULL);
}

/* A finite number that is not zero. */
static void set_finite(ulp_real_t *out, const mpfr_t x, int inexact)
{
    out->high.kind = ULP_CLASS_FINITE;
    mpfr_exp_t e = mpfr_zero_p(x) ? -EXPONENT_LIMIT - 1 : mpfr_get_exp(x);
    if (e > EXPONENT_LIMIT || e < -EXPONENT_LIMIT) {
        out->high.significand = UINT64_C(1) << (CHUNK_BITS - 1);
        out->high.exponent = (e > 0 ? EXPONENT_LIMIT : -EXPONENT_LIMIT) - (CHUNK_BITS - 1);
        out->sticky = 1;
        out->is_beyond = 1;
    } else {
        set_from_mpfr(out, x, inexact);
    }
    out->high.sticky = out->sticky || out->low != 0;
}

int ulp_real_parse(ulp_real_t *out, const char *text)
{
    memset(out, 0, sizeof *out);
    /* MPFR reads more than we promise: blanks in front, @nan@, other bases. */
    const char *unsigned_text = text + (text[0] == '-' || text[0] == '+');
    int is_digit = unsigned_text[0] >= '0' && unsigned_text[0] <= '9';
    if (!is_digit && (unsigned_text[0] == '\0' || strchr(".iInN", unsigned_text[0]) == NULL)) {
        return -1;
    }
    if (strchr(text, '@') != NULL || strchr(text, '(') != NULL ||
        (unsigned_text[0] == '0' && (unsigned_text[1] == 'b' || unsigned_text[1] == 'B'))) {
        return -1;
    }
    mpfr_t x;
    mpfr_init2(x, READ_BITS);
    char *end;
    int inexact = mpfr_strtofr(x, text, &end, 0, MPFR_RNDZ);
    int bad = end == text || *end != '\0';
    if (!bad) {
        out->high.negative = text[0] == '-';
        if (mpfr_nan_p(x)) {
            out->high.kind = ULP_CLASS_NAN;
        } else if (mpfr_inf_p(x)) {
            out->high.kind = ULP_CLASS_INF;
        } else if (!mpfr_zero_p(x) || inexact != 0) {
            set_finite(out, x, inexact);
        }
    }
    mpfr_clear(x);
    return bad ? -1 : 0;
}

ulp_real_t ulp_real_decode(uint64_t code, const ulp_format_t *format)
{
    ulp_real_t x = {.high = ulp_number_decode(code, format)};
    while (x.high.kind == ULP_CLASS_FINITE && x.high.significand >> (CHUNK_BITS - 1) == 0) {
        x.high.significand <<= 1;
        x.high.exponent--;
    }
    return x;
}

/* An integer format may need all 64 bits and the one below them: more than a number with its sticky
 * bit tells. */
static uint64_t round_to_integer(const ulp_real_t *x, const ulp_format_t *format,
                                 const ulp_rounding_t *how, unsigned *flags)
{
    ulp_number_t part = x->high;
    ulp_accumulator_t sum = {0};
    part.sticky = 0;
    ulp_accumulator_add(&sum, part);
    part.significand = x->low | x->sticky; /* to odd, far below what decides */
    part.exponent -= CHUNK_BITS;
    if (part.significand != 0) {
        ulp_accumulator_add(&sum, part);
    }
    return ulp_accumulator_round(&sum, format, how, flags);
}

uint64_t ulp_real_round(const ulp_real_t *x, const ulp_format_t *format, const ulp_rounding_t *how,
                        unsigned *flags)
{
    if (format->kind != ULP_KIND_FLOAT && x->high.kind == ULP_CLASS_FINITE) {
        return round_to_integer(x, format, how, flags);
    }
    return ulp_number_encode(x->high, format, how, flags);
}

/* x; half a unit of the last of its 128 bits stands for what is left, so that a difference from x
 * is not 0 where it should not be. */
static void get(mpfr_t out, const ulp_real_t *x)
{
    mpfr_t low;
    mpfr_init2(low, CHUNK_BITS);
    mpfr_set_uj_2exp(out, x->high.significand, x->high.exponent, MPFR_RNDN);
    mpfr_set_uj_2exp(low, x->low, x->high.exponent - CHUNK_BITS, MPFR_RNDN);
    mpfr_add(out, out, low, MPFR_RNDN);
    if (x->sticky) {
        mpfr_set_ui_2exp(low, 1, x->high.exponent - CHUNK_BITS - 1, MPFR_RNDN);
        mpfr_add(out, out, low, MPFR_RNDN);
    }
    mpfr_setsign(out, out, x->high.negative, MPFR_RNDN);
    if (x->high.kind == ULP_CLASS_ZERO) {
        mpfr_set_zero(out, x->high.negative ? -1 : 1);
    }
    mpfr_clear(low);
}

int ulp_real_spacing(const ulp_real_t *x, const ulp_format_t *format)
{
    ULP_ASSERT(x->high.kind == ULP_CLASS_ZERO || x->high.kind == ULP_CLASS_FINITE);
    if (format->kind != ULP_KIND_FLOAT) {
        return 0;
    }
    int e = format->emin;
    if (x->high.kind == ULP_CLASS_FINITE) {
        e = x->high.exponent + (CHUNK_BITS - 1);
        e = e < format->emin ? format->emin : e > format->emax ? format->emax : e;
    }
    return e - (format->p - 1);
}

double ulp_real_error(const ulp_real_t *x, uint64_t got, const ulp_format_t *format)
{
    ulp_number_t y = ulp_number_decode(got, format);
    mpfr_t want, value;
    mpfr_init2(want, READ_BITS + 1);
    /* Wide enough for an exact difference from 2^1024 down to 2^-2128. */
    mpfr_init2(value, 2 * EXPONENT_LIMIT + READ_BITS + CHUNK_BITS);
    get(want, x);
    if (y.kind == ULP_CLASS_INF) {
        mpfr_set_ui_2exp(value, 1, format->emax + 1, MPFR_RNDN);
    } else {
        mpfr_set_uj_2exp(value, y.kind == ULP_CLASS_ZERO ? 0 : y.significand, y.exponent,
                         MPFR_RNDN);
    }
    mpfr_setsign(value, value, y.negative, MPFR_RNDN);
    mpfr_sub(value, value, want, MPFR_RNDN);
    mpfr_abs(value, value, MPFR_RNDN);
    mpfr_div_2si(value, value, ulp_real_spacing(x, format), MPFR_RNDN);
    double error = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clears(want, value, (mpfr_ptr)NULL);
    return error;
}

int ulp_real_fits_64(const ulp_real_t *x)
{
    return x->low == 0 && !x->sticky;
}

void ulp_real_text(char text[ULP_REAL_TEXT_MAX], const ulp_real_t *x)
{
    const char *sign = x->high.negative ? "-" : "";
    switch (x->high.kind) {
    case ULP_CLASS_ZERO:
        snprintf(text, ULP_REAL_TEXT_MAX, "%s0x0p+0", sign);
        return;
    case ULP_CLASS_INF:
        snprintf(text, ULP_REAL_TEXT_MAX, "%sinf", sign);
        return;
    case ULP_CLASS_NAN:
        snprintf(text, ULP_REAL_TEXT_MAX, "nan");
        return;
    case ULP_CLASS_FINITE:
        break;
    }
    if (x->is_beyond) {
        snprintf(text, ULP_REAL_TEXT_MAX, "%s%s", x->high.negative ? "-" : "",
                 x->high.exponent > 0 ? "(> 2^2000)" : "(< 2^-2000)");
        return;
    }
    /* 1.fraction: the top bit, then 63 bits as 16 digits with the last bit 0. */
    char digits[CHUNK_BITS / 4 + 1];
    uint64_t fraction = x->high.significand << 1;
    snprintf(digits, sizeof digits, "%016" PRIx64, fraction);
    size_t n = strlen(digits);
    while (n > 0 && digits[n - 1] == '0') {
        digits[--n] = '\0';
    }
    snprintf(text, ULP_REAL_TEXT_MAX, "%s0x1%s%s%sp%+d", sign, n > 0 ? "." : "", digits,
             ulp_real_fits_64(x) ? "" : "...", x->high.exponent + (CHUNK_BITS - 1));
}
