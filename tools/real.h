/*
 * tools/real.h - a real number that a user wrote, exactly, to be rounded once to any format.
 */
#ifndef ULP_TOOLS_REAL_H
#define ULP_TOOLS_REAL_H

#include "precision/number.h"

enum { ULP_REAL_TEXT_MAX = 96 };

/**
 * x = high + low, and more below the last bit of low if `sticky`: significands of 64 bits each,
 * low's exponent 64 less than high's. Numbers beyond 2^-2000 and 2^2000, far outside every format,
 * stand there and say so. For zeros, infinities and NaN `high` is all.
 */
typedef struct {
    ulp_number_t high;
    uint64_t low;
    uint8_t sticky;
    uint8_t is_beyond;
} ulp_real_t;

/**
 * Read "0.1", "-0x1.8p-3", "1e400", "inf", "nan": decimal or hexadecimal, of any length.
 *
 * @return  0, or -1 if the text is not a number
 */
int ulp_real_parse(ulp_real_t *out, const char *text);

/** The value of a code. */
ulp_real_t ulp_real_decode(uint64_t code, const ulp_format_t *format);

/** One rounding to a format, as ulp_number_encode does it. */
uint64_t ulp_real_round(const ulp_real_t *x, const ulp_format_t *format, const ulp_rounding_t *how,
                        unsigned *flags);

/** Exponent u of the spacing 2^u of the format at x; x finite. */
int ulp_real_spacing(const ulp_real_t *x, const ulp_format_t *format);

/**
 * |y - x| / ulp(x), y the value of `got`, an infinity at 2^(emax+1); x finite, got not NaN. Above
 * the range of a double inf, and for x below 2^-2000 an upper bound.
 *
 * Error: relative 2^-52, or 2^-74 absolute where that is larger
 */
double ulp_real_error(const ulp_real_t *x, uint64_t got, const ulp_format_t *format);

/** x as hex float: "0x1.8p-3", with "..." where bits beyond the 64th are left out; "> 2^2000". */
void ulp_real_text(char text[ULP_REAL_TEXT_MAX], const ulp_real_t *x);

/** 1 if ulp_real_text leaves nothing out. */
int ulp_real_fits_64(const ulp_real_t *x);

#endif
