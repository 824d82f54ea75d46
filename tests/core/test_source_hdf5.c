/*
 * tests/core/test_source_hdf5.c - datasets of HDF5 files: files made here by the HDF5 library
 * alone, and public files of other projects (../shared/cases/files).
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "core/source.h"
#include "tests/core/hdf5_files.h"
#include "tests/harness/random.h"

static char directory[TEST_PATH];

static void setup(void)
{
    test_directory_make(directory);
}

static void teardown(void)
{
    test_directory_remove(directory);
}

TestSuite(source_hdf5, .init = setup, .fini = teardown);

static const char *in_directory(const char *name, char path[2 * TEST_PATH])
{
    snprintf(path, 2 * TEST_PATH, "%s/%s", directory, name);
    return path;
}

static hid_t float_type(size_t nbytes, size_t precision, size_t offset, const size_t fields[5],
                        size_t bias, H5T_order_t order)
{
    hid_t type = H5Tcopy(H5T_IEEE_F64LE);
    cr_assert(H5Tset_fields(type, fields[0], fields[1], fields[2], fields[3], fields[4]) >= 0);
    cr_assert(H5Tset_offset(type, offset) >= 0);
    cr_assert(H5Tset_precision(type, precision) >= 0 && H5Tset_size(type, nbytes) >= 0);
    cr_assert(H5Tset_ebias(type, bias) >= 0 && H5Tset_order(type, order) >= 0);
    return type;
}

static hid_t opaque_type(size_t nbytes, const char *tag)
{
    hid_t type = H5Tcreate(H5T_OPAQUE, nbytes);
    cr_assert(H5Tset_tag(type, tag) >= 0);
    return type;
}

static const size_t bf16_fields[5] = {15, 7, 8, 0, 7}, e4m3_fields[5] = {7, 3, 4, 0, 3},
                    e5m2_fields[5] = {7, 2, 5, 0, 2}, f16_fields[5] = {15, 10, 5, 0, 10},
                    tf32_fields[5] = {31, 23, 8, 13, 10}, e3m4_fields[5] = {7, 4, 3, 0, 4},
                    f6_fields[5] = {5, 3, 2, 0, 3}, f4_fields[5] = {3, 1, 2, 0, 1},
                    odd_fields[5] = {15, 6, 9, 0, 6};

/* One row: type, name, user's name, bytes as they lie in the file, and what must come of it. */
typedef struct {
    const char *what;
    hid_t type;
    const char *attribute, *dtype;
    const char *bytes; /* 8 of them */
    ulp_status_t status;
    const char *want; /* format, or words of the message */
    uint64_t first;   /* code of element 0 */
} row_t;

static void check_row(const row_t *row)
{
    char path[2 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    hsize_t shape = 8 / H5Tget_size(row->type);
    for (int is_variable = 0; is_variable < (row->attribute ? 2 : 1); is_variable++) {
        write_file(in_directory("row.h5", path), row->type, 1, &shape, H5P_DEFAULT, row->bytes,
                   row->attribute, is_variable);
        ulp_status_t status = ulp_tensor_read(&t, path, row->dtype, &err);
        cr_expect_eq(status, row->status, "%s: status %d: %s", row->what, status, err.message);
        if (status == ULP_OK) {
            cr_expect_str_eq(t.format->name, row->want, "%s", row->what);
            cr_expect_eq(ulp_tensor_get(&t, 0), row->first, "%s: %" PRIx64, row->what,
                         ulp_tensor_get(&t, 0));
            ulp_tensor_free(&t);
        } else {
            cr_expect(strstr(err.message, row->want) && strstr(err.message, "row.h5") &&
                          strstr(err.message, "/x"),
                      "%s: \"%s\" lacks \"%s\"", row->what, err.message, row->want);
        }
    }
    H5Tclose(row->type);
}

Test(source_hdf5, types_are_told_by_what_is_stored)
{
    const char *const b = "\x01\x02\x03\x04\x05\x06\x07\x08";
    const H5T_order_t le = H5T_ORDER_LE, be = H5T_ORDER_BE;
    const row_t row[] = {
        {"f64", H5Tcopy(H5T_IEEE_F64LE), 0, 0, b, ULP_OK, "f64", 0x0807060504030201},
        {"f64 BE", H5Tcopy(H5T_IEEE_F64BE), 0, 0, b, ULP_OK, "f64", 0x0102030405060708},
        {"f32", H5Tcopy(H5T_IEEE_F32LE), 0, 0, b, ULP_OK, "f32", 0x04030201},
        {"f32 BE", H5Tcopy(H5T_IEEE_F32BE), 0, 0, b, ULP_OK, "f32", 0x01020304},
        {"i32 BE", H5Tcopy(H5T_STD_I32BE), 0, 0, b, ULP_OK, "i32", 0x01020304},
        {"u64", H5Tcopy(H5T_STD_U64LE), 0, 0, b, ULP_OK, "u64", 0x0807060504030201},
        {"f16", float_type(2, 16, 0, f16_fields, 15, le), 0, 0, b, ULP_OK, "f16", 0x0201},
        {"f16 BE", float_type(2, 16, 0, f16_fields, 15, be), 0, 0, b, ULP_OK, "f16", 0x0102},
        {"bf16", float_type(2, 16, 0, bf16_fields, 127, le), 0, 0, b, ULP_OK, "bf16", 0x0201},
        {"bf16 BE", float_type(2, 16, 0, bf16_fields, 127, be), 0, 0, b, ULP_OK, "bf16", 0x0102},
        {"e4m3", float_type(1, 8, 0, e4m3_fields, 7, le), 0, 0, b, ULP_ERROR_AMBIGUOUS,
         "f8e4m3fn or f8e4m3", 0},
        {"e4m3 fn", float_type(1, 8, 0, e4m3_fields, 7, le), "torch.float8_e4m3fn", 0, b, ULP_OK,
         "f8e4m3fn", 1},
        {"e4m3 user", float_type(1, 8, 0, e4m3_fields, 7, le), 0, "f8e4m3", b, ULP_OK, "f8e4m3", 1},
        {"e4m3 no", float_type(1, 8, 0, e4m3_fields, 7, le), "f8e5m2", 0, b, ULP_ERROR_FORMAT,
         "contradicts", 0},
        {"fnuz", float_type(1, 8, 0, e4m3_fields, 8, le), 0, 0, b, ULP_OK, "f8e4m3fnuz", 1},
        {"b11", float_type(1, 8, 0, e4m3_fields, 11, le), 0, 0, b, ULP_OK, "f8e4m3b11fnuz", 1},
        {"e5m2", float_type(1, 8, 0, e5m2_fields, 15, le), 0, 0, b, ULP_OK, "f8e5m2", 1},
        {"e5m2z", float_type(1, 8, 0, e5m2_fields, 16, le), 0, 0, b, ULP_OK, "f8e5m2fnuz", 1},
        {"e3m4", float_type(1, 8, 0, e3m4_fields, 3, le), 0, 0, b, ULP_OK, "f8e3m4", 1},
        {"f6", float_type(1, 6, 0, f6_fields, 1, le), 0, 0, b, ULP_OK, "f6e2m3fn", 1},
        {"f4", float_type(1, 4, 0, f4_fields, 1, le), 0, 0, b, ULP_OK, "f4e2m1fn", 1},
        {"f4 pad", float_type(1, 4, 0, f4_fields, 1, le), 0, 0, "\1\1\1\x21\1\1\1\1",
         ULP_ERROR_FORMAT, "element 3 is 0x21", 0},
        {"tf32", float_type(4, 19, 13, tf32_fields, 127, le), 0, 0, "\0\x20\x80\x3f\0\0\0\0",
         ULP_OK, "tf32", 0x3f802000},
        {"odd", float_type(2, 16, 0, odd_fields, 255, le), 0, 0, b, ULP_ERROR_UNSUPPORTED,
         "9 exponent bits", 0},
        {"x87", H5Tcopy(H5T_NATIVE_LDOUBLE), 0, 0, NULL, ULP_ERROR_UNSUPPORTED, "16 bytes", 0},
        {"u16", H5Tcopy(H5T_STD_U16LE), 0, 0, b, ULP_ERROR_AMBIGUOUS, "u16, bf16 or f16", 0},
        {"u8", H5Tcopy(H5T_STD_U8LE), 0, 0, b, ULP_ERROR_AMBIGUOUS, "--dtype", 0},
        {"i16", H5Tcopy(H5T_STD_I16LE), 0, 0, b, ULP_ERROR_AMBIGUOUS, "i16, bf16 or f16", 0},
        {"b8", H5Tcopy(H5T_STD_B8LE), 0, 0, b, ULP_ERROR_AMBIGUOUS, "bitfield8", 0},
        {"u16 bf16", H5Tcopy(H5T_STD_U16BE), "bfloat16", 0, b, ULP_OK, "bf16", 0x0102},
        {"u16 user", H5Tcopy(H5T_STD_U16LE), 0, "u16", b, ULP_OK, "u16", 0x0201},
        {"u8 f8", H5Tcopy(H5T_STD_U8LE), "F8_E4M3", 0, b, ULP_OK, "f8e4m3fn", 1},
        {"i8 f8", H5Tcopy(H5T_STD_I8LE), "f8e5m2", 0, b, ULP_OK, "f8e5m2", 1},
        {"u32 f32", H5Tcopy(H5T_STD_U32LE), "f32", 0, b, ULP_OK, "f32", 0x04030201},
        {"u8 fp8", H5Tcopy(H5T_STD_U8LE), "fp8", 0, b, ULP_ERROR_AMBIGUOUS, "f8e4m3fn", 0},
        {"u8 fp8 user", H5Tcopy(H5T_STD_U8LE), "fp8", "f8e5m2", b, ULP_OK, "f8e5m2", 1},
        {"u8 typo", H5Tcopy(H5T_STD_U8LE), "bflaot16", 0, b, ULP_ERROR_ARGUMENT, "bflaot16", 0},
        {"u16 typo", H5Tcopy(H5T_STD_U16LE), 0, "bflaot16", b, ULP_ERROR_ARGUMENT, "bflaot16", 0},
        {"u8 bf16", H5Tcopy(H5T_STD_U8LE), "bf16", 0, b, ULP_ERROR_FORMAT, "2 bytes", 0},
        {"u8 user bf16", H5Tcopy(H5T_STD_U8LE), 0, "bf16", b, ULP_ERROR_ARGUMENT, "2 bytes", 0},
        {"f32 bf16", H5Tcopy(H5T_IEEE_F32LE), "bf16", 0, b, ULP_ERROR_FORMAT, "bf16", 0},
        {"bf16 f16", float_type(2, 16, 0, bf16_fields, 127, le), "f16", 0, b, ULP_ERROR_FORMAT,
         "contradicts", 0},
        {"bf16 user", float_type(2, 16, 0, bf16_fields, 127, le), 0, "f16", b, ULP_ERROR_ARGUMENT,
         "--dtype =f16", 0},
        {"bf16 =", float_type(2, 16, 0, bf16_fields, 127, be), "bf16", "=f16", b, ULP_OK, "f16",
         0x0102},
        {"= width", H5Tcopy(H5T_IEEE_F32LE), 0, "=f16", b, ULP_ERROR_ARGUMENT, "2 bytes", 0},
        {"f32 tf32", H5Tcopy(H5T_IEEE_F32LE), "tf32", 0, "\0\x20\x80\x3f\0\xe0\x7f\xbf", ULP_OK,
         "tf32", 0x3f802000},
        {"tf32 pad", H5Tcopy(H5T_IEEE_F32BE), "tf32", 0, "\x3f\x80\x20\0\x3f\x80\x30\0",
         ULP_ERROR_FORMAT, "element 1 is 0x3f803000", 0},
        {"V2", opaque_type(2, ""), 0, 0, b, ULP_ERROR_AMBIGUOUS, "bf16 or f16", 0},
        {"V2 bf16", opaque_type(2, ""), "bf16", 0, b, ULP_OK, "bf16", 0x0201},
        {"V1", opaque_type(1, "NUMPY:|V1"), 0, 0, b, ULP_ERROR_AMBIGUOUS, "f8e4m3fn, f8e4m3 or", 0},
        {"V2 user", opaque_type(2, "NUMPY:<V2"), 0, "bf16", b, ULP_OK, "bf16", 0x0201},
        {"V8 date", opaque_type(8, "NUMPY:<M8[ns]"), 0, "i64", b, ULP_ERROR_UNSUPPORTED, "M8", 0},
        {"i4", H5Tcopy(H5T_STD_I8LE), "int4", 0, "\xff\x07\x0f\xf8\0\0\0\0", ULP_OK, "i4", 0xf},
        {"u4 pad", H5Tcopy(H5T_STD_U8LE), "u4", 0, "\0\xff\0\0\0\0\0\0", ULP_ERROR_FORMAT,
         "element 1 is 0xff", 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        row_t one = row[i];
        if (one.bytes == NULL) { /* wider than 8 bytes: nothing written */
            char path[2 * TEST_PATH];
            hsize_t shape = 1;
            ulp_error_t err = {0};
            ulp_tensor_t t = {0};
            write_file(in_directory("row.h5", path), one.type, 1, &shape, H5P_DEFAULT, NULL, NULL,
                       0);
            cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), one.status, "%s", one.what);
            cr_expect(strstr(err.message, one.want), "%s: %s", one.what, err.message);
            continue;
        }
        check_row(&one);
    }
}

/* Every piece [first, first + n) of every layout holds what was written there. */
Test(source_hdf5, pieces_of_all_layouts)
{
    const hsize_t shape[3] = {7, 5, 6};
    const hsize_t chunk[3] = {3, 2, 4};
    uint16_t data[210];
    uint64_t state = test_seed();
    for (size_t i = 0; i < 210; i++) {
        data[i] = (uint16_t)test_random(&state);
    }
    for (int layout = 0; layout < 5; layout++) {
        char path[2 * TEST_PATH];
        hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
        if (layout == 1) {
            H5Pset_layout(dcpl, H5D_COMPACT);
        } else if (layout >= 2) {
            H5Pset_chunk(dcpl, 3, chunk);
        }
        if (layout >= 3) {
            H5Pset_shuffle(dcpl);
            H5Pset_deflate(dcpl, 6);
        }
        if (layout == 4) {
            H5Pset_fletcher32(dcpl);
        }
        write_file(in_directory("layout.h5", path), layout == 2 ? H5T_STD_U16BE : H5T_STD_U16LE, 3,
                   shape, dcpl, NULL, "bf16", 1);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t x = H5Dopen2(file, "x", H5P_DEFAULT);
        cr_assert(H5Dwrite(x, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
        H5Dclose(x);
        H5Fclose(file);
        H5Pclose(dcpl);
        ulp_error_t err = {0};
        ulp_source_t *source = NULL;
        cr_assert(ulp_source_open(&source, path, NULL, &err) == ULP_OK, "%s", err.message);
        const ulp_source_info_t *info = ulp_source_info(source);
        cr_expect(info->rank == 3 && info->nelems == 210 && info->piece_nelems > 0);
        cr_expect_str_eq(info->name, "/x");
        cr_expect_str_eq(info->container, "hdf5");
        for (size_t first = 0; first <= 210; first++) {
            for (size_t n = 0; n <= 210 - first; n += 1 + first % 3) {
                uint16_t got[211] = {0};
                got[n] = 0xabcd;
                cr_assert(ulp_source_read(source, got, first, n, &err) == ULP_OK, "%s",
                          err.message);
                cr_assert(memcmp(got, data + first, 2 * n) == 0 && got[n] == 0xabcd,
                          "layout %d: [%zu, +%zu)", layout, first, n);
            }
        }
        ulp_source_close(source);
    }
    ulp_source_close(NULL);
}

Test(source_hdf5, odd_shapes)
{
    char path[2 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    const float one = 1;
    const hsize_t shape[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const hsize_t empty[2] = {3, 0};
    write_file(in_directory("s.h5", path), H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT, &one, NULL, 0);
    cr_assert(ulp_tensor_read(&t, path, NULL, &err) == ULP_OK, "%s", err.message);
    cr_expect(t.rank == 0 && t.nelems == 1 && ulp_tensor_get(&t, 0) == 0x3f800000);
    ulp_tensor_free(&t);
    write_file(path, H5T_IEEE_F32LE, -1, NULL, H5P_DEFAULT, NULL, NULL, 0);
    cr_assert(ulp_tensor_read(&t, path, NULL, &err) == ULP_OK, "%s", err.message);
    cr_expect(t.nelems == 0);
    ulp_tensor_free(&t);
    write_file(path, H5T_IEEE_F32LE, 2, empty, H5P_DEFAULT, NULL, NULL, 0);
    cr_assert(ulp_tensor_read(&t, path, NULL, &err) == ULP_OK, "%s", err.message);
    cr_expect(t.rank == 2 && t.shape[0] == 3 && t.nelems == 0);
    ulp_tensor_free(&t);
    write_file(path, H5T_IEEE_F32LE, 9, shape, H5P_DEFAULT, &one, NULL, 0);
    cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_UNSUPPORTED);
    cr_expect(strstr(err.message, "9 dimensions"), "%s", err.message);
}
