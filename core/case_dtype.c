/* core/case_dtype.c - formats that the user names, dataset by dataset. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/case_dtype.h"

#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* One item, `length` bytes of the line. */
static ulp_status_t append(ulp_dtype_list_t *list, const char *text, size_t length,
                           ulp_error_t *err)
{
    if (length > 0 && text[0] == '/') {
        text++;
        length--;
    }
    const char *equals = memchr(text, '=', length);
    size_t name = equals != NULL ? (size_t)(equals - text) : 0;
    if (name == 0 || name + 1 == length) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "dtype \"%.*s\" is not NAME=FORMAT (for example a=bf16,b=bf16)",
                             length < 80 ? (int)length : 80, text);
    }
    ulp_dtype_item_t *item = &list->item[list->count];
    item->name = copy_text(text, name);
    item->format = copy_text(equals + 1, length - name - 1);
    list->count++;
    return item->name != NULL && item->format != NULL
               ? ULP_OK
               : ulp_error_set(err, ULP_ERROR_MEMORY, "dtype: out of memory");
}

ulp_status_t ulp_dtype_list_parse(ulp_dtype_list_t *out, const char *line, ulp_error_t *err)
{
    ulp_dtype_list_t list = {0};
    ulp_status_t status = ULP_OK;
    size_t count = 1;
    for (const char *p = line; p != NULL && *p != '\0'; p++) {
        count += *p == ',';
    }
    if (line != NULL) {
        list.item = calloc(count, sizeof *list.item);
        if (list.item == NULL) {
            return ulp_error_set(err, ULP_ERROR_MEMORY, "dtype: out of memory");
        }
    }
    while (line != NULL && status == ULP_OK) {
        size_t length = strcspn(line, ",");
        status = append(&list, line, length, err);
        line = line[length] == ',' ? line + length + 1 : NULL;
    }
    if (status != ULP_OK) {
        ulp_dtype_list_free(&list);
        return status;
    }
    *out = list;
    return ULP_OK;
}

void ulp_dtype_list_free(ulp_dtype_list_t *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->item[i].name);
        free(list->item[i].format);
    }
    free(list->item);
    memset(list, 0, sizeof *list);
}

const char *ulp_dtype_list_find(ulp_dtype_list_t *list, const char *group, const char *name)
{
    size_t prefix = strlen(group);
    ulp_dtype_item_t *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        ulp_dtype_item_t *item = &list->item[i];
        if (strncmp(item->name, group, prefix) == 0 && item->name[prefix] == '/' &&
            strcmp(item->name + prefix + 1, name) == 0) {
            item->used++;
            return item->format;
        }
        if (strcmp(item->name, name) == 0) {
            found = item;
        }
    }
    if (found == NULL) {
        return NULL;
    }
    found->used++;
    return found->format;
}

ulp_status_t ulp_dtype_list_check(const ulp_dtype_list_t *list, const char *path, ulp_error_t *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->item[i].name;
        if (list->item[i].used == 0) {
            return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                                 "%s: dtype names \"%.80s\", and there is no such dataset", path,
                                 name);
        }
        if (list->item[i].used > 1) {
            return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                                 "%s: dtype names \"%.80s\", which an input and an output share: "
                                 "write inputs/%.80s or outputs/%.80s",
                                 path, name, name, name);
        }
    }
    return ULP_OK;
}
