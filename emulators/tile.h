/*
 * emulators/tile.h - rows of A and columns of B, decoded as a model's inputs are.
 */
#ifndef ULP_EMULATORS_TILE_H
#define ULP_EMULATORS_TILE_H

#include "emulators/plan.h"

typedef struct {
    const ulp_plan_t *plan;
    const ulp_contraction_t *x;
    size_t rows, cols, ngroups; /* groups of GDPA in a row, else 0 */
    ulp_operand_t *a, *b;       /* rows and columns of plan->nplaces */
    ulp_operand_t *a_scale, *b_scale;
    uint8_t *special; /* of each row, then of each column */
} ulp_tile_t;

/** Room for so many rows and columns, none included. Returns 0, or -1 when memory is short. */
int ulp_tile_make(ulp_tile_t *out, const ulp_plan_t *plan, const ulp_contraction_t *x, size_t rows,
                  size_t cols);
void ulp_tile_free(ulp_tile_t *tile);

/** The operand that a code of `format` is after in(), which may be NULL. */
ulp_operand_t ulp_tile_decode(uint64_t code, const ulp_format_t *format, const ulp_stage_t *in);

/** Decode row `row` of group g of A into place i; a column of B into place j. */
void ulp_tile_load_row(ulp_tile_t *tile, size_t i, size_t g, size_t row);
void ulp_tile_load_column(ulp_tile_t *tile, size_t j, size_t g, size_t col);

/** Row i against column j. */
ulp_slice_t ulp_tile_slice(const ulp_tile_t *tile, size_t i, size_t j);

/** c of that output, in the format of plan->sum; +0 if the contraction has none. */
ulp_operand_t ulp_tile_c(const ulp_tile_t *tile, size_t g, size_t row, size_t col);

#endif
