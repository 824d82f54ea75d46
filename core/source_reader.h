/*
 * core/source_reader.h - what the readers of the containers share, and what each of them provides.
 *
 * Not for users of the library: they include core/source.h.
 */
#ifndef ULP_CORE_SOURCE_READER_H
#define ULP_CORE_SOURCE_READER_H

#include <stddef.h>
#include <stdint.h>

#include "core/source.h"
#include "core/source_storage.h"

enum { ULP_STORAGE_WORDS = 256, ULP_WHERE_MAX = 320, ULP_PIECE_BYTES = 1 << 20 };

/* Filled by an opener. `path` and `name` are owned; so is `state`, which `close` frees. */
struct ulp_source {
    ulp_source_info_t info;
    char *path;
    char *name;
    char storage[ULP_STORAGE_WORDS];
    int swap; /* bytes of an element are in the other order than the host's */
    ulp_status_t (*read)(ulp_source_t *source, void *buffer, size_t first, size_t n,
                         ulp_error_t *err);
    void (*close)(void *state);
    void *state;
};

/* A file that is open for its bytes: npy and safetensors. */
typedef struct {
    int descriptor;
    uint64_t nbytes;
} ulp_file_t;

/** Read bytes [offset, offset + n). Fails: IO, FORMAT (the file ends before). */
ULP_MUST_CHECK ulp_status_t ulp_file_read(const ulp_file_t *file, void *buffer, uint64_t offset,
                                          size_t n, const char *path, ulp_error_t *err);

/* One container: how to open a dataset in it (`name` may be NULL), and how to list what it holds.
 * An opener fills `source` apart from path; it closes what it took when it fails. */
typedef struct {
    const char *container;
    ulp_status_t (*open)(ulp_source_t *source, const ulp_file_t *file, const char *path,
                         const char *name, const char *dtype, ulp_error_t *err);
    ulp_status_t (*list)(ulp_listing_t *out, const ulp_file_t *file, const char *path,
                         ulp_error_t *err);
} ulp_reader_t;

/** The containers. */
const ulp_reader_t *ulp_reader_hdf5(void);
const ulp_reader_t *ulp_reader_npy(void);
const ulp_reader_t *ulp_reader_safetensors(void);

/**
 * Open the file and tell its kind by its first bytes. The file stays open for *out_file.
 *
 * Fails: IO, FORMAT, UNSUPPORTED (a zip, gzip): says what was found
 */
ULP_MUST_CHECK ulp_status_t ulp_reader_find(const ulp_reader_t **out, ulp_file_t *out_file,
                                            const char *path, ulp_error_t *err);

/** Copy of a string; NULL when memory is out. */
char *ulp_text_copy(const char *text);

/** Append an entry of that name to a listing; NULL when memory is out. */
ulp_listing_entry_t *ulp_listing_append(ulp_listing_t *listing, const char *name);

/**
 * The message for a dataset that is absent (`name`), or that must be named (`name` NULL): names
 * what is there, the nearest first.
 */
ULP_MUST_CHECK ulp_status_t ulp_listing_choose(const ulp_listing_t *listing, const char *path,
                                               const char *name, ulp_error_t *err);

#endif
