/*
 * tests/core/test_case.c - case files read: those that h5py writes, with results that NumPy
 * computes; and those that must be refused, each with the words that say why.
 */
#define _XOPEN_SOURCE 700
#include "case_files.h"

#include <string.h>

#include "core/case.h"

static char directory[TEST_PATH];

static void make(void)
{
    test_directory_make(directory);
    cr_assert(test_python("core/make_cases.py", directory) == 0, "make_cases.py");
}

static void drop(void)
{
    test_directory_remove(directory);
}

TestSuite(case_read, .init = make, .fini = drop);

static ulp_status_t read_case(ulp_case_t *out, const char *name, const char *dtype,
                              ulp_error_t *err)
{
    char path[2 * TEST_PATH];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return ulp_case_read(out, path, dtype, err);
}

static void expect_text(const char *got, const char *want, const char *key)
{
    cr_expect(got != NULL && strcmp(got, want) == 0, "%s: got %s, want %s", key,
              got ? got : "nothing", want);
}

Test(case_read, attributes_of_every_storage)
{
    static const char *const want[][2] = {{"alpha", "0.5"},
                                          {"beta", "0.25"},
                                          {"trans_a", "1"},
                                          {"trans_b", "0"},
                                          {"text", "some words"},
                                          {"bytes", "fixed"},
                                          {"one", "7"},
                                          {"big", "66306"},
                                          {"unsigned", "18446744073709551615"},
                                          {"several", "(not one string or number)"},
                                          {"empty", ""}};
    ulp_case_t c = {0};
    ulp_error_t err = {0};
    cr_assert(read_case(&c, "attributes.h5", NULL, &err) == ULP_OK, "%s", err.message);
    cr_expect_str_eq(c.op->name, "gemm");
    cr_expect_eq(c.nattributes, sizeof want / sizeof want[0], "%zu attributes", c.nattributes);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        expect_text(ulp_case_attribute(&c, want[i][0]), want[i][1], want[i][0]);
    }
    cr_expect_null(ulp_case_attribute(&c, "op"));
    double value = 0;
    cr_expect(ulp_case_parameter(&value, &c, "trans_a", &err) == ULP_OK && value == 1);
    cr_expect(ulp_case_parameter(&value, &c, "beta", &err) == ULP_OK && value == 0.25);

    cr_assert_eq(c.noutputs, 2);
    cr_expect_str_eq(c.output[0].name, "h100");
    cr_expect_str_eq(c.output[1].name, "z");
    cr_expect_str_eq(c.output[0].tensor.format->name, "bf16");
    cr_expect_eq(ulp_tensor_get(&c.output[0].tensor, 3), 0xFFFF);
    cr_assert_eq(c.output[0].nattributes, 2, "dtype and sha256 are left out");
    expect_text(c.output[0].attribute[0].value, "NVIDIA H100", "platform");
    expect_text(c.output[0].attribute[1].value, "3", "runs");
    cr_expect_eq(ulp_tensor_get(ulp_case_input(&c, "b"), 0), 0x4014000000000000u);
    cr_expect_null(ulp_case_input(&c, "c"));
    ulp_case_free(&c);
    ulp_case_free(&c);
}

static double element(const ulp_tensor_t *tensor, size_t i)
{
    double value = 0;
    uint64_t code = ulp_tensor_get(tensor, i);
    memcpy(&value, &code, sizeof value);
    return value;
}

/* The formula of op.h, element by element: whole numbers, so doubles are exact. */
static double contract(const ulp_contraction_t *x, size_t g, size_t i, size_t j)
{
    const ulp_contraction_shape_t *s = &x->shape;
    double sum = 0;
    for (size_t k = 0; k < s->k; k++) {
        double product = element(x->a, g * s->a_group + i * s->a_row + k * s->a_k) *
                         element(x->b, g * s->b_group + k * s->b_k + j * s->b_col);
        if (s->scale_block != 0) {
            size_t block = k / s->scale_block;
            product *= element(x->a_scale, g * s->sa_group + i * s->sa_row + block * s->sa_k) *
                       element(x->b_scale, g * s->sb_group + block * s->sb_k + j * s->sb_col);
        }
        sum += product;
    }
    double c = x->c ? element(x->c, g * s->c_group + i * s->c_row + j * s->c_col) : 0;
    return s->alpha * sum + s->beta * c;
}

Test(case_read, contractions_agree_with_numpy)
{
    static const char *const name[] = {
        "gemm_plain.h5", "gemm_c.h5",       "gemm_trans.h5",   "gemm_trans_a.h5", "gemm_trans_b.h5",
        "gemm_batch.h5", "gemm_batch_a.h5", "gemm_batch_b.h5", "gemm_k0.h5",      "dot.h5",
        "dot_no_c.h5",   "dot_row.h5",      "scaled.h5",       "scaled_trans.h5", "scaled_dot.h5"};
    for (size_t n = 0; n < sizeof name / sizeof name[0]; n++) {
        ulp_case_t c = {0};
        ulp_error_t err = {0};
        ulp_contraction_t x = {0};
        cr_assert(read_case(&c, name[n], NULL, &err) == ULP_OK, "%s", err.message);
        cr_assert(ulp_case_contraction(&x, &c, &err) == ULP_OK, "%s", err.message);
        const ulp_tensor_t *want = &c.output[0].tensor;
        cr_assert_eq(x.out_rank, want->rank, "%s: rank %d", name[n], x.out_rank);
        cr_assert_eq(x.out_nelems, want->nelems, "%s: %zu elements", name[n], x.out_nelems);
        for (int i = 0; i < want->rank; i++) {
            cr_expect_eq(x.out_shape[i], want->shape[i], "%s: dimension %d", name[n], i);
        }
        cr_assert_eq(x.shape.groups * x.shape.m * x.shape.n, x.out_nelems, "%s", name[n]);
        size_t place = 0;
        for (size_t g = 0; g < x.shape.groups; g++) {
            for (size_t i = 0; i < x.shape.m; i++) {
                for (size_t j = 0; j < x.shape.n; j++, place++) {
                    double got = contract(&x, g, i, j);
                    cr_expect(got == element(want, place), "%s: element %zu: got %g, want %g",
                              name[n], place, got, element(want, place));
                }
            }
        }
        ulp_case_free(&c);
    }
}

Test(case_read, what_is_wrong_is_named)
{
    static const struct {
        const char *file, *dtype;
        ulp_status_t status;
        const char *words[2];
    } row[] = {
        {"absent.h5", NULL, ULP_ERROR_IO, {"absent.h5", ""}},
        {"text.h5", NULL, ULP_ERROR_FORMAT, {"text.h5", ""}},
        {"array.npy", NULL, ULP_ERROR_FORMAT, {"npy", "HDF5"}},
        {"no_case.h5", NULL, ULP_ERROR_FORMAT, {"not a case file", "ulpscope_case = 1"}},
        {"layout_2.h5", NULL, ULP_ERROR_UNSUPPORTED, {"ulpscope_case = 2", ""}},
        {"no_op.h5", NULL, ULP_ERROR_MISSING, {"attribute op", "ulpscope ops"}},
        {"bad_op.h5", NULL, ULP_ERROR_ARGUMENT, {"\"gem\"", "ulpscope ops"}},
        {"text_alpha.h5", NULL, ULP_ERROR_ARGUMENT, {"alpha", "half"}},
        {"array_alpha.h5", NULL, ULP_ERROR_ARGUMENT, {"alpha", "not a number"}},
        {"nan_alpha.h5", NULL, ULP_ERROR_ARGUMENT, {"alpha", "not finite"}},
        {"switch_2.h5", NULL, ULP_ERROR_ARGUMENT, {"trans_a", "0 or 1"}},
        {"near_name.h5", NULL, ULP_ERROR_ARGUMENT, {"transA", "trans_a"}},
        {"activation.h5", NULL, ULP_ERROR_ARGUMENT, {"activation", "not a parameter"}},
        {"foreign_parameter.h5", NULL, ULP_ERROR_ARGUMENT, {"alpha", "not a parameter of dot"}},
        {"no_inputs.h5", NULL, ULP_ERROR_MISSING, {"/inputs", "a, b, c"}},
        {"empty_inputs.h5", NULL, ULP_ERROR_MISSING, {"/inputs", "a, b, c"}},
        {"no_b.h5", NULL, ULP_ERROR_MISSING, {"/inputs/b", "gemm"}},
        {"capital_a.h5", NULL, ULP_ERROR_ARGUMENT, {"\"A\"", "a, b, c"}},
        {"outputs_is_data.h5", NULL, ULP_ERROR_FORMAT, {"/outputs", "not a group"}},
        {"subgroup.h5", NULL, ULP_ERROR_FORMAT, {"/outputs/deeper", "not a dataset"}},
        {"dangling.h5", NULL, ULP_ERROR_MISSING, {"/outputs/gone", "link"}},
        {"unnamed.h5", NULL, ULP_ERROR_AMBIGUOUS, {"/inputs/a, /inputs/b", "dtype"}},
        {"unnamed.h5", "b=f8e4m3fn,a=u8", ULP_ERROR_ARGUMENT, {"\"a\"", "inputs/a"}},
        {"unnamed_one.h5", NULL, ULP_ERROR_AMBIGUOUS, {"/inputs/a", "dtype"}},
        {"unnamed_one.h5", "a", ULP_ERROR_ARGUMENT, {"NAME=FORMAT", "\"a\""}},
        {"unnamed_one.h5", "a=", ULP_ERROR_ARGUMENT, {"NAME=FORMAT", ""}},
        {"unnamed_one.h5", "a=f8e4m3fn,q=bf16", ULP_ERROR_ARGUMENT, {"\"q\"", "no such dataset"}},
        {"unnamed_one.h5", "a=f8e9", ULP_ERROR_ARGUMENT, {"f8e9", ""}},
        {"unknown_dtype.h5", NULL, ULP_ERROR_ARGUMENT, {"/inputs/a", "f8e9"}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_case_t c = {0};
        ulp_error_t err = {0};
        ulp_status_t status = read_case(&c, row[i].file, row[i].dtype, &err);
        cr_expect(status == row[i].status && err.code == status, "%s: status %d, want %d: %s",
                  row[i].file, status, row[i].status, err.message);
        for (size_t j = 0; j < 2; j++) {
            cr_expect(strstr(err.message, row[i].words[j]) != NULL, "%s: \"%s\" lacks \"%s\"",
                      row[i].file, err.message, row[i].words[j]);
        }
        cr_expect_null(c.path, "%s: out was touched", row[i].file);
        if (status == ULP_OK) {
            ulp_case_free(&c);
        }
    }
}

Test(case_read, what_is_right_is_read)
{
    static const struct {
        const char *file, *dtype;
        size_t noutputs;
    } row[] = {{"remarks.h5", NULL, 1},
               {"no_outputs.h5", NULL, 0},
               {"empty_outputs.h5", NULL, 0},
               {"soft.h5", NULL, 2},
               {"unnamed.h5", "/inputs/a=f8e4m3fn,b=f8e5m2,outputs/a=u32", 1},
               {"unnamed_one.h5", "a=f8e5m2", 0}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_case_t c = {0};
        ulp_error_t err = {0};
        cr_assert(read_case(&c, row[i].file, row[i].dtype, &err) == ULP_OK, "%s: %s", row[i].file,
                  err.message);
        cr_expect_eq(c.noutputs, row[i].noutputs, "%s: %zu outputs", row[i].file, c.noutputs);
        if (strcmp(row[i].file, "unnamed.h5") == 0) {
            cr_expect_str_eq(ulp_case_input(&c, "a")->format->name, "f8e4m3fn");
            cr_expect_str_eq(ulp_case_input(&c, "b")->format->name, "f8e5m2");
            cr_expect_str_eq(c.output[0].tensor.format->name, "u32");
        }
        ulp_case_free(&c);
    }
}

/* The example of the manual page, run as it stands. */
Test(case_read, manual_page_example_is_a_case)
{
    char path[2 * TEST_PATH];
    char line[512];
    FILE *page = fopen(ULP_TEST_DATA_DIR "/../../tools/man/ulpscope-case.5", "r");
    cr_assert_not_null(page);
    snprintf(path, sizeof path, "%s/example.py", directory);
    FILE *script = fopen(path, "w");
    int inside = 0;
    int nlines = 0;
    while (fgets(line, sizeof line, page) != NULL) {
        if (strncmp(line, "import h5py", 11) == 0) {
            inside = 1;
        } else if (line[0] == '.') {
            inside = 0;
        }
        if (inside) {
            fputs(line, script);
            nlines++;
        }
    }
    fclose(page);
    fclose(script);
    cr_expect(nlines > 5 && nlines <= 14, "%d lines", nlines);
    snprintf(path, sizeof path, "cd '%s' && /usr/bin/python3 example.py", directory);
    cr_assert(system(path) == 0);
    ulp_case_t c = {0};
    ulp_error_t err = {0};
    ulp_contraction_t x = {0};
    cr_assert(read_case(&c, "case.h5", NULL, &err) == ULP_OK, "%s", err.message);
    cr_expect(ulp_case_contraction(&x, &c, &err) == ULP_OK, "%s", err.message);
    cr_expect_str_eq(ulp_case_input(&c, "a")->format->name, "bf16");
    cr_expect_eq(ulp_tensor_get(ulp_case_input(&c, "a"), 0), 0x3FC0, "1.5 in bf16");
    cr_expect_eq(c.noutputs, 1);
    cr_expect_eq(x.out_nelems, c.output[0].tensor.nelems);
    ulp_case_free(&c);
}
