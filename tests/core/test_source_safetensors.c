/*
 * tests/core/test_source_safetensors.c - safetensors: files laid down here as the format's document
 * says, each rule of it broken once, and a public file of another project.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "core/source.h"
#include "tests/core/case_files.h"

static char directory[TEST_PATH];
static char path[2 * TEST_PATH];

static void setup(void)
{
    test_directory_make(directory);
    snprintf(path, sizeof path, "%s/w.safetensors", directory);
}

static void teardown(void)
{
    test_directory_remove(directory);
}

TestSuite(source_safetensors, .init = setup, .fini = teardown);

static size_t write_file(const char *header, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    size_t length = strlen(header);
    unsigned char head[8] = {(unsigned char)length, (unsigned char)(length >> 8)};
    cr_assert(fwrite(head, 1, 8, f) == 8 && fwrite(header, 1, length, f) == length &&
              fwrite(data, 1, n, f) == n);
    fclose(f);
    return 8 + length + n;
}

static ulp_status_t read_named(ulp_tensor_t *t, const char *name, const char *dtype,
                               ulp_error_t *err)
{
    char location[3 * TEST_PATH];
    snprintf(location, sizeof location, "%s%s%s", path, name ? ":" : "", name ? name : "");
    return ulp_tensor_read(t, location, dtype, err);
}

static const unsigned char b[8] = {1, 2, 3, 4, 5, 6, 7, 8};

Test(source_safetensors, each_dtype)
{
    static const struct {
        const char *dtype, *shape, *format;
        uint64_t code[2];
    } row[] = {
        {"F64", "[1]", "f64", {0x0807060504030201, 0}},
        {"F32", "[2]", "f32", {0x04030201, 0x08070605}},
        {"F16", "[2,2]", "f16", {0x0201, 0x0403}},
        {"BF16", "[4]", "bf16", {0x0201, 0x0403}},
        {"F8_E4M3", "[8]", "f8e4m3fn", {1, 2}},
        {"F8_E5M2", "[8]", "f8e5m2", {1, 2}},
        {"F8_E8M0", "[8]", "f8e8m0fnu", {1, 2}},
        {"F8_E4M3FNUZ", "[8]", "f8e4m3fnuz", {1, 2}},
        {"F8_E5M2FNUZ", "[8]", "f8e5m2fnuz", {1, 2}},
        {"I64", "[]", "i64", {0x0807060504030201, 0}},
        {"U64", "[1]", "u64", {0x0807060504030201, 0}},
        {"I32", "[2]", "i32", {0x04030201, 0x08070605}},
        {"U32", "[2]", "u32", {0x04030201, 0x08070605}},
        {"I16", "[4]", "i16", {0x0201, 0x0403}},
        {"U16", "[4]", "u16", {0x0201, 0x0403}},
        {"I8", "[8]", "i8", {1, 2}},
        {"U8", "[8]", "u8", {1, 2}},
        {"F4", "[16]", "f4e2m1fn", {1, 0}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char header[256];
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        snprintf(header, sizeof header,
                 "{\"x\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[0,8]}}   ", row[i].dtype,
                 row[i].shape);
        write_file(header, b, 8);
        cr_expect_eq(read_named(&t, NULL, NULL, &err), ULP_OK, "%s: %s", row[i].dtype, err.message);
        cr_expect_str_eq(t.format->name, row[i].format);
        for (size_t j = 0; j < 2 && j < t.nelems; j++) {
            cr_expect_eq(ulp_tensor_get(&t, j), row[i].code[j], "%s[%zu]", row[i].dtype, j);
        }
        ulp_tensor_free(&t);
    }
}

Test(source_safetensors, packed_elements)
{
    /* 0x21 0x43: 1 2 3 4. Six bits: 1 2 3 4 is 1 | 2 << 6 | 3 << 12 | 4 << 18 = 0x103081. */
    static const unsigned char packed[5] = {0x21, 0x43, 0x81, 0x30, 0x10};
    ulp_error_t err = {0};
    ulp_source_t *source = NULL;
    char location[3 * TEST_PATH];
    write_file("{\"a\":{\"dtype\":\"F4\",\"shape\":[2,2],\"data_offsets\":[0,2]},"
               "\"b\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[2,5]}}",
               packed, 5);
    for (int which = 0; which < 2; which++) {
        snprintf(location, sizeof location, "%s:%s", path, which ? "b" : "a");
        cr_assert(ulp_source_open(&source, location, NULL, &err) == ULP_OK, "%s", err.message);
        cr_expect(strstr(ulp_source_info(source)->storage, "packed"));
        for (size_t first = 0; first < 4; first++) {
            for (size_t n = 1; n <= 4 - first; n++) {
                uint8_t got[4] = {0};
                cr_assert(ulp_source_read(source, got, first, n, &err) == ULP_OK);
                for (size_t i = 0; i < n; i++) {
                    cr_expect_eq(got[i], first + i + 1, "%s[%zu]", which ? "b" : "a", first + i);
                }
            }
        }
        ulp_source_close(source);
    }
}

#define ONE(dtype, shape, offsets)                                                                 \
    "{\"x\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define TWO(first, second)                                                                         \
    "{\"x\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" first                               \
    "},\"y\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" second "}}"

Test(source_safetensors, each_rule_is_held)
{
    static const struct {
        const char *header, *name, *dtype;
        ulp_status_t status;
        const char *words;
    } row[] = {
        {TWO("[4,8]", "[0,4]"), "y", NULL, ULP_OK, ""},
        {TWO("[0,4]", "[4,8]"), NULL, NULL, ULP_ERROR_AMBIGUOUS, "2 tensors|datasets"},
        {TWO("[0,4]", "[4,8]"), "z", NULL, ULP_ERROR_MISSING, "there are: x, y"},
        {TWO("[0,4]", "[3,7]"), "x", NULL, ULP_ERROR_FORMAT, "overlap"},
        {TWO("[0,4]", "[0,4]"), "x", NULL, ULP_ERROR_FORMAT, "overlap"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},\"y\":{\"dtype\":\"U8\","
         "\"shape\":[4],\"data_offsets\":[4,8]}}",
         "x", NULL, ULP_ERROR_FORMAT, "hole"},
        {ONE("U8", "[4]", "[0,4]"), "x", NULL, ULP_ERROR_FORMAT, "4 bytes after"},
        {ONE("U8", "[9]", "[0,9]"), "x", NULL, ULP_ERROR_FORMAT, "truncated"},
        {ONE("U8", "[7]", "[0,8]"), "x", NULL, ULP_ERROR_FORMAT, "7 elements of U8"},
        {ONE("F4", "[15]", "[0,8]"), "x", NULL, ULP_ERROR_FORMAT, "15 elements of F4"},
        {ONE("U8", "[8]", "[8,0]"), "x", NULL, ULP_ERROR_FORMAT, "data_offsets"},
        {ONE("U8", "[8]", "[0,8.0]"), "x", NULL, ULP_ERROR_FORMAT, "data_offsets"},
        {ONE("U8", "[8]", "[-1,8]"), "x", NULL, ULP_ERROR_FORMAT, "data_offsets"},
        {ONE("U8", "[8]", "[0,4,8]"), "x", NULL, ULP_ERROR_FORMAT, "data_offsets"},
        {ONE("U8", "[-8]", "[0,8]"), "x", NULL, ULP_ERROR_FORMAT, "shape"},
        {ONE("U8", "8", "[0,8]"), "x", NULL, ULP_ERROR_FORMAT, "shape"},
        {ONE("U8", "[4611686018427387904,16]", "[0,8]"), "x", NULL, ULP_ERROR_FORMAT, "memory"},
        {ONE("BOOL", "[8]", "[0,8]"), "x", NULL, ULP_ERROR_UNSUPPORTED, "booleans"},
        {ONE("C64", "[1]", "[0,8]"), "x", NULL, ULP_ERROR_UNSUPPORTED, "complex"},
        {ONE("F7", "[8]", "[0,8]"), "x", NULL, ULP_ERROR_UNSUPPORTED, "F7"},
        {ONE("U8", "[1,1,1,1,1,1,1,1,8]", "[0,8]"), "x", NULL, ULP_ERROR_UNSUPPORTED, "9 dim"},
        {ONE("U8", "[8]", "[0,8]"), "x", "f8e4m3fn", ULP_ERROR_ARGUMENT, "--dtype =f8e4m3fn"},
        {ONE("U8", "[8]", "[0,8]"), "x", "=f8e4m3fn", ULP_OK, ""},
        {ONE("F8_E4M3", "[8]", "[0,8]"), "x", "f8e4m3fn", ULP_OK, ""},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[8]}}", "x", NULL, ULP_ERROR_FORMAT, "expected"},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8],\"more\":1}}", "x", NULL,
         ULP_ERROR_FORMAT, "nothing else"},
        {"{\"x\":1,\"x\":2}", "x", NULL, ULP_ERROR_FORMAT, "duplicate"},
        {"{\"x\":", "x", NULL, ULP_ERROR_FORMAT, "JSON"},
        {"{\"__metadata__\":{\"a\":1}}", "x", NULL, ULP_ERROR_FORMAT, "strings"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        write_file(row[i].header, b, 8);
        ulp_status_t status = read_named(&t, row[i].name, row[i].dtype, &err);
        cr_expect_eq(status, row[i].status, "row %zu: %d %s", i, status, err.message);
        const char *words =
            strchr(row[i].words, '|') ? strchr(row[i].words, '|') + 1 : row[i].words;
        cr_expect(status == ULP_OK ||
                      (strstr(err.message, words) && strstr(err.message, "w.safetensors")),
                  "row %zu: \"%s\" lacks \"%s\"", i, err.message, words);
        ulp_tensor_free(&t);
    }
}

Test(source_safetensors, truncation_at_every_byte_is_an_error)
{
    static unsigned char bytes[256];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    size_t n = write_file(ONE("F16", "[4]", "[0,8]"), b, 8);
    FILE *f = fopen(path, "rb");
    cr_assert(fread(bytes, 1, n, f) == n);
    fclose(f);
    for (size_t length = 0; length < n; length++) {
        f = fopen(path, "wb");
        cr_assert(fwrite(bytes, 1, length, f) == length);
        fclose(f);
        cr_expect_eq(read_named(&t, "x", NULL, &err), ULP_ERROR_FORMAT, "%zu: %s", length,
                     err.message);
    }
}

Test(source_safetensors, header_length_is_not_trusted)
{
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    FILE *f = fopen(path, "wb");
    cr_assert(fwrite("\xff\xff\xff\xff\xff\xff\xff\xff{}", 1, 10, f) == 10);
    fclose(f);
    cr_expect_eq(read_named(&t, NULL, NULL, &err), ULP_ERROR_FORMAT);
    cr_expect(strstr(err.message, "18446744073709551615"), "%s", err.message);
}

Test(source_safetensors, public_file)
{
    const char *public_file = ULP_TEST_SHARED_DIR "/cases/files/iree_multiple.safetensors";
    FILE *f = fopen(public_file, "rb");
    if (f == NULL) {
        cr_skip_test("%s is absent", public_file);
    }
    fclose(f);
    ulp_error_t err = {0};
    ulp_listing_t listing = {0};
    cr_assert(ulp_listing_read(&listing, public_file, &err) == ULP_OK, "%s", err.message);
    cr_assert_eq(listing.count, 3);
    cr_expect_str_eq(listing.container, "safetensors");
    cr_expect_str_eq(listing.entry[2].name, "tensor2");
    cr_expect(listing.entry[2].rank == 2 && listing.entry[2].shape[0] == 4 &&
              listing.entry[2].shape[1] == 3 && listing.entry[2].problem == NULL);
    ulp_listing_free(&listing);
}
