/*
 * tools/value.h - a stored number as text: code, hex float, decimal.
 */
#ifndef ULP_TOOLS_VALUE_H
#define ULP_TOOLS_VALUE_H

#include <stdint.h>

#include "precision/format.h"

enum { ULP_VALUE_MAX = 96 };

/** "0x3f80": as many digits as the format has. */
void ulp_value_code(char text[ULP_VALUE_MAX], uint64_t code, const ulp_format_t *format);

/** "0x3f80 (0x1p+0, 1)". */
void ulp_value_text(char text[ULP_VALUE_MAX], uint64_t code, const ulp_format_t *format);

/** "0x1p+0, 1" for a real number, with enough digits to read it back. */
void ulp_value_real(char text[ULP_VALUE_MAX], double x);

#endif
