/* emulators/model_print.c - the canonical line of a model. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "emulators/stage_table.h"

typedef struct {
    char *line;
    size_t used;
} sink_t;

static void put(sink_t *sink, const char *format, ...) ULP_PRINTF(2, 3);

static void put(sink_t *sink, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = ULP_MODEL_LINE_MAX - sink->used;
    int n = vsnprintf(sink->line + sink->used, room, format, args);
    va_end(args);
    ULP_ASSERT(n >= 0 && (size_t)n < room);
    sink->used += (size_t)n;
}

static void put_value(sink_t *sink, const ulp_stage_t *stage, ulp_item_field_t field)
{
    ulp_stage_t copy = *stage;
    switch (field) {
    case ULP_ITEM_FORMAT:
        put(sink, "%s", stage->format->name);
        break;
    case ULP_ITEM_ACC:
        put(sink, "%s", stage->acc->name);
        break;
    case ULP_ITEM_MODE:
        put(sink, "%s", ulp_round_mode_name(stage->mode));
        break;
    case ULP_ITEM_FINAL:
        put(sink, "%s%d", ulp_round_mode_name(stage->final_mode), stage->final_p);
        break;
    case ULP_ITEM_FLUSH:
        put(sink, "%s", ulp_item_word(field, (int)stage->flush - 1));
        break;
    case ULP_ITEM_SATURATE:
        put(sink, "sat");
        break;
    case ULP_ITEM_ORDER:
    case ULP_ITEM_OVERFLOW:
    case ULP_ITEM_ZERO:
        put(sink, "%s", ulp_item_word(field, *ulp_stage_number(&copy, field)));
        break;
    default:
        if (field == ULP_ITEM_F && stage->f == ULP_STAGE_F_INF) {
            put(sink, "inf");
        } else {
            put(sink, "%d", *ulp_stage_number(&copy, field));
        }
    }
}

static void put_stage(sink_t *sink, const ulp_stage_t *stage)
{
    const ulp_stage_row_t *row = ulp_stage_row_find(stage->kind);
    ULP_ASSERT(row);
    put(sink, "%s", row->word);
    const char *between = "(";
    for (unsigned i = 0; row->item[i].field != ULP_ITEM_NONE; i++) {
        const ulp_stage_item_t *item = &row->item[i];
        if (stage->given >> i & 1) {
            put(sink, "%s", between);
            if (item->keyed) {
                put(sink, "%s=", item->key);
            }
            put_value(sink, stage, item->field);
            between = ",";
        }
    }
    if (stage->given != 0) {
        put(sink, ")");
    }
}

void ulp_model_print(char line[ULP_MODEL_LINE_MAX], const ulp_model_t *model)
{
    sink_t sink = {line, 0};
    line[0] = '\0';
    for (size_t i = 0; i < model->nstages; i++) {
        if (i > 0) {
            put(&sink, " | ");
        }
        put_stage(&sink, &model->stage[i]);
    }
}
