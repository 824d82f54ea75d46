/*
 * tools/report_show.h - a real number in a format: code, error, neighbours, all modes.
 */
#ifndef ULP_TOOLS_REPORT_SHOW_H
#define ULP_TOOLS_REPORT_SHOW_H

#include "tools/json.h"
#include "tools/real.h"

/** The heading of the table, and the line of one format in it. */
void ulp_report_show_heading(FILE *out);
void ulp_report_show_line(FILE *out, const ulp_real_t *x, const ulp_format_t *format);

/** One format in full. */
void ulp_report_show_block(FILE *out, const ulp_real_t *x, const ulp_format_t *format);

/** One format as JSON. */
json_t *ulp_report_show_json(const ulp_real_t *x, const ulp_format_t *format);

#endif
