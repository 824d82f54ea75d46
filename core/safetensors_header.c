/* core/safetensors_header.c - which tensors a safetensors file says it holds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/safetensors_header.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *dtype;
    const char *format;
    int bits;
} dtype_table[] = {
    {"F64", "f64", 64},
    {"F32", "f32", 32},
    {"F16", "f16", 16},
    {"BF16", "bf16", 16},
    {"F8_E4M3", "f8e4m3fn", 8},
    {"F8_E5M2", "f8e5m2", 8},
    {"F8_E4M3FNUZ", "f8e4m3fnuz", 8},
    {"F8_E5M2FNUZ", "f8e5m2fnuz", 8},
    {"F8_E8M0", "f8e8m0fnu", 8},
    {"F6_E2M3", "f6e2m3fn", 6},
    {"F6_E3M2", "f6e3m2fn", 6},
    {"F4", "f4e2m1fn", 4},
    {"I64", "i64", 64},
    {"I32", "i32", 32},
    {"I16", "i16", 16},
    {"I8", "i8", 8},
    {"U64", "u64", 64},
    {"U32", "u32", 32},
    {"U16", "u16", 16},
    {"U8", "u8", 8},
    {"BOOL", NULL, 8},
    {"C64", NULL, 64},
};

/* What every check needs for its message. */
struct place {
    const char *path;
    const char *name;
    ulp_error_t *err;
};

static ulp_status_t wrong(const struct place *place, const char *what)
{
    return ulp_error_set(place->err, ULP_ERROR_FORMAT, "%.200s: %.120s: %s", place->path,
                         place->name, what);
}

static void find_dtype(ulp_safetensors_entry_t *out, const char *dtype)
{
    snprintf(out->dtype, sizeof out->dtype, "%s", dtype);
    for (size_t i = 0; i < sizeof dtype_table / sizeof dtype_table[0]; i++) {
        if (strcmp(dtype_table[i].dtype, dtype) == 0) {
            out->bits = dtype_table[i].bits;
            out->format =
                dtype_table[i].format != NULL ? ulp_format_find(dtype_table[i].format, NULL) : NULL;
        }
    }
}

/* A whole number that is not negative. Returns 0 or -1. */
static int read_number(uint64_t *out, const json_t *value)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return -1;
    }
    *out = (uint64_t)json_integer_value(value);
    return 0;
}

static ulp_status_t read_shape(ulp_safetensors_entry_t *out, const json_t *shape,
                               const struct place *place)
{
    if (!json_is_array(shape)) {
        return wrong(place, "its shape is no array");
    }
    out->rank = json_array_size(shape) > 1000 ? 1000 : (int)json_array_size(shape);
    size_t nelems = 1;
    int is_empty = 0;
    int overflow = 0;
    for (size_t i = 0; i < json_array_size(shape); i++) {
        uint64_t dimension = 0;
        if (read_number(&dimension, json_array_get(shape, i)) != 0 || dimension > SIZE_MAX) {
            return wrong(place, "its shape has what is not a whole number of at least 0");
        }
        if (i < ULP_RANK_MAX) {
            out->shape[i] = (size_t)dimension;
        }
        is_empty |= dimension == 0;
        overflow |= dimension != 0 && nelems > SIZE_MAX / 64 / dimension;
        nelems = overflow ? nelems : nelems * (size_t)dimension;
    }
    if (overflow && !is_empty) {
        return wrong(place, "its shape has more elements than memory can have");
    }
    out->nelems = is_empty ? 0 : nelems;
    return ULP_OK;
}

static ulp_status_t read_entry(ulp_safetensors_entry_t *out, const json_t *value,
                               uint64_t data_nbytes, const struct place *place)
{
    const json_t *dtype = json_object_get(value, "dtype");
    const json_t *shape = json_object_get(value, "shape");
    const json_t *offsets = json_object_get(value, "data_offsets");
    if (!json_is_object(value) || json_object_size(value) != 3 || !json_is_string(dtype) ||
        shape == NULL || offsets == NULL) {
        return wrong(place, "dtype, shape and data_offsets expected, and nothing else");
    }
    find_dtype(out, json_string_value(dtype));
    ulp_status_t status = read_shape(out, shape, place);
    if (status != ULP_OK) {
        return status;
    }
    if (!json_is_array(offsets) || json_array_size(offsets) != 2 ||
        read_number(&out->begin, json_array_get(offsets, 0)) != 0 ||
        read_number(&out->end, json_array_get(offsets, 1)) != 0 || out->begin > out->end) {
        return wrong(place, "data_offsets must be two whole numbers, the end not before the begin");
    }
    if (out->end > data_nbytes) {
        return ulp_error_set(
            place->err, ULP_ERROR_FORMAT,
            "%.200s: %.120s: truncated: its data end at byte %llu, the file has %llu", place->path,
            place->name, (unsigned long long)out->end, (unsigned long long)data_nbytes);
    }
    uint64_t nbits = (uint64_t)out->nelems * (uint64_t)out->bits;
    if (out->bits != 0 && (nbits % 8 != 0 || nbits / 8 != out->end - out->begin)) {
        return ulp_error_set(place->err, ULP_ERROR_FORMAT,
                             "%.200s: %.120s: %zu elements of %s take %llu bits, its data_offsets "
                             "hold %llu bytes",
                             place->path, place->name, out->nelems, out->dtype,
                             (unsigned long long)nbits,
                             (unsigned long long)(out->end - out->begin));
    }
    return ULP_OK;
}

static ulp_status_t check_metadata(json_t *value, const struct place *place)
{
    const char *key = NULL;
    json_t *item = NULL;
    if (!json_is_object(value)) {
        return wrong(place, "an object of strings expected");
    }
    json_object_foreach(value, key, item)
    {
        if (!json_is_string(item)) {
            return wrong(place, "an object of strings expected");
        }
    }
    return ULP_OK;
}

static int by_data(const void *a, const void *b)
{
    const ulp_safetensors_entry_t *x = a;
    const ulp_safetensors_entry_t *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->end != y->end) {
        return x->end < y->end ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* No hole, no overlap, nothing after the last. */
static ulp_status_t check_cover(ulp_safetensors_header_t *header, uint64_t data_nbytes,
                                struct place *place)
{
    uint64_t at = 0;
    if (header->count > 1) {
        qsort(header->entry, header->count, sizeof *header->entry, by_data);
    }
    for (size_t i = 0; i < header->count; i++) {
        const ulp_safetensors_entry_t *entry = &header->entry[i];
        place->name = entry->name;
        if (entry->begin != at) {
            return wrong(place, entry->begin > at ? "a hole in the data before it"
                                                  : "its data overlap those of another tensor");
        }
        at = entry->end;
    }
    if (at != data_nbytes) {
        return ulp_error_set(place->err, ULP_ERROR_FORMAT,
                             "%.250s: %llu bytes after the last tensor", place->path,
                             (unsigned long long)(data_nbytes - at));
    }
    return ULP_OK;
}

static ulp_status_t read_all(ulp_safetensors_header_t *out, json_t *root, uint64_t data_nbytes,
                             struct place *place)
{
    const char *key = NULL;
    json_t *value = NULL;
    if (json_object_size(root) > 0) {
        out->entry = calloc(json_object_size(root), sizeof *out->entry);
        if (out->entry == NULL) {
            return ulp_error_set(place->err, ULP_ERROR_MEMORY, "%.250s: out of memory",
                                 place->path);
        }
    }
    json_object_foreach(root, key, value)
    {
        ulp_status_t status = ULP_OK;
        place->name = key;
        if (strcmp(key, "__metadata__") == 0) {
            status = check_metadata(value, place);
        } else {
            ulp_safetensors_entry_t *entry = &out->entry[out->count];
            size_t size = strlen(key) + 1;
            entry->name = malloc(size);
            if (entry->name == NULL) {
                return ulp_error_set(place->err, ULP_ERROR_MEMORY, "%.250s: out of memory",
                                     place->path);
            }
            memcpy(entry->name, key, size);
            out->count++;
            status = read_entry(entry, value, data_nbytes, place);
        }
        if (status != ULP_OK) {
            return status;
        }
    }
    return check_cover(out, data_nbytes, place);
}

ulp_status_t ulp_safetensors_header_parse(ulp_safetensors_header_t *out, const char *json, size_t n,
                                          uint64_t data_nbytes, const char *path, ulp_error_t *err)
{
    json_error_t error;
    struct place place = {path, "", err};
    ulp_safetensors_header_t made = {0};
    json_t *root = json_loadb(json, n, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.200s: the header is not the JSON of a safetensors file: character "
                             "%d: %.160s",
                             path, error.position, error.text);
    }
    ulp_status_t status = ULP_OK;
    if (!json_is_object(root)) {
        status = ulp_error_set(err, ULP_ERROR_FORMAT, "%.200s: the header is no JSON object", path);
    } else {
        status = read_all(&made, root, data_nbytes, &place);
    }
    /* `place` may name a key of it. */
    json_decref(root);
    if (status != ULP_OK) {
        ulp_safetensors_header_free(&made);
        return status;
    }
    *out = made;
    return ULP_OK;
}

void ulp_safetensors_header_free(ulp_safetensors_header_t *header)
{
    if (header == NULL) {
        return;
    }
    for (size_t i = 0; i < header->count; i++) {
        free(header->entry[i].name);
    }
    free(header->entry);
    memset(header, 0, sizeof *header);
}
