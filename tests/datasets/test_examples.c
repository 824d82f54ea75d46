/*
 * tests/datasets/test_examples.c - the example cases: made anew they are the files that are there,
 * and they hold what their README says.
 */
#define _XOPEN_SOURCE 700
#include "../core/case_files.h"

#include <hdf5.h>
#include <string.h>

#include "core/case.h"

enum { EXAMPLES = 6 };
static const struct {
    const char *name, *op, *input, *output;
    size_t nelems;
} example[EXAMPLES] = {{"h100-bf16", "dot", "bf16", "device", 6},
                       {"ada-fp8", "dot", "f8e4m3fn", "device", 4},
                       {"b200-fp8", "dot", "f8e4m3fn", "device", 4},
                       {"mi300x-fp8", "dot", "f8e4m3fnuz", "device", 29},
                       {"one-flipped-bit", "dot", "bf16", "device", 6},
                       {"lost-last-k", "gemm", "bf16", "kernel", 1024}};

static size_t slurp(char **bytes, const char *directory, const char *name)
{
    char path[2 * TEST_PATH];
    snprintf(path, sizeof path, "%s/%s.h5", directory, name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    *bytes = calloc(1, 1 << 20);
    size_t size = fread(*bytes, 1, 1 << 20, file);
    fclose(file);
    return size;
}

Test(examples, made_anew_they_are_the_same_bytes)
{
    char directory[TEST_PATH];
    char command[4 * TEST_PATH];
    test_directory_make(directory);
    snprintf(command, sizeof command, "'%s' '%s'", ULP_TEST_MAKE_EXAMPLES, directory);
    cr_assert(system(command) == 0, "%s", command);
    for (size_t i = 0; i < EXAMPLES; i++) {
        char *made = NULL;
        char *kept = NULL;
        size_t made_size = slurp(&made, directory, example[i].name);
        size_t kept_size = slurp(&kept, ULP_TEST_EXAMPLES_DIR, example[i].name);
        cr_expect(made_size == kept_size && memcmp(made, kept, made_size) == 0,
                  "%s: %zu bytes made, %zu kept, or not the same ones (HDF5 %s)", example[i].name,
                  made_size, kept_size, H5_VERS_INFO);
        free(made);
        free(kept);
    }
    snprintf(command, sizeof command, "'%s' '%s/absent' 2>/dev/null", ULP_TEST_MAKE_EXAMPLES,
             directory);
    cr_expect(system(command) != 0, "a directory that is absent");
    test_directory_remove(directory);
}

static void read_example(ulp_case_t *c, const char *name)
{
    char path[2 * TEST_PATH];
    ulp_error_t err = {0};
    snprintf(path, sizeof path, "%s/%s.h5", ULP_TEST_EXAMPLES_DIR, name);
    cr_assert(ulp_case_read(c, path, NULL, &err) == ULP_OK, "%s", err.message);
}

Test(examples, they_hold_what_they_should)
{
    for (size_t i = 0; i < EXAMPLES; i++) {
        ulp_case_t c = {0};
        ulp_contraction_t x = {0};
        ulp_error_t err = {0};
        read_example(&c, example[i].name);
        cr_assert(ulp_case_contraction(&x, &c, &err) == ULP_OK, "%s", err.message);
        cr_expect_str_eq(c.op->name, example[i].op);
        cr_expect_str_eq(x.a->format->name, example[i].input);
        cr_expect_str_eq(x.b->format->name, example[i].input);
        cr_assert_eq(c.noutputs, 1);
        cr_expect_str_eq(c.output[0].name, example[i].output);
        cr_expect_str_eq(c.output[0].tensor.format->name, "f32");
        cr_expect_eq(x.out_nelems, example[i].nelems, "%s: %zu", example[i].name, x.out_nelems);
        cr_expect_eq(c.output[0].tensor.nelems, x.out_nelems);
        cr_expect(ulp_case_attribute(&c, "source") && ulp_case_attribute(&c, "description"));
        ulp_case_free(&c);
    }
}

Test(examples, one_bit_is_flipped)
{
    ulp_case_t was = {0};
    ulp_case_t is = {0};
    read_example(&was, "h100-bf16");
    read_example(&is, "one-flipped-bit");
    for (size_t i = 0; i < was.output[0].tensor.nelems; i++) {
        uint64_t change =
            ulp_tensor_get(&was.output[0].tensor, i) ^ ulp_tensor_get(&is.output[0].tensor, i);
        cr_expect_eq(change, i == 4 ? 1 : 0, "element %zu", i);
    }
    ulp_case_free(&was);
    ulp_case_free(&is);
}

static float from_f32(uint64_t code)
{
    uint32_t bits = (uint32_t)code;
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whole numbers: a long sum finds what is missing. */
Test(examples, the_last_k_is_lost)
{
    ulp_case_t c = {0};
    read_example(&c, "lost-last-k");
    const ulp_tensor_t *a = ulp_case_input(&c, "a");
    const ulp_tensor_t *b = ulp_case_input(&c, "b");
    size_t differing = 0;
    for (size_t i = 0; i < 1024; i++) {
        long sum = 0;
        long last = 0;
        for (size_t k = 0; k < 64; k++) {
            last = (long)from_f32(ulp_tensor_get(a, i / 32 * 64 + k) << 16) *
                   (long)from_f32(ulp_tensor_get(b, k * 32 + i % 32) << 16);
            sum += last;
        }
        long got = (long)from_f32(ulp_tensor_get(&c.output[0].tensor, i));
        cr_expect_eq(got, sum - last, "element %zu", i);
        differing += got != sum;
    }
    cr_expect_gt(differing, 850, "%zu of 1024 show it", differing);
    ulp_case_free(&c);
}
