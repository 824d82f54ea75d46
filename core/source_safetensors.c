/* core/source_safetensors.c - tensors of safetensors files. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/safetensors_header.h"
#include "core/source_reader.h"

enum { LENGTH_BYTES = 8, PACKED_PIECE = 4096 };
/* The bound of the format itself [SAFETENSORS]. */
#define HEADER_BYTES_MAX ((uint64_t)100000000)

struct tensor {
    ulp_file_t file;
    uint64_t data_at;
    int packed_bits; /* 4 or 6: elements side by side without regard to bytes; else 0 */
};

static void close_tensor(void *state)
{
    struct tensor *tensor = state;
    close(tensor->file.descriptor);
    free(tensor);
}

static ulp_status_t read_header(ulp_safetensors_header_t *out, uint64_t *data_at,
                                const ulp_file_t *file, const char *path, ulp_error_t *err)
{
    unsigned char prefix[LENGTH_BYTES];
    ulp_status_t status = ulp_file_read(file, prefix, 0, sizeof prefix, path, err);
    if (status != ULP_OK) {
        return status;
    }
    uint64_t length = 0;
    for (int i = LENGTH_BYTES - 1; i >= 0; i--) {
        length = length << 8 | prefix[i];
    }
    if (length > HEADER_BYTES_MAX || length > file->nbytes - LENGTH_BYTES) {
        return ulp_error_set(err, ULP_ERROR_FORMAT,
                             "%.250s: truncated or not safetensors: its header would take %llu "
                             "bytes, the file has %llu",
                             path, (unsigned long long)length, (unsigned long long)file->nbytes);
    }
    char *json = malloc((size_t)length + 1);
    if (json == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    status = ulp_file_read(file, json, LENGTH_BYTES, (size_t)length, path, err);
    if (status == ULP_OK) {
        *data_at = LENGTH_BYTES + length;
        status = ulp_safetensors_header_parse(out, json, (size_t)length, file->nbytes - *data_at,
                                              path, err);
    }
    free(json);
    return status;
}

/* Element i of a packed tensor is in bits [i * bits, (i + 1) * bits) of the data, bit 0 of a byte
 * first: for 4 bits, as torch's float4_e2m1fn_x2 and CUDA's __nv_fp4x2 have it. */
static ulp_status_t read_packed(const struct tensor *tensor, const char *path, uint8_t *buffer,
                                size_t first, size_t n, ulp_error_t *err)
{
    unsigned char piece[PACKED_PIECE + 2];
    size_t bits = (size_t)tensor->packed_bits;
    unsigned mask = (1u << bits) - 1;
    while (n > 0) {
        size_t some = n < PACKED_PIECE ? n : PACKED_PIECE;
        size_t begin = first * bits / 8;
        size_t end = ((first + some) * bits + 7) / 8;
        ULP_ASSERT(end - begin <= PACKED_PIECE);
        piece[end - begin] = 0;
        ulp_status_t status =
            ulp_file_read(&tensor->file, piece, tensor->data_at + begin, end - begin, path, err);
        if (status != ULP_OK) {
            return status;
        }
        for (size_t i = 0; i < some; i++) {
            size_t at = (first + i) * bits - 8 * begin;
            unsigned pair = piece[at / 8] | (unsigned)piece[at / 8 + 1] << 8;
            buffer[i] = (uint8_t)(pair >> at % 8 & mask);
        }
        buffer += some;
        first += some;
        n -= some;
    }
    return ULP_OK;
}

static ulp_status_t read_elements(ulp_source_t *source, void *buffer, size_t first, size_t n,
                                  ulp_error_t *err)
{
    const struct tensor *tensor = source->state;
    size_t nbytes = ulp_format_bytes(source->info.format);
    if (tensor->packed_bits != 0) {
        return read_packed(tensor, source->path, buffer, first, n, err);
    }
    return ulp_file_read(&tensor->file, buffer, tensor->data_at + (uint64_t)first * nbytes,
                         n * nbytes, source->path, err);
}

static void print_storage(char *words, size_t size, const ulp_safetensors_entry_t *entry)
{
    snprintf(words, size, "%s%s", entry->dtype,
             entry->bits == 4   ? ", packed, two a byte, low bits first"
             : entry->bits == 6 ? ", packed, four in three bytes, low bits first"
                                : "");
}

/* Format and shape of an entry, or why it has none. */
static ulp_status_t describe(ulp_source_info_t *info, ulp_storage_t *storage,
                             const ulp_safetensors_entry_t *entry, const char *path,
                             const char *dtype, ulp_error_t *err)
{
    char where[ULP_WHERE_MAX];
    snprintf(where, sizeof where, "%.180s: %.120s", path, entry->name);
    if (entry->rank > ULP_RANK_MAX) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%s: %d dimensions: at most %d are provided", where, entry->rank,
                             ULP_RANK_MAX);
    }
    info->rank = entry->rank;
    memcpy(info->shape, entry->shape, sizeof entry->shape);
    info->nelems = entry->nelems;
    if (entry->format == NULL) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "%s: dtype %s: %s", where, entry->dtype,
                             strcmp(entry->dtype, "BOOL") == 0
                                 ? "booleans are not numbers of a format: save them as U8"
                             : strcmp(entry->dtype, "C64") == 0
                                 ? "complex numbers: save the parts as two tensors"
                                 : "not a dtype of safetensors that is known here");
    }
    /* The file's names are those of formats: it says what it holds. */
    storage->kind = ULP_STORAGE_FLOAT;
    storage->format = entry->format;
    storage->nbytes = ulp_format_bytes(entry->format);
    snprintf(storage->words, sizeof storage->words, "%s", entry->dtype);
    return ulp_storage_resolve(&info->format, storage, NULL, dtype, where, err);
}

static ulp_status_t fill_listing(ulp_listing_t *out, const ulp_safetensors_header_t *header,
                                 const char *path, ulp_error_t *err)
{
    for (size_t i = 0; i < header->count; i++) {
        ulp_source_info_t info = {0};
        ulp_storage_t storage = {0};
        ulp_error_t problem = {0};
        char words[ULP_STORAGE_WORDS];
        ulp_listing_entry_t *entry = ulp_listing_append(out, header->entry[i].name);
        if (entry != NULL) {
            print_storage(words, sizeof words, &header->entry[i]);
            entry->storage = ulp_text_copy(words);
            ulp_status_t status =
                describe(&info, &storage, &header->entry[i], path, NULL, &problem);
            entry->format = info.format;
            entry->rank = info.rank;
            memcpy(entry->shape, info.shape, sizeof info.shape);
            entry->problem = status != ULP_OK ? ulp_text_copy(problem.message) : NULL;
        }
        if (entry == NULL || entry->storage == NULL ||
            (entry->format == NULL && entry->problem == NULL)) {
            return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
        }
    }
    return ULP_OK;
}

/* The entry of that name, or the only one. */
static ulp_status_t choose(size_t *out, const ulp_safetensors_header_t *header, const char *path,
                           const char *name, ulp_error_t *err)
{
    for (size_t i = 0; i < header->count; i++) {
        if (name == NULL ? header->count == 1 : strcmp(header->entry[i].name, name) == 0) {
            *out = i;
            return ULP_OK;
        }
    }
    ulp_listing_t listing = {0};
    ulp_status_t status = fill_listing(&listing, header, path, err);
    if (status == ULP_OK) {
        status = ulp_listing_choose(&listing, path, name, err);
    }
    ulp_listing_free(&listing);
    return status;
}

static ulp_status_t open_safetensors(ulp_source_t *source, const ulp_file_t *file, const char *path,
                                     const char *name, const char *dtype, ulp_error_t *err)
{
    size_t chosen = 0;
    ulp_storage_t storage = {0};
    ulp_safetensors_header_t header = {0};
    struct tensor *tensor = calloc(1, sizeof *tensor);
    if (tensor == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
    }
    ulp_status_t status = read_header(&header, &tensor->data_at, file, path, err);
    if (status == ULP_OK) {
        status = choose(&chosen, &header, path, name, err);
    }
    if (status == ULP_OK) {
        const ulp_safetensors_entry_t *entry = &header.entry[chosen];
        print_storage(source->storage, sizeof source->storage, entry);
        status = describe(&source->info, &storage, entry, path, dtype, err);
        tensor->data_at += entry->begin;
        tensor->packed_bits = entry->bits < 8 ? entry->bits : 0;
        source->name = status == ULP_OK ? ulp_text_copy(entry->name) : NULL;
        if (status == ULP_OK && source->name == NULL) {
            status = ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", path);
        }
    }
    ulp_safetensors_header_free(&header);
    if (status != ULP_OK) {
        free(tensor);
        return status;
    }
    uint16_t probe = 1;
    tensor->file = *file;
    source->swap = storage.nbytes > 1 && *(uint8_t *)&probe != 1;
    source->info.piece_nelems = ULP_PIECE_BYTES / storage.nbytes;
    source->state = tensor;
    source->read = read_elements;
    source->close = close_tensor;
    return ULP_OK;
}

static ulp_status_t list_safetensors(ulp_listing_t *out, const ulp_file_t *file, const char *path,
                                     ulp_error_t *err)
{
    uint64_t data_at = 0;
    ulp_safetensors_header_t header = {0};
    ulp_status_t status = read_header(&header, &data_at, file, path, err);
    if (status == ULP_OK) {
        status = fill_listing(out, &header, path, err);
    }
    ulp_safetensors_header_free(&header);
    return status;
}

const ulp_reader_t *ulp_reader_safetensors(void)
{
    static const ulp_reader_t reader = {"safetensors", open_safetensors, list_safetensors};
    return &reader;
}
