/* core/listing.c - what a file holds, and which of it is meant. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/source_reader.h"

enum { SHOWN_MAX = 6, COMPARED_MAX = 64, GROWTH = 16 };

ulp_listing_entry_t *ulp_listing_append(ulp_listing_t *listing, const char *name)
{
    if (listing->count % GROWTH == 0) {
        ulp_listing_entry_t *more =
            realloc(listing->entry, (listing->count + GROWTH) * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        listing->entry = more;
    }
    ulp_listing_entry_t *entry = &listing->entry[listing->count];
    memset(entry, 0, sizeof *entry);
    entry->name = ulp_text_copy(name);
    if (entry->name == NULL) {
        return NULL;
    }
    listing->count++;
    return entry;
}

ulp_status_t ulp_listing_read(ulp_listing_t *out, const char *path, ulp_error_t *err)
{
    ULP_ASSERT(out != NULL && path != NULL);
    ulp_listing_t made = {0};
    ulp_file_t file = {.descriptor = -1};
    const ulp_reader_t *reader = NULL;
    ulp_status_t status = ulp_reader_find(&reader, &file, path, err);
    if (status != ULP_OK) {
        return status;
    }
    made.container = reader->container;
    status = reader->list(&made, &file, path, err);
    close(file.descriptor);
    if (status != ULP_OK) {
        ulp_listing_free(&made);
        return status;
    }
    *out = made;
    return ULP_OK;
}

void ulp_listing_free(ulp_listing_t *listing)
{
    if (listing == NULL) {
        return;
    }
    for (size_t i = 0; i < listing->count; i++) {
        free(listing->entry[i].name);
        free(listing->entry[i].storage);
        free(listing->entry[i].problem);
    }
    free(listing->entry);
    memset(listing, 0, sizeof *listing);
}

/* Levenshtein's distance of the first characters of two names. */
static size_t name_distance(const char *a, const char *b)
{
    size_t row[COMPARED_MAX + 1];
    size_t na = strnlen(a, COMPARED_MAX);
    size_t nb = strnlen(b, COMPARED_MAX);
    for (size_t j = 0; j <= nb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = corner + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

static size_t distance(const char *name, const char *wanted)
{
    if (wanted == NULL) {
        return 0;
    }
    return name_distance(name + (name[0] == '/'), wanted + (wanted[0] == '/'));
}

ulp_status_t ulp_listing_choose(const ulp_listing_t *listing, const char *path, const char *name,
                                ulp_error_t *err)
{
    size_t shown[SHOWN_MAX];
    size_t nshown = 0;
    for (size_t i = 0; i < listing->count; i++) {
        size_t far = distance(listing->entry[i].name, name);
        size_t place = nshown;
        while (place > 0 && distance(listing->entry[shown[place - 1]].name, name) > far) {
            place--;
        }
        if (place >= SHOWN_MAX) {
            continue;
        }
        nshown += nshown < SHOWN_MAX;
        memmove(&shown[place + 1], &shown[place], (nshown - place - 1) * sizeof shown[0]);
        shown[place] = i;
    }
    char words[300] = "";
    size_t used = 0;
    for (size_t i = 0; i < nshown && used < sizeof words; i++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%.60s", i > 0 ? ", " : "",
                                 listing->entry[shown[i]].name);
    }
    if (listing->count > nshown && used < sizeof words) {
        snprintf(words + used, sizeof words - used, ", ... (%zu)", listing->count);
    }
    if (listing->count == 0) {
        return ulp_error_set(err, ULP_ERROR_MISSING, "%.200s: %s%.100s%sthere is no dataset in it",
                             path, name != NULL ? "no " : "", name != NULL ? name : "",
                             name != NULL ? ": " : "");
    }
    if (name != NULL) {
        return ulp_error_set(err, ULP_ERROR_MISSING, "%.150s: no dataset %.80s; there %s: %.230s",
                             path, name, listing->count == 1 ? "is" : "are", words);
    }
    return ulp_error_set(err, ULP_ERROR_AMBIGUOUS,
                         "%.150s holds %zu datasets: name one, as in %.60s:%.60s (%.200s)", path,
                         listing->count, path, listing->entry[shown[0]].name, words);
}
