/*
 * tests/core/test_listing.c - what is in public files of other projects and in recorded outputs.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "core/source.h"

#define FILES ULP_TEST_SHARED_DIR "/cases/files/"

Test(listing, of_files_from_elsewhere)
{
    static const struct {
        const char *file, *name, *format;
    } row[] = {
        {FILES "h5py_vlen_string_s390x.h5", "/DSBEfloat", "f64"},
        {FILES "h5py_vlen_string_s390x.h5", "/DSBEint", "i64"},
        {FILES "h5py_vlen_string_s390x.h5", "/DSLEint", "u64"},
        {FILES "h5py_vlen_string_s390x.h5", "/DSvariable", NULL},
        {FILES "jhdf_float_special_values_earliest.hdf5", "/float16", "f16"},
        {FILES "jhdf_float_special_values_earliest.hdf5", "/float64", "f64"},
        {ULP_TEST_SHARED_DIR "/recorded/a100_bf16_f32.h5", "/inputs/a", "bf16"},
        {ULP_TEST_SHARED_DIR "/recorded/ada_f8e5m2_f16.h5", "/outputs/ada", "f16"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        ulp_listing_t listing = {0};
        int found = 0;
        cr_assert(ulp_listing_read(&listing, row[i].file, &err) == ULP_OK, "%s", err.message);
        for (size_t j = 0; j < listing.count; j++) {
            const ulp_listing_entry_t *entry = &listing.entry[j];
            cr_expect((entry->format == NULL) == (entry->problem != NULL), "%s", entry->name);
            if (strcmp(entry->name, row[i].name) == 0) {
                found = 1;
                cr_expect(row[i].format ? strcmp(entry->format->name, row[i].format) == 0
                                        : strstr(entry->problem, "strings") != NULL,
                          "%s", entry->name);
            }
        }
        cr_expect(found, "%s", row[i].name);
        ulp_listing_free(&listing);
    }
}

/* The values that h5py's and jhdf's own tests expect of these files, as bits. */
Test(listing, elements_of_files_from_elsewhere)
{
    static const struct {
        const char *location;
        uint64_t code[5];
    } row[] = {
        {FILES "h5py_vlen_string_s390x.h5:DSBEfloat",
         {0x40091eb851eb851f, 0x3ff9c28f5c28f5c3, 0x4005ae147ae147ae, 0x400347ae147ae148,
          0x3ff3333333333333}},
        {FILES "h5py_vlen_string_s390x.h5:/DSLEfloat",
         {0x40091eb851eb851f, 0x3ff9c28f5c28f5c3, 0x4005ae147ae147ae, 0x400347ae147ae148,
          0x3ff3333333333333}},
        {FILES "h5py_vlen_string_s390x.h5:/DSBEint", {1, 2, 3, 4, 5}},
        {FILES "jhdf_float_special_values_earliest.hdf5:/float16",
         {0x7c00, 0xfc00, 0x7e00, 0, 0x8000}},
        {FILES "jhdf_float_special_values_earliest.hdf5:/float32",
         {0x7f800000, 0xff800000, 0x7fc00000, 0, 0x80000000}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        cr_assert(ulp_tensor_read(&t, row[i].location, NULL, &err) == ULP_OK, "%s", err.message);
        cr_assert_eq(t.nelems, 5);
        for (size_t j = 0; j < 5; j++) {
            cr_expect_eq(ulp_tensor_get(&t, j), row[i].code[j], "%s[%zu]: %" PRIx64,
                         row[i].location, j, ulp_tensor_get(&t, j));
        }
        ulp_tensor_free(&t);
    }
}

Test(listing, a_file_that_its_writer_did_not_close)
{
    ulp_error_t err = {0};
    ulp_listing_t listing = {0};
    cr_expect_eq(ulp_listing_read(&listing, FILES "jhdf_byteshuffle_compressed_latest.hdf5", &err),
                 ULP_ERROR_IO);
    cr_expect(strstr(err.message, "h5clear -s ") && strstr(err.message, "writer"), "%s",
              err.message);
}
