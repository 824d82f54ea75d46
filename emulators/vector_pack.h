/*
 * emulators/vector_pack.h - rows of A and panels of B as the lanes of vector_kernel.h want them.
 */
#ifndef ULP_EMULATORS_VECTOR_PACK_H
#define ULP_EMULATORS_VECTOR_PACK_H

#include "emulators/plan.h"
#include "emulators/vector_kernel.h"

/* A decoded code. */
typedef struct {
    float value;      /* exact; 0 if special */
    int16_t exponent; /* max(floor(log2 |x|), emin), or NO_EXPONENT */
    uint8_t special;  /* NaN or infinite */
} ulp_entry_t;

/* How the codes of a tensor become entries: a table for codes of up to 16 bits. */
typedef struct {
    const ulp_plan_t *plan;
    const ulp_tensor_t *tensor;
    ulp_entry_t *table; /* NULL: decoded one by one */
} ulp_decoder_t;

/** Returns 0, or -1 when memory is short. */
int ulp_decoder_make(ulp_decoder_t *out, const ulp_plan_t *plan, const ulp_tensor_t *tensor);
void ulp_decoder_free(ulp_decoder_t *decoder);

/* Lines packed for the kernels: rows one after another, or 64 columns side by side. */
typedef struct {
    size_t places, nsteps;
    float *value;      /* rows: [line][place]; panel: [place][64] */
    int16_t *exponent; /* the same; panel: + BIAS */
    int32_t *largest;  /* rows: [line][step]; panel: [step][64] */
    uint8_t *wide;     /* of each line: 1 if it does not fit the kernels' range, or holds NaN or
                          infinity */
} ulp_packed_t;

/** Room for so many lines; a panel has 64. Returns 0, or -1 when memory is short. */
int ulp_packed_make(ulp_packed_t *out, const ulp_plan_t *plan, size_t lines);
void ulp_packed_free(ulp_packed_t *packed);

/** Row `line`: element k of it is at start + k * step of the decoder's tensor. */
void ulp_packed_row(ulp_packed_t *to, size_t line, const ulp_decoder_t *decoder, size_t start,
                    size_t step);

/** A panel of `columns` <= 64 columns: element k of column j is at start + k * step + j * across.
 */
void ulp_packed_panel(ulp_packed_t *to, const ulp_decoder_t *decoder, size_t start, size_t step,
                      size_t across, size_t columns);

#endif
