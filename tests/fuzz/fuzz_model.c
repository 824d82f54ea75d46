/* tests/fuzz/fuzz_model.c - any text as a model line: refused, or printed as a line that comes
 * back. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

#include "emulators/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[2 * ULP_MODEL_LINE_MAX] = "", line[ULP_MODEL_LINE_MAX], again[ULP_MODEL_LINE_MAX];
    ulp_model_t model;
    ulp_error_t err;
    memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    if (ulp_model_parse(&model, text, &err) != ULP_OK) {
        ULP_ASSERT(strncmp(err.message, "model: column ", 14) == 0 && !strchr(err.message, '\n'));
        return 0;
    }
    ulp_model_print(line, &model);
    ULP_ASSERT(ulp_model_parse(&model, line, NULL) == ULP_OK);
    ulp_model_print(again, &model);
    ULP_ASSERT(strcmp(line, again) == 0);
    return 0;
}
