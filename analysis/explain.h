/*
 * analysis/explain.h - which arithmetic produced an output: all models replayed, verdict, evidence.
 */
#ifndef ULP_ANALYSIS_EXPLAIN_H
#define ULP_ANALYSIS_EXPLAIN_H

#include "analysis/score.h"
#include "core/case.h"
#include "emulators/table.h"

typedef enum {
    ULP_VERDICT_UNDECIDED = 0, /* no model of these formats, or no bound: no answer */
    ULP_VERDICT_EXPLAINED,     /* a model reproduces every bit */
    ULP_VERDICT_IDENTICAL, /* equal to the correctly rounded reference, and no model asked for more
                            */
    ULP_VERDICT_ROUNDING,  /* inside the bound that any order of this arithmetic can produce */
    ULP_VERDICT_OUTSIDE    /* no order of that arithmetic can produce it */
} ulp_verdict_t;
const char *ulp_verdict_name(ulp_verdict_t verdict);

/* One model replayed. */
typedef struct {
    const ulp_named_model_t *row; /* NULL for a line that the caller gave */
    char name[128];
    char line[ULP_MODEL_LINE_MAX];
    size_t matched;    /* elements with every bit equal */
    size_t screened_n; /* 0: all n elements were replayed; else only these many, spread over
                          the output, because the sample already refuted the model; `matched`
                          and `first_mismatch` speak of the sample alone */
    size_t screened_matched;
    size_t first_mismatch; /* flat index; valid if matched < n */
    uint64_t emulated;     /* what the model gives there */
    uint8_t nan_any;       /* NaN results were compared by class only */
} ulp_replay_t;

typedef struct {
    const ulp_case_dataset_t *output;
    size_t n;
    ulp_verdict_t verdict;
    ulp_score_t score;
    size_t nreplays;
    ulp_replay_t *replay;             /* sorted: matched descending, then the table's order */
    size_t nmatches;                  /* of them, matched == n */
    size_t outside;                   /* elements beyond the bound */
    size_t outside_index;             /* the worst of them */
    double bound_ratio;               /* max over elements of |got - exact| / bound */
    const ulp_reference_t *reference; /* that of the output's format */
    char reason[256];                 /* one line: why this verdict */
} ulp_explanation_t;

typedef struct {
    size_t count;
    ulp_explanation_t *output;
    ulp_contraction_t contraction;
    ulp_reference_t *reference; /* one per distinct output format */
    size_t nreferences;
} ulp_explain_t;

typedef struct {
    const char *output;       /* only this output; NULL: all */
    const char *const *model; /* only these names or lines; NULL: every row that fits the formats */
    size_t nmodels;
    int threads; /* 0: all */
} ulp_explain_how_t;

/** Explain every output of a case. Fails: MISSING (no outputs), SHAPE (an output does not have the
 * op's shape), ... */
ULP_MUST_CHECK ulp_status_t ulp_explain_case(ulp_explain_t *out, const ulp_case_t *c,
                                             const ulp_explain_how_t *how, ulp_error_t *err);
void ulp_explain_free(ulp_explain_t *explain);

/* One product of an output element. */
typedef struct {
    size_t k;
    uint64_t a, b, a_scale, b_scale; /* codes */
    double a_value, b_value;         /* their values, scales not applied; exact up to 53 bits */
    double product;                  /* a b with scales; rounded to nearest */
} ulp_operand_t;

/* One output element, operand by operand. */
typedef struct {
    size_t index;   /* flat */
    uint64_t got;   /* the output's code */
    uint64_t want;  /* the correctly rounded one */
    double hi, lo;  /* the exact result */
    uint64_t c;     /* code, if has_c */
    double c_value; /* 0 without c */
    uint8_t has_c;
    size_t noperands;
    ulp_operand_t *operand;
} ulp_element_t;

/**
 * The operands of one element of an explained output; what a model gives there is `emulated` of its
 * replay where index is its first_mismatch.
 *
 * @param index  flat, below output->n
 *
 * Fails: MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_explain_operands(ulp_element_t *out, const ulp_explain_t *explain,
                                                 const ulp_explanation_t *output, size_t index,
                                                 ulp_error_t *err);
void ulp_element_free(ulp_element_t *element);

#endif
