/* precision/rounding.c - names of the rounding modes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "precision/rounding.h"

#include <stddef.h>
#include <string.h>

static const char *const short_name[ULP_ROUND_MODE_COUNT] = {"rne", "rna", "rz", "ru",
                                                             "rd",  "ro",  "sr"};
static const char *const long_name[ULP_ROUND_MODE_COUNT] = {
    "nearest-even", "nearest-away", "toward-zero", "up", "down", "to-odd", "stochastic"};

const char *ulp_round_mode_name(ulp_round_mode_t mode)
{
    return short_name[mode];
}

int ulp_round_mode_find(ulp_round_mode_t *mode, const char *name)
{
    for (int i = 0; i < ULP_ROUND_MODE_COUNT; i++) {
        if (strcmp(name, short_name[i]) == 0 || strcmp(name, long_name[i]) == 0) {
            *mode = (ulp_round_mode_t)i;
            return 0;
        }
    }
    return -1;
}
