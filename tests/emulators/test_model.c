/*
 * tests/emulators/test_model.c - model lines: canonical lines come back unchanged, others come back
 * canonical, and what is wrong is pointed at.
 *
 * Against lines and columns written here by hand.
 */
#include "tests/emulators/problem.h"
#include "tests/harness/random.h"

static const char *const canonical[] = {
    "in(tf32,rna) | fdpa(l=8,f=25,final=rz24,e0=-133) | promote(128) | splitk(2) | out(bf16,rne)",
    "order(pairs,block=32) | fdpa(l=16,f=25,final=rz24,e0=-133) | promote(32,f32,rne)",
    "fdpa(l=4,f=inf,final=rne24)",
    "fdpa(l=16,f=25,final=rne11,e0=-22,acc=f16,zero=plus)",
    "fdpa(l=16,f=25,final=rz24,e0=-133,acc=f32,zero=signed)",
    "scale(16) | gdpa(l=64,g=16,f=35,final=rz24,e0=-139)",
    "in(flush=zero) | pairwise(l=4,final=rne24,flush=signed)",
    "in(bf16,rne,flush=signed) | order(desc) | fma(f32)",
    "order(asc) | fma(f64,rz) | out(f32,ro,sat)",
    "imac(wrap)",
    "imac(sat,l=32) | out(f32,rne)",
    "trfdpa(l=8,f=24,f2=31)",
    "gtrfdpa(l=16,f=24,f2=31) | promote(64,f64)",
};

Test(model, canonical_lines_come_back)
{
    for (size_t i = 0; i < sizeof canonical / sizeof canonical[0]; i++) {
        char line[ULP_MODEL_LINE_MAX];
        ulp_model_t model = model_of(canonical[i]);
        ulp_model_print(line, &model);
        cr_expect_str_eq(line, canonical[i], "%s comes back as %s", canonical[i], line);
    }
}

Test(model, other_lines_come_back_canonical)
{
    static const char *const pairs[][2] = {
        {"  fdpa( e0=-133 , final=rz24,f=25,l=16 )|out( bfloat16 , nearest-even )",
         "fdpa(l=16,f=25,final=rz24,e0=-133) | out(bf16,rne)"},
        {"hopper.bf16.f32 | out(bf16,rne)", "fdpa(l=16,f=25,final=rz24,e0=-133) | out(bf16,rne)"},
        {"hopper.bf16", "fdpa(l=16,f=25,final=rz24,e0=-133)"},
        {"hopper.f8.f32.wgmma|promote(n=128,format=f32)",
         "fdpa(l=32,f=13,final=rz14,e0=-133) | promote(128,f32)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char line[ULP_MODEL_LINE_MAX];
        ulp_model_t model = model_of(pairs[i][0]);
        ulp_model_print(line, &model);
        cr_expect_str_eq(line, pairs[i][1], "%s comes back as %s", pairs[i][0], line);
    }
}

typedef struct {
    const char *line;
    int column;
    const char *says; /* part of the message */
} wrong_t;

static const wrong_t wrong[] = {
    {"", 1, "expected a stage"},
    {"fdpq(l=16,f=25,final=rz24,e0=-133)", 1, "did you mean 'fdpa'?"},
    {"in(tf32,rz) | fdpq(l=8)", 15, "'fdpq' is not a stage (did you mean 'fdpa'?)"},
    {"hoper.bf16.f32", 1, "did you mean 'hopper.bf16.f32'?"},
    {"fdpa(l=16,f=25,finl=rz24,e0=-133)", 16, "did you mean 'final'?"},
    {"fdpa(l=16,f=25,final=rx24,e0=-133)", 22, "did you mean 'r"},
    {"fdpa(l=16,f=25,final=rz25,e0=-133)", 1, "more significand bits than the accumulator"},
    {"fdpa(l=16,f=25,final=rz,e0=-133)", 22, "as in 'rz24'"},
    {"fdpa(l=16,f=25,final=sr24,e0=-133)", 22, "random bits"},
    {"fdpa(l=16,f=25,final=rz24)", 1, "needs e0="},
    {"fdpa(f=25,final=rz24,e0=-133)", 1, "fdpa needs l"},
    {"fdpa(l=0,f=25,final=rz24,e0=-133)", 8, "l is from 1 to 1024"},
    {"fdpa(l=16,f=49,final=rz24,e0=-133)", 13, "f is from 1 to 48"},
    {"fdpa(l=99999999999999999999,f=49,final=rz24,e0=-133)", 8, "l is from"},
    {"fdpa(l=16,f=x,final=rz24,e0=-133)", 13, "a whole number or 'inf'"},
    {"fdpa(l=16,l=8,f=25,final=rz24,e0=-133)", 11, "given twice"},
    {"fdpa(16,f=25,final=rz24,e0=-133)", 6, "write KEY=VALUE"},
    {"fdpa(l=16 f=25)", 11, "expected ',' or ')'"},
    {"fdpa(l=16,f=25,final=rz24,e0=-133", 34, "expected ',' or ')'"},
    {"fdpa(l=16,f=25,final=rz24,e0=-133) out(bf16,rne)", 36, "expected '|'"},
    {"fdpa(l=16,f=25,final=rz24,e0=-133) |", 37, "but the line ends"},
    {"fdpa(l=16,f=25,final=rz24,e0=-133,acc=f17)", 39, "did you mean 'f1"},
    {"fdpa(l=16,f=25,final=rz4,e0=-133,acc=f8e4m3fn)", 1, "needs infinities"},
    {"in(fp8,rz) | fma(f32,rne)", 4, "fp8"},
    {"in(tf32,rnd) | fma(f32,rne)", 9, "is not a rounding mode"},
    {"in() | fma(f32,rne)", 4, "an item of in"},
    {"in(flush=none) | fma(f32,rne)", 10, "'signed' or 'zero'"},
    {"out(bf16,rne)", 14, "no stage computes"},
    {"out(bf16,rne) | fma(f32,rne)", 17, "'out' stands after 'fma', not before"},
    {"fma(f32,rne) | fma(f32,rne)", 16, "only one of"},
    {"fma(f32,rne) | imac(wrap)", 16, "only one of"},
    {"fma(f32,rne) | hopper.bf16.f32", 16, "stands first"},
    {"gdpa(l=64,g=24,f=35,final=rz24,e0=-139)", 1, "multiple of g"},
    {"order(pairs,block=30) | fma(f32,rne)", 1, "multiple of 4"},
    {"imac(wrap,l=4)", 1, "the same after"},
    {"fma(f8e4m3fn,rne)", 1, "infinities"},
    {"ampere.f16.f32 | promote(0)", 26, "n is from 1"},
    {"fma(f32,rne)\n", 13, "expected '|'"},
};

Test(model, what_is_wrong_is_pointed_at)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ulp_model_t model = {.nstages = 77};
        ulp_error_t err = {0};
        char column[32];
        cr_expect_eq(ulp_model_parse(&model, wrong[i].line, &err), ULP_ERROR_ARGUMENT, "%s",
                     wrong[i].line);
        snprintf(column, sizeof column, "model: column %d: ", wrong[i].column);
        cr_expect_eq(strncmp(err.message, column, strlen(column)), 0, "%s: %s", wrong[i].line,
                     err.message);
        cr_expect(strstr(err.message, wrong[i].says), "%s: %s", wrong[i].line, err.message);
        cr_expect(strstr(err.message, ">>"), "%s: %s", wrong[i].line, err.message);
        cr_expect_eq(model.nstages, 77u, "%s: the output was touched", wrong[i].line);
    }
}

/* Any one character changed: a clear refusal, or a line that comes back canonical. */
Test(model, every_small_change_is_refused_or_understood)
{
    static const char letters[] = "abdefilmnoprstz0123456789=(),|-. ";
    uint64_t state = test_seed();
    for (size_t i = 0; i < sizeof canonical / sizeof canonical[0]; i++) {
        for (size_t round = 0; round < 400 * test_multiplier(); round++) {
            char text[ULP_MODEL_LINE_MAX], line[ULP_MODEL_LINE_MAX], again[ULP_MODEL_LINE_MAX];
            ulp_model_t model, twice;
            ulp_error_t err = {0};
            snprintf(text, sizeof text, "%s", canonical[i]);
            text[test_random(&state) % strlen(text)] =
                letters[test_random(&state) % (sizeof letters - 1)];
            if (ulp_model_parse(&model, text, &err) == ULP_OK) {
                ulp_model_print(line, &model);
                cr_assert_eq(ulp_model_parse(&twice, line, &err), ULP_OK, "%s: %s", line,
                             err.message);
                ulp_model_print(again, &twice);
                cr_assert_str_eq(line, again, "from %s", text);
            } else {
                cr_assert(strncmp(err.message, "model: column ", 14) == 0, "%s: %s", text,
                          err.message);
            }
        }
    }
}

Test(model, long_lines_are_refused_without_harm)
{
    static char text[70000];
    ulp_model_t model;
    ulp_error_t err = {0};
    memset(text, 'f', sizeof text - 1);
    cr_expect_eq(ulp_model_parse(&model, text, &err), ULP_ERROR_ARGUMENT);
    memset(text, ' ', sizeof text - 1);
    memcpy(text + 69000, "fma(f32,rnx)", 12);
    cr_expect_eq(ulp_model_parse(&model, text, &err), ULP_ERROR_ARGUMENT);
    cr_expect(strstr(err.message, "column 69009"), "%s", err.message);
}
