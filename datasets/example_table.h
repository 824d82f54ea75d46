/*
 * datasets/example_table.h - the numbers of the example cases: rows recorded on hardware, probes.
 */
#ifndef ULP_DATASETS_EXAMPLE_TABLE_H
#define ULP_DATASETS_EXAMPLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { ULP_EXAMPLE_K_MAX = 32, ULP_EXAMPLE_TERMS_MAX = 5 };

/* One matrix instruction's row, d = c + sum a b, as binary32 patterns: so the source has them. */
typedef struct {
    int line; /* of the source's files, from 1 */
    uint32_t c, d;
    uint32_t a[ULP_EXAMPLE_K_MAX], b[ULP_EXAMPLE_K_MAX];
} ulp_example_row_t;

typedef struct {
    const char *name; /* h100-bf16 */
    const char *input, *platform, *source;
    size_t k, nrows;
    const ulp_example_row_t *row;
} ulp_example_recording_t;

extern const ulp_example_recording_t ulp_example_recording[];
enum { ULP_EXAMPLE_RECORDINGS = 3 };

/* A probe: c, a few products at given k, the same product everywhere else, and what came out. */
typedef struct {
    const char *id;
    double c, d;
    double fill_a, fill_b;
    size_t nterms;
    struct {
        size_t k;
        double a, b;
    } term[ULP_EXAMPLE_TERMS_MAX];
} ulp_example_probe_t;

extern const ulp_example_probe_t ulp_example_probe[];
extern const size_t ulp_example_nprobes;

#endif
