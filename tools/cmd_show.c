/* tools/cmd_show.c - ulpscope show VALUE: a number in every format. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/report_show.h"
#include "tools/value.h"

enum { DTYPE = 1, FORMATS_MAX = 64 };

static const struct poptOption options[] = {
    {"dtype", 0, POPT_ARG_STRING, NULL, DTYPE,
     "in these formats, each in full (default: all, a line each)", "FORMAT,..."},
    POPT_TABLEEND};

typedef struct {
    ulp_real_t x;
    const ulp_format_t *own; /* the format of a code; NULL: a number was written */
    size_t nformats;
    const ulp_format_t *format[FORMATS_MAX];
} request_t;

/* CODE:FORMAT. Returns 0 or -1 after saying why not. */
static int read_code(request_t *out, const ulp_call_t *call, const char *text, const char *colon)
{
    const ulp_format_t *format = ulp_call_format(call, colon + 1);
    if (format == NULL) {
        return -1;
    }
    char *end;
    errno = 0;
    unsigned long long code = strtoull(text, &end, 0);
    if (end != colon || end == text || strchr("0123456789", text[0]) == NULL) {
        ulp_call_usage(call, "'%.*s' is not a code such as 0x7e", (int)(colon - text), text);
        return -1;
    }
    if (errno != 0 || (format->bits < 64 && code >> format->bits != 0)) {
        ulp_call_fail(call, "%.*s: %s has codes of %d bits", (int)(colon - text), text,
                      format->name, format->bits);
        return -1;
    }
    if ((code & ((UINT64_C(1) << format->padding_bits) - 1)) != 0) {
        ulp_call_fail(call, "%.*s: the low %d bits of %s are not used and must be 0",
                      (int)(colon - text), text, format->padding_bits, format->name);
        return -1;
    }
    out->own = format;
    out->x = ulp_real_decode(code, format);
    return 0;
}

static int read_value(request_t *out, const ulp_call_t *call, const char *text)
{
    const char *colon = strchr(text, ':');
    if (colon != NULL) {
        return read_code(out, call, text, colon);
    }
    if (ulp_real_parse(&out->x, text) != 0) {
        ulp_call_usage(call, "'%s' is not a number, inf, nan or a code such as 0x7e:f8e4m3fn",
                       text);
        return -1;
    }
    return 0;
}

static int read_formats(request_t *out, const ulp_call_t *call, const char *list)
{
    for (const char *at = list; list != NULL;) {
        char name[64];
        size_t size = strcspn(at, ",");
        if (size == 0 || size >= sizeof name) {
            ulp_call_usage(call, "--dtype: '%s' is not a list of formats", list);
            return -1;
        }
        memcpy(name, at, size);
        name[size] = '\0';
        const ulp_format_t *format = ulp_call_format(call, name);
        if (format == NULL) {
            return -1;
        }
        if (out->nformats == FORMATS_MAX) {
            ulp_call_usage(call, "--dtype: more than %d formats", (int)FORMATS_MAX);
            return -1;
        }
        out->format[out->nformats++] = format;
        if (at[size] == '\0') {
            break;
        }
        at += size + 1;
    }
    for (size_t i = 0; list == NULL && i < ulp_format_count(); i++) {
        if (ulp_format_at(i)->kind == ULP_KIND_FLOAT) {
            out->format[out->nformats++] = ulp_format_at(i);
        }
    }
    return 0;
}

static void print_json(ulp_call_t *call, const request_t *request)
{
    char hex[ULP_REAL_TEXT_MAX];
    ulp_real_text(hex, &request->x);
    json_t *formats = json_array();
    for (size_t i = 0; i < request->nformats; i++) {
        json_array_append_new(formats, ulp_report_show_json(&request->x, request->format[i]));
    }
    json_t *object = ulp_json_begin("ulpscope.show/1");
    json_object_set_new(object, "input", json_string(call->operand[0]));
    json_object_set_new(object, "input_format",
                        request->own ? json_string(request->own->name) : json_null());
    json_object_set_new(object, "hex", json_string(hex));
    json_object_set_new(object, "hex_is_exact", json_boolean(ulp_real_fits_64(&request->x)));
    json_object_set_new(object, "formats", formats);
    ulp_json_end(call, object);
}

static void print_text(ulp_call_t *call, const request_t *request, int in_full)
{
    char hex[ULP_REAL_TEXT_MAX];
    ulp_real_text(hex, &request->x);
    fprintf(call->out, "%s = %s\n", call->operand[0], hex);
    if (request->own != NULL && !in_full) {
        ulp_report_show_block(call->out, &request->x, request->own);
    }
    if (!in_full) {
        fputc('\n', call->out);
        ulp_report_show_heading(call->out);
    }
    for (size_t i = 0; i < request->nformats; i++) {
        if (in_full) {
            ulp_report_show_block(call->out, &request->x, request->format[i]);
        } else {
            ulp_report_show_line(call->out, &request->x, request->format[i]);
        }
    }
}

static ulp_exit_t run(ulp_call_t *call)
{
    request_t request = {.own = NULL};
    const char *list = ulp_call_option(call, DTYPE);
    if (read_value(&request, call, call->operand[0]) != 0 ||
        read_formats(&request, call, list) != 0) {
        return ULP_EXIT_NO_ANSWER;
    }
    if (call->report == ULP_REPORT_JSON) {
        print_json(call, &request);
    } else {
        print_text(call, &request, list != NULL);
    }
    return ULP_EXIT_YES;
}

const ulp_command_t ulp_cmd_show = {
    .name = "show",
    .operands = "VALUE",
    .least = 1,
    .most = 1,
    .summary = "a number in every format: code, error, neighbours, each rounding mode",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON,
    .examples = "  ulpscope show 0.1 --dtype bf16,f8e4m3fn\n"
                "  ulpscope show 0x7e:f8e4m3fn\n",
    .run = run};
