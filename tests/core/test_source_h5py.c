/*
 * tests/core/test_source_h5py.c - what h5py and NumPy write (make_sources.py) is what we read, byte
 * for byte. Exit 77 where /usr/bin/python3 does not have them.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <string.h>

#include "core/source.h"
#include "tests/core/case_files.h"

Test(source_h5py, same_bytes)
{
    static const struct {
        const char *location, *dtype, *codes, *format;
    } row[] = {
        {"py.h5:/v2", NULL, "codes16", "bf16"},  {"py.h5:/v1", NULL, "codes8", "f8e4m3fn"},
        {"py.h5:/f2", NULL, "codes16", "f16"},   {"py.h5:u2", NULL, "codes16", "bf16"},
        {"f2.npy", NULL, "codes16", "f16"},      {"f2be.npy", NULL, "codes16", "f16"},
        {"f2f.npy", NULL, "codes16", "f16"},     {"v2.npy", "bf16", "codes16", "bf16"},
        {"py.h5:/v2", "=i16", "codes16", "i16"},
    };
    char directory[TEST_PATH], path[2 * TEST_PATH];
    test_directory_make(directory);
    cr_assert(test_python("core/make_sources.py", directory) == 0);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        unsigned char want[37 * 11 * 2];
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        snprintf(path, sizeof path, "%s/%s", directory, row[i].codes);
        FILE *f = fopen(path, "rb");
        size_t n = fread(want, 1, sizeof want, f);
        fclose(f);
        snprintf(path, sizeof path, "%s/%s", directory, row[i].location);
        cr_assert(ulp_tensor_read(&t, path, row[i].dtype, &err) == ULP_OK, "%s", err.message);
        cr_expect_str_eq(t.format->name, row[i].format, "%s", row[i].location);
        cr_expect(t.rank == 2 && t.shape[0] == 37 && t.shape[1] == 11, "%s", row[i].location);
        cr_assert_eq(n, t.nelems * ulp_format_bytes(t.format));
        cr_expect(memcmp(t.data, want, n) == 0, "%s: other bytes", row[i].location);
        ulp_tensor_free(&t);
    }
    static const char *const refused[] = {"flag", "z"};
    for (size_t i = 0; i < 2; i++) {
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        snprintf(path, sizeof path, "%s/py.h5:%s", directory, refused[i]);
        cr_expect_eq(ulp_tensor_read(&t, path, NULL, &err), ULP_ERROR_UNSUPPORTED, "%s",
                     err.message);
    }
    test_directory_remove(directory);
}
