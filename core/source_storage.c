/* core/source_storage.c - which format the elements of a dataset have. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/source_storage.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 160, CANDIDATES_MAX = 4 };

/* "f8e4m3fn, f8e4m3 or f8e5m2" */
static void list_candidates(char words[WORDS_MAX], const ulp_storage_t *storage)
{
    size_t used = 0;
    words[0] = '\0';
    for (size_t i = 0; i < CANDIDATES_MAX && storage->candidate[i] != NULL; i++) {
        int last = i + 1 == CANDIDATES_MAX || storage->candidate[i + 1] == NULL;
        const char *joint = i == 0 ? "" : last ? " or " : ", ";
        used +=
            (size_t)snprintf(words + used, WORDS_MAX - used, "%s%s", joint, storage->candidate[i]);
        ULP_ASSERT(used < WORDS_MAX);
    }
}

/* Whether codes of the format can lie in this storage. */
static int fits(const ulp_storage_t *storage, const ulp_format_t *format)
{
    return ulp_format_bytes(format) == storage->nbytes;
}

/* Whether a name without "=" agrees with what the storage says of itself. tf32 is f32 with 13 bits
 * that are zero; the reader checks those. */
static int agrees(const ulp_storage_t *storage, const ulp_format_t *format)
{
    if (!fits(storage, format)) {
        return 0;
    }
    if (storage->kind == ULP_STORAGE_CODES) {
        return 1;
    }
    if (storage->format != NULL) {
        return storage->format == format ||
               (strcmp(storage->format->name, "f32") == 0 && strcmp(format->name, "tf32") == 0);
    }
    for (size_t i = 0; i < CANDIDATES_MAX && storage->candidate[i] != NULL; i++) {
        if (strcmp(storage->candidate[i], format->name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A name to a format. `what` is "attribute dtype" or "--dtype". */
static ulp_status_t find(const ulp_format_t **out, const char *name, const char *what,
                         const char *where, ulp_error_t *err)
{
    const char *ambiguity = NULL;
    const ulp_format_t *format = ulp_format_find(name, &ambiguity);
    if (format != NULL) {
        *out = format;
        return ULP_OK;
    }
    if (ambiguity != NULL) {
        return ulp_error_set(err, ULP_ERROR_AMBIGUOUS, "%.250s: %s: %s", where, what, ambiguity);
    }
    return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                         "%.250s: %s \"%.60s\" is not the name of a format; \"ulpscope formats\" "
                         "lists the names",
                         where, what, name);
}

static ulp_status_t wrong_width(const ulp_storage_t *storage, const ulp_format_t *format,
                                const char *what, const char *name, const char *where,
                                ulp_error_t *err)
{
    ulp_status_t code = strcmp(what, "--dtype") == 0 ? ULP_ERROR_ARGUMENT : ULP_ERROR_FORMAT;
    return ulp_error_set(err, code,
                         "%.250s: %s %.60s takes %zu byte%s an element, and the storage (%s) has "
                         "%zu",
                         where, what, name, ulp_format_bytes(format),
                         ulp_format_bytes(format) == 1 ? "" : "s", storage->words, storage->nbytes);
}

/* "=NAME": the bits, read as that format, whatever else is said. */
static ulp_status_t overrule(const ulp_format_t **out, const ulp_storage_t *storage,
                             const char *dtype, const char *where, ulp_error_t *err)
{
    const ulp_format_t *format = NULL;
    ulp_status_t status = find(&format, dtype + 1, "--dtype", where, err);
    if (status == ULP_OK && !fits(storage, format)) {
        status = wrong_width(storage, format, "--dtype", dtype, where, err);
    }
    if (status == ULP_OK) {
        *out = format;
    }
    return status;
}

static ulp_status_t nothing_says(const ulp_storage_t *storage, const char *where, ulp_error_t *err)
{
    char candidates[WORDS_MAX];
    list_candidates(candidates, storage);
    return ulp_error_set(err, ULP_ERROR_AMBIGUOUS,
                         "%.250s: %s without a dtype may be %s: set its attribute dtype or pass "
                         "--dtype FORMAT (\"ulpscope formats\" lists the names)",
                         where, storage->words, candidates);
}

/* What storage and attribute say together: *says is NULL where they leave it open. */
static ulp_status_t read_claim(const ulp_format_t **says, const ulp_storage_t *storage,
                               const char *attribute, const char *dtype, const char *where,
                               ulp_error_t *err)
{
    *says = storage->format;
    if (attribute == NULL) {
        return ULP_OK;
    }
    const ulp_format_t *named = NULL;
    ulp_error_t local = {0};
    ulp_status_t status = find(&named, attribute, "attribute dtype", where, &local);
    if (status == ULP_ERROR_AMBIGUOUS && (dtype != NULL || storage->format != NULL)) {
        return ULP_OK; /* the user's name or the float type settles it */
    }
    if (status != ULP_OK) {
        if (err != NULL) {
            *err = local;
        }
        return status;
    }
    if (!fits(storage, named)) {
        return wrong_width(storage, named, "attribute dtype", attribute, where, err);
    }
    if (!agrees(storage, named)) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.250s: attribute dtype %.60s contradicts the storage (%s): "
                             "--dtype =FORMAT reads the bits as the one that is right",
                             where, attribute, storage->words);
    }
    *says = named;
    return ULP_OK;
}

ulp_status_t ulp_storage_resolve(const ulp_format_t **out, const ulp_storage_t *storage,
                                 const char *attribute, const char *dtype, const char *where,
                                 ulp_error_t *err)
{
    ULP_ASSERT(out != NULL && storage != NULL && where != NULL);
    if (dtype != NULL && dtype[0] == '=') {
        return overrule(out, storage, dtype, where, err);
    }
    const ulp_format_t *says = NULL;
    ulp_status_t status = read_claim(&says, storage, attribute, dtype, where, err);
    if (status != ULP_OK) {
        return status;
    }
    if (dtype == NULL) {
        if (says == NULL) {
            return nothing_says(storage, where, err);
        }
        *out = says;
        return ULP_OK;
    }
    const ulp_format_t *wanted = NULL;
    status = find(&wanted, dtype, "--dtype", where, err);
    if (status != ULP_OK) {
        return status;
    }
    if (!fits(storage, wanted)) {
        return wrong_width(storage, wanted, "--dtype", dtype, where, err);
    }
    int tf32 = says != NULL && strcmp(says->name, "f32") == 0 && strcmp(wanted->name, "tf32") == 0;
    if ((says != NULL && says != wanted && !tf32) || !agrees(storage, wanted)) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "%.250s: --dtype %.60s contradicts what the file says (%s%s%s): "
                             "--dtype =%.60s reads its bits as that all the same",
                             where, dtype, storage->words, says != NULL ? ", " : "",
                             says != NULL ? says->name : "", dtype);
    }
    *out = wanted;
    return ULP_OK;
}
