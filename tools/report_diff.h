/*
 * tools/report_diff.h - a comparison as text, Markdown and JSON.
 */
#ifndef ULP_TOOLS_REPORT_DIFF_H
#define ULP_TOOLS_REPORT_DIFF_H

#include "analysis/compare.h"
#include "core/source.h"
#include "tools/json.h"

/* What was compared, and how. */
typedef struct {
    const char *got, *want;        /* locations */
    const ulp_source_info_t *info; /* of got */
    const ulp_compare_how_t *how;
    size_t worst; /* how many to show */
} ulp_diff_subject_t;

/** A comparison of one pair, as text or Markdown. */
void ulp_report_diff_text(ulp_call_t *call, const ulp_diff_subject_t *subject,
                          const ulp_comparison_t *c);

/** The members of ulpscope.diff/1 for one pair, into `object`. */
void ulp_report_diff_json(json_t *object, const ulp_diff_subject_t *subject,
                          const ulp_comparison_t *c);

#endif
