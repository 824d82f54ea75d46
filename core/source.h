/*
 * core/source.h - a dataset in a file, read by pieces: HDF5, .npy, .safetensors.
 *
 * A location is PATH alone or PATH:NAME ("case.h5:/outputs/h100", "w.safetensors:layer.0.weight").
 * The kind is told by the first bytes of the file, never by its name. Bits arrive as they are
 * stored (byte order aside): nothing is ever converted between number formats, and a format is
 * never guessed.
 */
#ifndef ULP_CORE_SOURCE_H
#define ULP_CORE_SOURCE_H

#include <stddef.h>

#include "core/status.h"
#include "core/tensor.h"

typedef struct ulp_source ulp_source_t; /* an open dataset */

typedef struct {
    const ulp_format_t *format;
    int rank;
    size_t shape[ULP_RANK_MAX];
    size_t nelems;
    const char *path;      /* file */
    const char *name;      /* dataset within it; "" where there is one only */
    const char *container; /* "hdf5", "npy", "safetensors" */
    const char *storage; /* how it is stored, in words: "uint16 with dtype = bf16, chunked, gzip" */
    size_t piece_nelems; /* a good size of read: whole chunks, about 1 MiB */
} ulp_source_info_t;

/**
 * Open one dataset.
 *
 * @param out       the open dataset
 * @param location  PATH or PATH:NAME; without NAME the file must hold just one dataset
 * @param dtype     format name or alias for what the storage does not say, or NULL. Where the
 * storage does say, a different dtype of the same width re-reads the bits as that format only if
 * `dtype` is given with a leading "="; otherwise a contradiction is an error
 *
 * Fails: IO (cannot open; dirty-flag HDF5: says that a writer did not close it and names h5clear),
 *        FORMAT (not one of the kinds, truncated), MISSING (names the datasets that are there),
 *        AMBIGUOUS (says how to name the format), UNSUPPORTED (strings, compounds, complex, filter
 * that is absent)
 */
ULP_MUST_CHECK ulp_status_t ulp_source_open(ulp_source_t **out, const char *location,
                                            const char *dtype, ulp_error_t *err);
const ulp_source_info_t *ulp_source_info(const ulp_source_t *source);

/**
 * Read elements [first, first + n) in C order into `buffer` (n * ulp_format_bytes(format) bytes),
 * as codes in host byte order. tf32 words with non-zero padding bits are an error that names the
 * element.
 *
 * Thread: one thread at a time for one source, and for all HDF5 sources
 */
ULP_MUST_CHECK ulp_status_t ulp_source_read(ulp_source_t *source, void *buffer, size_t first,
                                            size_t n, ulp_error_t *err);
void ulp_source_close(ulp_source_t *source);

/** Read all of it into a new tensor. */
ULP_MUST_CHECK ulp_status_t ulp_tensor_read(ulp_tensor_t *out, const char *location,
                                            const char *dtype, ulp_error_t *err);

/** What a file holds: each dataset, with its format or the reason why it has none. */
typedef struct {
    char *name;
    char *storage;
    const ulp_format_t *format; /* NULL: see problem */
    char *problem;              /* one line, or NULL */
    int rank;
    size_t shape[ULP_RANK_MAX];
} ulp_listing_entry_t;
typedef struct {
    const char *container;
    size_t count;
    ulp_listing_entry_t *entry;
} ulp_listing_t;
ULP_MUST_CHECK ulp_status_t ulp_listing_read(ulp_listing_t *out, const char *path,
                                             ulp_error_t *err);
void ulp_listing_free(ulp_listing_t *listing);

#endif
