/* tools/json.c - pieces of JSON reports. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/json.h"

#include <math.h>
#include <stdlib.h>

#include "precision/number.h"
#include "tools/value.h"

json_t *ulp_json_begin(const char *schema)
{
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string(schema));
    json_object_set_new(object, "tool_version", json_string(ULP_VERSION));
    return object;
}

void ulp_json_end(ulp_call_t *call, json_t *object)
{
    json_dumpf(object, call->out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', call->out);
    json_decref(object);
}

json_t *ulp_json_real(double x)
{
    if (isnan(x)) {
        return json_string("nan");
    }
    if (isinf(x)) {
        return json_string(x < 0 ? "-inf" : "inf");
    }
    return json_real(x);
}

json_t *ulp_json_count(uint64_t n)
{
    if (n > (UINT64_C(1) << 53)) {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)n);
        return json_string(text);
    }
    return json_integer((json_int_t)n);
}

uint64_t ulp_json_to_count(const json_t *count)
{
    return json_is_string(count) ? strtoull(json_string_value(count), NULL, 10)
                                 : (uint64_t)json_integer_value(count);
}

json_t *ulp_json_code(uint64_t code, const ulp_format_t *format)
{
    char text[ULP_VALUE_MAX];
    ulp_value_code(text, code, format);
    return json_string(text);
}

json_t *ulp_json_value(uint64_t code, const ulp_format_t *format)
{
    ulp_number_t x = ulp_number_decode(code, format);
    if (format->kind != ULP_KIND_FLOAT) {
        uint64_t magnitude = x.kind == ULP_CLASS_ZERO ? 0 : x.significand;
        char text[24];
        if (magnitude <= UINT64_C(1) << 53) {
            return json_integer(x.negative ? -(json_int_t)magnitude : (json_int_t)magnitude);
        }
        snprintf(text, sizeof text, "%s%llu", x.negative ? "-" : "", (unsigned long long)magnitude);
        return json_string(text);
    }
    return ulp_json_real(ulp_number_to_double(x));
}

json_t *ulp_json_index(size_t i, int rank, const size_t *shape)
{
    json_t *array = json_array();
    for (int d = rank; d > 0; d--) {
        json_array_insert_new(array, 0, json_integer((json_int_t)(i % shape[d - 1])));
        i /= shape[d - 1];
    }
    return array;
}

json_t *ulp_json_shape(int rank, const size_t *shape)
{
    json_t *array = json_array();
    for (int d = 0; d < rank; d++) {
        json_array_append_new(array, json_integer((json_int_t)shape[d]));
    }
    return array;
}
