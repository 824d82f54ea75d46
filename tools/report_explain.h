/*
 * tools/report_explain.h - an explanation as text, Markdown and JSON.
 */
#ifndef ULP_TOOLS_REPORT_EXPLAIN_H
#define ULP_TOOLS_REPORT_EXPLAIN_H

#include "analysis/explain.h"
#include "tools/command.h"

/** One output as text for a terminal, or as a review comment. */
void ulp_report_explain_text(ulp_call_t *call, const ulp_explain_t *explain,
                             const ulp_explanation_t *output);
void ulp_report_explain_markdown(ulp_call_t *call, const ulp_case_t *c,
                                 const ulp_explanation_t *output);

/** All outputs: schema ulpscope.explain/1. */
void ulp_report_explain_json(ulp_call_t *call, const ulp_case_t *c, const ulp_explain_t *explain);

/** "volta.f16.f32, turing.f16.f32": names of the matches that share the line of match i; 0 if an
 * earlier match has that line already. Into `names`, cut at its size. */
size_t ulp_report_same_line(char *names, size_t size, const ulp_explanation_t *output, size_t i);

#endif
