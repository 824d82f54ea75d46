/* tests/fuzz/fuzz_npy.c - any bytes after the magic of an .npy file: read or refused, never a
 * crash. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "tests/fuzz/one_file.h"

enum { MAGIC_BYTES = 6, INPUT_MAX = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[INPUT_MAX];
    if (size + MAGIC_BYTES > sizeof bytes) {
        return 0;
    }
    memcpy(bytes, "\x93NUMPY", MAGIC_BYTES);
    memcpy(bytes + MAGIC_BYTES, data, size);
    fuzz_file(bytes, size + MAGIC_BYTES);
    return 0;
}
