/*
 * tools/json.h - pieces of JSON reports: numbers that JSON cannot hold become strings.
 */
#ifndef ULP_TOOLS_JSON_H
#define ULP_TOOLS_JSON_H

#include <jansson.h>

#include "core/tensor.h"
#include "tools/command.h"

/** {"schema": SCHEMA, "tool_version": ...}. */
json_t *ulp_json_begin(const char *schema);

/** Print `object` to the answer and drop it. */
void ulp_json_end(ulp_call_t *call, json_t *object);

/** A number; "nan", "inf" or "-inf" as strings. */
json_t *ulp_json_real(double x);

/** A count; above 2^53 as a string. */
json_t *ulp_json_count(uint64_t n);

/** The count that ulp_json_count made; 0 for anything else. */
uint64_t ulp_json_to_count(const json_t *count);

/** A code as "0x3f80", and its value as a number; an integer beyond 2^53 as a string. */
json_t *ulp_json_code(uint64_t code, const ulp_format_t *format);
json_t *ulp_json_value(uint64_t code, const ulp_format_t *format);

/** A flat index as an array of indices; shape as an array. */
json_t *ulp_json_index(size_t i, int rank, const size_t *shape);
json_t *ulp_json_shape(int rank, const size_t *shape);

#endif
