/* emulators/table.c - the named models of all vendors: count, find, fit. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/table.h"

#include <stdio.h>
#include <string.h>

#include "emulators/vendor_table.h"

static const ulp_vendor_table_t *const vendors[] = {&ulp_nvidia_table, &ulp_amd_table,
                                                    &ulp_generic_table};
enum { VENDORS = sizeof vendors / sizeof vendors[0], NAME_MAX_LENGTH = 63 };

/* Other spellings of a part of a name. */
typedef struct {
    const char *written, *meant;
} spelling_t;

static const spelling_t spellings[] = {
    {".mxf4nvf4.ue4m3.block16.", ".mxf4nvf4."},
    {".mxf8f6f4.ue8m0.block32.", ".mxf8f6f4."},
    {".mxf4.ue8m0.block32.", ".mxf4."},
};

size_t ulp_named_model_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < VENDORS; i++) {
        count += vendors[i]->count;
    }
    return count;
}

const ulp_named_model_t *ulp_named_model_at(size_t i)
{
    for (size_t v = 0; v < VENDORS; v++) {
        if (i < vendors[v]->count) {
            return &vendors[v]->row[i];
        }
        i -= vendors[v]->count;
    }
    return NULL;
}

static const ulp_named_model_t *find_exactly(const char *name)
{
    for (size_t i = 0; i < ulp_named_model_count(); i++) {
        const ulp_named_model_t *row = ulp_named_model_at(i);
        if (strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

/* A name without its accumulator, or with an .mma that the row does not have. */
static const ulp_named_model_t *find_completed(const char *name)
{
    char longer[NAME_MAX_LENGTH + 8];
    size_t length = strlen(name);
    const char *dot = strchr(name, '.');
    if (dot && !strchr(dot + 1, '.')) {
        (void)snprintf(longer, sizeof longer, "%s.f32", name);
        return find_exactly(longer);
    }
    if (length > 4 && strcmp(name + length - 4, ".mma") == 0) {
        (void)snprintf(longer, sizeof longer, "%.*s", (int)(length - 4), name);
        const ulp_named_model_t *row = find_exactly(longer);
        return row && strncmp(row->instruction, "mma ", 4) == 0 ? row : NULL;
    }
    return NULL;
}

const ulp_named_model_t *ulp_named_model_find(const char *name)
{
    char spelt[NAME_MAX_LENGTH + 1];
    if (strlen(name) > NAME_MAX_LENGTH) {
        return NULL;
    }
    (void)snprintf(spelt, sizeof spelt, "%s", name);
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        const char *at = strstr(name, spellings[i].written);
        if (at) {
            (void)snprintf(spelt, sizeof spelt, "%.*s%s%s", (int)(at - name), name,
                           spellings[i].meant, at + strlen(spellings[i].written));
        }
    }
    const ulp_named_model_t *row = find_exactly(spelt);
    return row ? row : find_completed(spelt);
}

ulp_model_t ulp_named_model_parse(const ulp_named_model_t *row)
{
    ulp_model_t model;
    ULP_ASSERT(ulp_model_parse(&model, row->line, NULL) == ULP_OK);
    return model;
}

static int is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at;) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, name, size) == 0) {
            return 1;
        }
        at += size + (at[size] == ' ');
    }
    return 0;
}

int ulp_named_model_fits(const ulp_named_model_t *row, const ulp_format_t *a, const ulp_format_t *b,
                         const ulp_format_t *c, const ulp_format_t *scale, const ulp_format_t *out)
{
    int scaled = row->scales[0] != '\0';
    return is_listed(row->inputs, a->name) && is_listed(row->inputs, b->name) &&
           (!c || is_listed(row->c, c->name)) && is_listed(row->out, out->name) &&
           scaled == (scale != NULL) && (!scale || is_listed(row->scales, scale->name));
}
