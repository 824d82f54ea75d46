/* core/npy_header.c - the dictionary of an .npy header, character by character. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/npy_header.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at, *begin, *end;
    const char *path;
    ulp_error_t *err;
};

static ulp_status_t malformed(const struct reader *r, const char *wanted)
{
    return ulp_error_set(r->err, ULP_ERROR_FORMAT, "%.250s: .npy header, character %zu: %s",
                         r->path, (size_t)(r->at - r->begin), wanted);
}

static void skip_spaces(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')) {
        r->at++;
    }
}

/* 1 and past it, if `c` is next. */
static int take(struct reader *r, char c)
{
    skip_spaces(r);
    if (r->at < r->end && *r->at == c) {
        r->at++;
        return 1;
    }
    return 0;
}

static int take_word(struct reader *r, const char *word)
{
    skip_spaces(r);
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) >= n && memcmp(r->at, word, n) == 0) {
        r->at += n;
        return 1;
    }
    return 0;
}

/* A string in single or double quotes, without escapes. */
static ulp_status_t read_string(struct reader *r, char out[ULP_NPY_DESCR_MAX])
{
    char quote = take(r, '\'') ? '\'' : take(r, '"') ? '"' : '\0';
    if (quote == '\0') {
        return malformed(r, "a string in quotes expected");
    }
    size_t n = 0;
    while (r->at < r->end && *r->at != quote) {
        if (n + 1 >= ULP_NPY_DESCR_MAX || *r->at == '\\' || (unsigned char)*r->at < 0x20) {
            return malformed(r, "a shorter and plainer string expected");
        }
        out[n++] = *r->at++;
    }
    out[n] = '\0';
    return take(r, quote) ? ULP_OK : malformed(r, "the string does not end");
}

/* A structured descr is a list: kept as "[...]", refused later by its meaning. */
static ulp_status_t read_descr(struct reader *r, ulp_npy_header_t *out)
{
    if (!take(r, '[')) {
        return read_string(r, out->descr);
    }
    int depth = 1;
    while (r->at < r->end && depth > 0) {
        depth += *r->at == '[' ? 1 : *r->at == ']' ? -1 : 0;
        r->at++;
    }
    snprintf(out->descr, sizeof out->descr, "[...]");
    return depth == 0 ? ULP_OK : malformed(r, "the list does not end");
}

static ulp_status_t read_dimension(struct reader *r, size_t *out)
{
    size_t value = 0;
    const char *first = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        size_t digit = (size_t)(*r->at - '0');
        if (value > (SIZE_MAX - digit) / 10) {
            return malformed(r, "a dimension too large");
        }
        value = 10 * value + digit;
        r->at++;
    }
    if (r->at == first) {
        return malformed(r, "a dimension (a number that is not negative) expected");
    }
    if (r->at < r->end && *r->at == 'L') {
        r->at++; /* written by Python 2 */
    }
    *out = value;
    return ULP_OK;
}

static ulp_status_t read_shape(struct reader *r, ulp_npy_header_t *out)
{
    if (!take(r, '(')) {
        return malformed(r, "a shape such as (3, 4) expected");
    }
    int comma = 1;
    while (!take(r, ')')) {
        size_t dimension = 0;
        if (!comma) {
            return malformed(r, "a comma or \")\" expected");
        }
        ulp_status_t status = read_dimension(r, &dimension);
        if (status != ULP_OK) {
            return status;
        }
        if (out->rank == ULP_RANK_MAX) {
            return ulp_error_set(r->err, ULP_ERROR_UNSUPPORTED, "%.250s: more than %d dimensions",
                                 r->path, ULP_RANK_MAX);
        }
        out->shape[out->rank++] = dimension;
        comma = take(r, ',');
    }
    /* "(3)" is a number in Python, "(3,)" a shape. */
    return out->rank == 1 && !comma ? malformed(r, "a comma expected: (3,)") : ULP_OK;
}

static ulp_status_t read_value(struct reader *r, int key, ulp_npy_header_t *out)
{
    if (key == 0) {
        return read_descr(r, out);
    }
    if (key == 2) {
        return read_shape(r, out);
    }
    if (take_word(r, "True")) {
        out->is_fortran = 1;
        return ULP_OK;
    }
    return take_word(r, "False") ? ULP_OK : malformed(r, "True or False expected");
}

ulp_status_t ulp_npy_header_parse(ulp_npy_header_t *out, const char *text, size_t n,
                                  const char *path, ulp_error_t *err)
{
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    struct reader r = {text, text, text + n, path, err};
    ulp_npy_header_t made = {0};
    int seen[3] = {0};
    if (!take(&r, '{')) {
        return malformed(&r, "\"{\" expected");
    }
    while (!take(&r, '}')) {
        char word[ULP_NPY_DESCR_MAX];
        int key = 0;
        ulp_status_t status = read_string(&r, word);
        if (status != ULP_OK) {
            return status;
        }
        while (key < 3 && strcmp(word, keys[key]) != 0) {
            key++;
        }
        if (key == 3 || seen[key] || !take(&r, ':')) {
            return malformed(&r, "descr, fortran_order and shape expected, once each");
        }
        seen[key] = 1;
        status = read_value(&r, key, &made);
        if (status != ULP_OK) {
            return status;
        }
        skip_spaces(&r);
        if (!take(&r, ',') && (r.at == r.end || *r.at != '}')) {
            return malformed(&r, "a comma or \"}\" expected");
        }
    }
    skip_spaces(&r);
    if (!seen[0] || !seen[1] || !seen[2]) {
        return malformed(&r, "descr, fortran_order and shape expected, once each");
    }
    if (r.at != r.end) {
        return malformed(&r, "nothing but spaces expected after \"}\"");
    }
    *out = made;
    return ULP_OK;
}

static ulp_status_t refuse_descr(const char *descr, const char *what, const char *path,
                                 ulp_error_t *err)
{
    return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "%.250s: elements \"%.60s\": %s", path, descr,
                         what);
}

/* Floats, and integers too wide for codes of small formats: the descr names the format. */
static const char *named_format(char kind, size_t nbytes)
{
    static const struct {
        char kind;
        size_t nbytes;
        const char *format;
    } row[] = {{'f', 2, "f16"}, {'f', 4, "f32"}, {'f', 8, "f64"}, {'i', 4, "i32"},
               {'i', 8, "i64"}, {'u', 4, "u32"}, {'u', 8, "u64"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (row[i].kind == kind && row[i].nbytes == nbytes) {
            return row[i].format;
        }
    }
    return NULL;
}

/* The names that fit what a descr leaves open. Returns 0, or -1 if there is no such descr. */
static int propose(ulp_storage_t *out, char kind)
{
    size_t i = 0;
    if (kind != 'i' && kind != 'u' && kind != 'V' && !(kind == 'f' && out->nbytes == 1)) {
        return -1;
    }
    if (out->nbytes == 1) {
        if (kind == 'i' || kind == 'u') {
            out->candidate[i++] = kind == 'i' ? "i8" : "u8";
        }
        out->candidate[i++] = kind == 'f' ? "f8e5m2" : "f8e4m3fn";
        out->candidate[i++] = kind == 'f' ? "f8e3m4" : "f8e4m3";
        out->candidate[i++] = kind == 'f' ? "f8e4m3" : "f8e5m2";
        return 0;
    }
    if (out->nbytes == 2) {
        if (kind == 'i' || kind == 'u') {
            out->candidate[i++] = kind == 'i' ? "i16" : "u16";
        }
        out->candidate[i++] = "bf16";
        out->candidate[i++] = "f16";
        return 0;
    }
    if (kind == 'V' && (out->nbytes == 4 || out->nbytes == 8)) {
        out->candidate[i++] = out->nbytes == 4 ? "f32" : "f64";
        out->candidate[i++] = out->nbytes == 4 ? "u32" : "u64";
        return 0;
    }
    return -1;
}

size_t ulp_npy_descr_nbytes(const char *descr)
{
    const char *rest = descr + strspn(descr, "<>|=");
    char *end = NULL;
    if (rest[0] == '\0' || rest[1] < '0' || rest[1] > '9' || strlen(rest) > 6) {
        return 0;
    }
    size_t nbytes = strtoul(rest + 1, &end, 10);
    if (*end != '\0') {
        return 0;
    }
    return rest[0] == 'U' ? 4 * nbytes : nbytes; /* characters of UCS4 */
}

ulp_status_t ulp_npy_descr_describe(ulp_storage_t *out, const char *descr, const char *path,
                                    ulp_error_t *err)
{
    ulp_storage_t made = {0};
    char kind = '\0';
    if (descr[0] == '[') {
        return refuse_descr(descr, "a structured type: save each field as its own array", path,
                            err);
    }
    const char *order = strchr("<>|=", descr[0]);
    const char *rest = order != NULL && descr[0] != '\0' ? descr + 1 : descr;
    kind = rest[0];
    made.nbytes = ulp_npy_descr_nbytes(descr);
    switch (kind) {
    case 'b':
        return refuse_descr(descr,
                            "booleans are not numbers of a format: a.astype('u1') and "
                            "--dtype u8",
                            path, err);
    case 'c':
        return refuse_descr(descr, "complex numbers: save a.real and a.imag as two arrays", path,
                            err);
    case 'O':
        return refuse_descr(descr, "Python objects (pickle), which are not read", path, err);
    case 'S':
    case 'U':
    case 'a':
        return refuse_descr(descr, "strings are not numbers of a format", path, err);
    case 'm':
    case 'M':
        return refuse_descr(descr, "dates and times are not numbers of a format", path, err);
    default:
        break;
    }
    const char *format = named_format(kind, made.nbytes);
    if (format != NULL) {
        made.format = ulp_format_find(format, NULL);
        made.kind = kind == 'f' ? ULP_STORAGE_FLOAT : ULP_STORAGE_CODES;
    } else if (propose(&made, kind) != 0) {
        return refuse_descr(descr, "no format here is stored like this", path, err);
    }
    made.is_big_endian = descr[0] == '>';
    snprintf(made.words, sizeof made.words, "%.60s", descr);
    *out = made;
    return ULP_OK;
}
