/* tools/report_diff.c - a comparison as text, Markdown and JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/report_diff.h"

#include "tools/value.h"

static double percent(size_t part, size_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0.0;
}

static void print_rule(FILE *out, const ulp_compare_how_t *how)
{
    fprintf(out, "rule: ");
    if (how->given == 0) {
        fprintf(out, "equal values");
    }
    const char *joint = "";
    if (how->given & ULP_TOLERANCE_ABS) {
        fprintf(out, "|got - want| <= %g", how->abs);
        joint = " or ";
    }
    if (how->given & ULP_TOLERANCE_REL) {
        fprintf(out, "%s|got - want| <= %g |want|", joint, how->rel);
        joint = " or ";
    }
    if (how->given & ULP_TOLERANCE_ULP) {
        fprintf(out, "%sULP distance <= %llu", joint, (unsigned long long)how->ulp);
    }
    fprintf(out, "; NaN against NaN %s, +0 against -0 %s\n",
            how->nan == ULP_NAN_EQUAL ? "equal" : "differ",
            how->zero == ULP_ZERO_SAME ? "the same" : "differ");
}

/* The first and the last distance of a bin. */
static void bin_range(uint64_t *low, uint64_t *high, size_t bin)
{
    *low = bin == 0 ? 0 : UINT64_C(1) << (bin - 1);
    *high = bin == 0 ? 0 : *low + (*low - 1);
}

static void print_histogram(FILE *out, const ulp_comparison_t *c)
{
    fprintf(out, "  ULP distance      elements\n");
    for (size_t bin = 0; bin < ULP_HISTOGRAM_BINS; bin++) {
        uint64_t low;
        uint64_t high;
        char range[48];
        if (c->histogram[bin] == 0) {
            continue;
        }
        if (bin == ULP_HISTOGRAM_BINS - 1) {
            snprintf(range, sizeof range, "NaN / number");
        } else {
            bin_range(&low, &high, bin);
            snprintf(range, sizeof range, low == high ? "%llu" : "%llu..%llu",
                     (unsigned long long)low, (unsigned long long)high);
        }
        fprintf(out, "  %-16s  %zu (%.4g%%)\n", range, c->histogram[bin],
                percent(c->histogram[bin], c->n));
    }
}

static void print_worst(FILE *out, const ulp_diff_subject_t *s, const ulp_comparison_t *c)
{
    char index[192];
    char got[ULP_VALUE_MAX];
    char want[ULP_VALUE_MAX];
    for (size_t i = 0; i < c->nworst && i < s->worst; i++) {
        const ulp_compare_worst_t *w = &c->worst[i];
        ulp_index_print(index, sizeof index, w->index, s->info->rank, s->info->shape);
        ulp_value_text(got, w->got, s->info->format);
        ulp_value_text(want, w->want, s->info->format);
        fprintf(out, "  [%s] got %s, want %s", index, got, want);
        if (w->distance != UINT64_MAX) {
            fprintf(out, ", %llu ULP", (unsigned long long)w->distance);
        }
        fprintf(out, "\n");
    }
}

void ulp_report_diff_text(ulp_call_t *call, const ulp_diff_subject_t *s, const ulp_comparison_t *c)
{
    FILE *out = call->out;
    char shape[192];
    const char *fence = call->report == ULP_REPORT_MARKDOWN ? "```\n" : "";
    ulp_shape_print(shape, sizeof shape, s->info->rank, s->info->shape);
    fprintf(out, "%sgot  %s\nwant %s\n%s, %s: ", fence, s->got, s->want, s->info->format->name,
            shape);
    if (c->differing == 0) {
        fprintf(out, "all %zu elements equal\n", c->n);
    } else {
        fprintf(out, "%zu of %zu elements differ (%.4g%%), %zu outside the rule\n", c->differing,
                c->n, percent(c->differing, c->n), c->outside);
    }
    print_rule(out, s->how);
    fprintf(out, "NaN %zu / %zu (both %zu), inf %zu / %zu, zero %zu / %zu (sign differs %zu)\n",
            c->nan_got, c->nan_want, c->nan_both, c->inf_got, c->inf_want, c->zero_got,
            c->zero_want, c->zero_sign_differs);
    if (c->differing > 0) {
        fprintf(out, "largest ULP distance %llu, |got - want| %.6g, |got - want| / |want| %.6g\n",
                (unsigned long long)c->max_distance, c->max_abs, c->max_rel);
        print_histogram(out, c);
        fprintf(out, "worst by ULP distance:\n");
        print_worst(out, s, c);
    }
    fputs(fence, out);
}

static json_t *counts(size_t got, size_t want, const char *name, size_t third)
{
    json_t *object = json_object();
    json_object_set_new(object, "got", ulp_json_count(got));
    json_object_set_new(object, "want", ulp_json_count(want));
    if (name != NULL) {
        json_object_set_new(object, name, ulp_json_count(third));
    }
    return object;
}

static json_t *histogram(const ulp_comparison_t *c)
{
    json_t *array = json_array();
    for (size_t bin = 0; bin < ULP_HISTOGRAM_BINS; bin++) {
        if (c->histogram[bin] == 0) {
            continue;
        }
        uint64_t low;
        uint64_t high;
        json_t *row = json_object();
        if (bin == ULP_HISTOGRAM_BINS - 1) {
            json_object_set_new(row, "lo", json_string("nan"));
            json_object_set_new(row, "hi", json_string("nan"));
        } else {
            bin_range(&low, &high, bin);
            json_object_set_new(row, "lo", ulp_json_count(low));
            json_object_set_new(row, "hi", ulp_json_count(high));
        }
        json_object_set_new(row, "count", ulp_json_count(c->histogram[bin]));
        json_array_append_new(array, row);
    }
    return array;
}

static json_t *worst(const ulp_diff_subject_t *s, const ulp_comparison_t *c)
{
    json_t *array = json_array();
    for (size_t i = 0; i < c->nworst && i < s->worst; i++) {
        const ulp_compare_worst_t *w = &c->worst[i];
        const ulp_format_t *f = s->info->format;
        json_t *row = json_object();
        json_object_set_new(row, "index", ulp_json_index(w->index, s->info->rank, s->info->shape));
        json_object_set_new(row, "flat_index", ulp_json_count(w->index));
        json_object_set_new(row, "got", ulp_json_code(w->got, f));
        json_object_set_new(row, "want", ulp_json_code(w->want, f));
        json_object_set_new(row, "got_value", ulp_json_value(w->got, f));
        json_object_set_new(row, "want_value", ulp_json_value(w->want, f));
        json_object_set_new(row, "ulp_distance",
                            w->distance == UINT64_MAX ? json_string("nan")
                                                      : ulp_json_count(w->distance));
        json_array_append_new(array, row);
    }
    return array;
}

static json_t *tolerance(const ulp_compare_how_t *how)
{
    json_t *object = json_object();
    json_object_set_new(object, "abs",
                        how->given & ULP_TOLERANCE_ABS ? ulp_json_real(how->abs) : json_null());
    json_object_set_new(object, "rel",
                        how->given & ULP_TOLERANCE_REL ? ulp_json_real(how->rel) : json_null());
    json_object_set_new(object, "ulp",
                        how->given & ULP_TOLERANCE_ULP ? ulp_json_count(how->ulp) : json_null());
    return object;
}

void ulp_report_diff_json(json_t *object, const ulp_diff_subject_t *s, const ulp_comparison_t *c)
{
    json_object_set_new(object, "got", json_string(s->got));
    json_object_set_new(object, "want", json_string(s->want));
    json_object_set_new(object, "dtype", json_string(s->info->format->name));
    json_object_set_new(object, "shape", ulp_json_shape(s->info->rank, s->info->shape));
    json_object_set_new(object, "n", ulp_json_count(c->n));
    json_object_set_new(object, "differing", ulp_json_count(c->differing));
    json_object_set_new(object, "outside", ulp_json_count(c->outside));
    json_object_set_new(object, "equal", json_boolean(c->differing == 0));
    json_object_set_new(object, "max_ulp_distance", ulp_json_count(c->max_distance));
    json_object_set_new(object, "max_abs", ulp_json_real(c->max_abs));
    json_object_set_new(object, "max_rel", ulp_json_real(c->max_rel));
    json_object_set_new(object, "histogram", histogram(c));
    json_object_set_new(object, "worst", worst(s, c));
    json_object_set_new(object, "nan", counts(c->nan_got, c->nan_want, "both", c->nan_both));
    json_object_set_new(object, "inf", counts(c->inf_got, c->inf_want, NULL, 0));
    json_object_set_new(object, "zero",
                        counts(c->zero_got, c->zero_want, "sign_differs", c->zero_sign_differs));
    json_object_set_new(object, "tolerance", tolerance(s->how));
    json_t *policy = json_object();
    json_object_set_new(policy, "nan",
                        json_string(s->how->nan == ULP_NAN_EQUAL ? "equal" : "differ"));
    json_object_set_new(policy, "zero",
                        json_string(s->how->zero == ULP_ZERO_SAME ? "same" : "signed"));
    json_object_set_new(object, "policy", policy);
}
