/*
 * tests/emulators/test_vector.c - the vector path gives the bits of the plain path: every named
 * model it takes, every instruction set of this machine, operands over the whole range and at the
 * corners.
 */
#include <criterion/criterion.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "emulators/emulate.h"
#include "emulators/table.h"
#include "emulators/vector.h"
#include "tests/harness/random.h"

/* Ways to draw a code. */
typedef enum { ANY_BITS, ORDINARY, WIDE, TINY, HUGE_ONES, MOSTLY_ZERO, FAMILIES } family_t;

static uint64_t draw(const ulp_format_t *f, family_t family, uint64_t *state)
{
    uint64_t r = test_random(state),
             all = f->bits >= 64 ? UINT64_MAX : (UINT64_C(1) << f->bits) - 1;
    uint64_t padding = (UINT64_C(1) << f->padding_bits) - 1;
    if (family == MOSTLY_ZERO && r % 8 != 0) {
        return r & 0x100 ? UINT64_C(1) << (f->bits - 1) : 0;
    }
    if (family == ANY_BITS || f->bits < 8) {
        return r & all & ~padding;
    }
    int span = family == WIDE ? 60 : 8, middle = f->bias;
    int top = (1 << f->exponent_bits) - 2;
    middle = family == TINY ? 3 : family == HUGE_ONES ? top - 2 : middle;
    int field = middle + (int)(test_random(state) % (uint64_t)span) - span / 2;
    field = field < 0 ? 0 : field > top ? top : field;
    uint64_t fraction = (UINT64_C(1) << (f->p - 1)) - 1;
    uint64_t code =
        ((uint64_t)field << (f->p - 1)) | (r & fraction & (r & 0x8000 ? ~UINT64_C(0) : 7));
    return (code << f->padding_bits) | (r >> 63 ? UINT64_C(1) << (f->bits - 1) : 0);
}

static void fill(ulp_tensor_t *t, const ulp_format_t *f, size_t rows, size_t cols, family_t family,
                 uint64_t *state)
{
    size_t shape[2] = {rows, cols};
    cr_assert_eq(ulp_tensor_create(t, f, 2, shape, NULL), ULP_OK);
    for (size_t i = 0; i < t->nelems; i++) {
        ulp_tensor_set(t, i, draw(f, family, state));
    }
}

typedef struct {
    ulp_tensor_t a, b, c;
    ulp_contraction_t x;
} gemm_t;

/* d = a b (+ c), m x n x k; b stored transposed if asked. */
static void make(gemm_t *g, const ulp_format_t *fa, const ulp_format_t *fb, const ulp_format_t *fc,
                 size_t m, size_t n, size_t k, int transposed, family_t family, uint64_t *state)
{
    memset(g, 0, sizeof *g);
    fill(&g->a, fa, m, k, family, state);
    fill(&g->b, fb, transposed ? n : k, transposed ? k : n, family == HUGE_ONES ? ORDINARY : family,
         state);
    g->x.a = &g->a;
    g->x.b = &g->b;
    if (fc) {
        fill(&g->c, fc, m, n, family, state);
        g->x.c = &g->c;
    }
    g->x.shape = (ulp_contraction_shape_t){.groups = 1,
                                           .m = m,
                                           .n = n,
                                           .k = k,
                                           .a_row = k,
                                           .a_k = 1,
                                           .b_k = transposed ? 1 : n,
                                           .b_col = transposed ? k : 1,
                                           .c_row = n,
                                           .c_col = 1,
                                           .alpha = 1,
                                           .beta = 1};
    g->x.out_rank = 2;
    g->x.out_shape[0] = m;
    g->x.out_shape[1] = n;
    g->x.out_nelems = m * n;
}

static void release(gemm_t *g)
{
    ulp_tensor_free(&g->a);
    ulp_tensor_free(&g->b);
    ulp_tensor_free(&g->c);
}

/* 1 if the lanes took it. */
static int same_on_every_set(const gemm_t *g, const ulp_model_t *model, const char *name,
                             int threads)
{
    ulp_tensor_t plain = {0};
    ulp_error_t err = {0};
    cr_assert_eq(ulp_emulate_contraction(&plain, &g->x, model, ULP_PATH_PLAIN, 1, &err), ULP_OK,
                 "%s: %s", name, err.message);
    ulp_plan_t plan;
    cr_assert_eq(ulp_plan_make(&plan, model, &g->x, &err), ULP_OK);
    int taken = 0;
    for (size_t i = 0; i < ulp_vector_kernels_count(); i++) {
        const ulp_vector_kernels_t *kernels = ulp_vector_kernels_at(i);
        if (!ulp_vector_kernels_runs(i) || !ulp_vector_takes(&plan, &g->x, kernels)) {
            continue;
        }
        taken = 1;
        ulp_tensor_t lanes = {0};
        cr_assert_eq(ulp_tensor_create(&lanes, plain.format, 2, g->x.out_shape, NULL), ULP_OK);
        cr_assert_eq(ulp_vector_run(&lanes, &plan, &g->x, kernels, threads), 0);
        cr_expect_eq(fegetround(), FE_TONEAREST);
        for (size_t at = 0; at < plain.nelems; at++) {
            uint64_t want = ulp_tensor_get(&plain, at), got = ulp_tensor_get(&lanes, at);
            if (got != want) {
                cr_expect(0,
                          "%s on %s: m %zu n %zu k %zu, element %zu: lanes %#llx, plain %#llx "
                          "(seed %llu)",
                          name, kernels->name, g->x.shape.m, g->x.shape.n, g->x.shape.k, at,
                          (unsigned long long)got, (unsigned long long)want,
                          (unsigned long long)test_seed());
                break;
            }
        }
        ulp_tensor_free(&lanes);
    }
    ulp_plan_free(&plan);
    ulp_tensor_free(&plain);
    return taken;
}

/* The formats named in a row's list, one after another. */
static const ulp_format_t *listed(const char *list, size_t i)
{
    char word[32];
    for (;;) {
        size_t n = strcspn(list, " ");
        if (n == 0) {
            return NULL;
        }
        if (i-- == 0) {
            memcpy(word, list, n);
            word[n] = '\0';
            return ulp_format_find(word, NULL);
        }
        list += n + (list[n] == ' ');
    }
}

Test(vector, every_named_model_it_takes_gives_the_plain_bits)
{
    static const size_t sizes[][3] = {{3, 64, 48}, {5, 9, 33}, {2, 130, 64},
                                      {1, 16, 1},  {4, 64, 0}, {2, 70, 150}};
    uint64_t state = test_seed();
    size_t taken = 0;
    for (size_t row = 0; row < ulp_named_model_count(); row++) {
        const ulp_named_model_t *named = ulp_named_model_at(row);
        if (named->scales[0]) {
            continue;
        }
        ulp_model_t model = ulp_named_model_parse(named);
        int any = 0;
        for (size_t fa = 0; listed(named->inputs, fa); fa++) {
            /* Each row takes half of the sizes; rows that share a line take the other half. */
            for (size_t s = row % 2; s < sizeof sizes / sizeof sizes[0]; s += 2) {
                for (int family = 0; family < FAMILIES; family++) {
                    const ulp_format_t *a = listed(named->inputs, fa);
                    const ulp_format_t *b =
                        listed(named->inputs, s % 2 && listed(named->inputs, 1) ? 1 - fa % 2 : fa);
                    const ulp_format_t *c = s % 3 ? listed(named->c, 0) : NULL;
                    if (a->bits == 32 || b->bits == 32) {
                        b = a;
                    }
                    gemm_t g;
                    make(&g, a, b, c, sizes[s][0], sizes[s][1], sizes[s][2], (int)(s % 2),
                         (family_t)family, &state);
                    any |= same_on_every_set(&g, &model, named->name, 1 + (int)(s % 3));
                    release(&g);
                }
            }
        }
        taken += (size_t)any;
    }
    cr_expect_geq(taken, 30, "%zu models went through the lanes", taken);
}

Test(vector, wide_rows_and_columns_take_the_plain_path_alone)
{
    ulp_model_t model;
    cr_assert_eq(ulp_model_parse(&model, "hopper.bf16.f32", NULL), ULP_OK);
    uint64_t state = test_seed() + 7;
    gemm_t g;
    const ulp_format_t *bf16 = ulp_format_find("bf16", NULL);
    make(&g, bf16, bf16, ulp_format_find("f32", NULL), 9, 96, 160, 0, ORDINARY, &state);
    for (size_t i = 0; i < 40; i++) { /* single elements far from their neighbours, NaN, inf, -0 */
        static const uint16_t odd[] = {0x0001, 0x7f7f, 0x7f80, 0xff80,
                                       0x7fc1, 0x8000, 0x0080, 0xff7f};
        ulp_tensor_set(i % 2 ? &g.a : &g.b, test_random(&state) % (i % 2 ? g.a.nelems : g.b.nelems),
                       odd[i % 8]);
    }
    cr_expect(same_on_every_set(&g, &model, "odd elements", 2));
    release(&g);
}

Test(vector, stages_after_the_kernel)
{
    static const char *const lines[] = {
        "hopper.bf16.f32 | out(bf16,rne)",
        "hopper.bf16.f32 | promote(64) | out(bf16,rz)",
        "ampere.f16.f16",
        "fdpa(l=32,f=13,final=rz14,e0=-133) | promote(128)",
        "fdpa(l=32,f=25,final=rz24,e0=-133)",
        "order(desc) | fdpa(l=4,f=23,final=rz24,e0=-131)",
        "fma(f32,rne)",
    };
    uint64_t state = test_seed() + 3;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ulp_model_t model;
        ulp_error_t err = {0};
        cr_assert_eq(ulp_model_parse(&model, lines[i], &err), ULP_OK, "%s", err.message);
        for (int family = 0; family < FAMILIES; family++) {
            const ulp_format_t *f = ulp_format_find(i == 2             ? "f16"
                                                    : i == 3 || i == 4 ? "f8e4m3fn"
                                                                       : "bf16",
                                                    NULL);
            gemm_t g;
            make(&g, f, f, ulp_format_find(i == 2 ? "f16" : "f32", NULL), 7, 80, 261, 0,
                 (family_t)family, &state);
            cr_expect(same_on_every_set(&g, &model, lines[i], 2), "%s was not taken", lines[i]);
            release(&g);
        }
    }
}

/* Stages that the lanes leave to the plain path must be seen, not passed over. */
Test(vector, the_path_chosen_gives_the_plain_bits_with_every_stage)
{
    static const char *const lines[] = {
        "fma(f32,rne) | promote(64)",
        "fma(f32,rne) | promote(64,f32,rz)",
        "fma(f32,rne) | splitk(3)",
        "fma(f32,rz)",
        "in(bf16,rne) | fma(f32,rne) | out(f16,rne)",
        "in(flush=zero) | fma(f32,rne)",
        "in(tf32,rna) | order(desc) | fdpa(l=8,f=25,final=rz24,e0=-133) | splitk(2)",
        "in(f16,rne) | fdpa(l=8,f=24,final=rne11,e0=-21,acc=f16) | promote(64)",
        "in(f16,rne) | fdpa(l=8,f=24,final=rne11,e0=-21,acc=f16) | promote(64,f16,rne)",
        "in(f16,rne) | fdpa(l=8,f=24,final=rz24,e0=-133) | promote(36,f32,rz)",
        "in(bf16,rz) | fdpa(l=16,f=10,final=rz24,e0=-133,zero=signed) | out(f8e5m2,rna,sat)",
        "in(bf16,rz) | fdpa(l=16,f=27,final=rz24,e0=-133)",
        "in(bf16,rz) | fdpa(l=16,f=25,final=rz24,e0=-90)",
        "in(f8e5m2,rne) | fdpa(l=32,f=25,final=rne11,e0=-133,acc=f16) | out(f32,rne)",
        "in(bf16,rz) | fdpa(l=64,f=25,final=rz24,e0=-133)",
        "in(bf16,rz) | pairwise(l=4,final=rne24) | promote(32)",
    };
    uint64_t state = test_seed() + 11;
    const ulp_format_t *f32 = ulp_format_find("f32", NULL);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ulp_model_t model;
        ulp_error_t err = {0};
        cr_assert_eq(ulp_model_parse(&model, lines[i], &err), ULP_OK, "%s", err.message);
        gemm_t g;
        make(&g, f32, f32, NULL, 6, 70, 203, 0, ORDINARY, &state);
        ulp_tensor_t plain = {0}, chosen = {0};
        cr_assert_eq(ulp_emulate_contraction(&plain, &g.x, &model, ULP_PATH_PLAIN, 1, &err), ULP_OK,
                     "%s", err.message);
        cr_assert_eq(ulp_emulate_contraction(&chosen, &g.x, &model, ULP_PATH_AUTO, 2, &err), ULP_OK,
                     "%s", err.message);
        size_t bytes = plain.nelems * ulp_format_bytes(plain.format);
        cr_expect_arr_eq(chosen.data, plain.data, bytes, "%s", lines[i]);
        ulp_tensor_free(&plain);
        ulp_tensor_free(&chosen);
        release(&g);
    }
}
