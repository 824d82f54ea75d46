/*
 * tests/core/test_tensor.c - shapes, elements and words of tensors, against figures worked by hand.
 */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "core/tensor.h"

Test(tensor, has_codes_of_each_width)
{
    static const struct {
        const char *format;
        uint64_t code;
    } row[] = {{"f4e2m1fn", 0xf},   {"f8e4m3fn", 0x7e},   {"bf16", 0xffc0},
               {"f32", 0xdeadbeef}, {"tf32", 0x3f802000}, {"f64", 0x0123456789abcdef},
               {"i64", UINT64_MAX}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        ulp_tensor_t t = {0};
        size_t shape[] = {2, 3};
        const ulp_format_t *format = ulp_format_find(row[i].format, NULL);
        cr_assert(ulp_tensor_create(&t, format, 2, shape, &err) == ULP_OK, "%s", err.message);
        cr_expect_eq(t.nelems, 6);
        ulp_tensor_set(&t, 4, row[i].code);
        for (size_t j = 0; j < 6; j++) {
            cr_expect_eq(ulp_tensor_get(&t, j), j == 4 ? row[i].code : 0, "%s[%zu]", row[i].format,
                         j);
        }
        ulp_tensor_free(&t);
        cr_expect(t.format == NULL && t.data == NULL);
    }
    ulp_tensor_free(NULL);
}

Test(tensor, shapes_are_counted_and_refused)
{
    static const struct {
        int rank;
        size_t shape[ULP_RANK_MAX];
        ulp_status_t status;
        size_t nelems;
    } row[] = {
        {0, {0}, ULP_OK, 1},
        {1, {0}, ULP_OK, 0},
        {3, {SIZE_MAX, SIZE_MAX, 0}, ULP_OK, 0},
        {1, {SIZE_MAX / 8}, ULP_OK, SIZE_MAX / 8},
        {1, {SIZE_MAX / 8 + 1}, ULP_ERROR_SHAPE, 0},
        {2, {(size_t)1 << 31, (size_t)1 << 30}, ULP_ERROR_SHAPE, 0},
        {2, {(size_t)1 << 30, (size_t)1 << 30}, ULP_OK, (size_t)1 << 60},
        {8, {2, 1, 3, 1, 5, 1, 7, 11}, ULP_OK, 2310},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        size_t nelems = 12345;
        ulp_status_t status = ulp_shape_nelems(&nelems, row[i].rank, row[i].shape, &err);
        cr_expect_eq(status, row[i].status, "row %zu: %d", i, status);
        cr_expect_eq(nelems, status == ULP_OK ? row[i].nelems : 12345, "row %zu: %zu", i, nelems);
        cr_expect_eq(status != ULP_OK, err.message[0] != '\0', "row %zu", i);
    }
    /* Fits a count, not a memory. */
    ulp_error_t err = {0};
    ulp_tensor_t t = {0};
    size_t shape = (size_t)1 << 59;
    cr_expect_eq(ulp_tensor_create(&t, ulp_format_find("f64", NULL), 1, &shape, &err),
                 ULP_ERROR_MEMORY);
    cr_expect(strstr(err.message, "memory") && t.data == NULL, "%s", err.message);
}

Test(tensor, words)
{
    size_t shape[] = {2, 3, 5};
    size_t large[ULP_RANK_MAX];
    char text[192];
    char small[5];
    ulp_shape_print(text, sizeof text, 3, shape);
    cr_expect_str_eq(text, "2x3x5");
    ulp_shape_print(text, sizeof text, 0, NULL);
    cr_expect_str_eq(text, "scalar");
    ulp_index_print(text, sizeof text, 29, 3, shape);
    cr_expect_str_eq(text, "1,2,4");
    ulp_index_print(text, sizeof text, 5, 3, shape);
    cr_expect_str_eq(text, "0,1,0");
    ulp_shape_print(small, sizeof small, 3, shape);
    cr_expect_str_eq(small, "2x3x");
    for (int i = 0; i < ULP_RANK_MAX; i++) {
        large[i] = SIZE_MAX;
    }
    ulp_shape_print(text, sizeof text, ULP_RANK_MAX, large);
    cr_expect_eq(strlen(text), 8 * 20 + 7);
}
