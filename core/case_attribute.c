/* core/case_attribute.c - HDF5 attributes to text and back. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/case_attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any attribute that means something, and a bound on what a damaged file can ask for.
 */
enum { STRING_MAX = 1 << 20, NUMBER_MAX = 64 };

static const char not_one_value[] = "(not one string or number)";

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* A string of either storage. Returns -1 when it cannot be read; *out NULL when memory is out. */
static int read_string(char **out, hid_t attribute, hid_t type)
{
    if (H5Tis_variable_str(type) > 0) {
        char *text = NULL;
        hid_t memory = H5Tcopy(type);
        int result = memory < 0 || H5Aread(attribute, memory, &text) < 0 ? -1 : 0;
        if (result == 0) {
            *out = copy_text(text != NULL ? text : "", text != NULL ? strlen(text) : 0);
            H5free_memory(text);
        }
        H5Tclose(memory);
        return result;
    }
    size_t size = H5Tget_size(type);
    if (size == 0 || size > STRING_MAX) {
        return -1;
    }
    char *buffer = calloc(size + 1, 1);
    if (buffer == NULL) {
        *out = NULL;
        return 0;
    }
    if (H5Aread(attribute, type, buffer) < 0) {
        free(buffer);
        return -1;
    }
    size_t length = strlen(buffer);
    while (H5Tget_strpad(type) == H5T_STR_SPACEPAD && length > 0 && buffer[length - 1] == ' ') {
        length--;
    }
    *out = copy_text(buffer, length);
    free(buffer);
    return 0;
}

/* A number as text. Floats other than binary32 and binary64 are not converted by HDF5's hand, whose
 * conversions go wrong for small formats [HDF5]. */
static int read_number(char text[NUMBER_MAX], hid_t attribute, hid_t type)
{
    if (H5Tget_class(type) == H5T_FLOAT) {
        double value = 0;
        int known = H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0 ||
                    H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0;
        if (!known) {
            (void)snprintf(text, NUMBER_MAX, "%s", not_one_value);
            return 0;
        }
        if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) {
            return -1;
        }
        (void)snprintf(text, NUMBER_MAX, "%.17g", value);
        return 0;
    }
    if (H5Tget_sign(type) == H5T_SGN_NONE) {
        unsigned long long value = 0;
        if (H5Aread(attribute, H5T_NATIVE_ULLONG, &value) < 0) {
            return -1;
        }
        (void)snprintf(text, NUMBER_MAX, "%llu", value);
        return 0;
    }
    long long value = 0;
    if (H5Aread(attribute, H5T_NATIVE_LLONG, &value) < 0) {
        return -1;
    }
    (void)snprintf(text, NUMBER_MAX, "%lld", value);
    return 0;
}

/* h5py stores a bool as an enumeration over int8: its number is what counts. */
static int read_enumeration(char text[NUMBER_MAX], hid_t attribute, hid_t type)
{
    union {
        long long value;
        unsigned char bytes[16];
    } number = {0};
    hid_t base = H5Tget_super(type);
    int result = -1;
    if (base >= 0 && H5Tget_size(type) <= sizeof number.value &&
        H5Aread(attribute, type, number.bytes) >= 0 &&
        H5Tconvert(base, H5T_NATIVE_LLONG, 1, number.bytes, NULL, H5P_DEFAULT) >= 0) {
        (void)snprintf(text, NUMBER_MAX, "%lld", number.value);
        result = 0;
    }
    H5Tclose(base);
    return result;
}

static int read_value(char **out, hid_t attribute)
{
    char text[NUMBER_MAX] = "";
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    int result = -1;
    if (type >= 0 && space >= 0) {
        H5T_class_t kind = H5Tget_class(type);
        if (H5Sget_simple_extent_npoints(space) != 1) {
            kind = H5T_NO_CLASS;
        }
        if (kind == H5T_STRING) {
            result = read_string(out, attribute, type);
        } else {
            if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
                result = read_number(text, attribute, type);
            } else if (kind == H5T_ENUM) {
                result = read_enumeration(text, attribute, type);
            } else {
                (void)snprintf(text, sizeof text, "%s", not_one_value);
                result = 0;
            }
            *out = result == 0 ? copy_text(text, strlen(text)) : NULL;
        }
    }
    H5Sclose(space);
    H5Tclose(type);
    return result;
}

struct list {
    ulp_attribute_t *attribute;
    size_t count;
    const char *where;
    ulp_error_t *err;
    ulp_status_t status;
};

static herr_t append(hid_t object, const char *key, const H5A_info_t *info, void *data)
{
    (void)info;
    struct list *list = data;
    char *value = NULL;
    hid_t attribute = H5Aopen(object, key, H5P_DEFAULT);
    int result = attribute < 0 ? -1 : read_value(&value, attribute);
    H5Aclose(attribute);
    if (result != 0) {
        list->status = ulp_error_set(list->err, ULP_ERROR_FORMAT, "%s: attribute %s cannot be read",
                                     list->where, key);
        return -1;
    }
    ulp_attribute_t *more = realloc(list->attribute, (list->count + 1) * sizeof *more);
    if (more != NULL) {
        list->attribute = more;
        more[list->count].key = copy_text(key, strlen(key));
        more[list->count].value = value;
        list->count++;
        if (more[list->count - 1].key != NULL && value != NULL) {
            return 0;
        }
    } else {
        free(value);
    }
    list->status = ulp_error_set(list->err, ULP_ERROR_MEMORY, "%s: out of memory", list->where);
    return -1;
}

ulp_status_t ulp_case_attributes_read(ulp_attribute_t **out, size_t *count, hid_t object,
                                      const char *where, ulp_error_t *err)
{
    struct list list = {.where = where, .err = err};
    hsize_t first = 0;
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &first, append, &list) < 0) {
        if (list.status == ULP_OK) {
            list.status =
                ulp_error_set(err, ULP_ERROR_FORMAT, "%s: its attributes cannot be read", where);
        }
        ulp_case_attributes_free(list.attribute, list.count);
        return list.status;
    }
    *out = list.attribute;
    *count = list.count;
    return ULP_OK;
}

void ulp_case_attributes_free(ulp_attribute_t *attribute, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(attribute[i].key);
        free(attribute[i].value);
    }
    free(attribute);
}

char *ulp_case_attributes_take(ulp_attribute_t *attribute, size_t *count, const char *key)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(attribute[i].key, key) == 0) {
            char *value = attribute[i].value;
            free(attribute[i].key);
            memmove(&attribute[i], &attribute[i + 1], (*count - i - 1) * sizeof *attribute);
            --*count;
            return value;
        }
    }
    return NULL;
}

int ulp_case_attribute_write(hid_t object, const char *key, const char *value)
{
    int result = -1;
    hid_t type = H5Tcopy(H5T_C_S1);
    hid_t space = H5Screate(H5S_SCALAR);
    if (type >= 0 && space >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
        hid_t attribute = H5Acreate2(object, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
        result = attribute < 0 || H5Awrite(attribute, type, &value) < 0 ? -1 : 0;
        if (H5Aclose(attribute) < 0) {
            result = -1;
        }
    }
    H5Sclose(space);
    H5Tclose(type);
    return result;
}

static herr_t copy_one(hid_t from, const char *key, const H5A_info_t *info, void *data)
{
    (void)info;
    const hid_t *to = data;
    herr_t result = -1;
    hid_t attribute = H5Aopen(from, key, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    hid_t copy = H5Acreate2(*to, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    hssize_t npoints = H5Sget_simple_extent_npoints(space);
    size_t size = H5Tget_size(type);
    if (copy >= 0 && npoints == 0) {
        result = 0;
    } else if (copy >= 0 && npoints > 0 && size > 0 &&
               (size_t)npoints <= (size_t)STRING_MAX * 64 / size) {
        void *buffer = calloc((size_t)npoints, size);
        if (buffer != NULL && H5Aread(attribute, type, buffer) >= 0) {
            result = H5Awrite(copy, type, buffer);
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, buffer);
        }
        free(buffer);
    }
    if (copy >= 0 && H5Aclose(copy) < 0) {
        result = -1;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
}

int ulp_case_attributes_copy(hid_t to, hid_t from, unsigned order)
{
    H5_index_t index = (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    hsize_t first = 0;
    return H5Aiterate2(from, index, H5_ITER_INC, &first, copy_one, &to) < 0 ? -1 : 0;
}
