/*
 * tests/core/test_source_hdf5_refused.c - damaged files, and what is no dataset of numbers: one
 * line each that names the file and says why; never other numbers.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

TestSuite(source_hdf5_refused, .init = setup, .fini = teardown);

static const char *in_directory(const char *name, char path[2 * TEST_PATH])
{
    snprintf(path, 2 * TEST_PATH, "%s/%s", directory, name);
    return path;
}

static size_t slurp(const char *path, unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    size_t n = fread(bytes, 1, size, f);
    fclose(f);
    return n;
}

static void spill(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    cr_assert(fwrite(bytes, 1, n, f) == n);
    fclose(f);
}

/* A flipped bit under fletcher32 and a file that is cut are errors, never other numbers. */
Test(source_hdf5_refused, damage_is_an_error)
{
    static unsigned char bytes[1 << 16];
    unsigned char want[2048];
    char path[2 * TEST_PATH], cut[2 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    const hsize_t shape = 512, chunk = 128;
    uint64_t state = test_seed();
    for (size_t i = 0; i < sizeof want; i++) {
        want[i] = (unsigned char)test_random(&state);
    }
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 1, &chunk);
    H5Pset_shuffle(dcpl);
    H5Pset_deflate(dcpl, 1);
    H5Pset_fletcher32(dcpl);
    write_file(in_directory("whole.h5", path), H5T_STD_U32LE, 1, &shape, dcpl, want, NULL, 0);
    H5Pclose(dcpl);
    size_t n = slurp(path, bytes, sizeof bytes);
    cr_assert(n > 2048 && n < sizeof bytes);
    in_directory("cut.h5", cut);
    for (size_t length = 0; length < n; length += 97) {
        spill(cut, bytes, length);
        ulp_status_t status = ulp_tensor_read(&t, cut, NULL, &err);
        cr_expect(status == ULP_ERROR_FORMAT || status == ULP_ERROR_IO, "%zu bytes: %d %s", length,
                  status, err.message);
        cr_expect(strstr(err.message, "cut.h5"), "%s", err.message);
    }
    size_t refused = 0;
    for (size_t i = 0; i < n; i += 97) {
        bytes[i] ^= 0x10;
        spill(cut, bytes, n);
        bytes[i] ^= 0x10;
        ulp_status_t status = ulp_tensor_read(&t, cut, NULL, &err);
        refused += status != ULP_OK;
        if (status == ULP_OK) {
            cr_expect(t.nelems != 512 || t.format->kind == ULP_KIND_FLOAT ||
                          memcmp(t.data, want, sizeof want) == 0,
                      "byte %zu: other numbers", i);
            ulp_tensor_free(&t);
        }
    }
    cr_expect(refused > 15, "%zu", refused);
}

Test(source_hdf5_refused, what_is_no_dataset)
{
    char path[2 * TEST_PATH], location[3 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    hid_t file = H5Fcreate(in_directory("a:b.h5", path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "outputs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t scalar = H5Screate(H5S_SCALAR);
    hid_t text = H5Tcopy(H5T_C_S1);
    hid_t pair = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(pair, "r", 0, H5T_IEEE_F32LE);
    H5Tinsert(pair, "i", 4, H5T_IEEE_F32LE);
    hid_t list = H5Tvlen_create(H5T_IEEE_F32LE);
    hsize_t three = 3;
    hid_t array = H5Tarray_create2(H5T_IEEE_F32LE, 1, &three);
    hid_t truth = H5Tenum_create(H5T_STD_I8LE);
    signed char value = 0;
    H5Tenum_insert(truth, "FALSE", &value);
    const struct {
        const char *name;
        hid_t type;
    } made[] = {{"text", text},          {"pair", pair},   {"list", list},
                {"array", array},        {"truth", truth}, {"reference", H5T_STD_REF_OBJ},
                {"h100", H5T_IEEE_F32LE}};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        H5Dclose(H5Dcreate2(group, made[i].name, made[i].type, scalar, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT));
    }
    H5Lcreate_soft("/nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group);
    H5Fclose(file);
    static const struct {
        const char *name;
        ulp_status_t status;
        const char *words;
    } row[] = {
        {"/outputs/text", ULP_ERROR_UNSUPPORTED, "strings"},
        {"/outputs/pair", ULP_ERROR_UNSUPPORTED, "compound"},
        {"/outputs/list", ULP_ERROR_UNSUPPORTED, "varying"},
        {"/outputs/array", ULP_ERROR_UNSUPPORTED, "array type"},
        {"/outputs/truth", ULP_ERROR_UNSUPPORTED, "enumeration"},
        {"/outputs/reference", ULP_ERROR_UNSUPPORTED, "references"},
        {"/outputs", ULP_ERROR_MISSING, "is a group"},
        {"/", ULP_ERROR_MISSING, "is a group"},
        {"/dangling", ULP_ERROR_MISSING, "link"},
        {"/outputs/h10", ULP_ERROR_MISSING, "there are: /outputs/h100"},
        {"/no/such", ULP_ERROR_MISSING, "there are: "},
        {NULL, ULP_ERROR_AMBIGUOUS, "7 datasets"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        snprintf(location, sizeof location, "%s%s%s", path, row[i].name ? ":" : "",
                 row[i].name ? row[i].name : "");
        ulp_status_t status = ulp_tensor_read(&t, location, NULL, &err);
        cr_expect_eq(status, row[i].status, "%s: %d %s", location, status, err.message);
        cr_expect(strstr(err.message, row[i].words) && strstr(err.message, "a:b.h5"),
                  "\"%s\" lacks \"%s\"", err.message, row[i].words);
    }
    snprintf(location, sizeof location, "%s:outputs/h100", path);
    cr_expect_eq(ulp_tensor_read(&t, location, NULL, &err), ULP_OK, "%s", err.message);
    ulp_tensor_free(&t);
}

Test(source_hdf5_refused, what_is_no_file)
{
    char path[2 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    static const struct {
        const char *bytes;
        size_t n;
        ulp_status_t status;
        const char *words;
    } row[] = {
        {"", 0, ULP_ERROR_FORMAT, "empty"},
        {"x", 1, ULP_ERROR_FORMAT, "not HDF5"},
        {"hello, world of text", 20, ULP_ERROR_FORMAT, "\"hell\""},
        {"\x89HDF", 4, ULP_ERROR_FORMAT, "truncated"},
        {"\x89HDF\r\n\x1a\n", 8, ULP_ERROR_FORMAT, "damaged"},
        {"PK\003\004rest", 8, ULP_ERROR_UNSUPPORTED, "zip"},
        {"\x1f\x8b\x08", 3, ULP_ERROR_UNSUPPORTED, "gunzip"},
    };
    in_directory("file", path);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        spill(path, (const unsigned char *)row[i].bytes, row[i].n);
        cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), row[i].status, "row %zu", i);
        cr_expect(strstr(err.message, row[i].words) && strstr(err.message, path), "row %zu: %s", i,
                  err.message);
    }
    cr_expect_eq(ulp_tensor_read(&t, directory, NULL, &err), ULP_ERROR_IO);
    cr_expect(strstr(err.message, "directory"), "%s", err.message);
    cr_expect_eq(ulp_tensor_read(&t, "/no/such.h5:/x", NULL, &err), ULP_ERROR_IO);
    cr_expect(strstr(err.message, "/no/such.h5: cannot open: No such file"), "%s", err.message);
    cr_assert(mkfifo(in_directory("fifo", path), 0600) == 0);
    cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_IO);
    cr_expect(strstr(err.message, "not a regular file"), "%s", err.message);
    if (geteuid() != 0) {
        spill(in_directory("closed", path), (const unsigned char *)"x", 1);
        chmod(path, 0);
        cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_IO);
        cr_expect(strstr(err.message, "Permission denied"), "%s", err.message);
    }
}

/* Data that are elsewhere, or under a filter that is not here, are not made up. */
Test(source_hdf5_refused, elsewhere_and_unknown_filters)
{
    char path[2 * TEST_PATH];
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    const hsize_t shape = 4;
    const float data[4] = {1, 2, 3, 4};
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 1, &shape);
    H5Pset_filter(dcpl, 32015, H5Z_FLAG_OPTIONAL, 0, NULL);
    write_file(in_directory("f.h5", path), H5T_IEEE_F32LE, 1, &shape, dcpl, NULL, NULL, 0);
    H5Pclose(dcpl);
    if (H5Zfilter_avail(32015) <= 0) {
        cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_UNSUPPORTED);
        cr_expect(strstr(err.message, "filter zstd (number 32015) is not installed"), "%s",
                  err.message);
    }
    dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(dcpl, "absent.bin", 0, 16);
    write_file(path, H5T_IEEE_F32LE, 1, &shape, dcpl, NULL, NULL, 0);
    H5Pclose(dcpl);
    cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_UNSUPPORTED);
    cr_expect(strstr(err.message, "other files"), "%s", err.message);
    hid_t space = H5Screate_simple(1, &shape, NULL);
    dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(dcpl, space, "absent.h5", "x", space);
    write_file(path, H5T_IEEE_F32LE, 1, &shape, dcpl, NULL, NULL, 0);
    H5Pclose(dcpl);
    H5Sclose(space);
    cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_UNSUPPORTED);
    cr_expect(strstr(err.message, "virtual"), "%s", err.message);
    /* A user block before the signature. */
    hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(fcpl, 1024);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, fcpl, H5P_DEFAULT);
    space = H5Screate_simple(1, &shape, NULL);
    hid_t x = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(x, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(x);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(fcpl);
    cr_assert(ulp_tensor_read(&t, path, NULL, &err) == ULP_OK, "%s", err.message);
    cr_expect_eq(ulp_tensor_get(&t, 3), 0x40800000);
    ulp_tensor_free(&t);
}
