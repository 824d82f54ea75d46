/*
 * tests/emulators/problem.h - small contractions for the tests of emulators/: dot products by rows,
 * from codes in hand or from a recorded file.
 *
 * Files are read with the HDF5 library itself, bytes as they are stored: nothing of core/'s readers
 * stands between the recording and the emulator.
 */
#ifndef ULP_TESTS_EMULATORS_PROBLEM_H
#define ULP_TESTS_EMULATORS_PROBLEM_H

#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "emulators/emulate.h"
#include "emulators/table.h"

typedef struct {
    ulp_tensor_t a, b, c, d, a_scale, b_scale;
    ulp_contraction_t x;
} problem_t;

static inline const ulp_format_t *format_of(const char *name)
{
    const ulp_format_t *format = ulp_format_find(name, NULL);
    cr_assert(format, "no format %s", name);
    return format;
}

static inline ulp_tensor_t new_tensor(const char *format, size_t rows, size_t cols)
{
    ulp_tensor_t t = {0};
    size_t shape[] = {rows, cols};
    cr_assert_eq(ulp_tensor_create(&t, format_of(format), 2, shape, NULL), ULP_OK);
    return t;
}

/* d[i] = c[i] + sum over k of a[i,k] b[i,k]; block 0: no scales. */
static inline void problem_connect(problem_t *p, size_t rows, size_t k, size_t block)
{
    p->x = (ulp_contraction_t){.a = &p->a,
                               .b = &p->b,
                               .c = p->c.format ? &p->c : NULL,
                               .out_rank = 1,
                               .out_shape = {rows},
                               .out_nelems = rows};
    p->x.shape = (ulp_contraction_shape_t){.groups = rows,
                                           .m = 1,
                                           .n = 1,
                                           .k = k,
                                           .a_group = k,
                                           .a_k = 1,
                                           .b_group = k,
                                           .b_k = 1,
                                           .c_group = 1,
                                           .alpha = 1.0,
                                           .beta = 1.0};
    if (block) {
        p->x.a_scale = &p->a_scale;
        p->x.b_scale = &p->b_scale;
        p->x.shape.scale_block = block;
        p->x.shape.sa_group = p->x.shape.sb_group = (k + block - 1) / block;
        p->x.shape.sa_k = p->x.shape.sb_k = 1;
    }
}

static inline problem_t problem_new(const char *ab, const char *c, size_t rows, size_t k)
{
    problem_t p = {0};
    p.a = new_tensor(ab, rows, k);
    p.b = new_tensor(ab, rows, k);
    p.c = new_tensor(c, rows, 1);
    return p;
}

static inline void problem_free(problem_t *p)
{
    ulp_tensor_free(&p->a);
    ulp_tensor_free(&p->b);
    ulp_tensor_free(&p->c);
    ulp_tensor_free(&p->d);
    ulp_tensor_free(&p->a_scale);
    ulp_tensor_free(&p->b_scale);
}

/* The code nearest to a value that the format must hold exactly. */
static inline uint64_t code_of(double value, const ulp_format_t *format)
{
    unsigned flags;
    uint64_t code = ulp_number_encode(ulp_number_from_double(value), format, NULL, &flags);
    cr_assert_eq(flags, 0u, "%a is not a value of %s", value, format->name);
    return code;
}

static inline ulp_model_t model_of(const char *line)
{
    ulp_model_t model;
    ulp_error_t err = {0};
    cr_assert_eq(ulp_model_parse(&model, line, &err), ULP_OK, "%s", err.message);
    return model;
}

static inline ulp_tensor_t emulate(const problem_t *p, const char *line, ulp_path_t path,
                                   int threads)
{
    ulp_tensor_t out = {0};
    ulp_error_t err = {0};
    ulp_model_t model = model_of(line);
    cr_assert_eq(ulp_emulate_contraction(&out, &p->x, &model, path, threads, &err), ULP_OK,
                 "%s: %s", line, err.message);
    return out;
}

static inline ulp_tensor_t read_dataset(hid_t file, const char *name)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set);
    hid_t space = H5Dget_space(set), attribute = H5Aopen(set, "dtype", H5P_DEFAULT);
    hid_t text = H5Aget_type(attribute);
    char *dtype = NULL;
    hsize_t shape[2] = {1, 1};
    cr_assert(set >= 0 && attribute >= 0 && H5Tget_order(type) != H5T_ORDER_BE);
    H5Sget_simple_extent_dims(space, shape, NULL);
    cr_assert(H5Aread(attribute, text, &dtype) >= 0);
    ulp_tensor_t t = new_tensor(dtype, shape[0], shape[1]);
    cr_assert_eq(H5Tget_size(type), ulp_format_bytes(t.format));
    cr_assert(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, t.data) >= 0);
    H5free_memory(dtype);
    H5Tclose(text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return t;
}

static inline herr_t first_name(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    (void)group;
    (void)info;
    snprintf(data, 64, "%s", name);
    return 1;
}

/* Inputs and the one output of a recorded file. */
static inline problem_t problem_read(const char *path)
{
    problem_t p = {0};
    char name[64] = "", location[96];
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert(file >= 0, "cannot open %s", path);
    hid_t outputs = H5Gopen2(file, "outputs", H5P_DEFAULT);
    H5Literate(outputs, H5_INDEX_NAME, H5_ITER_INC, NULL, first_name, name);
    H5Gclose(outputs);
    snprintf(location, sizeof location, "outputs/%s", name);
    p.a = read_dataset(file, "inputs/a");
    p.b = read_dataset(file, "inputs/b");
    p.c = read_dataset(file, "inputs/c");
    p.d = read_dataset(file, location);
    H5Fclose(file);
    return p;
}

#endif
