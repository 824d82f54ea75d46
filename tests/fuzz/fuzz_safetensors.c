/* tests/fuzz/fuzz_safetensors.c - any bytes as header and data of a safetensors file: read or
 * refused, never a crash. The first two bytes are the header's length. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "tests/fuzz/one_file.h"

enum { INPUT_MAX = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[INPUT_MAX];
    if (size < 2 || size + 6 > sizeof bytes) {
        return 0;
    }
    memset(bytes, 0, 8);
    memcpy(bytes, data, 2);
    memcpy(bytes + 8, data + 2, size - 2);
    fuzz_file(bytes, size + 6);
    return 0;
}
