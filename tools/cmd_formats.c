/* tools/cmd_formats.c - ulpscope formats: the number formats, or one of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "precision/number.h"
#include "tools/commands.h"
#include "tools/json.h"
#include "tools/value.h"

static const struct poptOption options[] = {POPT_TABLEEND};

static const char *const zero_words[] = {"+-0", "+0", "none"};

static int is_float(const ulp_format_t *f)
{
    return f->kind == ULP_KIND_FLOAT;
}

/* The subnormals' least, where there are any. */
static int has_subnormals(const ulp_format_t *f)
{
    return is_float(f) && ulp_format_min_positive(f) != ulp_format_min_normal(f);
}

static double value_of(uint64_t code, const ulp_format_t *f)
{
    return ulp_number_to_double(ulp_number_decode(code, f));
}

static void power(char text[16], int present, int exponent)
{
    if (present) {
        snprintf(text, 16, "2^%d", exponent);
    } else {
        snprintf(text, 16, "-");
    }
}

static void print_row(FILE *out, const ulp_format_t *f)
{
    char max[16], min_normal[16], min_subnormal[16], emin[16] = "-", emax[16] = "-";
    snprintf(max, sizeof max, "%.6g", value_of(ulp_format_max(f), f));
    power(min_normal, is_float(f), f->emin);
    power(min_subnormal, has_subnormals(f), f->emin - f->p + 1);
    if (is_float(f)) {
        snprintf(emin, sizeof emin, "%d", f->emin);
        snprintf(emax, sizeof emax, "%d", f->emax);
    }
    fprintf(out, "%-14s %4d %3d %6s %5s %-12s %-10s %-10s %-3s %-3s %-4s %s\n", f->name, f->bits,
            f->p, emin, emax, max, min_normal, min_subnormal, ulp_format_has_inf(f) ? "yes" : "no",
            ulp_format_has_nan(f) ? "yes" : "no", zero_words[f->zero], f->source);
}

static void print_code(FILE *out, const char *label, uint64_t code, const ulp_format_t *f)
{
    char text[ULP_VALUE_MAX];
    ulp_value_text(text, code, f);
    fprintf(out, "  %-15s %s\n", label, text);
}

static void print_detail(FILE *out, const ulp_format_t *f)
{
    fprintf(out, "%s: %d bits", f->name, f->bits);
    if (is_float(f)) {
        fprintf(out, ": %s%d exponent, %d fraction", f->has_sign ? "1 sign, " : "",
                f->exponent_bits, f->p - 1);
        if (f->padding_bits > 0) {
            fprintf(out, ", %d unused below", f->padding_bits);
        }
        fprintf(out, "; bias %d, emin %d, emax %d, p %d", f->bias, f->emin, f->emax, f->p);
    }
    fputc('\n', out);
    print_code(out, "max", ulp_format_max(f), f);
    if (is_float(f)) {
        print_code(out, "min normal", ulp_format_min_normal(f), f);
    }
    if (has_subnormals(f)) {
        print_code(out, "min subnormal", ulp_format_min_positive(f), f);
    }
    if (ulp_format_has_inf(f)) {
        print_code(out, "inf", ulp_format_inf(f, 0), f);
    } else {
        fprintf(out, "  %-15s none\n", "inf");
    }
    if (ulp_format_has_nan(f)) {
        print_code(out, "NaN", ulp_format_nan(f), f);
    } else {
        fprintf(out, "  %-15s none\n", "NaN");
    }
    fprintf(out, "  %-15s %s\n  %-15s %s\n  aliases        ", "zero", zero_words[f->zero], "source",
            f->source);
    int column = 17;
    for (size_t i = 0; ulp_format_alias(f, i) != NULL; i++) {
        const char *alias = ulp_format_alias(f, i);
        if (column + 1 + (int)strlen(alias) > 100) {
            fprintf(out, "\n                 ");
            column = 17;
        }
        column += fprintf(out, " %s", alias);
    }
    fputs(ulp_format_alias(f, 0) == NULL ? " none\n" : "\n", out);
}

static json_t *code_and_value(int present, uint64_t code, const ulp_format_t *f)
{
    return present ? json_pack("{s:o, s:o}", "code", ulp_json_code(code, f), "value",
                               ulp_json_value(code, f))
                   : json_null();
}

static json_t *describe(const ulp_format_t *f)
{
    static const char *const kinds[] = {"float", "signed", "unsigned"};
    int has_inf = ulp_format_has_inf(f);
    int has_nan = ulp_format_has_nan(f);
    json_t *aliases = json_array();
    for (size_t i = 0; ulp_format_alias(f, i) != NULL; i++) {
        json_array_append_new(aliases, json_string(ulp_format_alias(f, i)));
    }
    json_t *row =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:b}", "name", f->name, "kind",
                  kinds[f->kind], "bits", f->bits, "exponent_bits", f->exponent_bits, "p", f->p,
                  "bias", f->bias, "emin", f->emin, "emax", f->emax, "has_sign", (int)f->has_sign);
    json_object_set_new(row, "padding_bits", json_integer(f->padding_bits));
    json_object_set_new(row, "max", code_and_value(1, ulp_format_max(f), f));
    json_object_set_new(row, "min_normal",
                        is_float(f) ? code_and_value(1, ulp_format_min_normal(f), f) : json_null());
    json_object_set_new(row, "min_subnormal",
                        has_subnormals(f) ? code_and_value(1, ulp_format_min_positive(f), f)
                                          : json_null());
    json_object_set_new(row, "inf", has_inf ? ulp_json_code(ulp_format_inf(f, 0), f) : json_null());
    json_object_set_new(row, "nan", has_nan ? ulp_json_code(ulp_format_nan(f), f) : json_null());
    json_object_set_new(row, "zero", json_string(zero_words[f->zero]));
    json_object_set_new(row, "source", json_string(f->source));
    json_object_set_new(row, "aliases", aliases);
    return row;
}

static void print_table(FILE *out)
{
    fprintf(out, "%-14s %4s %3s %6s %5s %-12s %-10s %-10s %-3s %-3s %-4s %s\n", "format", "bits",
            "p", "emin", "emax", "max", "min normal", "subnormal", "inf", "NaN", "zero", "source");
    for (size_t i = 0; i < ulp_format_count(); i++) {
        print_row(out, ulp_format_at(i));
    }
}

static ulp_exit_t run(ulp_call_t *call)
{
    const ulp_format_t *only = NULL;
    if (call->noperands > 0) {
        only = ulp_call_format(call, call->operand[0]);
        if (only == NULL) {
            return ULP_EXIT_NO_ANSWER;
        }
    }
    if (call->report == ULP_REPORT_JSON) {
        json_t *formats = json_array();
        for (size_t i = 0; i < ulp_format_count(); i++) {
            if (only == NULL || only == ulp_format_at(i)) {
                json_array_append_new(formats, describe(ulp_format_at(i)));
            }
        }
        json_t *object = ulp_json_begin("ulpscope.formats/1");
        json_object_set_new(object, "formats", formats);
        ulp_json_end(call, object);
    } else if (only != NULL) {
        print_detail(call->out, only);
    } else {
        print_table(call->out);
    }
    return ULP_EXIT_YES;
}

const ulp_command_t ulp_cmd_formats = {
    .name = "formats",
    .operands = "[NAME]",
    .least = 0,
    .most = 1,
    .summary = "the number formats: range, specials, source; one in detail, with its other names",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON,
    .examples = "  ulpscope formats\n"
                "  ulpscope formats torch.float8_e4m3fn\n",
    .run = run};
