/*
 * tests/core/test_source_npy.c - .npy files: bytes laid down here as the format's document says,
 * and a public file of another project.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "core/source.h"
#include "tests/core/case_files.h"

static char directory[TEST_PATH];
static char path[2 * TEST_PATH];

static void setup(void)
{
    test_directory_make(directory);
    snprintf(path, sizeof path, "%s/a.npy", directory);
}

static void teardown(void)
{
    test_directory_remove(directory);
}

TestSuite(source_npy, .init = setup, .fini = teardown);

/* An array file of that version; returns its size. */
static size_t write_npy(int version, const char *header, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    size_t length = strlen(header);
    unsigned char head[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0};
    size_t prefix = version == 1 ? 10 : 12;
    head[8] = (unsigned char)length;
    head[9] = (unsigned char)(length >> 8);
    cr_assert(fwrite(head, 1, prefix, f) == prefix && fwrite(header, 1, length, f) == length &&
              fwrite(data, 1, n, f) == n);
    fclose(f);
    return prefix + length + n;
}

#define DICT(descr, fortran, shape)                                                                \
    "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }   \n"

Test(source_npy, what_descr_says)
{
    static const unsigned char b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        int version;
        const char *header, *dtype;
        ulp_status_t status;
        const char *want;
        uint64_t first;
    } row[] = {
        {1, DICT("<f4", "False", "(2,)"), NULL, ULP_OK, "f32", 0x04030201},
        {2, DICT(">f4", "False", "(2,)"), NULL, ULP_OK, "f32", 0x01020304},
        {3, DICT("<f8", "False", "()"), NULL, ULP_OK, "f64", 0x0807060504030201},
        {1, DICT(">f2", "False", "(2, 2)"), NULL, ULP_OK, "f16", 0x0102},
        {1, DICT("<i4", "False", "(2L, 1L)"), NULL, ULP_OK, "i32", 0x04030201},
        {1, DICT(">u8", "False", "(1,)"), NULL, ULP_OK, "u64", 0x0102030405060708},
        {1, DICT("<V2", "False", "(4,)"), NULL, ULP_ERROR_AMBIGUOUS, "bf16 or f16", 0},
        {1, DICT("<V2", "False", "(4,)"), "bf16", ULP_OK, "bf16", 0x0201},
        {1, DICT("|V1", "False", "(8,)"), NULL, ULP_ERROR_AMBIGUOUS, "f8e4m3fn", 0},
        {1, DICT("|V1", "False", "(8,)"), "f8e4m3", ULP_OK, "f8e4m3", 1},
        {1, DICT("<f1", "False", "(8,)"), NULL, ULP_ERROR_AMBIGUOUS, "f8e5m2", 0},
        {1, DICT("<f1", "False", "(8,)"), "f8e5m2", ULP_OK, "f8e5m2", 1},
        {1, DICT("|u1", "False", "(8,)"), NULL, ULP_ERROR_AMBIGUOUS, "u8, f8e4m3fn", 0},
        {1, DICT("|u1", "False", "(8,)"), "u8", ULP_OK, "u8", 1},
        {1, DICT("<i2", "False", "(4,)"), NULL, ULP_ERROR_AMBIGUOUS, "i16, bf16", 0},
        {1, DICT("<f4", "False", "(2,)"), "f16", ULP_ERROR_ARGUMENT, "2 bytes", 0},
        {1, DICT("<f4", "False", "(2,)"), "i32", ULP_ERROR_ARGUMENT, "--dtype =i32", 0},
        {1, DICT("<f4", "False", "(2,)"), "=i32", ULP_OK, "i32", 0x04030201},
        {1, DICT("|b1", "False", "(8,)"), NULL, ULP_ERROR_UNSUPPORTED, "booleans", 0},
        {1, DICT("<c8", "False", "(1,)"), NULL, ULP_ERROR_UNSUPPORTED, "complex", 0},
        {1, DICT("<f16", "False", "(0,)"), NULL, ULP_ERROR_FORMAT, "after the array", 0},
        {1, DICT("<U2", "False", "(1,)"), NULL, ULP_ERROR_UNSUPPORTED, "strings", 0},
        {1, DICT("|O", "False", "(1,)"), NULL, ULP_ERROR_UNSUPPORTED, "pickle", 0},
        {1, DICT("<M8[ns]", "False", "(1,)"), NULL, ULP_ERROR_UNSUPPORTED, "dates", 0},
        {1, "{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }\n",
         NULL, ULP_ERROR_UNSUPPORTED, "structured", 0},
        {1, DICT("", "False", "(1,)"), NULL, ULP_ERROR_UNSUPPORTED, "no format", 0},
        {4, DICT("<f4", "False", "(2,)"), NULL, ULP_ERROR_UNSUPPORTED, "version 4.0", 0},
        {1, DICT("<f4", "False", "(3,)"), NULL, ULP_ERROR_FORMAT, "truncated", 0},
        {1, DICT("<f4", "False", "(1,)"), NULL, ULP_ERROR_FORMAT, "4 bytes after the array", 0},
        {1, DICT("<f4", "False", "(2)"), NULL, ULP_ERROR_FORMAT, "(3,)", 0},
        {1, DICT("<f4", "False", "(-2,)"), NULL, ULP_ERROR_FORMAT, "dimension", 0},
        {1, DICT("<f4", "False", "(2,,)"), NULL, ULP_ERROR_FORMAT, "dimension", 0},
        {1, DICT("<f4", "False", "(2 1)"), NULL, ULP_ERROR_FORMAT, "comma", 0},
        {1, DICT("<f4", "false", "(2,)"), NULL, ULP_ERROR_FORMAT, "True or False", 0},
        {1, DICT("<f4", "False", "(99999999999999999999999,)"), NULL, ULP_ERROR_FORMAT, "large", 0},
        {1, DICT("<f4", "False", "(4611686018427387904, 4)"), NULL, ULP_ERROR_SHAPE, "more", 0},
        {1, DICT("<f4", "False", "(1,1,1,1,1,1,1,1,2)"), NULL, ULP_ERROR_UNSUPPORTED, "8 dim", 0},
        {1, "{'descr': '<f4', 'shape': (2,), }\n", NULL, ULP_ERROR_FORMAT, "once each", 0},
        {1, "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", NULL,
         ULP_ERROR_FORMAT, "once each", 0},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", NULL,
         ULP_ERROR_FORMAT, "once each", 0},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", NULL, ULP_ERROR_FORMAT,
         "nothing but spaces", 0},
        {1, "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2,)}", NULL, ULP_OK, "f32",
         0x04030201},
        {1, "", NULL, ULP_ERROR_FORMAT, "expected", 0},
        {1, "{'descr': '<f4", NULL, ULP_ERROR_FORMAT, "does not end", 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        write_npy(row[i].version, row[i].header, b, sizeof b);
        ulp_status_t status = ulp_tensor_read(&t, path, row[i].dtype, &err);
        cr_expect_eq(status, row[i].status, "row %zu: %d %s", i, status, err.message);
        if (status == ULP_OK) {
            cr_expect_str_eq(t.format->name, row[i].want, "row %zu", i);
            cr_expect_eq(ulp_tensor_get(&t, 0), row[i].first, "row %zu", i);
            ulp_tensor_free(&t);
        } else {
            cr_expect(strstr(err.message, row[i].want) && strstr(err.message, "a.npy"),
                      "row %zu: \"%s\" lacks \"%s\"", i, err.message, row[i].want);
        }
    }
}

Test(source_npy, fortran_order_is_turned)
{
    /* Element [i][j][k] of 2x3x4 lies at i + 2 j + 6 k. */
    int16_t data[24];
    ulp_error_t err = {0};
    ulp_source_t *source = NULL;
    for (int16_t at = 0; at < 24; at++) {
        data[at] = (int16_t)(100 * (at % 2) + 10 * (at / 2 % 3) + at / 6);
    }
    write_npy(1, DICT("<i2", "True", "(2, 3, 4)"), data, sizeof data);
    cr_assert(ulp_source_open(&source, path, "i16", &err) == ULP_OK, "%s", err.message);
    for (size_t first = 0; first < 24; first += 5) {
        uint16_t got[24];
        size_t n = 24 - first < 7 ? 24 - first : 7;
        cr_assert(ulp_source_read(source, got, first, n, &err) == ULP_OK, "%s", err.message);
        for (size_t i = first; i < first + n; i++) {
            cr_expect_eq(got[i - first], 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4, "%zu: %u", i,
                         got[i - first]);
        }
    }
    ulp_source_close(source);
}

Test(source_npy, truncation_at_every_byte_is_an_error)
{
    static unsigned char bytes[256];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    const double data[2] = {1, 2};
    size_t n = write_npy(1, DICT("<f8", "False", "(2,)"), data, sizeof data);
    FILE *f = fopen(path, "rb");
    cr_assert(fread(bytes, 1, n, f) == n);
    fclose(f);
    for (size_t length = 0; length < n; length++) {
        f = fopen(path, "wb");
        cr_assert(fwrite(bytes, 1, length, f) == length);
        fclose(f);
        cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_FORMAT, "%zu: %s", length,
                     err.message);
        cr_expect(strstr(err.message, path), "%s", err.message);
    }
}

Test(source_npy, several_arrays_in_one_file)
{
    const char *public_file = ULP_TEST_SHARED_DIR "/cases/files/iree_array_types.npy";
    FILE *f = fopen(public_file, "rb");
    if (f == NULL) {
        cr_skip_test("%s is absent", public_file);
    }
    fclose(f);
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    cr_expect_eq(ulp_tensor_read(&t, public_file, NULL, &err), ULP_ERROR_FORMAT);
    cr_expect(strstr(err.message, "several arrays in one file"), "%s", err.message);
}

Test(source_npy, has_no_names)
{
    char location[3 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    write_npy(1, DICT("<f4", "False", "(0,)"), "", 0);
    cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_OK, "%s", err.message);
    cr_expect_eq(t.nelems, 0);
    ulp_tensor_free(&t);
    snprintf(location, sizeof location, "%s:x", path);
    cr_expect_eq(ulp_tensor_read(&t, location, NULL, &err), ULP_ERROR_MISSING);
    cr_expect(strstr(err.message, "\":x\""), "%s", err.message);
}
