/* core/source.c - open, read and close a dataset of any container. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "core/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/source_reader.h"

char *ulp_text_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

static int exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* PATH:NAME into its parts; the longest part that exists is PATH, since a path may have colons.
 * Where nothing exists the first colon divides, and opening will say so. */
static ulp_status_t split(char **path, char **name, const char *location, ulp_error_t *err)
{
    char *copy = ulp_text_copy(location);
    if (copy == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", location);
    }
    char *at = NULL;
    if (!exists(copy)) {
        for (char *end = strrchr(copy, ':'); end != NULL && at == NULL;) {
            *end = '\0';
            if (exists(copy)) {
                at = end;
            } else {
                char *before = strrchr(copy, ':');
                *end = ':';
                end = before;
            }
        }
        if (at == NULL) {
            at = strchr(copy, ':');
        }
    }
    char *second = NULL;
    if (at != NULL) {
        *at = '\0';
        if (at[1] != '\0') {
            second = ulp_text_copy(at + 1);
            if (second == NULL) {
                free(copy);
                return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", location);
            }
        }
    }
    *path = copy;
    *name = second;
    return ULP_OK;
}

ulp_status_t ulp_source_open(ulp_source_t **out, const char *location, const char *dtype,
                             ulp_error_t *err)
{
    ULP_ASSERT(out != NULL && location != NULL);
    char *name = NULL;
    ulp_file_t file = {.descriptor = -1};
    const ulp_reader_t *reader = NULL;
    ulp_source_t *source = calloc(1, sizeof *source);
    if (source == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "%.250s: out of memory", location);
    }
    ulp_status_t status = split(&source->path, &name, location, err);
    if (status == ULP_OK) {
        status = ulp_reader_find(&reader, &file, source->path, err);
    }
    if (status == ULP_OK) {
        status = reader->open(source, &file, source->path, name, dtype, err);
    }
    free(name);
    if (status != ULP_OK) {
        if (file.descriptor >= 0) {
            close(file.descriptor);
        }
        source->close = NULL;
        ulp_source_close(source);
        return status;
    }
    source->info.path = source->path;
    source->info.name = source->name;
    source->info.container = reader->container;
    source->info.storage = source->storage;
    *out = source;
    return ULP_OK;
}

const ulp_source_info_t *ulp_source_info(const ulp_source_t *source)
{
    ULP_ASSERT(source != NULL);
    return &source->info;
}

void ulp_source_close(ulp_source_t *source)
{
    if (source == NULL) {
        return;
    }
    if (source->close != NULL) {
        source->close(source->state);
    }
    free(source->path);
    free(source->name);
    free(source);
}

/* The compiler makes byte-swap instructions of these. */
static void swap_bytes(void *data, size_t n, size_t nbytes)
{
    if (nbytes == 2) {
        uint16_t *p = data;
        for (size_t i = 0; i < n; i++) {
            p[i] = (uint16_t)((p[i] >> 8) | (p[i] << 8));
        }
    } else if (nbytes == 4) {
        uint32_t *p = data;
        for (size_t i = 0; i < n; i++) {
            uint32_t x = ((p[i] >> 8) & 0x00ff00ffu) | ((p[i] & 0x00ff00ffu) << 8);
            p[i] = (x >> 16) | (x << 16);
        }
    } else if (nbytes == 8) {
        uint64_t *p = data;
        for (size_t i = 0; i < n; i++) {
            uint64_t x = p[i];
            x = ((x >> 8) & 0x00ff00ff00ff00ffu) | ((x & 0x00ff00ff00ff00ffu) << 8);
            x = ((x >> 16) & 0x0000ffff0000ffffu) | ((x & 0x0000ffff0000ffffu) << 16);
            p[i] = (x >> 32) | (x << 32);
        }
    }
}

static ulp_status_t refuse_element(const ulp_source_t *source, size_t i, uint64_t bits,
                                   ulp_error_t *err)
{
    const ulp_source_info_t *info = &source->info;
    const ulp_format_t *format = info->format;
    char index[192];
    ulp_index_print(index, sizeof index, i, info->rank, info->shape);
    if (format->padding_bits > 0) {
        return ulp_error_set(
            err, ULP_ERROR_FORMAT,
            "%.200s: %.120s: element %s is 0x%0*llx: the low %d bits of %s must be "
            "0: not rounded to it? (f32 takes all bits)",
            info->path, info->name, index, format->bits / 4, (unsigned long long)bits,
            format->padding_bits, format->name);
    }
    return ulp_error_set(err, ULP_ERROR_FORMAT,
                         "%.200s: %.120s: element %s is 0x%02llx: more than the %d bits of %s: "
                         "several elements packed in a byte?",
                         info->path, info->name, index, (unsigned long long)bits, format->bits,
                         format->name);
}

/* Bits that a code of the format cannot have. */
static ulp_status_t check_unused_bits(const ulp_source_t *source, void *buffer, size_t first,
                                      size_t n, ulp_error_t *err)
{
    const ulp_format_t *format = source->info.format;
    if (format->padding_bits > 0) {
        ULP_ASSERT(format->bits == 32);
        const uint32_t *word = buffer;
        uint32_t padding = (1u << format->padding_bits) - 1;
        for (size_t i = 0; i < n; i++) {
            if ((word[i] & padding) != 0) {
                return refuse_element(source, first + i, word[i], err);
            }
        }
    }
    if (format->bits < 8) {
        uint8_t *code = buffer;
        unsigned mask = (1u << format->bits) - 1;
        unsigned sign = format->kind == ULP_KIND_SIGNED ? 1u << (format->bits - 1) : 0;
        for (size_t i = 0; i < n; i++) {
            unsigned upper = code[i] & ~mask & 0xffu;
            /* A signed integer may have its sign extended to the byte. */
            int extended = (code[i] & sign) != 0 && upper == (~mask & 0xffu);
            if (upper != 0 && !extended) {
                return refuse_element(source, first + i, code[i], err);
            }
            code[i] = (uint8_t)(code[i] & mask);
        }
    }
    return ULP_OK;
}

ulp_status_t ulp_source_read(ulp_source_t *source, void *buffer, size_t first, size_t n,
                             ulp_error_t *err)
{
    ULP_ASSERT(source != NULL && (buffer != NULL || n == 0));
    ULP_ASSERT(first <= source->info.nelems && n <= source->info.nelems - first);
    if (n == 0) {
        return ULP_OK;
    }
    ulp_status_t status = source->read(source, buffer, first, n, err);
    if (status != ULP_OK) {
        return status;
    }
    if (source->swap) {
        swap_bytes(buffer, n, ulp_format_bytes(source->info.format));
    }
    return check_unused_bits(source, buffer, first, n, err);
}

ulp_status_t ulp_tensor_read(ulp_tensor_t *out, const char *location, const char *dtype,
                             ulp_error_t *err)
{
    ULP_ASSERT(out != NULL);
    ulp_source_t *source = NULL;
    ulp_tensor_t made = {0};
    ulp_status_t status = ulp_source_open(&source, location, dtype, err);
    if (status != ULP_OK) {
        return status;
    }
    const ulp_source_info_t *info = &source->info;
    status = ulp_tensor_create(&made, info->format, info->rank, info->shape, err);
    if (status != ULP_OK) {
        char prefix[ULP_WHERE_MAX];
        snprintf(prefix, sizeof prefix, "%.200s: %.100s", info->path, info->name);
        status = ulp_error_prefix(err, status, prefix);
    } else {
        status = ulp_source_read(source, made.data, 0, made.nelems, err);
    }
    ulp_source_close(source);
    if (status != ULP_OK) {
        ulp_tensor_free(&made);
        return status;
    }
    *out = made;
    return ULP_OK;
}
