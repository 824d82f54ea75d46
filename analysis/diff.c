/* analysis/diff.c - two datasets in files, compared by pieces. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/diff.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 4 << 20, SLICE_NELEMS = 64 << 10 };

static ulp_status_t check_same(const ulp_source_info_t *got, const ulp_source_info_t *want,
                               ulp_error_t *err)
{
    char a[192];
    char b[192];
    ulp_shape_print(a, sizeof a, got->rank, got->shape);
    ulp_shape_print(b, sizeof b, want->rank, want->shape);
    if (strcmp(a, b) != 0) {
        return ulp_error_set(err, ULP_ERROR_SHAPE, "%s: %s: shape %s against %s of %s: %s",
                             got->path, got->name, a, b, want->path, want->name);
    }
    if (strcmp(got->format->name, want->format->name) != 0) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                             "%s: %s: format %s against %s of %s: %s; nothing is converted, "
                             "--dtype re-reads bits",
                             got->path, got->name, got->format->name, want->format->name,
                             want->path, want->name);
    }
    if (got->nelems == 0) {
        return ulp_error_set(err, ULP_ERROR_SHAPE, "%s: %s: nothing to compare: no elements (%s)",
                             got->path, got->name, a);
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

/* Compare one piece: slices in parallel, merged in their order. */
static void compare_piece(ulp_comparison_t *out, const char *got, const char *want, size_t n,
                          size_t first, const ulp_format_t *format, const ulp_compare_how_t *how,
                          int threads)
{
    size_t nbytes = ulp_format_bytes(format);
#pragma omp parallel num_threads(threads)
    {
        ulp_comparison_t part;
        memset(&part, 0, sizeof part);
#pragma omp for schedule(static) nowait
        for (size_t slice = 0; slice < (n + SLICE_NELEMS - 1) / SLICE_NELEMS; slice++) {
            size_t begin = slice * SLICE_NELEMS;
            size_t count = n - begin < SLICE_NELEMS ? n - begin : SLICE_NELEMS;
            ulp_compare_codes(&part, got + begin * nbytes, want + begin * nbytes, count,
                              first + begin, format, how);
        }
#pragma omp critical(ulp_diff_merge)
        ulp_compare_merge(out, &part);
    }
}

ulp_status_t ulp_diff_sources(ulp_comparison_t *out, ulp_source_t *got, ulp_source_t *want,
                              const ulp_compare_how_t *how, int threads, ulp_error_t *err)
{
    const ulp_source_info_t *a = ulp_source_info(got);
    const ulp_source_info_t *b = ulp_source_info(want);
    ulp_status_t status = check_same(a, b, err);
    if (status != ULP_OK) {
        return status;
    }
    size_t piece = piece_size(a);
    char *buffer = malloc((size_t)2 * BUFFER_BYTES);
    if (buffer == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%s: no memory for the buffers of a diff",
                             a->path);
    }
    ulp_comparison_t total;
    memset(&total, 0, sizeof total);
    for (size_t first = 0; first < a->nelems; first += piece) {
        size_t n = a->nelems - first < piece ? a->nelems - first : piece;
        status = ulp_source_read(got, buffer, first, n, err);
        if (status == ULP_OK) {
            status = ulp_source_read(want, buffer + BUFFER_BYTES, first, n, err);
        }
        if (status != ULP_OK) {
            goto done;
        }
        compare_piece(&total, buffer, buffer + BUFFER_BYTES, n, first, a->format, how, threads);
    }
    *out = total;
done:
    free(buffer);
    return status;
}
