/* analysis/diff.c - two datasets in files, compared by pieces. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/diff.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, READERS_MAX = 4 };

/* PATH, or PATH:NAME where a file has named datasets. */
static void place(char *text, size_t size, const ulp_source_info_t *info)
{
    (void)snprintf(text, size, "%.150s%s%.80s", info->path, info->name[0] ? ":" : "", info->name);
}

static ulp_status_t check_same(const ulp_source_info_t *got, const ulp_source_info_t *want,
                               ulp_error_t *err)
{
    char a[192];
    char b[192];
    ulp_shape_print(a, sizeof a, got->rank, got->shape);
    ulp_shape_print(b, sizeof b, want->rank, want->shape);
    char g[240];
    char w[240];
    place(g, sizeof g, got);
    place(w, sizeof w, want);
    if (strcmp(a, b) != 0) {
        return ulp_error_set(err, ULP_ERROR_SHAPE, "%s: shape %s against %s of %s", g, a, b, w);
    }
    if (strcmp(got->format->name, want->format->name) != 0) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "%s: format %s against %s of %s; nothing is converted, --dtype "
                             "re-reads bits",
                             g, got->format->name, want->format->name, w);
    }
    if (got->nelems == 0) {
        return ulp_error_set(err, ULP_ERROR_SHAPE, "%s: nothing to compare: no elements (%s)", g,
                             a);
    }
    return ULP_OK;
}

/* Elements a piece: whole pieces of the storage where they fit the buffer. */
static size_t piece_size(const ulp_source_info_t *info)
{
    size_t most = BUFFER_BYTES / ulp_format_bytes(info->format);
    size_t whole = info->piece_nelems;
    if (whole == 0 || whole > most) {
        return most;
    }
    return most / whole * whole;
}

/* A diff under way, shared by its threads. Reading is for one at a time; a thread compares what it
 * has read while the next one reads. */
typedef struct {
    ulp_source_t *got, *want;
    const ulp_format_t *format;
    const ulp_compare_how_t *how;
    size_t nelems, piece;
    size_t next; /* first element that no one has read */
    ulp_status_t status;
    ulp_error_t *err;
    ulp_comparison_t sum;
} diff_t;

/* Read the next piece of both. Returns its size, 0 when there is no more or something failed. */
static size_t read_piece(diff_t *diff, char *buffer, size_t *first)
{
    size_t left = diff->nelems - diff->next;
    size_t n = left < diff->piece ? left : diff->piece;
    *first = diff->next;
    if (diff->status != ULP_OK || n == 0) {
        return 0;
    }
    diff->status = ulp_source_read(diff->got, buffer, *first, n, diff->err);
    if (diff->status == ULP_OK) {
        diff->status = ulp_source_read(diff->want, buffer + BUFFER_BYTES, *first, n, diff->err);
    }
    diff->next += n;
    return diff->status == ULP_OK ? n : 0;
}

/* What one thread does. What it has seen of the pieces before stays with it: the worst elements so
 * far keep most others out. */
static void compare_pieces(diff_t *diff, char *buffer)
{
    ulp_comparison_t part;
    memset(&part, 0, sizeof part);
    for (;;) {
        size_t first;
        size_t n;
#pragma omp critical(ulp_diff_read)
        n = read_piece(diff, buffer, &first);
        if (n == 0) {
            break;
        }
        ulp_compare_codes(&part, buffer, buffer + BUFFER_BYTES, n, first, diff->format, diff->how);
    }
#pragma omp critical(ulp_diff_read)
    ulp_compare_merge(&diff->sum, &part);
}

ulp_status_t ulp_diff_sources(ulp_comparison_t *out, ulp_source_t *got, ulp_source_t *want,
                              const ulp_compare_how_t *how, int threads, ulp_error_t *err)
{
    ULP_ASSERT(threads >= 1);
    const ulp_source_info_t *a = ulp_source_info(got);
    ulp_status_t status = check_same(a, ulp_source_info(want), err);
    if (status != ULP_OK) {
        return status;
    }
    /* Comparing keeps up with reading in less than this many threads. */
    int readers = threads < READERS_MAX ? threads : READERS_MAX;
    char *buffer = malloc((size_t)readers * 2 * BUFFER_BYTES);
    if (buffer == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%s: no memory for the buffers of a diff",
                             a->path);
    }
    diff_t diff = {.got = got,
                   .want = want,
                   .format = a->format,
                   .how = how,
                   .nelems = a->nelems,
                   .piece = piece_size(a),
                   .err = err};
#pragma omp parallel num_threads(readers)
    compare_pieces(&diff, buffer + (size_t)omp_get_thread_num() * 2 * BUFFER_BYTES);
    free(buffer);
    if (diff.status == ULP_OK) {
        *out = diff.sum;
    }
    return diff.status;
}
