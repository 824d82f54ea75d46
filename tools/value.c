/* tools/value.c - a stored number as text. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "precision/number.h"

void ulp_value_code(char text[ULP_VALUE_MAX], uint64_t code, const ulp_format_t *format)
{
    snprintf(text, ULP_VALUE_MAX, "0x%0*llx", (format->bits + 3) / 4, (unsigned long long)code);
}

/* The shortest decimal of at most 17 digits that reads back as x. */
static void decimal(char *text, size_t size, double x)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            return;
        }
    }
}

void ulp_value_real(char text[ULP_VALUE_MAX], double x)
{
    if (isnan(x) || isinf(x)) {
        snprintf(text, ULP_VALUE_MAX, "%s", isnan(x) ? "NaN" : x < 0 ? "-inf" : "inf");
        return;
    }
    char dec[40];
    decimal(dec, sizeof dec, x);
    snprintf(text, ULP_VALUE_MAX, "%a, %s", x, dec);
}

void ulp_value_text(char text[ULP_VALUE_MAX], uint64_t code, const ulp_format_t *format)
{
    char bits[ULP_VALUE_MAX];
    char real[ULP_VALUE_MAX];
    ulp_number_t x = ulp_number_decode(code, format);
    ulp_value_code(bits, code, format);
    if (format->kind != ULP_KIND_FLOAT) {
        snprintf(text, ULP_VALUE_MAX, "%.24s (%s%llu)", bits, x.negative ? "-" : "",
                 x.kind == ULP_CLASS_ZERO ? 0ULL : (unsigned long long)x.significand);
        return;
    }
    ulp_value_real(real, ulp_number_to_double(x));
    snprintf(text, ULP_VALUE_MAX, "%.24s (%.60s)", bits, real);
}
