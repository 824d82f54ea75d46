/*
 * emulators/nearest.h - the word of a list that a misspelt one was meant to be.
 */
#ifndef ULP_EMULATORS_NEAREST_H
#define ULP_EMULATORS_NEAREST_H

#include <stddef.h>

typedef struct {
    const char *wanted;
    const char *best;
    size_t distance;
} ulp_nearest_t;

/** Begin a search for a word like `wanted`, which must outlive it. */
ulp_nearest_t ulp_nearest_start(const char *wanted);
/** Consider a word of the list; it must outlive the search. */
void ulp_nearest_try(ulp_nearest_t *nearest, const char *word);
/** The nearest, if it is near enough to be meant (a third of its letters, and no more than 4); else
 * NULL. */
const char *ulp_nearest_word(const ulp_nearest_t *nearest);

#endif
