/*
 * tests/emulators/test_special.c - special values, signs of zero, integers that overflow, block
 * scales, and what is refused.
 *
 * Against tables by hand, from the rules of the sources that stand beside them.
 */
#include <math.h>

#include "tests/emulators/problem.h"

typedef struct {
    const char *model, *format;
    uint64_t c;
    uint64_t a0, b0, a1, b1;
    uint64_t want;
} special_t;

/* Rules 6 to 11 of the common NVIDIA datapath and the overflow rules of CDNA [MMASIM]. bf16: 1 is
 * 3f80, inf 7f80, NaN 7fc1; f16: 3c00, 7c00, 7e00. */
static const special_t specials[] = {
    {"hopper.bf16.f32", "bf16", 0, 0xffc1, 0x3f80, 0, 0, 0x7fffffff},           /* NaN in */
    {"hopper.bf16.f32", "bf16", 0xffc01234, 0, 0, 0, 0, 0x7fffffff},            /* NaN c */
    {"hopper.bf16.f32", "bf16", 0, 0x7f80, 0x8000, 0, 0, 0x7fffffff},           /* inf * 0 */
    {"hopper.bf16.f32", "bf16", 0, 0x7f80, 0x3f80, 0xff80, 0x3f80, 0x7fffffff}, /* inf - inf */
    {"hopper.bf16.f32", "bf16", 0xff800000, 0x7f80, 0x3f80, 0, 0, 0x7fffffff},  /* with c */
    {"hopper.bf16.f32", "bf16", 0, 0xff80, 0x3f80, 0x7f7f, 0x7f7f, 0xff800000}, /* -inf */
    {"hopper.bf16.f32", "bf16", 0x7f800000, 0xbf80, 0x3f80, 0, 0, 0x7f800000},  /* inf c */
    {"hopper.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0}, /* huge cancel */
    {"hopper.bf16.f32", "bf16", 0, 0x7f00, 0x4000, 0, 0, 0x7f800000},           /* 2^128 */
    {"hopper.bf16.f32", "bf16", 0, 0x3f80, 0x3f80, 0xbf80, 0x3f80, 0},          /* 1 - 1 */
    {"hopper.f16.f16", "f16", 0, 0xfe00, 0x3c00, 0, 0, 0x7fff},                 /* NaN in */
    {"hopper.f16.f16", "f16", 0xfc00, 0x7c00, 0x3c00, 0, 0, 0x7fff},
    {"hopper.f16.f16", "f16", 0x7bff, 0x4c00, 0x3c00, 0, 0, 0x7c00}, /* 65504 + 16 */
    {"hopper.f16.f16", "f16", 0xfbff, 0xcc00, 0x3c00, 0, 0, 0xfc00},
    {"hopper.f8.f32.wgmma", "f8e4m3fn", 0, 0x7f, 0x38, 0, 0, 0x7fffffff}, /* E4M3 NaN */
    {"hopper.f8.f32.wgmma", "f8e4m3fn", 0, 0x7e, 0x7e, 0, 0, 0x48440000}, /* 448^2 */
    {"hopper.f8.f32.wgmma", "f8e5m2", 0, 0x7c, 0x3c, 0, 0, 0x7f800000},   /* E5M2 inf */
    {"hopper.f8.f32.mma", "f8e5m2", 0xff800000, 0x7c, 0x3c, 0, 0, 0x7fffffff},
    {"hopper.f8.f16.mma", "f8e4m3fn", 0, 0x7e, 0x7e, 0, 0, 0x7c00}, /* 200704 */
    {"ampere.f16.f32", "f16", 0, 0x0001, 0x0001, 0, 0, 0x27800000}, /* 2^-48 */
    {"cdna3.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0x7fc00000},
    {"cdna3.bf16.f32", "bf16", 0, 0x7f00, 0x4000, 0, 0, 0x7f800000},
    {"cdna1.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0x3f800000},
    {"cdna2.bf16.f32", "bf16", 0x3f800000, 0x7f7f, 0x7f7f, 0xff7f, 0x7f7f, 0x7fc00000},
    {"cdna2.bf16.f32", "bf16", 0x807fffff, 0, 0, 0, 0, 0},                       /* c flushed */
    {"cdna2.f16.f32", "f16", 0x3f800000, 0x83ff, 0x7bff, 0, 0, 0x3f800000},      /* a flushed */
    {"cdna2.bf16_1k.f32", "bf16", 0x80c00000, 0x0080, 0x3f80, 0, 0, 0x80000000}, /* sum flushed */
    {"cdna3.f8.f32", "f8e4m3fnuz", 0, 0x80, 0x40, 0, 0, 0x7fc00000},             /* its NaN */
    {"cdna3.f8.f32", "f8e4m3fnuz", 0x7f800000, 0x7f, 0x7f, 0, 0, 0x7f800000},    /* inf c */
};

Test(special, special_values)
{
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        const special_t *s = &specials[i];
        problem_t p = problem_new(s->format, ulp_named_model_find(s->model)->out, 1, 4);
        ulp_tensor_set(&p.a, 0, s->a0);
        ulp_tensor_set(&p.b, 0, s->b0);
        ulp_tensor_set(&p.a, 1, s->a1);
        ulp_tensor_set(&p.b, 1, s->b1);
        ulp_tensor_set(&p.c, 0, s->c);
        problem_connect(&p, 1, 4, 0);
        ulp_tensor_t out = emulate(&p, s->model, ULP_PATH_PLAIN, 1);
        cr_expect_eq(ulp_tensor_get(&out, 0), s->want, "row %zu: %s gives %jx, not %jx", i,
                     s->model, (uintmax_t)ulp_tensor_get(&out, 0), (uintmax_t)s->want);
        ulp_tensor_free(&out);
        problem_free(&p);
    }
}

/* All products -0 and c = -0: +0 on NVIDIA, asserted on the devices [MMASIM]; CDNA as its models
 * have it, CDNA2 because -0 enters as +0. A chain of IEEE 754 keeps -0. */
Test(special, negative_zeros_alone)
{
    static const char *const lines[] = {"hopper.f16.f32", "ampere.f16.f16",
                                        "cdna1.f16.f32",  "cdna2.f16.f32",
                                        "cdna3.f16.f32",  "pairwise(l=4,final=rne24)",
                                        "fma(f32,rne)"};
    for (int m = 0; m < 7; m++) {
        problem_t p = problem_new("f16", m == 1 ? "f16" : "f32", 1, 4);
        for (size_t k = 0; k < 4; k++) {
            ulp_tensor_set(&p.a, k, 0x8000);
            ulp_tensor_set(&p.b, k, 0x3c00);
        }
        ulp_tensor_set(&p.c, 0, m == 1 ? 0x8000 : 0x80000000);
        problem_connect(&p, 1, 4, 0);
        ulp_tensor_t out = emulate(&p, lines[m], ULP_PATH_PLAIN, 1);
        cr_expect_eq(ulp_tensor_get(&out, 0), m < 5 ? 0 : UINT64_C(0x80000000), "%s gives %jx",
                     lines[m], (uintmax_t)ulp_tensor_get(&out, 0));
        ulp_tensor_free(&out);
        problem_free(&p);
    }
}

/* -2^-150 alone: a negative sum that is cut to zero. */
static uint64_t run_vanishing(const char *line)
{
    problem_t p = problem_new("f32", "f32", 1, 1);
    ulp_tensor_set(&p.a, 0, code_of(-0x1p-75, p.a.format));
    ulp_tensor_set(&p.b, 0, code_of(0x1p-75, p.b.format));
    problem_connect(&p, 1, 1, 0);
    ulp_tensor_t out = emulate(&p, line, ULP_PATH_PLAIN, 1);
    uint64_t code = ulp_tensor_get(&out, 0);
    ulp_tensor_free(&out);
    problem_free(&p);
    return code;
}

Test(special, the_sign_of_a_vanished_sum_is_an_option)
{
    cr_expect_eq(run_vanishing("fdpa(l=16,f=25,final=rz24,e0=-133)"), 0u);
    cr_expect_eq(run_vanishing("fdpa(l=16,f=25,final=rz24,e0=-133,zero=signed)"), 0x80000000u);
    cr_expect_eq(run_vanishing("fdpa(l=16,f=25,final=rz24,e0=-133,zero=plus)"), 0u);
    /* An exact sum, rounded as IEEE 754 does, keeps its sign: CDNA1. */
    cr_expect_eq(run_vanishing("fdpa(l=4,f=inf,final=rne24)"), 0x80000000u);
}

static int64_t run_int(const char *line, int64_t c, int a0, int b0, int a1, int b1)
{
    problem_t p = problem_new("i8", "i32", 1, 2);
    ulp_tensor_set(&p.c, 0, (uint64_t)c & 0xffffffff);
    ulp_tensor_set(&p.a, 0, (uint64_t)a0 & 0xff);
    ulp_tensor_set(&p.b, 0, (uint64_t)b0 & 0xff);
    ulp_tensor_set(&p.a, 1, (uint64_t)a1 & 0xff);
    ulp_tensor_set(&p.b, 1, (uint64_t)b1 & 0xff);
    problem_connect(&p, 1, 2, 0);
    ulp_tensor_t out = emulate(&p, line, ULP_PATH_PLAIN, 1);
    int64_t value = (int32_t)ulp_tensor_get(&out, 0);
    ulp_tensor_free(&out);
    problem_free(&p);
    return value;
}

Test(special, integers_wrap_or_clamp)
{
    cr_expect_eq(run_int("imac(wrap)", 5, -128, -128, 127, -128), 5 + 16384 - 16256);
    cr_expect_eq(run_int("imac(wrap)", INT32_MAX, 127, 127, 0, 0), INT32_MIN + 16128);
    cr_expect_eq(run_int("imac(sat)", INT32_MAX, 127, 127, 0, 0), INT32_MAX);
    cr_expect_eq(run_int("imac(sat)", INT32_MIN, 127, -127, 0, 0), INT32_MIN);
    cr_expect_eq(run_int("imac(sat)", INT32_MAX, 127, 127, -127, 127), INT32_MAX);
    cr_expect_eq(run_int("imac(sat,l=1)", INT32_MAX, 127, 127, -127, 127), INT32_MAX - 16129);
    cr_expect_eq(run_int("ampere.i8.i32.satfinite", INT32_MAX, 127, 127, -127, 127), INT32_MAX);
}

/* Block scales: ue4m3's sign is ignored, a NaN scale decides, a group that cancels keeps its
 * exponent, a zero scale does not. */
static uint64_t run_scaled(uint64_t scale0, uint64_t scale1, const double *a, uint64_t c)
{
    problem_t p = problem_new("f4e2m1fn", "f32", 1, 64);
    p.a_scale = new_tensor("f8e4m3fn", 1, 4);
    p.b_scale = new_tensor("f8e4m3fn", 1, 4);
    for (size_t i = 0; i < 4; i++) {
        ulp_tensor_set(&p.a_scale, i, i == 0 ? scale0 : scale1);
        ulp_tensor_set(&p.b_scale, i, 0x38); /* 1 */
    }
    for (size_t i = 0; i < 3; i++) { /* two in the first group, one in the second */
        size_t at = i < 2 ? i : 16;
        ulp_tensor_set(&p.a, at, code_of(a[i], p.a.format));
        ulp_tensor_set(&p.b, at, code_of(1, p.b.format));
    }
    ulp_tensor_set(&p.c, 0, c);
    problem_connect(&p, 1, 64, 16);
    ulp_tensor_t out = emulate(&p, "blackwell.mxf4nvf4.f32.tcgen05", ULP_PATH_PLAIN, 1);
    uint64_t code = ulp_tensor_get(&out, 0);
    ulp_tensor_free(&out);
    problem_free(&p);
    return code;
}

Test(special, block_scales)
{
    const double a[] = {1, 1, 2}, cancel[] = {1, -1, 0};
    const uint64_t tiny = 0x2b800000; /* 2^-40 */
    cr_expect_eq(run_scaled(0x38, 0x38, a, 0), 0x40800000u);
    cr_expect_eq(run_scaled(0xb8, 0xb8, a, 0), 0x40800000u);
    cr_expect_eq(run_scaled(0x3c, 0x38, a, 0), 0x40a00000u); /* 1.5 */
    cr_expect_eq(run_scaled(0x7f, 0x38, a, 0), 0x7fffffffu);
    cr_expect_eq(run_scaled(0xff, 0x38, a, 0), 0x7fffffffu);
    cr_expect_eq(run_scaled(0x01, 0x01, a, 0), 0x3c000000u); /* 4 * 2^-9 */
    /* 1 - 1 at scale 1 keeps 2^0: bits of c below 2^-35 fall, all of 2^-40; at scale 0 they stay.
     */
    cr_expect_eq(run_scaled(0x38, 0x38, cancel, tiny), 0u);
    cr_expect_eq(run_scaled(0x00, 0x38, cancel, tiny), tiny);
}

static void refused(const problem_t *p, const char *line, const char *says)
{
    ulp_tensor_t out = {0};
    ulp_error_t err = {0};
    ulp_model_t model = model_of(line);
    cr_expect_eq(ulp_emulate_contraction(&out, &p->x, &model, ULP_PATH_PLAIN, 1, &err),
                 ULP_ERROR_UNSUPPORTED, "%s", line);
    cr_expect(!out.data && strstr(err.message, says), "%s: %s", line, err.message);
    cr_expect_eq(ulp_emulate_check(&p->x, &model, NULL), ULP_ERROR_UNSUPPORTED, "%s", line);
}

Test(special, what_a_model_cannot_take_is_refused)
{
    problem_t p = problem_new("f16", "f32", 1, 4);
    problem_connect(&p, 1, 4, 0);
    refused(&p, "hopper.f16.f16", "c is f32");
    refused(&p, "imac(wrap)", "takes integers");
    refused(&p, "scale(32) | fdpa(l=32,f=25,final=rz24,e0=-133)", "needs block scales");
    p.x.shape.alpha = 2.0;
    refused(&p, "hopper.f16.f32", "alpha = 2");
    problem_free(&p);
    p = problem_new("f64", "f32", 1, 4);
    problem_connect(&p, 1, 4, 0);
    refused(&p, "hopper.f16.f32", "needs 106");
    problem_free(&p);
    p = problem_new("i8", "i32", 1, 4);
    problem_connect(&p, 1, 4, 0);
    refused(&p, "imac(wrap) | promote(4)", "no other stage");
    problem_free(&p);
    p = problem_new("f4e2m1fn", "f32", 1, 64);
    p.a_scale = new_tensor("f8e8m0fnu", 1, 4);
    p.b_scale = new_tensor("f8e8m0fnu", 1, 4);
    problem_connect(&p, 1, 64, 16);
    refused(&p, "blackwell.mxf4.f32.tcgen05", "one scale per 16");
    refused(&p, "hopper.f16.f32", "no scale()");
    problem_free(&p);
}
