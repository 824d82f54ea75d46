/*
 * emulators/table.h - named models: each row a device's instruction, its parameters and their
 * sources.
 *
 * Name: GENERATION.INPUT.ACCUMULATOR[.INSTRUCTION]; with no instruction it is mma.sync (NVIDIA) or
 * MFMA (AMD). To add a model, add a row to the vendor's table (nvidia_table.c, amd_table.c,
 * generic_table.c) and recorded or published vectors to its test.
 */
#ifndef ULP_EMULATORS_TABLE_H
#define ULP_EMULATORS_TABLE_H

#include "emulators/model.h"

/* How far a row can be trusted. */
typedef enum {
    ULP_EVIDENCE_REPLAYED = 0, /* reproduces recorded hardware outputs here */
    ULP_EVIDENCE_HARDWARE,     /* its source compared with the device */
    ULP_EVIDENCE_DOCUMENT,     /* vendor documentation */
    ULP_EVIDENCE_MODEL         /* a published model; no hardware output seen */
} ulp_evidence_t;

typedef struct {
    const char *name;
    const char *device;      /* "NVIDIA H100, H200 (sm_90)" */
    const char *instruction; /* "wgmma m64nNk32" */
    const char *inputs;      /* formats of a and b, space-separated; any mix: "f8e4m3fn f8e5m2" */
    const char *scales;      /* formats of block scales, or "" */
    const char *c;           /* formats of c, space-separated */
    const char *out;         /* formats of d */
    int k;                   /* K of one instruction: longer K is a chain of them */
    const char *line;        /* the model */
    ulp_evidence_t evidence;
    const char *source; /* keys of papers/references.bib: "[KM25] [MMASIM]" */
    const char *open;   /* options that no source settles, and the default taken: "" if none */
    uint8_t nan_payload_open; /* 1: the bits of a NaN result are not known; any NaN matches */
} ulp_named_model_t;

/** Number of rows of all vendors, and row i; NULL past the last. */
size_t ulp_named_model_count(void);
const ulp_named_model_t *ulp_named_model_at(size_t i);

/** Row of that name. GENERATION.INPUT finds GENERATION.INPUT.f32; ".mma" may be added to mma.sync
 * names. NULL if unknown. */
const ulp_named_model_t *ulp_named_model_find(const char *name);

/** The row's line, parsed. Rows are checked by a test to parse; a failure aborts. */
ulp_model_t ulp_named_model_parse(const ulp_named_model_t *row);

/** 1 if the row's instruction takes operands and results of these formats (c, a_scale, b_scale NULL
 * if absent). */
int ulp_named_model_fits(const ulp_named_model_t *row, const ulp_format_t *a, const ulp_format_t *b,
                         const ulp_format_t *c, const ulp_format_t *scale, const ulp_format_t *out);

#endif
