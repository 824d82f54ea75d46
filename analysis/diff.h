/*
 * analysis/diff.h - two datasets in files compared by pieces, in memory that does not grow with
 * them.
 */
#ifndef ULP_ANALYSIS_DIFF_H
#define ULP_ANALYSIS_DIFF_H

#include "analysis/compare.h"
#include "core/source.h"

/**
 * Compare two open datasets of the same shape and format.
 *
 * @param out      assigned; see compare.h
 * @param got      subject
 * @param want     reference
 * @param how      policies and tolerances; NULL: equality of values
 * @param threads  >= 1: threads that compare; the result does not depend on it
 *
 * Fails: SHAPE (different shapes, both named; or no elements: nothing to compare), ARGUMENT
 * (different formats), and what ulp_source_read says Cost:  buffers of 2 MiB a thread, for at most
 * 4 threads
 */
ULP_MUST_CHECK ulp_status_t ulp_diff_sources(ulp_comparison_t *out, ulp_source_t *got,
                                             ulp_source_t *want, const ulp_compare_how_t *how,
                                             int threads, ulp_error_t *err);

#endif
