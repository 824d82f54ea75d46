/* emulators/emulate.c - every output of a contraction, tile by tile. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/emulate.h"

#include <stdlib.h>

#include "emulators/tile.h"
#include "emulators/vector.h"

/* Outputs in a tile: its rows and columns are decoded once for all of them. */
enum { TILE_EDGE = 64, TILE_OPERANDS = 1 << 17 };

static size_t tile_edge(size_t nplaces)
{
    size_t edge = TILE_OPERANDS / (nplaces ? nplaces : 1);
    return edge < 1 ? 1 : edge > TILE_EDGE ? TILE_EDGE : edge;
}

static size_t parts(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

/* Rows row..row+rows, columns col..col+cols of group g. */
typedef struct {
    size_t g, row, rows, col, cols;
} place_t;

static place_t place_of(const ulp_contraction_shape_t *shape, size_t edge, size_t tile)
{
    size_t across = parts(shape->n, edge), down = parts(shape->m, edge);
    place_t p = {.g = tile / (across * down)};
    p.row = tile / across % down * edge;
    p.col = tile % across * edge;
    p.rows = shape->m - p.row < edge ? shape->m - p.row : edge;
    p.cols = shape->n - p.col < edge ? shape->n - p.col : edge;
    return p;
}

static int run_tile(ulp_tensor_t *out, const ulp_plan_t *plan, const ulp_contraction_t *x,
                    place_t p)
{
    ulp_tile_t tile;
    if (ulp_tile_make(&tile, plan, x, p.rows, p.cols) != 0) {
        return -1;
    }
    for (size_t i = 0; i < p.rows; i++) {
        ulp_tile_load_row(&tile, i, p.g, p.row + i);
    }
    for (size_t j = 0; j < p.cols; j++) {
        ulp_tile_load_column(&tile, j, p.g, p.col + j);
    }
    const ulp_contraction_shape_t *shape = &x->shape;
    for (size_t i = 0; i < p.rows; i++) {
        for (size_t j = 0; j < p.cols; j++) {
            ulp_slice_t slice = ulp_tile_slice(&tile, i, j);
            size_t row = p.row + i, col = p.col + j;
            ulp_operand_t c = ulp_tile_c(&tile, p.g, row, col);
            ulp_tensor_set(out, (p.g * shape->m + row) * shape->n + col,
                           ulp_plan_run(plan, &slice, c));
        }
    }
    ulp_tile_free(&tile);
    return 0;
}

static int run_plain(ulp_tensor_t *out, const ulp_contraction_t *x, const ulp_plan_t *plan,
                     int threads)
{
    const ulp_contraction_shape_t *shape = &x->shape;
    size_t edge = tile_edge(plan->nplaces);
    size_t ntiles = shape->groups * parts(shape->m, edge) * parts(shape->n, edge);
    int failed = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(| : failed)
    for (size_t tile = 0; tile < ntiles; tile++) {
        failed |= run_tile(out, plan, x, place_of(shape, edge, tile)) != 0;
    }
    return failed ? -1 : 0;
}

/* The best kernels that this machine runs and the plan suits; NULL: the plain path. */
static const ulp_vector_kernels_t *find_kernels(const ulp_plan_t *plan, const ulp_contraction_t *x)
{
    for (size_t i = 0; i < ulp_vector_kernels_count(); i++) {
        if (ulp_vector_kernels_runs(i)) {
            const ulp_vector_kernels_t *kernels = ulp_vector_kernels_at(i);
            return ulp_vector_takes(plan, x, kernels) ? kernels : NULL;
        }
    }
    return NULL;
}

static ulp_status_t run(ulp_tensor_t *out, const ulp_contraction_t *x, const ulp_model_t *model,
                        ulp_path_t path, int threads, ulp_error_t *err)
{
    ulp_plan_t plan;
    ulp_status_t status = ulp_plan_make(&plan, model, x, err);
    if (status != ULP_OK) {
        return status;
    }
    const ulp_vector_kernels_t *kernels = path == ULP_PATH_PLAIN ? NULL : find_kernels(&plan, x);
    int failed = kernels ? ulp_vector_run(out, &plan, x, kernels, threads)
                         : run_plain(out, x, &plan, threads);
    ulp_plan_free(&plan);
    return failed ? ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for tiles of K = %zu",
                                  x->shape.k)
                  : ULP_OK;
}

ulp_status_t ulp_emulate_check(const ulp_contraction_t *x, const ulp_model_t *model,
                               ulp_error_t *err)
{
    ulp_plan_t plan = {0};
    ulp_status_t status = ulp_plan_make(&plan, model, x, err);
    ulp_plan_free(&plan);
    return status;
}

ulp_status_t ulp_emulate_contraction(ulp_tensor_t *out, const ulp_contraction_t *x,
                                     const ulp_model_t *model, ulp_path_t path, int threads,
                                     ulp_error_t *err)
{
    ULP_ASSERT(threads >= 1);
    ulp_tensor_t made = {0};
    ulp_status_t status =
        ulp_tensor_create(&made, ulp_model_output(model), x->out_rank, x->out_shape, err);
    if (status == ULP_OK) {
        status = run(&made, x, model, path, threads, err);
    }
    if (status != ULP_OK) {
        ulp_tensor_free(&made);
        return status;
    }
    *out = made;
    return ULP_OK;
}

ulp_status_t ulp_emulate_elements(uint64_t *code, const size_t *index, size_t nindices,
                                  const ulp_contraction_t *x, const ulp_model_t *model,
                                  ulp_error_t *err)
{
    ulp_plan_t plan;
    ulp_status_t status = ulp_plan_make(&plan, model, x, err);
    if (status != ULP_OK) {
        return status;
    }
    ulp_tile_t tile;
    if (ulp_tile_make(&tile, &plan, x, 1, 1) != 0) {
        ulp_plan_free(&plan);
        return ulp_error_set(err, ULP_ERROR_MEMORY, "out of memory for K = %zu", x->shape.k);
    }
    for (size_t i = 0; i < nindices; i++) {
        ULP_ASSERT(index[i] < x->out_nelems);
        size_t col = index[i] % x->shape.n, row = index[i] / x->shape.n % x->shape.m;
        size_t g = index[i] / (x->shape.n * x->shape.m);
        ulp_tile_load_row(&tile, 0, g, row);
        ulp_tile_load_column(&tile, 0, g, col);
        ulp_slice_t slice = ulp_tile_slice(&tile, 0, 0);
        code[i] = ulp_plan_run(&plan, &slice, ulp_tile_c(&tile, g, row, col));
    }
    ulp_tile_free(&tile);
    ulp_plan_free(&plan);
    return ULP_OK;
}
