/* emulators/model_parse.c - from a line to a model; what is wrong is pointed at. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulators/nearest.h"
#include "emulators/stage_table.h"
#include "emulators/table.h"

enum { WORD_MAX = 63, SHOWN = 40 };

typedef struct {
    const char *line;
    const char *at; /* next character */
    ulp_error_t *err;
} text_t;

/* A word of the line. */
typedef struct {
    const char *start;
    size_t size;
    char text[WORD_MAX + 1]; /* cut if longer */
} word_t;

/* "model: column 9: WHAT: fdpa(l=16,>>g<<=25)": the line, or the part of it around the place. */
static ulp_status_t wrong(const text_t *t, const char *start, size_t size, const char *what)
{
    size_t length = strlen(t->line), column = (size_t)(start - t->line);
    size_t from = column > SHOWN ? column - SHOWN : 0;
    size_t end = column + size;
    size_t to = length - end > SHOWN ? end + SHOWN : length;
    int marked = (int)(size > WORD_MAX ? WORD_MAX : size);
    return ulp_error_set(t->err, ULP_ERROR_ARGUMENT, "model: column %zu: %s: %s%.*s>>%.*s<<%.*s%s",
                         column + 1, what, from > 0 ? "..." : "", (int)(column - from),
                         t->line + from, marked, start, (int)(to - end), start + size,
                         to < length ? "..." : "");
}

static void skip_space(text_t *t)
{
    while (*t->at == ' ' || *t->at == '\t') {
        t->at++;
    }
}

static int in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == '+';
}

static word_t read_word(text_t *t)
{
    skip_space(t);
    word_t w = {.start = t->at};
    while (in_word(*t->at)) {
        t->at++;
    }
    w.size = (size_t)(t->at - w.start);
    size_t kept = w.size < WORD_MAX ? w.size : WORD_MAX;
    memcpy(w.text, w.start, kept);
    w.text[kept] = '\0';
    return w;
}

static int accept(text_t *t, char c)
{
    skip_space(t);
    if (*t->at != c) {
        return 0;
    }
    t->at++;
    return 1;
}

static ulp_status_t unknown(const text_t *t, const word_t *w, const char *what, const char *near)
{
    char message[256];
    if (w->size == 0) {
        const char *found = *t->at ? "" : ", but the line ends";
        (void)snprintf(message, sizeof message, "expected %s%s", what, found);
        return wrong(t, t->at, *t->at ? 1 : 0, message);
    }
    (void)snprintf(message, sizeof message,
                   near ? "'%s' is not %s (did you mean '%s'?)" : "'%s' is not %s", w->text, what,
                   near);
    return wrong(t, w->start, w->size, message);
}

static ulp_status_t parse_format(const text_t *t, const word_t *w, const ulp_format_t **out)
{
    const char *ambiguity = NULL;
    const ulp_format_t *format = ulp_format_find(w->text, &ambiguity);
    if (format) {
        *out = format;
        return ULP_OK;
    }
    if (ambiguity) {
        return wrong(t, w->start, w->size, ambiguity);
    }
    ulp_nearest_t near = ulp_nearest_start(w->text);
    for (size_t i = 0; i < ulp_format_count(); i++) {
        ulp_nearest_try(&near, ulp_format_at(i)->name);
    }
    return unknown(t, w, "a format", ulp_nearest_word(&near));
}

static ulp_status_t parse_mode(const text_t *t, const word_t *w, ulp_round_mode_t *out)
{
    if (ulp_round_mode_find(out, w->text) == 0) {
        if (*out != ULP_ROUND_STOCHASTIC) {
            return ULP_OK;
        }
        return wrong(t, w->start, w->size,
                     "stochastic rounding needs random bits, which a model "
                     "line does not have");
    }
    ulp_nearest_t near = ulp_nearest_start(w->text);
    for (int i = 0; i < ULP_ROUND_MODE_COUNT; i++) {
        ulp_nearest_try(&near, ulp_round_mode_name((ulp_round_mode_t)i));
    }
    return unknown(t, w, "a rounding mode", ulp_nearest_word(&near));
}

static ulp_status_t parse_number(const text_t *t, const word_t *w, const ulp_stage_item_t *item,
                                 int *out)
{
    char *end = NULL;
    long value = strtol(w->text, &end, 10);
    if (w->size == 0 || w->size > WORD_MAX || *end != '\0') {
        return unknown(
            t, w, item->field == ULP_ITEM_F ? "a whole number or 'inf'" : "a whole number", NULL);
    }
    if (value < item->min || value > item->max) {
        char message[128];
        (void)snprintf(message, sizeof message, "%s is from %d to %d", item->key, item->min,
                       item->max);
        return wrong(t, w->start, w->size, message);
    }
    *out = (int)value;
    return ULP_OK;
}

/* rz24: a mode, then significand bits. */
static ulp_status_t parse_final(const text_t *t, const word_t *w, const ulp_stage_item_t *item,
                                ulp_stage_t *stage)
{
    word_t mode = *w, bits = *w;
    size_t letters = strcspn(w->text, "0123456789");
    mode.size = letters;
    mode.text[letters] = '\0';
    if (letters == 0 || w->text[letters] == '\0') {
        return unknown(t, w, "a rounding mode with its significand bits, as in 'rz24'", NULL);
    }
    ulp_status_t status = parse_mode(t, &mode, &stage->final_mode);
    if (status != ULP_OK) {
        return status;
    }
    bits.start += letters;
    bits.size -= letters;
    memmove(bits.text, w->text + letters, strlen(w->text + letters) + 1);
    return parse_number(t, &bits, item, &stage->final_p);
}

static ulp_status_t parse_choice(const text_t *t, const word_t *w, ulp_item_field_t field, int *out)
{
    char list[128] = "";
    ulp_nearest_t near = ulp_nearest_start(w->text);
    for (int i = 0; ulp_item_word(field, i); i++) {
        const char *word = ulp_item_word(field, i);
        if (strcmp(word, w->text) == 0) {
            *out = i;
            return ULP_OK;
        }
        ulp_nearest_try(&near, word);
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s'%s'", i > 0 ? " or " : "", word);
    }
    return unknown(t, w, list, ulp_nearest_word(&near));
}

static ulp_status_t parse_value(const text_t *t, const word_t *w, const ulp_stage_item_t *item,
                                ulp_stage_t *stage)
{
    int choice = 0;
    ulp_status_t status;
    switch (item->field) {
    case ULP_ITEM_FORMAT:
        return parse_format(t, w, &stage->format);
    case ULP_ITEM_ACC:
        return parse_format(t, w, &stage->acc);
    case ULP_ITEM_MODE:
        return parse_mode(t, w, &stage->mode);
    case ULP_ITEM_FINAL:
        return parse_final(t, w, item, stage);
    case ULP_ITEM_FLUSH:
        status = parse_choice(t, w, item->field, &choice);
        stage->flush = (ulp_flush_t)(choice + 1);
        return status;
    case ULP_ITEM_SATURATE:
        stage->overflow = ULP_OVERFLOW_SATURATE;
        return parse_choice(t, w, item->field, &choice);
    case ULP_ITEM_ORDER:
    case ULP_ITEM_OVERFLOW:
    case ULP_ITEM_ZERO:
        return parse_choice(t, w, item->field, ulp_stage_number(stage, item->field));
    default:
        if (item->field == ULP_ITEM_F && stage->kind == ULP_STAGE_FDPA &&
            strcmp(w->text, "inf") == 0) {
            stage->f = ULP_STAGE_F_INF;
            return ULP_OK;
        }
        return parse_number(t, w, item, ulp_stage_number(stage, item->field));
    }
}

/* The item that a key names; or, without a key, the next that is written alone. */
static int find_item(const ulp_stage_row_t *row, const char *key, unsigned given)
{
    for (int i = 0; row->item[i].field != ULP_ITEM_NONE; i++) {
        const ulp_stage_item_t *item = &row->item[i];
        if (key ? strcmp(item->key, key) == 0 : !item->keyed && !(given >> i & 1)) {
            return i;
        }
    }
    return -1;
}

static ulp_status_t no_such_item(const text_t *t, const ulp_stage_row_t *row, const word_t *w,
                                 int has_key)
{
    char message[256], what[96];
    ulp_nearest_t near = ulp_nearest_start(w->text);
    for (int i = 0; row->item[i].field != ULP_ITEM_NONE; i++) {
        if (row->item[i].keyed) {
            ulp_nearest_try(&near, row->item[i].key);
        }
    }
    const char *best = ulp_nearest_word(&near);
    if (has_key || w->size == 0) {
        (void)snprintf(what, sizeof what, "an item of %s", row->word);
        return unknown(t, w, what, best);
    }
    (void)snprintf(message, sizeof message, "%s has no place for the value '%s'%s", row->word,
                   w->text, row->item[0].keyed ? ": write KEY=VALUE" : "");
    return wrong(t, w->start, w->size, message);
}

static ulp_status_t parse_item(text_t *t, const ulp_stage_row_t *row, ulp_stage_t *stage)
{
    word_t w = read_word(t), key = w;
    int has_key = accept(t, '=');
    int i = w.size ? find_item(row, has_key ? w.text : NULL, stage->given) : -1;
    if (i < 0) {
        return no_such_item(t, row, &w, has_key);
    }
    if (stage->given >> i & 1) {
        return wrong(t, key.start, key.size, "this item is given twice");
    }
    if (has_key) {
        w = read_word(t);
    }
    stage->given |= 1u << i;
    return parse_value(t, &w, &row->item[i], stage);
}

static const ulp_stage_row_t *find_row(const char *word)
{
    for (size_t i = 0; i < ulp_stage_row_count(); i++) {
        if (strcmp(ulp_stage_row_at(i)->word, word) == 0) {
            return ulp_stage_row_at(i);
        }
    }
    return NULL;
}

static ulp_status_t unknown_stage(const text_t *t, const word_t *w, int first)
{
    ulp_nearest_t near = ulp_nearest_start(w->text);
    for (size_t i = 0; i < ulp_stage_row_count(); i++) {
        ulp_nearest_try(&near, ulp_stage_row_at(i)->word);
    }
    for (size_t i = 0; first && i < ulp_named_model_count(); i++) {
        ulp_nearest_try(&near, ulp_named_model_at(i)->name);
    }
    if (!first && ulp_named_model_find(w->text)) {
        return wrong(t, w->start, w->size, "a named model stands first");
    }
    int named = first && strchr(w->text, '.') != NULL;
    return unknown(t, w, named ? "a named model" : "a stage", ulp_nearest_word(&near));
}

static ulp_status_t check(const text_t *t, const ulp_stage_t *stage, const word_t *word)
{
    char why[ULP_STAGE_WHY_MAX];
    return ulp_stage_check(why, stage) == 0 ? ULP_OK : wrong(t, word->start, word->size, why);
}

static ulp_status_t parse_stage(text_t *t, const word_t *word, ulp_stage_t *stage, int first)
{
    const ulp_stage_row_t *row = find_row(word->text);
    if (!row) {
        return unknown_stage(t, word, first);
    }
    stage->kind = row->kind;
    if (accept(t, '(')) {
        do {
            ulp_status_t status = parse_item(t, row, stage);
            if (status != ULP_OK) {
                return status;
            }
        } while (accept(t, ','));
        if (!accept(t, ')')) {
            return wrong(t, t->at, *t->at ? 1 : 0, "expected ',' or ')'");
        }
    }
    return check(t, stage, word);
}

static ulp_status_t append(const text_t *t, const word_t *word, ulp_model_t *model,
                           const ulp_stage_t *stage)
{
    char why[ULP_STAGE_WHY_MAX];
    return ulp_stage_append(why, model, stage) == 0 ? ULP_OK
                                                    : wrong(t, word->start, word->size, why);
}

static int has_kernel(const ulp_model_t *model)
{
    for (size_t i = 0; i < model->nstages; i++) {
        if (ulp_stage_row_find(model->stage[i].kind)->place == ULP_STAGE_PLACE_KERNEL) {
            return 1;
        }
    }
    return 0;
}

/* stage { "|" stage }, to the end of the line. */
static ulp_status_t parse_stages(text_t *t, ulp_model_t *model, int first)
{
    do {
        word_t word = read_word(t);
        ulp_stage_t stage = {0};
        ulp_status_t status = parse_stage(t, &word, &stage, first);
        if (status == ULP_OK) {
            status = append(t, &word, model, &stage);
        }
        if (status != ULP_OK) {
            return status;
        }
        first = 0;
    } while (accept(t, '|'));
    return *t->at ? wrong(t, t->at, 1, "expected '|' or the end of the line") : ULP_OK;
}

/* The stages of a named model that stands first. */
static ulp_status_t parse_name(text_t *t, ulp_model_t *model)
{
    text_t ahead = *t;
    word_t word = read_word(&ahead);
    const ulp_named_model_t *row = word.size <= WORD_MAX ? ulp_named_model_find(word.text) : NULL;
    if (!row) {
        return ULP_OK;
    }
    *t = ahead;
    text_t line = {row->line, row->line, t->err};
    return parse_stages(&line, model, 1);
}

ulp_status_t ulp_model_parse(ulp_model_t *out, const char *line, ulp_error_t *err)
{
    text_t t = {line, line, err};
    ulp_model_t model = {0};
    ulp_status_t status = parse_name(&t, &model);
    int named = model.nstages > 0;
    if (status == ULP_OK && (!named || accept(&t, '|'))) {
        status = parse_stages(&t, &model, !named);
    }
    if (status != ULP_OK) {
        return status;
    }
    skip_space(&t);
    if (*t.at != '\0') {
        return wrong(&t, t.at, 1, "expected '|' or the end of the line");
    }
    if (!has_kernel(&model)) {
        return wrong(&t, t.at, 0,
                     "no stage computes: add one of fdpa, gdpa, pairwise, trfdpa, "
                     "gtrfdpa, fma, imac");
    }
    *out = model;
    return ULP_OK;
}
