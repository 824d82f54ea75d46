/* emulators/vector.c - a contraction in lanes: which plans, blocks of rows, panels of columns. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/vector.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulators/tile.h"
#include "emulators/vector_pack.h"

enum {
    WIDTH = ULP_VECTOR_WIDTH,
    ROWS = 1024,       /* rows of A that share a packed panel of B */
    COLUMNS_LEAST = 8, /* fewer are not worth the lanes */
    PLACES_CHUNK = 128 /* places of a panel that stay in the first cache while the rows pass */
};

/* The kind of kernel of a plan; -1: none. */
static int kind_of(const ulp_plan_t *plan)
{
    const ulp_stage_t *k = plan->kernel;
    int f32 = strcmp(plan->acc->name, "f32") == 0, f16 = strcmp(plan->acc->name, "f16") == 0;
    int bits = 0;
    while (1 << bits < k->l) {
        bits++;
    }
    if (k->kind != ULP_STAGE_FDPA || k->f == ULP_STAGE_F_INF || k->f < 0 || k->f > 25) {
        return -1;
    }
    if (f16 && k->final_mode == ULP_ROUND_NEAREST_EVEN && k->final_p == 11 && k->e0 > -100 &&
        k->e0 < 0) {
        return ULP_VECTOR_F16;
    }
    if (!f32 || k->final_mode != ULP_ROUND_TOWARD_ZERO || k->e0 >= -101) {
        return -1;
    }
    int narrow = bits + k->f + 2 <= 31;
    if (k->final_p == 14) {
        return narrow ? ULP_VECTOR_F32_14 : -1;
    }
    return k->final_p != 24 ? -1 : narrow ? ULP_VECTOR_F32 : ULP_VECTOR_F32_WIDE;
}

static int length_of(const ulp_plan_t *plan)
{
    switch (plan->kernel->l) {
    case 4:
        return 0;
    case 8:
        return 1;
    case 16:
        return 2;
    case 32:
        return 3;
    default:
        return -1;
    }
}

/* 1 if products of the operands, and sums that go with them, are what the kernels hold exactly. */
static int fits_operands(const ulp_plan_t *plan)
{
    const ulp_format_t *operand[] = {plan->a, plan->b};
    for (int i = 0; i < 2; i++) {
        if (operand[i]->p > 24 || operand[i]->emax > 127 || operand[i]->emin < -126) {
            return 0;
        }
    }
    return plan->kernel->kind == ULP_STAGE_FMA || plan->a->p + plan->b->p <= 24;
}

static int is_fma(const ulp_plan_t *plan)
{
    return plan->kernel->kind == ULP_STAGE_FMA && strcmp(plan->acc->name, "f32") == 0 &&
           plan->kernel->mode == ULP_ROUND_NEAREST_EVEN;
}

int ulp_vector_takes(const ulp_plan_t *plan, const ulp_contraction_t *x,
                     const ulp_vector_kernels_t *kernels)
{
    if (plan->splitk || plan->scale || x->shape.n < COLUMNS_LEAST || !fits_operands(plan)) {
        return 0;
    }
    if (plan->promote && (plan->sum != plan->acc || plan->promote->mode != ULP_ROUND_NEAREST_EVEN ||
                          strcmp(plan->sum->name, "f32") != 0)) {
        return 0;
    }
    if (is_fma(plan)) {
        return kernels->fma != NULL && plan->unit == 0 && plan->promote == NULL;
    }
    return kind_of(plan) >= 0 && length_of(plan) >= 0;
}

/* One block of rows and one panel of columns of one group. */
typedef struct {
    const ulp_plan_t *plan;
    const ulp_contraction_t *x;
    const ulp_vector_kernels_t *kernels;
    const ulp_packed_t *a;
    const ulp_decoder_t *decoder; /* of b */
    const ulp_format_t *f32, *f16;
    ulp_packed_t b;
    ulp_tile_t line; /* one row, one column, for the plain path */
    size_t g, row, rows, col, cols;
    float *c, *partial; /* [rows][64]; partial with promote */
    uint32_t *hard;     /* [rows][64] */
} panel_t;

static int panel_make(panel_t *p)
{
    memset(&p->b, 0, sizeof p->b);
    memset(&p->line, 0, sizeof p->line);
    p->c = aligned_alloc(64, (size_t)ROWS * WIDTH * sizeof *p->c);
    p->partial = aligned_alloc(64, (size_t)ROWS * WIDTH * sizeof *p->partial);
    p->hard = aligned_alloc(64, (size_t)ROWS * WIDTH * sizeof *p->hard);
    int failed = !p->c || !p->partial || !p->hard || ulp_packed_make(&p->b, p->plan, WIDTH) ||
                 ulp_tile_make(&p->line, p->plan, p->x, 1, 1);
    return failed ? -1 : 0;
}

static void panel_free(panel_t *p)
{
    free(p->c);
    free(p->partial);
    free(p->hard);
    ulp_packed_free(&p->b);
    ulp_tile_free(&p->line);
}

/* c of one output as a binary32; NaN and infinities are for the plain path. */
static float c_of(const panel_t *p, size_t row, size_t col, uint32_t *hard)
{
    const ulp_contraction_shape_t *shape = &p->x->shape;
    const ulp_tensor_t *c = p->x->c;
    if (c->format == p->f32 && p->plan->in == NULL && p->plan->sum == p->f32) {
        size_t at = p->g * shape->c_group + row * shape->c_row + col * shape->c_col;
        float x = ((const float *)c->data)[at];
        *hard = isfinite(x) ? 0u : 1u;
        return isfinite(x) ? x : 0.0f;
    }
    ulp_operand_t x = ulp_tile_c(&p->line, p->g, row, col);
    *hard = x.kind != ULP_OPERAND_FINITE;
    if (*hard) {
        return 0.0f;
    }
    return (float)ulp_number_to_double(ulp_operand_number(x, p->plan->sum->p - 1));
}

static void load_c(panel_t *p)
{
    memset(p->c, 0, p->rows * WIDTH * sizeof *p->c);
    memset(p->hard, 0, p->rows * WIDTH * sizeof *p->hard);
    if (p->x->c == NULL) {
        return;
    }
    for (size_t i = 0; i < p->rows; i++) {
        for (size_t j = 0; j < p->cols; j++) {
            size_t at = i * WIDTH + j;
            p->c[at] = c_of(p, p->row + i, p->col + j, &p->hard[at]);
        }
    }
}

static void run_fma(panel_t *p)
{
    size_t places = p->plan->nplaces;
    for (size_t k = 0; k < places; k += PLACES_CHUNK) {
        size_t n = places - k < PLACES_CHUNK ? places - k : PLACES_CHUNK;
        for (size_t i = 0; i < p->rows; i++) {
            p->kernels->fma(p->c + i * WIDTH, p->a->value + i * places + k, p->b.value + k * WIDTH,
                            n);
        }
    }
}

/* The chain over places first..first+count, from `c` on. */
static void run_chain(panel_t *p, float *c, size_t first, size_t count)
{
    const ulp_plan_t *plan = p->plan;
    size_t unit = plan->unit, places = plan->nplaces;
    ulp_vector_chain_run_t *run = p->kernels->chain[kind_of(plan)][length_of(plan)];
    for (size_t k = first; k < first + count; k += PLACES_CHUNK) {
        size_t n = first + count - k < PLACES_CHUNK ? first + count - k : PLACES_CHUNK;
        for (size_t i = 0; i < p->rows; i++) {
            ulp_vector_chain_t chain = {
                .a = p->a->value + i * places + k,
                .ea = p->a->exponent + i * places + k,
                .ra = p->a->largest + i * p->a->nsteps + k / unit,
                .b = p->b.value + k * WIDTH,
                .eb = p->b.exponent + k * WIDTH,
                .rb = p->b.largest + k / unit * WIDTH,
                .nsteps = n / unit,
                .f = plan->kernel->f,
                .e0 = plan->kernel->e0,
            };
            run(&chain, c + i * WIDTH, p->hard + i * WIDTH);
        }
    }
}

/* c += partial in binary32, nearest even. */
static void promote(panel_t *p)
{
    for (size_t i = 0; i < p->rows * WIDTH; i++) {
        p->c[i] += p->partial[i];
    }
}

static void run_segments(panel_t *p)
{
    const ulp_plan_t *plan = p->plan;
    int mode = kind_of(plan) == ULP_VECTOR_F16 ? FE_TONEAREST : FE_TOWARDZERO;
    for (size_t s = 0; s < plan->nsegments; s++) {
        const ulp_segment_t *segment = &plan->segment[s];
        float *c = p->c;
        if (plan->promote) {
            c = p->partial;
            memset(c, 0, p->rows * WIDTH * sizeof *c);
        }
        fesetround(mode);
        run_chain(p, c, segment->first, segment->count);
        fesetround(FE_TONEAREST);
        if (plan->promote) {
            promote(p);
        }
    }
}

/* The plain path for one output. */
static uint64_t plain(panel_t *p, size_t i, size_t j)
{
    ulp_tile_load_row(&p->line, 0, p->g, p->row + i);
    ulp_tile_load_column(&p->line, 0, p->g, p->col + j);
    ulp_slice_t slice = ulp_tile_slice(&p->line, 0, 0);
    return ulp_plan_run(p->plan, &slice, ulp_tile_c(&p->line, p->g, p->row + i, p->col + j));
}

/* The code of a binary32 that holds a binary16. */
static uint64_t f16_code(float x, uint32_t bits)
{
    uint32_t sign = bits >> 16 & 0x8000;
    float magnitude = fabsf(x);
    if (magnitude < 0x1p-14f) {
        return sign | (uint32_t)(magnitude * 0x1p24f);
    }
    return sign | (((bits & 0x7fffffff) >> 13) - ((127 - 15) << 10));
}

/* The code of an accumulator; NaN comes out of an FMA chain only. */
static uint64_t code_of(const panel_t *p, float c)
{
    const ulp_plan_t *plan = p->plan;
    uint32_t bits;
    memcpy(&bits, &c, sizeof bits);
    if (isnan(c)) {
        return plan->nan;
    }
    if (plan->output == p->f32) {
        return bits;
    }
    if (plan->output == p->f16 && plan->out == NULL) {
        return f16_code(c, bits);
    }
    ulp_rounding_t how = {.mode = ULP_ROUND_NEAREST_EVEN};
    if (plan->out) {
        how.mode = plan->out->mode;
        how.overflow = plan->out->overflow;
    }
    return ulp_number_convert(bits, plan->output, p->f32, &how, NULL);
}

static void store(ulp_tensor_t *out, panel_t *p)
{
    const ulp_contraction_shape_t *shape = &p->x->shape;
    for (size_t i = 0; i < p->rows; i++) {
        for (size_t j = 0; j < p->cols; j++) {
            size_t at = i * WIDTH + j;
            int hard = p->hard[at] != 0 || p->a->wide[i] || p->b.wide[j];
            /* After promotion, the sum of partial sums near the limits or NaN. */
            hard |= p->plan->promote && !(p->c[at] - p->c[at] == 0.0f);
            uint64_t code = hard ? plain(p, i, j) : code_of(p, p->c[at]);
            ulp_tensor_set(out, (p->g * shape->m + p->row + i) * shape->n + p->col + j, code);
        }
    }
}

static void run_panel(ulp_tensor_t *out, panel_t *p)
{
    const ulp_contraction_shape_t *shape = &p->x->shape;
    ulp_packed_panel(&p->b, p->decoder, p->g * shape->b_group + p->col * shape->b_col, shape->b_k,
                     shape->b_col, p->cols);
    load_c(p);
    if (is_fma(p->plan)) {
        run_fma(p);
    } else {
        run_segments(p);
    }
    store(out, p);
}

/* Pack rows row..row+rows of group g. */
static void pack_rows(ulp_packed_t *a, const ulp_decoder_t *decoder,
                      const ulp_contraction_shape_t *shape, size_t g, size_t row, size_t rows,
                      int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < rows; i++) {
        ulp_packed_row(a, i, decoder, g * shape->a_group + (row + i) * shape->a_row, shape->a_k);
    }
}

/* All panels of one block of rows. */
static int run_block(ulp_tensor_t *out, const panel_t *at, int threads)
{
    size_t n = at->x->shape.n, npanels = (n + WIDTH - 1) / WIDTH;
    int failed = 0;
#pragma omp parallel num_threads(threads) reduction(| : failed)
    {
        fenv_t environment;
        fegetenv(&environment);
        fesetround(FE_TONEAREST);
        panel_t p = *at;
        int made = panel_make(&p) == 0;
        failed |= !made;
#pragma omp for schedule(dynamic)
        for (size_t panel = 0; panel < npanels; panel++) {
            if (made) {
                p.col = panel * WIDTH;
                p.cols = n - p.col < WIDTH ? n - p.col : WIDTH;
                run_panel(out, &p);
            }
        }
        panel_free(&p);
        fesetenv(&environment);
    }
    return failed;
}

/* Groups, and blocks of rows in each. */
static int run_groups(ulp_tensor_t *out, panel_t *at, ulp_packed_t *a, const ulp_decoder_t *rows,
                      int threads)
{
    const ulp_contraction_shape_t *shape = &at->x->shape;
    int failed = 0;
    at->a = a;
    for (at->g = 0; at->g < shape->groups; at->g++) {
        for (at->row = 0; at->row < shape->m && !failed; at->row += ROWS) {
            at->rows = shape->m - at->row < ROWS ? shape->m - at->row : ROWS;
            pack_rows(a, rows, shape, at->g, at->row, at->rows, threads);
            failed = run_block(out, at, threads);
        }
    }
    return failed;
}

int ulp_vector_run(ulp_tensor_t *out, const ulp_plan_t *plan, const ulp_contraction_t *x,
                   const ulp_vector_kernels_t *kernels, int threads)
{
    ulp_packed_t a = {0};
    ulp_decoder_t rows = {0}, columns = {0};
    panel_t at = {.plan = plan, .x = x, .kernels = kernels, .decoder = &columns};
    at.f32 = ulp_format_find("f32", NULL);
    at.f16 = ulp_format_find("f16", NULL);
    int failed = ulp_packed_make(&a, plan, x->shape.m < ROWS ? x->shape.m : ROWS) != 0 ||
                 ulp_decoder_make(&rows, plan, x->a) != 0 ||
                 ulp_decoder_make(&columns, plan, x->b) != 0 ||
                 run_groups(out, &at, &a, &rows, threads) != 0;
    ulp_packed_free(&a);
    ulp_decoder_free(&rows);
    ulp_decoder_free(&columns);
    return failed ? -1 : 0;
}
