/*
 * core/safetensors_header.h - the JSON header of a safetensors file, checked in full.
 */
#ifndef ULP_CORE_SAFETENSORS_HEADER_H
#define ULP_CORE_SAFETENSORS_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/tensor.h"

typedef struct {
    char *name;
    char dtype[24];
    const ulp_format_t *format; /* NULL: a dtype that no format here stands for */
    int bits;                   /* of an element; 4 and 6 are packed; 0: unknown dtype */
    int rank;                   /* may exceed ULP_RANK_MAX: then shape is not filled */
    size_t shape[ULP_RANK_MAX];
    size_t nelems;
    uint64_t begin, end; /* in the data */
} ulp_safetensors_entry_t;

typedef struct {
    size_t count;
    ulp_safetensors_entry_t *entry; /* in the order of their data */
} ulp_safetensors_header_t;

/**
 * Parse and check: names once each, known keys only, offsets that cover the data with no hole and
 * no overlap, sizes that shape and dtype ask for.
 *
 * @param json         n characters, spaces at the end allowed
 * @param data_nbytes  bytes of the file after the header
 * @param path         for messages
 *
 * Fails: FORMAT, naming the tensor; MEMORY
 * Source: [SAFETENSORS]
 */
ULP_MUST_CHECK ulp_status_t ulp_safetensors_header_parse(ulp_safetensors_header_t *out,
                                                         const char *json, size_t n,
                                                         uint64_t data_nbytes, const char *path,
                                                         ulp_error_t *err);
/** Free what the header holds and zero it. */
void ulp_safetensors_header_free(ulp_safetensors_header_t *header);

#endif
