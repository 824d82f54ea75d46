/* tools/cmd_formats.c - ulpscope formats [NAME]: the number formats, from their table. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "precision/number.h"
#include "tools/commands.h"
#include "tools/json.h"
#include "tools/value.h"

static const struct poptOption options[] = {POPT_TABLEEND};

static const char *nan_text(const ulp_format_t *f)
{
    static const char *const text[] = {"IEEE", "all ones", "code of -0", "none"};
    return text[f->nan];
}

static const char *zero_text(const ulp_format_t *f)
{
    static const char *const text[] = {"+0, -0", "0", "none"};
    return text[f->zero];
}

static double value(uint64_t code, const ulp_format_t *f)
{
    return ulp_number_to_double(ulp_number_decode(code, f));
}

static void print_row(ulp_call_t *call, const ulp_format_t *f)
{
    const char *bar = call->report == ULP_REPORT_MARKDOWN ? "| " : "";
    int width = call->report == ULP_REPORT_MARKDOWN ? 0 : 1;
    fprintf(call->out, "%s%-*s %s%*d %s%*d %s%*d %s%*d %s%-*.7g %s%-*.4g %s%-*.4g %s%-*s %s%-*s %s%s\n",
            bar, width * 15, f->name, bar, width * 4, f->bits, bar, width * 3, f->p, bar, width * 6,
            f->emin, bar, width * 5, f->emax, bar, width * 14, value(ulp_format_max(f), f), bar,
            width * 11, value(ulp_format_min_normal(f), f), bar, width * 11,
            value(ulp_format_min_positive(f), f), bar, width * 4,
            ulp_format_has_inf(f) ? "yes" : "no", bar, width * 11, nan_text(f), bar, zero_text(f));
}

static void print_table(ulp_call_t *call)
{
    if (call->report == ULP_REPORT_MARKDOWN) {
        fprintf(call->out, "| format | bits | p | emin | emax | max | least normal | least positive "
                           "| inf | NaN | zero\n|---|---|---|---|---|---|---|---|---|---|---\n");
    } else {
        fprintf(call->out, "%-15s %4s %3s %6s %5s %-14s %-11s %-11s %-4s %-11s %s\n", "format",
                "bits", "p", "emin", "emax", "max", "min normal", "min > 0", "inf", "NaN", "zero");
    }
    for (size_t i = 0; i < ulp_format_count(); i++) {
        print_row(call, ulp_format_at(i));
    }
}

static void print_detail(FILE *out, const ulp_format_t *f)
{
    char text[ULP_VALUE_MAX];
    const struct {
        const char *what;
        uint64_t code;
    } codes[] = {{"largest", ulp_format_max(f)},
                 {"least normal", ulp_format_min_normal(f)},
                 {"least positive", ulp_format_min_positive(f)}};
    fprintf(out, "%s: %d bits, exponent %d, precision %d, bias %d, emin %d, emax %d\n", f->name,
            f->bits, f->exponent_bits, f->p, f->bias, f->emin, f->emax);
    for (size_t i = 0; i < 3; i++) {
        ulp_value_text(text, codes[i].code, f);
        fprintf(out, "  %-15s %s\n", codes[i].what, text);
    }
    fprintf(out, "  infinity        %s\n  NaN             %s\n  zero            %s\n  source          "
                 "%s\n  also called    ",
            ulp_format_has_inf(f) ? "yes" : "no", nan_text(f), zero_text(f), f->source);
    for (size_t i = 0; ulp_format_alias(f, i) != NULL; i++) {
        fprintf(out, " %s", ulp_format_alias(f, i));
    }
    fprintf(out, "\n");
}

static json_t *to_json(const ulp_format_t *f)
{
    json_t *object = json_object();
    json_t *aliases = json_array();
    for (size_t i = 0; ulp_format_alias(f, i) != NULL; i++) {
        json_array_append_new(aliases, json_string(ulp_format_alias(f, i)));
    }
    json_object_set_new(object, "name", json_string(f->name));
    json_object_set_new(object, "bits", json_integer(f->bits));
    json_object_set_new(object, "exponent_bits", json_integer(f->exponent_bits));
    json_object_set_new(object, "p", json_integer(f->p));
    json_object_set_new(object, "bias", json_integer(f->bias));
    json_object_set_new(object, "emin", json_integer(f->emin));
    json_object_set_new(object, "emax", json_integer(f->emax));
    json_object_set_new(object, "max", ulp_json_value(ulp_format_max(f), f));
    json_object_set_new(object, "min_normal", ulp_json_value(ulp_format_min_normal(f), f));
    json_object_set_new(object, "min_positive", ulp_json_value(ulp_format_min_positive(f), f));
    json_object_set_new(object, "inf", json_boolean(ulp_format_has_inf(f)));
    json_object_set_new(object, "nan", json_string(nan_text(f)));
    json_object_set_new(object, "zero", json_string(zero_text(f)));
    json_object_set_new(object, "source", json_string(f->source));
    json_object_set_new(object, "aliases", aliases);
    return object;
}

static ulp_exit_t run(ulp_call_t *call)
{
    const ulp_format_t *one = NULL;
    if (call->noperands == 1) {
        const char *ambiguity;
        one = ulp_format_find(call->operand[0], &ambiguity);
        if (one == NULL && ambiguity != NULL) {
            return ulp_call_fail(call, "'%s': %s", call->operand[0], ambiguity);
        }
        if (one == NULL) {
            return ulp_call_usage(call, "'%s' is not a format", call->operand[0]);
        }
    }
    if (call->report == ULP_REPORT_JSON) {
        json_t *object = ulp_json_begin("ulpscope.formats/1");
        json_t *array = json_array();
        for (size_t i = 0; i < ulp_format_count(); i++) {
            if (one == NULL || one == ulp_format_at(i)) {
                json_array_append_new(array, to_json(ulp_format_at(i)));
            }
        }
        json_object_set_new(object, "formats", array);
        ulp_json_end(call, object);
    } else if (one != NULL) {
        print_detail(call->out, one);
    } else {
        print_table(call);
    }
    return ULP_EXIT_YES;
}

const ulp_command_t ulp_cmd_formats = {
    .name = "formats",
    .operands = "[NAME]",
    .least = 0,
    .most = 1,
    .summary = "the number formats, with their limits, names and sources",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON | 1u << ULP_REPORT_MARKDOWN,
    .examples = "  ulpscope formats\n  ulpscope formats torch.float8_e4m3fn\n",
    .run = run};
