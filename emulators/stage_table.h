/*
 * emulators/stage_table.h - the stages of a model line: their words, items and places.
 *
 * Parser and printer both read this table, so that a line that is printed parses back. To add a
 * stage: a row here, a kind in model.h, its kernel (step.h).
 */
#ifndef ULP_EMULATORS_STAGE_TABLE_H
#define ULP_EMULATORS_STAGE_TABLE_H

#include "emulators/model.h"

/* What an item sets in ulp_stage_t. */
typedef enum {
    ULP_ITEM_NONE = 0,
    ULP_ITEM_FORMAT,
    ULP_ITEM_MODE,
    ULP_ITEM_SATURATE, /* out: the word sat */
    ULP_ITEM_FLUSH,    /* zero | signed */
    ULP_ITEM_ORDER,    /* asc | desc | pairs */
    ULP_ITEM_L,
    ULP_ITEM_G,
    ULP_ITEM_F, /* a number or inf */
    ULP_ITEM_F2,
    ULP_ITEM_E0,
    ULP_ITEM_FINAL, /* mode and significand bits: rz24 */
    ULP_ITEM_ACC,
    ULP_ITEM_N,
    ULP_ITEM_OVERFLOW, /* imac: wrap | sat */
    ULP_ITEM_ZERO      /* plus | signed */
} ulp_item_field_t;

typedef struct {
    ulp_item_field_t field;
    const char *key;
    uint8_t keyed;    /* written key=value; else the value alone */
    uint8_t required; /* 1: must be written */
    int min, max;     /* of a number */
} ulp_stage_item_t;

enum { ULP_STAGE_ITEMS_MAX = 8 };

typedef struct {
    ulp_stage_kind_t kind;
    int place; /* stages stand in rising places; one stage a place */
    const char *word;
    ulp_stage_item_t item[ULP_STAGE_ITEMS_MAX]; /* ends with ULP_ITEM_NONE */
} ulp_stage_row_t;

/* Place of the stage that computes: a line has exactly one. */
enum { ULP_STAGE_PLACE_KERNEL = 3 };

/** Number of rows, row i (NULL past the last), the row of a kind. */
size_t ulp_stage_row_count(void);
const ulp_stage_row_t *ulp_stage_row_at(size_t i);
const ulp_stage_row_t *ulp_stage_row_find(ulp_stage_kind_t kind);

/* Word i of an item that takes one of a list of words; NULL past the last, or if it takes none. The
 * index is the value that the stage holds (ULP_ITEM_FLUSH: plus one). */
const char *ulp_item_word(ulp_item_field_t field, int i);

/* Value of an integer field. */
int *ulp_stage_number(ulp_stage_t *stage, ulp_item_field_t field);

enum { ULP_STAGE_WHY_MAX = 128 };

/* Do the items of a stage go together? Returns 0, or -1 with the reason in words. stage_check.c. */
int ulp_stage_check(char why[ULP_STAGE_WHY_MAX], const ulp_stage_t *stage);

/* Put a stage at the end of a model, where it must stand after those before it. Returns the same.
 */
int ulp_stage_append(char why[ULP_STAGE_WHY_MAX], ulp_model_t *model, const ulp_stage_t *stage);

#endif
