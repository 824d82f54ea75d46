/*
 * emulators/vector_pack.h - rows of A and panels of B as the lanes of vector_kernel.h want them.
 */
#ifndef ULP_EMULATORS_VECTOR_PACK_H
#define ULP_EMULATORS_VECTOR_PACK_H

#include "emulators/tile.h"
#include "emulators/vector_kernel.h"

/* Lines packed for the kernels: rows one after another, or 64 columns side by side. */
typedef struct {
    size_t lines, places, nsteps;
    float *value;      /* rows: [line][place]; panel: [place][64] */
    int16_t *exponent; /* the same; panel: + BIAS */
    int32_t *largest;  /* rows: [line][step]; panel: [step][64] */
    uint8_t
        *wide; /* of each line: 1 if it does not fit the kernels' range, or holds NaN or infinity */
} ulp_packed_t;

/** Room for rows (panel 0) or one panel of 64 columns (panel 1). Returns 0, or -1 when memory is
 * short. */
int ulp_packed_make(ulp_packed_t *out, const ulp_plan_t *plan, size_t lines, int panel);
void ulp_packed_free(ulp_packed_t *packed);

/** Put a decoded line (plan->nplaces operands) into row `line`, or column `line` of the panel.
 * `fraction` is that of the operands. A step is plan->unit places, or one place for an FMA chain.
 */
void ulp_packed_row(ulp_packed_t *to, const ulp_plan_t *plan, size_t line, const ulp_operand_t *x,
                    int fraction);
void ulp_packed_column(ulp_packed_t *to, const ulp_plan_t *plan, size_t line,
                       const ulp_operand_t *x, int fraction);

#endif
