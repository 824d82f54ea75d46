/*
 * analysis/replay.h - the models that may have produced an output, and what each of them gives.
 */
#ifndef ULP_ANALYSIS_REPLAY_H
#define ULP_ANALYSIS_REPLAY_H

#include "analysis/explain.h"

/* Products beyond which a model must first pass a sample of the output. */
#define ULP_REPLAY_SCREEN_PRODUCTS (UINT64_C(1) << 28)
enum { ULP_REPLAY_SAMPLE = 64 };

typedef struct {
    ulp_model_t model;
    ulp_replay_t result;
    int from_table; /* a row that fits; 0: asked for by the caller */
    int any_nan;    /* NaN results compare by class */
} ulp_candidate_t;

typedef struct {
    size_t count;
    ulp_candidate_t *item;
} ulp_candidates_t;

/**
 * The candidates for an output: the lines of `how`, or else every row of the table whose formats
 * fit the operands. A model whose result is another float format than the output (a wider one, for
 * rows of the table) is continued by out(FORMAT,rne), as a kernel's epilogue does.
 *
 * Fails: ARGUMENT (a line that does not parse, or whose result cannot become the output), MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_candidates_find(ulp_candidates_t *out, const ulp_contraction_t *x,
                                                const ulp_format_t *output,
                                                const ulp_explain_how_t *how, ulp_error_t *err);
void ulp_candidates_free(ulp_candidates_t *candidates);

/**
 * Replay all candidates against an output, fill their results and sort them: matches first, then by
 * elements matched, then in the order found.
 *
 * @param reference        of the output: where to look for what tells models apart
 * @param screen_products  above this many products in the output, a model is first compared on a
 *                         sample; those refuted there, the best one apart, are not replayed in full
 *
 * Fails: as ulp_emulate_contraction
 */
ULP_MUST_CHECK ulp_status_t ulp_candidates_replay(
    ulp_candidates_t *candidates, const ulp_contraction_t *x, const ulp_tensor_t *output,
    const ulp_reference_t *reference, uint64_t screen_products, int threads, ulp_error_t *err);

#endif
