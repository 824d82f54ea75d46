/* core/tensor.c - a dense array of codes: allocation, elements, shapes in words. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No element is wider; a count that passes here can be multiplied by any element's size. */
enum { ELEMENT_BYTES_MAX = 8 };

ulp_status_t ulp_shape_nelems(size_t *nelems, int rank, const size_t *shape, ulp_error_t *err)
{
    ULP_ASSERT(nelems != NULL && rank >= 0 && rank <= ULP_RANK_MAX);
    size_t product = 1;
    int overflow = 0;
    for (int i = 0; i < rank; i++) {
        if (shape[i] == 0) {
            *nelems = 0; /* whatever the other dimensions are */
            return ULP_OK;
        }
        if (product > SIZE_MAX / ELEMENT_BYTES_MAX / shape[i]) {
            overflow = 1;
        } else {
            product *= shape[i];
        }
    }
    if (overflow) {
        char words[192];
        ulp_shape_print(words, sizeof words, rank, shape);
        return ulp_error_set(err, ULP_ERROR_SHAPE, "shape %s: more elements than memory can have",
                             words);
    }
    *nelems = product;
    return ULP_OK;
}

ulp_status_t ulp_tensor_create(ulp_tensor_t *out, const ulp_format_t *format, int rank,
                               const size_t *shape, ulp_error_t *err)
{
    ULP_ASSERT(out != NULL && format != NULL && rank >= 0 && rank <= ULP_RANK_MAX);
    ulp_tensor_t made = {.format = format, .rank = rank};
    ulp_status_t status = ulp_shape_nelems(&made.nelems, rank, shape, err);
    if (status != ULP_OK) {
        return status;
    }
    if (rank > 0) {
        memcpy(made.shape, shape, (size_t)rank * sizeof *shape);
    }
    /* One element at least: an empty tensor too has data that is not NULL. */
    made.data = calloc(made.nelems > 0 ? made.nelems : 1, ulp_format_bytes(format));
    if (made.data == NULL) {
        char words[192];
        ulp_shape_print(words, sizeof words, rank, shape);
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for %s elements of %s", words,
                             format->name);
    }
    *out = made;
    return ULP_OK;
}

void ulp_tensor_free(ulp_tensor_t *tensor)
{
    if (tensor != NULL) {
        free(tensor->data);
        memset(tensor, 0, sizeof *tensor);
    }
}

uint64_t ulp_code_get(const void *data, size_t i, size_t nbytes)
{
    switch (nbytes) {
    case 1:
        return ((const uint8_t *)data)[i];
    case 2:
        return ((const uint16_t *)data)[i];
    case 4:
        return ((const uint32_t *)data)[i];
    default:
        ULP_ASSERT(nbytes == 8);
        return ((const uint64_t *)data)[i];
    }
}

void ulp_code_set(void *data, size_t i, size_t nbytes, uint64_t bits)
{
    switch (nbytes) {
    case 1:
        ((uint8_t *)data)[i] = (uint8_t)bits;
        break;
    case 2:
        ((uint16_t *)data)[i] = (uint16_t)bits;
        break;
    case 4:
        ((uint32_t *)data)[i] = (uint32_t)bits;
        break;
    default:
        ULP_ASSERT(nbytes == 8);
        ((uint64_t *)data)[i] = bits;
    }
}

uint64_t ulp_tensor_get(const ulp_tensor_t *tensor, size_t i)
{
    ULP_ASSERT(i < tensor->nelems);
    return ulp_code_get(tensor->data, i, ulp_format_bytes(tensor->format));
}

void ulp_tensor_set(ulp_tensor_t *tensor, size_t i, uint64_t bits)
{
    ULP_ASSERT(i < tensor->nelems);
    ulp_code_set(tensor->data, i, ulp_format_bytes(tensor->format), bits);
}

/* Numbers with a character between them, cut where the buffer ends. */
static void print_numbers(char *buffer, size_t size, int count, const size_t *number,
                          char separator)
{
    char joint[2] = {separator, '\0'};
    size_t used = 0;
    for (int i = 0; i < count && used < size; i++) {
        int length = snprintf(buffer + used, size - used, "%s%zu", i > 0 ? joint : "", number[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

void ulp_shape_print(char *buffer, size_t size, int rank, const size_t *shape)
{
    ULP_ASSERT(size > 0);
    if (rank == 0) {
        snprintf(buffer, size, "scalar");
    } else {
        print_numbers(buffer, size, rank, shape, 'x');
    }
}

void ulp_index_print(char *buffer, size_t size, size_t i, int rank, const size_t *shape)
{
    ULP_ASSERT(size > 0 && rank >= 0 && rank <= ULP_RANK_MAX);
    size_t index[ULP_RANK_MAX] = {0};
    for (int d = rank - 1; d >= 0; d--) {
        ULP_ASSERT(shape[d] > 0);
        index[d] = i % shape[d];
        i /= shape[d];
    }
    if (rank == 0) {
        snprintf(buffer, size, "scalar");
    } else {
        print_numbers(buffer, size, rank, index, ',');
    }
}
