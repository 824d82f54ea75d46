/* emulators/nearest.c - edit distance. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/nearest.h"

#include <string.h>

enum { LENGTH_MAX = 64 };

/* Letters to insert, delete or replace. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LENGTH_MAX + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > LENGTH_MAX || n > LENGTH_MAX) {
        return LENGTH_MAX;
    }
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[n];
}

ulp_nearest_t ulp_nearest_start(const char *wanted)
{
    return (ulp_nearest_t){wanted, NULL, LENGTH_MAX};
}

void ulp_nearest_try(ulp_nearest_t *nearest, const char *word)
{
    size_t d = distance(nearest->wanted, word);
    if (d < nearest->distance) {
        nearest->distance = d;
        nearest->best = word;
    }
}

const char *ulp_nearest_word(const ulp_nearest_t *nearest)
{
    if (!nearest->best || nearest->distance > 4) {
        return NULL;
    }
    return nearest->distance * 3 <= strlen(nearest->best) + 2 ? nearest->best : NULL;
}
