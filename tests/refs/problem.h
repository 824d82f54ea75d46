/*
 * tests/refs/problem.h - a contraction whose codes the test fills in.
 */
#ifndef ULP_TESTS_REFS_PROBLEM_H
#define ULP_TESTS_REFS_PROBLEM_H

#include <criterion/criterion.h>

#include "core/op.h"
#include "tests/harness/random.h"

/* One contraction of which the test holds the codes. */
typedef struct {
    ulp_tensor_t a, b, c, out;
    ulp_contraction_t x;
    const char *a_name, *b_name, *c_name;
} problem_t;

static inline ulp_tensor_t problem_tensor(const char *format, size_t n)
{
    ulp_tensor_t t;
    ulp_error_t err;
    cr_assert(ulp_tensor_create(&t, ulp_format_find(format, NULL), 1, &n, &err) == ULP_OK, "%s",
              err.message);
    return t;
}

/* groups x (m x k times k x n), c of the output's shape or absent. */
static inline void problem_init(problem_t *p, size_t groups, size_t m, size_t n, size_t k,
                                const char *a, const char *b, const char *c)
{
    *p = (problem_t){.a_name = a, .b_name = b, .c_name = c};
    p->a = problem_tensor(a, groups * m * k);
    p->b = problem_tensor(b, groups * k * n);
    p->x = (ulp_contraction_t){.a = &p->a,
                               .b = &p->b,
                               .shape = {.groups = groups,
                                         .m = m,
                                         .n = n,
                                         .k = k,
                                         .a_group = m * k,
                                         .a_row = k,
                                         .a_k = 1,
                                         .b_group = k * n,
                                         .b_k = n,
                                         .b_col = 1,
                                         .c_group = m * n,
                                         .c_row = n,
                                         .c_col = 1,
                                         .alpha = 1.0,
                                         .beta = 1.0},
                               .out_rank = 3,
                               .out_shape = {groups, m, n},
                               .out_nelems = groups * m * n};
    if (c) {
        p->c = problem_tensor(c, groups * m * n);
        p->x.c = &p->c;
    }
}

static inline void problem_free(problem_t *p)
{
    ulp_tensor_free(&p->a);
    ulp_tensor_free(&p->b);
    ulp_tensor_free(&p->c);
}

/* Finite codes: any, or of magnitudes from 1/16 to 2. */
static inline void fill(ulp_tensor_t *t, uint64_t *random, int wide)
{
    const ulp_format_t *f = t->format;
    int fraction = f->p - 1;
    uint64_t one = (uint64_t)f->bias << fraction;
    uint64_t largest = ulp_format_max(f) >> f->padding_bits;
    for (size_t i = 0; i < t->nelems; i++) {
        uint64_t r = test_random(random), code;
        if (wide) {
            code = (r >> 1) % (largest + 1);
        } else {
            uint64_t down = (test_random(random) % 5) << fraction;
            code = (down > one ? 0 : one - down) + (r & ((UINT64_C(1) << fraction) - 1));
            code = code > largest ? largest : code;
        }
        code <<= f->padding_bits;
        code |= code || f->zero == ULP_ZERO_SIGNED ? (r >> 63) << (f->bits - 1) : 0;
        ulp_tensor_set(t, i, code);
    }
}

#endif
