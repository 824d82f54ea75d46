/* emulators/stage_check.c - what the items of a stage must be, taken together. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "emulators/stage_table.h"

/* Place of an item in its row's list. */
static int is_given(const ulp_stage_t *stage, const ulp_stage_row_t *row, ulp_item_field_t field)
{
    for (unsigned i = 0; row->item[i].field != ULP_ITEM_NONE; i++) {
        if (row->item[i].field == field) {
            return (int)(stage->given >> i & 1);
        }
    }
    return 0;
}

static const char *missing(const ulp_stage_t *stage, const ulp_stage_row_t *row)
{
    for (unsigned i = 0; row->item[i].field != ULP_ITEM_NONE; i++) {
        if (row->item[i].required && !(stage->given >> i & 1)) {
            return row->item[i].key;
        }
    }
    return NULL;
}

static const char *check_in(const ulp_stage_t *stage, const ulp_stage_row_t *row)
{
    if (stage->given == 0) {
        return "in needs a format with its mode, or flush=";
    }
    if (stage->format && stage->format->kind != ULP_KIND_FLOAT) {
        return "in converts to a floating-point format";
    }
    return is_given(stage, row, ULP_ITEM_MODE) && !stage->format ? "a mode needs its format" : NULL;
}

static const char *check_kernel(const ulp_stage_t *stage, const ulp_stage_row_t *row)
{
    const ulp_format_t *range = stage->acc ? stage->acc : ulp_format_find("f32", NULL);
    if (stage->kind == ULP_STAGE_FDPA && stage->f != ULP_STAGE_F_INF &&
        !is_given(stage, row, ULP_ITEM_E0)) {
        return "fdpa with a finite f needs e0=";
    }
    if (stage->kind == ULP_STAGE_FDPA && stage->f == ULP_STAGE_F_INF &&
        is_given(stage, row, ULP_ITEM_E0)) {
        return "fdpa with f=inf truncates nothing and has no e0=";
    }
    if (stage->kind == ULP_STAGE_FDPA && stage->f == ULP_STAGE_F_INF &&
        is_given(stage, row, ULP_ITEM_ZERO)) {
        return "fdpa with f=inf rounds as IEEE 754 does and has no zero=";
    }
    if (stage->kind == ULP_STAGE_GDPA && stage->l % stage->g != 0) {
        return "l is a multiple of g";
    }
    if (stage->acc && !ulp_format_has_inf(stage->acc)) {
        return "an accumulator needs infinities: f16, bf16, f32 or f64";
    }
    if (stage->final_p > range->p) {
        return "final has more significand bits than the accumulator (acc=f32 if not given)";
    }
    return NULL;
}

static const char *check_items(const ulp_stage_t *stage, const ulp_stage_row_t *row)
{
    switch (stage->kind) {
    case ULP_STAGE_IN:
        return check_in(stage, row);
    case ULP_STAGE_ORDER:
        return stage->order == 2 && stage->n % 4 != 0 ? "the block of pairs is a multiple of 4"
                                                      : NULL;
    case ULP_STAGE_FMA:
    case ULP_STAGE_PROMOTE:
        if (is_given(stage, row, ULP_ITEM_MODE) && !stage->format) {
            return "a mode needs its format";
        }
        return stage->format && !ulp_format_has_inf(stage->format)
                   ? "sums need a format with infinities: f16, bf16, f32 or f64"
                   : NULL;
    case ULP_STAGE_IMAC:
        return stage->l > 0 && !stage->saturate ? "wrap is the same after any number of products"
                                                : NULL;
    case ULP_STAGE_NONE:
    case ULP_STAGE_SCALE:
    case ULP_STAGE_SPLITK:
    case ULP_STAGE_OUT:
        return NULL;
    default:
        return check_kernel(stage, row);
    }
}

int ulp_stage_check(char why[ULP_STAGE_WHY_MAX], const ulp_stage_t *stage)
{
    const ulp_stage_row_t *row = ulp_stage_row_find(stage->kind);
    const char *key = missing(stage, row);
    if (key) {
        (void)snprintf(why, ULP_STAGE_WHY_MAX, "%s needs %s", row->word, key);
        return -1;
    }
    const char *reason = check_items(stage, row);
    if (reason) {
        (void)snprintf(why, ULP_STAGE_WHY_MAX, "%s", reason);
        return -1;
    }
    return 0;
}

int ulp_stage_append(char why[ULP_STAGE_WHY_MAX], ulp_model_t *model, const ulp_stage_t *stage)
{
    if (model->nstages > 0) {
        const ulp_stage_row_t *before = ulp_stage_row_find(model->stage[model->nstages - 1].kind);
        const ulp_stage_row_t *now = ulp_stage_row_find(stage->kind);
        if (before->place >= now->place) {
            (void)snprintf(why, ULP_STAGE_WHY_MAX,
                           before->place == now->place ? "a model has only one of '%s' and '%s'"
                                                       : "'%s' stands after '%s', not before",
                           before->word, now->word);
            return -1;
        }
    }
    ULP_ASSERT(model->nstages < ULP_MODEL_STAGES_MAX); /* fewer places than that */
    model->stage[model->nstages++] = *stage;
    return 0;
}
