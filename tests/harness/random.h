/*
 * tests/harness/random.h - the random numbers of tests: seeded, repeatable, biased to corners.
 *
 * Seed from ULP_TEST_SEED (default 1), amount from ULP_TEST_MULTIPLIER (default 1).
 */
#ifndef ULP_TESTS_HARNESS_RANDOM_H
#define ULP_TESTS_HARNESS_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t test_seed(void)
{
    const char *text = getenv("ULP_TEST_SEED");
    return text ? strtoull(text, NULL, 0) : 1;
}

static inline size_t test_multiplier(void)
{
    const char *text = getenv("ULP_TEST_MULTIPLIER");
    return text ? (size_t)strtoull(text, NULL, 0) : 1;
}

/* SplitMix64 [Steele, Lea, Flood 2014]: state is any number. */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
