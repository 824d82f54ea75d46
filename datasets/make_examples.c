/* datasets/make_examples.c - write the example cases: make_examples DIRECTORY. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "core/fpenv.h"
#include "datasets/example_table.h"
#include "precision/number.h"

enum { PATH_SIZE = 1024, GEMM_M = 32, GEMM_N = 32, GEMM_K = 64, FLIPPED = 4 };

/* A case in the making. */
struct making {
    ulp_tensor_t a, b, c, d;
};

static void free_making(struct making *making)
{
    ulp_tensor_free(&making->a);
    ulp_tensor_free(&making->b);
    ulp_tensor_free(&making->c);
    ulp_tensor_free(&making->d);
}

/* The code of a number that the format holds exactly: the tables have no others. */
static uint64_t exact_code(ulp_number_t x, const ulp_format_t *format)
{
    unsigned flags = 0;
    uint64_t code = ulp_number_encode(x, format, NULL, &flags);
    ULP_ASSERT(flags == 0);
    return code;
}

static const ulp_format_t *format(const char *name)
{
    const ulp_format_t *found = ulp_format_find(name, NULL);
    ULP_ASSERT(found != NULL);
    return found;
}

static void set_double(ulp_tensor_t *tensor, size_t i, double value)
{
    ulp_tensor_set(tensor, i, exact_code(ulp_number_from_double(value), tensor->format));
}

static void set_f32_bits(ulp_tensor_t *tensor, size_t i, uint32_t bits)
{
    ulp_tensor_set(tensor, i, exact_code(ulp_number_decode(bits, format("f32")), tensor->format));
}

/* Rows of dot: a and b nrows x k, c and d nrows. */
static ulp_status_t create_dot(struct making *making, const char *input, size_t nrows, size_t k,
                               ulp_error_t *err)
{
    const size_t shape[2] = {nrows, k};
    ulp_status_t status = ulp_tensor_create(&making->a, format(input), 2, shape, err);
    if (status == ULP_OK) {
        status = ulp_tensor_create(&making->b, format(input), 2, shape, err);
    }
    if (status == ULP_OK) {
        status = ulp_tensor_create(&making->c, format("f32"), 1, shape, err);
    }
    if (status == ULP_OK) {
        status = ulp_tensor_create(&making->d, format("f32"), 1, shape, err);
    }
    return status;
}

/* Attributes of the root and of the output; the strings are borrowed. */
struct words {
    const char *description, *source, *output, *platform, *note;
};

static ulp_attribute_t attribute(char *key, const char *value, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "%s", value);
    return (ulp_attribute_t){key, buffer};
}

static ulp_status_t write_case(const char *directory, const char *name, const char *op,
                               const struct making *making, const struct words *words,
                               ulp_error_t *err)
{
    char path[PATH_SIZE];
    char text[4][400];
    char key[4][16] = {"description", "source", "platform", "note"};
    if ((size_t)snprintf(path, sizeof path, "%s/%s.h5", directory, name) >= sizeof path) {
        return ulp_error_set(err, ULP_ERROR_ARGUMENT, "%s: path too long", directory);
    }
    const ulp_attribute_t root[] = {attribute(key[0], words->description, text[0], sizeof text[0]),
                                    attribute(key[1], words->source, text[1], sizeof text[1])};
    const ulp_attribute_t output[] = {attribute(key[2], words->platform, text[2], sizeof text[2]),
                                      attribute(key[3], words->note, text[3], sizeof text[3])};
    ulp_case_addition_t add[4];
    size_t count = 0;
    add[count++] = (ulp_case_addition_t){"inputs", "a", &making->a, 0, NULL};
    add[count++] = (ulp_case_addition_t){"inputs", "b", &making->b, 0, NULL};
    if (making->c.format != NULL) {
        add[count++] = (ulp_case_addition_t){"inputs", "c", &making->c, 0, NULL};
    }
    add[count++] = (ulp_case_addition_t){"outputs", words->output, &making->d, 2, output};
    return ulp_case_write(path, op, root, 2, add, count, err);
}

/* Rows that hardware gave; with `flip`, the lowest bit of one result turned over. */
static ulp_status_t make_recording(const char *directory, const char *name,
                                   const ulp_example_recording_t *recording, int flip,
                                   ulp_error_t *err)
{
    struct making making = {0};
    ulp_status_t status =
        create_dot(&making, recording->input, recording->nrows, recording->k, err);
    if (status == ULP_OK) {
        for (size_t i = 0; i < recording->nrows; i++) {
            const ulp_example_row_t *row = &recording->row[i];
            for (size_t k = 0; k < recording->k; k++) {
                set_f32_bits(&making.a, i * recording->k + k, row->a[k]);
                set_f32_bits(&making.b, i * recording->k + k, row->b[k]);
            }
            set_f32_bits(&making.c, i, row->c);
            set_f32_bits(&making.d, i, row->d);
        }
        char source[400];
        char note[400];
        (void)snprintf(
            source, sizeof source,
            "north-numerical-computing/MATLAB-tensor-core (BSD-2-Clause), model_validation/%s",
            recording->source);
        (void)snprintf(note, sizeof note, "recorded on hardware");
        if (flip) {
            ulp_tensor_set(&making.d, FLIPPED, ulp_tensor_get(&making.d, FLIPPED) ^ 1);
            (void)snprintf(
                note, sizeof note,
                "recorded on hardware, then the lowest bit of element %d turned over by hand",
                FLIPPED);
        }
        const struct words words = {
            "d[i] = c[i] + sum_k a[i,k] b[i,k], one matrix instruction a row", source, "device",
            recording->platform, note};
        status = write_case(directory, name, "dot", &making, &words, err);
    }
    free_making(&making);
    return status;
}

static ulp_status_t make_probes(const char *directory, ulp_error_t *err)
{
    enum { K = ULP_EXAMPLE_K_MAX };
    struct making making = {0};
    ulp_status_t status = create_dot(&making, "f8e4m3fnuz", ulp_example_nprobes, K, err);
    if (status == ULP_OK) {
        for (size_t i = 0; i < ulp_example_nprobes; i++) {
            const ulp_example_probe_t *probe = &ulp_example_probe[i];
            for (size_t k = 0; k < K; k++) {
                set_double(&making.a, i * K + k, probe->fill_a);
                set_double(&making.b, i * K + k, probe->fill_b);
            }
            for (size_t j = 0; j < probe->nterms; j++) {
                set_double(&making.a, i * K + probe->term[j].k, probe->term[j].a);
                set_double(&making.b, i * K + probe->term[j].k, probe->term[j].b);
            }
            set_double(&making.c, i, probe->c);
            set_double(&making.d, i, probe->d);
        }
        const struct words words = {
            "d[i] = c[i] + sum_k a[i,k] b[i,k], one probe of v_mfma_f32_16x16x32_fp8_fp8 a row",
            "microsoft/MMA-Sim (MIT), tests/probe/probe_amd_cdna3.ipynb, commit 0cb7846", "device",
            "AMD Instinct MI300X", "results printed in the notebook"};
        status = write_case(directory, "mi300x-fp8", "dot", &making, &words, err);
    }
    free_making(&making);
    return status;
}

/* Whole numbers from -8 to 8, by a linear congruence: any sum of 64 products of them is exact. */
static double small_integer(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)((*state >> 16) % 17u) - 8;
}

/* A matrix product in plain double arithmetic, which is exact here, that stops one k early. */
static ulp_status_t make_lost_k(const char *directory, ulp_error_t *err)
{
    static double a[GEMM_M][GEMM_K];
    static double b[GEMM_K][GEMM_N];
    const size_t a_shape[2] = {GEMM_M, GEMM_K};
    const size_t b_shape[2] = {GEMM_K, GEMM_N};
    const size_t d_shape[2] = {GEMM_M, GEMM_N};
    uint32_t state = 1;
    struct making making = {0};
    ulp_status_t status = ulp_tensor_create(&making.a, format("bf16"), 2, a_shape, err);
    if (status == ULP_OK) {
        status = ulp_tensor_create(&making.b, format("bf16"), 2, b_shape, err);
    }
    if (status == ULP_OK) {
        status = ulp_tensor_create(&making.d, format("f32"), 2, d_shape, err);
    }
    if (status != ULP_OK) {
        free_making(&making);
        return status;
    }
    for (size_t i = 0; i < (size_t)GEMM_M * GEMM_K; i++) {
        a[i / GEMM_K][i % GEMM_K] = small_integer(&state);
        set_double(&making.a, i, a[i / GEMM_K][i % GEMM_K]);
    }
    for (size_t i = 0; i < (size_t)GEMM_K * GEMM_N; i++) {
        b[i / GEMM_N][i % GEMM_N] = small_integer(&state);
        set_double(&making.b, i, b[i / GEMM_N][i % GEMM_N]);
    }
    for (size_t i = 0; i < (size_t)GEMM_M * GEMM_N; i++) {
        double sum = 0;
        for (size_t k = 0; k < GEMM_K - 1; k++) {
            sum += a[i / GEMM_N][k] * b[k][i % GEMM_N];
        }
        set_double(&making.d, i, sum);
    }
    const struct words words = {"d = a b, 32x64 by 64x32, small whole numbers: every order of the "
                                "sum is exact",
                                "made by datasets/make_examples.c", "kernel",
                                "none: plain double arithmetic",
                                "planted bug: the loop over k stops one early"};
    status = write_case(directory, "lost-last-k", "gemm", &making, &words, err);
    free_making(&making);
    return status;
}

int main(int argc, char **argv)
{
    ulp_error_t err = {0};
    ulp_status_t status = ULP_OK;
    ulp_fpenv_reset();
    if (argc != 2) {
        (void)fprintf(stderr, "make_examples: one argument: the directory to write to\n");
        return 2;
    }
    for (size_t i = 0; i < ULP_EXAMPLE_RECORDINGS && status == ULP_OK; i++) {
        const ulp_example_recording_t *recording = &ulp_example_recording[i];
        status = make_recording(argv[1], recording->name, recording, 0, &err);
    }
    if (status == ULP_OK) {
        status = make_recording(argv[1], "one-flipped-bit", &ulp_example_recording[0], 1, &err);
    }
    if (status == ULP_OK) {
        status = make_probes(argv[1], &err);
    }
    if (status == ULP_OK) {
        status = make_lost_k(argv[1], &err);
    }
    if (status != ULP_OK) {
        (void)fprintf(stderr, "make_examples: %s\n", err.message);
        return 2;
    }
    return 0;
}
