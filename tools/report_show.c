/* tools/report_show.c - a real number in a format. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/report_show.h"

#include <float.h>
#include <string.h>

#include "precision/ulp.h"
#include "tools/value.h"

/* Stochastic rounding needs random bits that nobody gave. */
static const ulp_round_mode_t modes[] = {ULP_ROUND_NEAREST_EVEN, ULP_ROUND_NEAREST_AWAY,
                                         ULP_ROUND_TOWARD_ZERO,  ULP_ROUND_UP,
                                         ULP_ROUND_DOWN,         ULP_ROUND_TO_ODD};
enum { MODES = sizeof modes / sizeof modes[0] };

static const struct {
    unsigned flag;
    const char *name;
} flag_names[] = {{ULP_FLAG_INEXACT, "inexact"},
                  {ULP_FLAG_UNDERFLOW, "underflow"},
                  {ULP_FLAG_OVERFLOW, "overflow"},
                  {ULP_FLAG_INVALID, "invalid"}};
enum { FLAGS = sizeof flag_names / sizeof flag_names[0] };

typedef struct {
    uint64_t code[MODES]; /* [0]: nearest even */
    unsigned flags;       /* of it */
    int has_ulp;          /* a spacing and an error can be given */
    int spacing;
    double error;
} shown_t;

static shown_t show(const ulp_real_t *x, const ulp_format_t *format)
{
    shown_t s = {.flags = 0};
    for (size_t i = 0; i < MODES; i++) {
        ulp_rounding_t how = {.mode = modes[i]};
        unsigned flags;
        s.code[i] = ulp_real_round(x, format, &how, &flags);
        if (i == 0) {
            s.flags = flags;
        }
    }
    s.has_ulp = (x->high.kind == ULP_CLASS_ZERO || x->high.kind == ULP_CLASS_FINITE) &&
                !ulp_format_is_nan(s.code[0], format);
    if (s.has_ulp) {
        s.spacing = ulp_real_spacing(x, format);
        s.error = ulp_real_error(x, s.code[0], format);
    }
    return s;
}

/* An error beyond the range of numbers is said to be so. */
static void error_text(char text[24], const shown_t *s)
{
    if (!s->has_ulp) {
        snprintf(text, 24, "-");
    } else if (s->error > DBL_MAX) {
        snprintf(text, 24, "> 1.7e308");
    } else if ((s->flags & ULP_FLAG_INEXACT) && s->error < 1e-200) {
        snprintf(text, 24, "< 1e-200");
    } else {
        snprintf(text, 24, "%.6g", s->error);
    }
}

static json_t *error_json(const shown_t *s)
{
    char text[24];
    error_text(text, s);
    return !s->has_ulp                        ? json_null()
           : text[0] == '>' || text[0] == '<' ? json_string(text)
                                              : json_real(s->error);
}

static void list_flags(char text[64], unsigned flags)
{
    text[0] = '\0';
    for (size_t i = 0; i < FLAGS; i++) {
        if (flags & flag_names[i].flag) {
            snprintf(text + strlen(text), 64 - strlen(text), "%s%s", text[0] ? ", " : "",
                     flag_names[i].name);
        }
    }
    if (text[0] == '\0') {
        snprintf(text, 64, "exact");
    }
}

void ulp_report_show_heading(FILE *out)
{
    fprintf(out, "%-14s %-50s %-12s %-8s %s\n", "format", "code and value", "error (ULP)", "ulp",
            "flags");
}

void ulp_report_show_line(FILE *out, const ulp_real_t *x, const ulp_format_t *format)
{
    shown_t s = show(x, format);
    char text[ULP_VALUE_MAX];
    char flags[64];
    char error[24];
    char spacing[24] = "-";
    ulp_value_text(text, s.code[0], format);
    list_flags(flags, s.flags);
    error_text(error, &s);
    if (s.has_ulp) {
        snprintf(spacing, sizeof spacing, "2^%d", s.spacing);
    }
    fprintf(out, "%-14s %-50s %-12s %-8s %s\n", format->name, text, error, spacing, flags);
}

/* The modes that give the same code, on one line. */
static void print_modes(FILE *out, const shown_t *s, const ulp_format_t *format)
{
    for (size_t i = 0; i < MODES; i++) {
        int seen = 0;
        char names[48] = "";
        for (size_t j = 0; j < MODES; j++) {
            if (s->code[j] == s->code[i]) {
                seen |= j < i;
                snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                         names[0] ? ", " : "", ulp_round_mode_name(modes[j]));
            }
        }
        if (!seen) {
            char text[ULP_VALUE_MAX];
            ulp_value_text(text, s->code[i], format);
            fprintf(out, "  %-22s %s\n", names, text);
        }
    }
}

static void print_neighbour(FILE *out, const char *label, uint64_t code, int up,
                            const ulp_format_t *format)
{
    uint64_t next = ulp_ulp_next(code, format, up);
    char text[ULP_VALUE_MAX] = "none";
    if (next != code) {
        ulp_value_text(text, next, format);
    }
    fprintf(out, "  %-22s %s\n", label, text);
}

void ulp_report_show_block(FILE *out, const ulp_real_t *x, const ulp_format_t *format)
{
    shown_t s = show(x, format);
    char text[ULP_VALUE_MAX];
    char flags[64];
    char error[24];
    int all_equal = 1;
    for (size_t i = 1; i < MODES; i++) {
        all_equal &= s.code[i] == s.code[0];
    }
    ulp_value_text(text, s.code[0], format);
    list_flags(flags, s.flags);
    fprintf(out, "%s: %s, %s\n", format->name, text, flags);
    if (s.has_ulp) {
        error_text(error, &s);
        fprintf(out, "  %-22s %s\n  %-22s 2^%d\n", "error in ULP", error, "ULP of the value",
                s.spacing);
    }
    if (!ulp_format_is_nan(s.code[0], format)) {
        print_neighbour(out, "next below", s.code[0], 0, format);
        print_neighbour(out, "next above", s.code[0], 1, format);
    }
    if (!all_equal) {
        print_modes(out, &s, format);
    }
}

static json_t *neighbour(uint64_t code, int up, const ulp_format_t *format)
{
    uint64_t next = ulp_ulp_next(code, format, up);
    return next == code || ulp_format_is_nan(code, format)
               ? json_null()
               : json_pack("{s:o, s:o}", "code", ulp_json_code(next, format), "value",
                           ulp_json_value(next, format));
}

json_t *ulp_report_show_json(const ulp_real_t *x, const ulp_format_t *format)
{
    shown_t s = show(x, format);
    char text[ULP_VALUE_MAX];
    json_t *flags = json_array();
    for (size_t i = 0; i < FLAGS; i++) {
        if (s.flags & flag_names[i].flag) {
            json_array_append_new(flags, json_string(flag_names[i].name));
        }
    }
    json_t *rounding = json_object();
    for (size_t i = 0; i < MODES; i++) {
        json_object_set_new(rounding, ulp_round_mode_name(modes[i]),
                            ulp_json_code(s.code[i], format));
    }
    ulp_real_t y = ulp_real_decode(s.code[0], format);
    ulp_real_text(text, &y);
    json_t *object = json_pack("{s:s, s:o, s:o, s:s}", "format", format->name, "code",
                               ulp_json_code(s.code[0], format), "value",
                               ulp_json_value(s.code[0], format), "hex", text);
    json_object_set_new(object, "error_ulp", error_json(&s));
    json_object_set_new(object, "ulp_exponent", s.has_ulp ? json_integer(s.spacing) : json_null());
    json_object_set_new(object, "below", neighbour(s.code[0], 0, format));
    json_object_set_new(object, "above", neighbour(s.code[0], 1, format));
    json_object_set_new(object, "rounding", rounding);
    json_object_set_new(object, "flags", flags);
    return object;
}
