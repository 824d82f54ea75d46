/* tools/cmd_diff.c - ulpscope diff A B: two datasets, or all of the same name in two files. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff.h"
#include "tools/commands.h"
#include "tools/report_diff.h"

enum { ABS = 1, REL, ULP, NANS, ZEROS, DTYPE, WORST };

static const struct poptOption options[] = {
    {"abs", 0, POPT_ARG_STRING, NULL, ABS, "an element passes if |got - want| <= X", "X"},
    {"rel", 0, POPT_ARG_STRING, NULL, REL, "or if |got - want| <= X |want|", "X"},
    {"ulp", 0, POPT_ARG_STRING, NULL, ULP, "or if the ULP distance is at most N", "N"},
    {"nan", 0, POPT_ARG_STRING, NULL, NANS, "NaN against NaN (default equal)", "equal|differ"},
    {"zero", 0, POPT_ARG_STRING, NULL, ZEROS, "+0 against -0 (default same)", "same|signed"},
    {"dtype", 0, POPT_ARG_STRING, NULL, DTYPE, "format that the storage does not say; =F re-reads",
     "F|A=F,B=F"},
    {"worst", 'n', POPT_ARG_STRING, NULL, WORST, "elements to list (default 5, at most 16)", "N"},
    POPT_TABLEEND};

/* Options as given. */
typedef struct {
    ulp_compare_how_t how;
    char dtype[2][64]; /* of got and want; "" if not given */
    size_t worst;
} request_t;

static int parse_count(const ulp_call_t *call, int code, const char *name, uint64_t *out)
{
    const char *text = ulp_call_option(call, code);
    char *end;
    if (text == NULL) {
        return 0;
    }
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || strchr(text, '-') != NULL) {
        ulp_call_usage(call, "--%s: '%s' is not a whole number of at least 0", name, text);
        return -1;
    }
    return 0;
}

static int parse_choice(const ulp_call_t *call, int code, const char *name, const char *first,
                        const char *second, int *out)
{
    const char *text = ulp_call_option(call, code);
    if (text == NULL) {
        return 0;
    }
    *out = strcmp(text, second) == 0;
    if (!*out && strcmp(text, first) != 0) {
        ulp_call_usage(call, "--%s: '%s' is neither %s nor %s", name, text, first, second);
        return -1;
    }
    return 0;
}

/* "F", or "A=F,B=F". */
static int parse_dtype(const ulp_call_t *call, request_t *r)
{
    const char *text = ulp_call_option(call, DTYPE);
    if (text == NULL) {
        return 0;
    }
    for (const char *from = text; from != NULL;) {
        int side = from[0] == 'A' ? 0 : from[0] == 'B' ? 1 : -1;
        int each = side >= 0 && from[1] == '=';
        const char *name = each ? from + 2 : from;
        size_t n = strcspn(name, ",");
        const char *next = name[n] == ',' ? name + n + 1 : NULL;
        int bad = n == 0 || n >= sizeof r->dtype[0];
        /* Both sides at once, alone; or each side once. */
        bad = bad || (!each && (from != text || next != NULL));
        bad = bad || (each && r->dtype[side][0] != '\0');
        if (bad) {
            ulp_call_usage(call, "--dtype: '%s' is neither F nor A=F,B=F", text);
            return -1;
        }
        for (int s = each ? side : 0; s < (each ? side + 1 : 2); s++) {
            memcpy(r->dtype[s], name, n);
            r->dtype[s][n] = '\0';
        }
        from = next;
    }
    return 0;
}

static int parse_request(const ulp_call_t *call, request_t *r)
{
    memset(r, 0, sizeof *r);
    uint64_t worst = 5;
    int nan = 0;
    int zero = 0;
    if (ulp_call_number(call, ABS, "abs", &r->how.abs) != 0 ||
        ulp_call_number(call, REL, "rel", &r->how.rel) != 0 ||
        parse_count(call, ULP, "ulp", &r->how.ulp) != 0 ||
        parse_count(call, WORST, "worst", &worst) != 0 ||
        parse_choice(call, NANS, "nan", "equal", "differ", &nan) != 0 ||
        parse_choice(call, ZEROS, "zero", "same", "signed", &zero) != 0 ||
        parse_dtype(call, r) != 0) {
        return -1;
    }
    r->how.given = (ulp_call_option(call, ABS) ? ULP_TOLERANCE_ABS : 0u) |
                   (ulp_call_option(call, REL) ? ULP_TOLERANCE_REL : 0u) |
                   (ulp_call_option(call, ULP) ? ULP_TOLERANCE_ULP : 0u);
    r->how.nan = nan ? ULP_NAN_DIFFER : ULP_NAN_EQUAL;
    r->how.zero = zero ? ULP_ZERO_DIFFER : ULP_ZERO_SAME;
    r->worst = worst < ULP_WORST_MAX ? (size_t)worst : (size_t)ULP_WORST_MAX;
    return 0;
}

/* One pair of locations. `object` takes the JSON of it. */
static ulp_exit_t diff_pair(ulp_call_t *call, const request_t *r, const char *got, const char *want,
                            json_t *object)
{
    ulp_source_t *a = NULL;
    ulp_source_t *b = NULL;
    ulp_error_t err;
    ulp_comparison_t c;
    ulp_exit_t code = ULP_EXIT_NO_ANSWER;
    if (ulp_source_open(&a, got, r->dtype[0][0] ? r->dtype[0] : NULL, &err) != ULP_OK ||
        ulp_source_open(&b, want, r->dtype[1][0] ? r->dtype[1] : NULL, &err) != ULP_OK ||
        ulp_diff_sources(&c, a, b, &r->how, call->threads, &err) != ULP_OK) {
        ulp_call_fail(call, "%s", err.message);
    } else {
        ulp_diff_subject_t subject = {got, want, ulp_source_info(a), &r->how, r->worst};
        if (call->report == ULP_REPORT_JSON) {
            ulp_report_diff_json(object, &subject, &c);
        } else {
            ulp_report_diff_text(call, &subject, &c);
        }
        code = c.outside == 0 ? ULP_EXIT_YES : ULP_EXIT_NO;
    }
    if (a != NULL) {
        ulp_source_close(a);
    }
    if (b != NULL) {
        ulp_source_close(b);
    }
    return code;
}

/* Datasets of two whole files. */
typedef struct {
    ulp_listing_t got, want;
} files_t;

static const ulp_listing_entry_t *find(const ulp_listing_t *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->entry[i].name, name) == 0) {
            return &list->entry[i];
        }
    }
    return NULL;
}

static size_t report_missing(ulp_call_t *call, const ulp_listing_t *in, const ulp_listing_t *from,
                             const char *side, json_t *array)
{
    size_t missing = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (find(from, in->entry[i].name) == NULL) {
            missing++;
            if (call->report == ULP_REPORT_JSON) {
                json_array_append_new(array, json_string(in->entry[i].name));
            } else {
                fprintf(call->out, "only in %s: %s\n", side, in->entry[i].name);
            }
        }
    }
    return missing;
}

/* The sums over all pairs, so that a reader of two files finds the words of a single pair. */
static void set_totals(json_t *object, const json_t *pairs, size_t missing)
{
    json_int_t n = 0;
    json_int_t differing = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        uint64_t distance = ulp_json_to_count(json_object_get(pair, "max_ulp_distance"));
        n += json_integer_value(json_object_get(pair, "n"));
        differing += json_integer_value(json_object_get(pair, "differing"));
        most = distance > most ? distance : most;
    }
    json_object_set_new(object, "n", json_integer(n));
    json_object_set_new(object, "differing", json_integer(differing));
    json_object_set_new(object, "equal", json_boolean(differing == 0 && missing == 0));
    json_object_set_new(object, "max_ulp_distance", ulp_json_count(most));
}

static ulp_exit_t diff_files(ulp_call_t *call, const request_t *r, const files_t *f, json_t *object)
{
    ulp_exit_t code = ULP_EXIT_YES;
    size_t compared = 0;
    json_t *pairs = json_array();
    json_t *only_got = json_array();
    json_t *only_want = json_array();
    for (size_t i = 0; i < f->got.count; i++) {
        const char *name = f->got.entry[i].name;
        if (find(&f->want, name) == NULL) {
            continue;
        }
        char *got = malloc(strlen(call->operand[0]) + strlen(name) + 2);
        char *want = malloc(strlen(call->operand[1]) + strlen(name) + 2);
        json_t *pair = json_object();
        if (got != NULL && want != NULL) {
            sprintf(got, "%s:%s", call->operand[0], name);
            sprintf(want, "%s:%s", call->operand[1], name);
            code = ulp_exit_worse(code, diff_pair(call, r, got, want, pair));
            compared++;
        }
        json_array_append_new(pairs, pair);
        free(got);
        free(want);
    }
    size_t missing = report_missing(call, &f->got, &f->want, call->operand[0], only_got) +
                     report_missing(call, &f->want, &f->got, call->operand[1], only_want);
    if (call->report == ULP_REPORT_JSON) {
        set_totals(object, pairs, missing);
    }
    json_object_set_new(object, "pairs", pairs);
    json_object_set_new(object, "only_in_got", only_got);
    json_object_set_new(object, "only_in_want", only_want);
    if (compared == 0) {
        return ulp_call_fail(call, "nothing to compare: %s and %s have no dataset of the same name",
                             call->operand[0], call->operand[1]);
    }
    return missing > 0 ? ulp_exit_worse(code, ULP_EXIT_NO) : code;
}

/* 1 if both operands are files of several named datasets. */
static int whole_files(const ulp_call_t *call, files_t *f)
{
    memset(f, 0, sizeof *f);
    int listed = ulp_listing_read(&f->got, call->operand[0], NULL) == ULP_OK &&
                 ulp_listing_read(&f->want, call->operand[1], NULL) == ULP_OK;
    return listed && strcmp(f->got.container, "npy") != 0 &&
           strcmp(f->want.container, "npy") != 0 && (f->got.count != 1 || f->want.count != 1);
}

static ulp_exit_t run(ulp_call_t *call)
{
    request_t r;
    files_t files;
    if (parse_request(call, &r) != 0) {
        return ULP_EXIT_NO_ANSWER;
    }
    json_t *object = ulp_json_begin("ulpscope.diff/1");
    ulp_exit_t code = whole_files(call, &files)
                          ? diff_files(call, &r, &files, object)
                          : diff_pair(call, &r, call->operand[0], call->operand[1], object);
    ulp_listing_free(&files.got);
    ulp_listing_free(&files.want);
    if (call->report == ULP_REPORT_JSON && json_object_size(object) > 2) {
        ulp_json_end(call, object);
    } else {
        json_decref(object);
    }
    return code;
}

const ulp_command_t ulp_cmd_diff = {
    .name = "diff",
    .operands = "GOT WANT",
    .least = 2,
    .most = 2,
    .summary = "two tensors in files, element by element, in ULPs",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT | 1u << ULP_REPORT_JSON | 1u << ULP_REPORT_MARKDOWN,
    .examples = "  ulpscope diff a.h5:/outputs/h100 a.h5:/outputs/trn2\n"
                "  ulpscope diff got.npy want.npy --dtype bf16 --ulp 1 --json\n",
    .run = run};
