/*
 * tests/datasets/test_example_rows.c - the rows of the recorded examples stand in the recordings,
 * operand by operand: each is found there as a whole.
 */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <stdio.h>

#include "core/case.h"

static void read_file(ulp_case_t *c, const char *directory, const char *name)
{
    char path[1024];
    ulp_error_t err = {0};
    snprintf(path, sizeof path, "%s/%s.h5", directory, name);
    cr_assert(ulp_case_read(c, path, NULL, &err) == ULP_OK, "%s", err.message);
}

/* Does row i of `mine` stand in row j of `theirs`, the result too? */
static int same_row(const ulp_case_t *mine, size_t i, const ulp_case_t *theirs, size_t j, size_t k)
{
    if (ulp_tensor_get(ulp_case_input(mine, "c"), i) !=
            ulp_tensor_get(ulp_case_input(theirs, "c"), j) ||
        ulp_tensor_get(&mine->output[0].tensor, i) !=
            ulp_tensor_get(&theirs->output[0].tensor, j)) {
        return 0;
    }
    static const char *const name[] = {"a", "b"};
    for (size_t n = 0; n < 2 * k; n++) {
        if (ulp_tensor_get(ulp_case_input(mine, name[n / k]), i * k + n % k) !=
            ulp_tensor_get(ulp_case_input(theirs, name[n / k]), j * k + n % k)) {
            return 0;
        }
    }
    return 1;
}

Test(example_rows, stand_in_the_recordings)
{
    static const struct {
        const char *example, *recorded;
        size_t k;
        size_t row[6]; /* line of the source - 1 */
    } row[] = {{"h100-bf16", "h100_bf16_f32", 16, {0, 1, 2, 63, 420, 1667}},
               {"ada-fp8", "ada_f8e4m3fn_f32", 32, {0, 1, 2, 198}},
               {"b200-fp8", "b200_f8e4m3fn_f32", 32, {0, 1, 2, 5}}};
    for (size_t n = 0; n < sizeof row / sizeof row[0]; n++) {
        ulp_case_t mine = {0};
        ulp_case_t theirs = {0};
        read_file(&mine, ULP_TEST_EXAMPLES_DIR, row[n].example);
        read_file(&theirs, ULP_TEST_SHARED_DIR "/recorded", row[n].recorded);
        for (size_t i = 0; i < mine.output[0].tensor.nelems; i++) {
            cr_expect(same_row(&mine, i, &theirs, row[n].row[i], row[n].k), "%s: row %zu",
                      row[n].example, i);
            cr_expect(!same_row(&mine, i, &theirs, row[n].row[i] + 1, row[n].k), "%s: row %zu",
                      row[n].example, i);
        }
        ulp_case_free(&mine);
        ulp_case_free(&theirs);
    }
}
