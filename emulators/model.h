/*
 * emulators/model.h - a model: one line that says how a device computes, stage by stage.
 *
 *   line   = stage { " | " stage }
 *   stage  = word [ "(" item { "," item } ")" ]
 *   item   = value | key "=" value
 *
 * Stages stand in the order in which data meets them. Printing a parsed line gives the canonical
 * line; a canonical line comes back unchanged. To add a stage: a row in stage_table.c and its
 * kernel.
 */
#ifndef ULP_EMULATORS_MODEL_H
#define ULP_EMULATORS_MODEL_H

#include <stddef.h>

#include "core/status.h"
#include "precision/number.h"

typedef enum {
    ULP_STAGE_NONE = 0,
    ULP_STAGE_IN,    /* in(FORMAT,MODE[,flush=...]): a and b converted first; in(flush=zero|signed):
                        flushed only */
    ULP_STAGE_ORDER, /* order(asc|desc|pairs,block=32): the sequence of k; pairs: in each block
                        first the k with k mod 4 < 2, then the others */
    ULP_STAGE_FDPA,  /* fdpa(l,f,final,e0,acc,zero): fused dot-product-add: products aligned to the
                        largest exponent,  truncated to f bits, added exactly, rounded once; f=inf:
                        exact */
    ULP_STAGE_GDPA,  /* gdpa(l,g,f,final,e0,acc,zero): groups of g products summed exactly, then
                        scaled and  aligned */
    ULP_STAGE_PAIRWISE, /* pairwise(l,final,flush): products rounded, summed in a balanced tree,
                           then added to c */
    ULP_STAGE_TRFDPA,   /* trfdpa(l,f,f2): CDNA3 */
    ULP_STAGE_GTRFDPA,  /* gtrfdpa(l,f,f2): CDNA3 fp8: even and odd k apart */
    ULP_STAGE_FMA,      /* fma(FORMAT,MODE): a chain of fused multiply-adds */
    ULP_STAGE_IMAC,     /* imac(wrap|sat[,l=n]): exact integer products in an i32 accumulator */
    ULP_STAGE_PROMOTE,  /* promote(n[,FORMAT,MODE]) [DSV3]: partial sums over n of k start at 0 and
                           are  added to an accumulator  of FORMAT (default f32, rne), where c enters
                           first
                         */
    ULP_STAGE_SCALE,    /* scale(n): block scales, one per n of k */
    ULP_STAGE_OUT,      /* out(FORMAT,MODE[,sat]): the last accumulator rounded to the output */
    ULP_STAGE_SPLITK    /* splitk(n): n contiguous parts of K, each from 0 but the first, which
                           starts at c; their sums added in order, nearest even */
} ulp_stage_kind_t;

enum { ULP_STAGE_F_INF = -1, ULP_MODEL_STAGES_MAX = 12, ULP_MODEL_LINE_MAX = 512 };

/* One stage; fields that its kind does not use are 0. */
typedef struct {
    ulp_stage_kind_t kind;
    unsigned given;             /* items that were written, by position in the stage's item list */
    const ulp_format_t *format; /* IN, OUT, FMA, PROMOTE */
    ulp_round_mode_t mode;
    ulp_overflow_t overflow;
    ulp_flush_t flush;
    int order; /* ORDER: 0 asc, 1 desc, 2 pairs */
    int l;     /* products fused in one step */
    int g;     /* GDPA: products per group */
    int f;     /* fraction bits kept below the alignment exponent; ULP_STAGE_F_INF: all */
    int f2;    /* TRFDPA, GTRFDPA */
    int e0;    /* exponent of an exact zero term */
    ulp_round_mode_t final_mode;
    int final_p;             /* significand bits after a step */
    const ulp_format_t *acc; /* exponent range of the accumulator: f32 or f16 (or f64) */
    int n;                   /* PROMOTE, SCALE, ORDER: k per block */
    int saturate; /* IMAC: clamp to i32 after every l products (l = 0: once at the end) */
    int zero;     /* FDPA, GDPA: a negative sum that rounds to zero: 0 gives +0, 1 gives -0 */
} ulp_stage_t;

typedef struct {
    size_t nstages;
    ulp_stage_t stage[ULP_MODEL_STAGES_MAX];
} ulp_model_t;

/**
 * Parse a line; a named model (table.h) may stand first, followed by further stages.
 *
 * Fails: ARGUMENT: the message shows the line and points at the place: "model: column 12: 'fdpq' is
 * not a stage (did you mean 'fdpa'?)"
 */
ULP_MUST_CHECK ulp_status_t ulp_model_parse(ulp_model_t *out, const char *line, ulp_error_t *err);

/** Print the canonical line into ULP_MODEL_LINE_MAX bytes. */
void ulp_model_print(char line[ULP_MODEL_LINE_MAX], const ulp_model_t *model);

#endif
