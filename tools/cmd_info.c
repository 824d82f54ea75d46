/* tools/cmd_info.c - ulpscope info FILE: what is inside. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "core/source.h"
#include "precision/number.h"
#include "precision/ulp.h"
#include "tools/commands.h"
#include "tools/json.h"
#include "tools/value.h"

enum { DTYPE = 1, PIECE_NELEMS = 1 << 16 };

static const struct poptOption options[] = {{"dtype", 0, POPT_ARG_STRING, NULL, DTYPE,
                                             "format that the storage does not say; =F re-reads",
                                             "FORMAT"},
                                            POPT_TABLEEND};

/* What a dataset holds. */
typedef struct {
    size_t nan, inf, zero, subnormal;
    int any;           /* a number that is not NaN was seen */
    uint64_t min, max; /* codes, by place on the number line */
} census_t;

/* x < y, neither of them NaN. A double holds every float format exactly, but no 64-bit integer. */
static int is_less(ulp_number_t x, ulp_number_t y, const ulp_format_t *f)
{
    if (f->kind == ULP_KIND_FLOAT) {
        return ulp_number_to_double(x) < ulp_number_to_double(y);
    }
    uint64_t a = x.kind == ULP_CLASS_ZERO ? 0 : x.significand;
    uint64_t b = y.kind == ULP_CLASS_ZERO ? 0 : y.significand;
    if (x.negative != y.negative) {
        return x.negative;
    }
    return x.negative ? a > b : a < b;
}

static void count(census_t *c, uint64_t code, const ulp_format_t *f)
{
    ulp_number_t x = ulp_number_decode(code, f);
    if (x.kind == ULP_CLASS_NAN) {
        c->nan++;
        return;
    }
    c->inf += x.kind == ULP_CLASS_INF;
    c->zero += x.kind == ULP_CLASS_ZERO;
    c->subnormal +=
        f->kind == ULP_KIND_FLOAT && x.kind == ULP_CLASS_FINITE && x.significand >> (f->p - 1) == 0;
    if (!c->any || is_less(x, ulp_number_decode(c->min, f), f)) {
        c->min = code;
    }
    if (!c->any || is_less(ulp_number_decode(c->max, f), x, f)) {
        c->max = code;
    }
    c->any = 1;
}

static ulp_status_t take_census(census_t *out, const ulp_format_t **format, const char *location,
                                const char *dtype, ulp_error_t *err)
{
    memset(out, 0, sizeof *out);
    ulp_source_t *source = NULL;
    ulp_status_t status = ulp_source_open(&source, location, dtype, err);
    if (status != ULP_OK) {
        return status;
    }
    const ulp_source_info_t *info = ulp_source_info(source);
    *format = info->format;
    size_t piece = info->piece_nelems ? info->piece_nelems : (size_t)PIECE_NELEMS;
    size_t nbytes = ulp_format_bytes(info->format);
    char *buffer = malloc(piece * nbytes);
    if (buffer == NULL) {
        status = ulp_error_set(err, ULP_ERROR_MEMORY, "%s: out of memory", location);
    }
    for (size_t first = 0; status == ULP_OK && first < info->nelems; first += piece) {
        size_t n = info->nelems - first < piece ? info->nelems - first : piece;
        status = ulp_source_read(source, buffer, first, n, err);
        for (size_t i = 0; status == ULP_OK && i < n; i++) {
            count(out, ulp_code_get(buffer, i, nbytes), info->format);
        }
    }
    free(buffer);
    ulp_source_close(source);
    return status;
}

static void print_text(FILE *out, const ulp_listing_entry_t *e, const char *name,
                       const ulp_format_t *f, const census_t *c)
{
    char shape[192];
    char low[ULP_VALUE_MAX];
    char high[ULP_VALUE_MAX];
    ulp_shape_print(shape, sizeof shape, e->rank, e->shape);
    fprintf(out, "%s: %s, %s; %s\n", name, f->name, shape, e->storage);
    fprintf(out, "    NaN %zu, inf %zu, zero %zu, subnormal %zu\n", c->nan, c->inf, c->zero,
            c->subnormal);
    if (c->any) {
        ulp_value_text(low, c->min, f);
        ulp_value_text(high, c->max, f);
        fprintf(out, "    from %s to %s\n", low, high);
    }
}

static json_t *to_json(const ulp_listing_entry_t *e, const ulp_format_t *f, const census_t *c)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(e->name));
    json_object_set_new(object, "dtype", f ? json_string(f->name) : json_null());
    json_object_set_new(object, "shape", ulp_json_shape(e->rank, e->shape));
    json_object_set_new(object, "storage", json_string(e->storage ? e->storage : ""));
    if (f == NULL) {
        json_object_set_new(object, "problem", json_string(e->problem ? e->problem : "unknown"));
        return object;
    }
    json_object_set_new(object, "nan", ulp_json_count(c->nan));
    json_object_set_new(object, "inf", ulp_json_count(c->inf));
    json_object_set_new(object, "zero", ulp_json_count(c->zero));
    json_object_set_new(object, "subnormal", ulp_json_count(c->subnormal));
    json_object_set_new(object, "min", c->any ? ulp_json_value(c->min, f) : json_null());
    json_object_set_new(object, "max", c->any ? ulp_json_value(c->max, f) : json_null());
    return object;
}

/* `dtype`: what is asked of this dataset, or NULL. */
static ulp_exit_t one_dataset(ulp_call_t *call, const ulp_listing_entry_t *e, const char *dtype,
                              json_t *array)
{
    const char *file = call->operand[0];
    const ulp_format_t *f = e->format;
    char *location = malloc(strlen(file) + strlen(e->name) + 2);
    census_t c;
    ulp_error_t err;
    ulp_exit_t code = ULP_EXIT_YES;
    memset(&c, 0, sizeof c);
    if (location == NULL) {
        return ulp_call_fail(call, "out of memory");
    }
    sprintf(location, e->name[0] ? "%s:%s" : "%s", file, e->name);
    if ((f != NULL || dtype != NULL) && take_census(&c, &f, location, dtype, &err) != ULP_OK) {
        code = ulp_call_fail(call, "%s", err.message);
    } else if (call->report == ULP_REPORT_JSON) {
        json_array_append_new(array, to_json(e, f, &c));
    } else if (f != NULL) {
        print_text(call->out, e, e->name[0] ? e->name : file, f, &c);
    } else {
        fprintf(call->out, "%s: no format: %s\n", e->name[0] ? e->name : file,
                e->problem ? e->problem : "unknown");
    }
    free(location);
    return code;
}

/* The case around the datasets, if the file is one. */
static void print_case(ulp_call_t *call, const ulp_listing_t *listing, json_t *object)
{
    ulp_case_t c;
    memset(&c, 0, sizeof c);
    if (strcmp(listing->container, "hdf5") != 0 ||
        ulp_case_read(&c, call->operand[0], NULL, NULL) != ULP_OK) {
        return;
    }
    json_t *attributes = json_object();
    if (call->report != ULP_REPORT_JSON) {
        fprintf(call->out, "case: %s, %s\n", c.op->name, c.op->formula);
    }
    for (size_t i = 0; i < c.nattributes; i++) {
        json_object_set_new(attributes, c.attribute[i].key, json_string(c.attribute[i].value));
        if (call->report != ULP_REPORT_JSON) {
            fprintf(call->out, "    %s = %s\n", c.attribute[i].key, c.attribute[i].value);
        }
    }
    json_object_set_new(object, "op", json_string(c.op->name));
    json_object_set_new(object, "attributes", attributes);
    ulp_case_free(&c);
}

static ulp_exit_t run(ulp_call_t *call)
{
    ulp_listing_t listing;
    ulp_error_t err;
    const char *dtype = ulp_call_option(call, DTYPE);
    if (dtype != NULL && ulp_call_format(call, dtype + (dtype[0] == '=')) == NULL) {
        return ULP_EXIT_NO_ANSWER;
    }
    memset(&listing, 0, sizeof listing);
    if (ulp_listing_read(&listing, call->operand[0], &err) != ULP_OK) {
        return ulp_call_fail(call, "%s", err.message);
    }
    ulp_exit_t code = ULP_EXIT_YES;
    json_t *object = ulp_json_begin("ulpscope.info/1");
    json_t *array = json_array();
    json_object_set_new(object, "file", json_string(call->operand[0]));
    json_object_set_new(object, "container", json_string(listing.container));
    if (call->report != ULP_REPORT_JSON) {
        fprintf(call->out, "%s: %s, %zu dataset%s\n", call->operand[0], listing.container,
                listing.count, listing.count == 1 ? "" : "s");
    }
    print_case(call, &listing, object);
    for (size_t i = 0; i < listing.count; i++) {
        const ulp_listing_entry_t *e = &listing.entry[i];
        int asked = dtype != NULL && (listing.count == 1 || e->format == NULL || dtype[0] == '=');
        code = ulp_exit_worse(code, one_dataset(call, e, asked ? dtype : NULL, array));
    }
    json_object_set_new(object, "datasets", array);
    if (call->report == ULP_REPORT_JSON) {
        ulp_json_end(call, object);
    } else {
        json_decref(object);
    }
    ulp_listing_free(&listing);
    return code;
}

const ulp_command_t ulp_cmd_info = {
    .name = "info",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "what a file holds: shapes, formats, special values, provenance",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON,
    .examples = "  ulpscope info case.h5\n  ulpscope info weights.safetensors --json\n",
    .run = run};
