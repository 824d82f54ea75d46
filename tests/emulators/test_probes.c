/*
 * tests/emulators/test_probes.c - published probes: inputs, and the result that the source states,
 * asserts on a device or recorded there.
 *
 * Against tests/data/emulators/probes.txt, whose head names the sources; and here, those probes
 * that are loops over places.
 */
#include "tests/emulators/problem.h"
#include "tests/emulators/table_file.h"

static uint64_t run(problem_t *p, const char *line)
{
    ulp_tensor_t out = emulate(p, line, ULP_PATH_PLAIN, 1);
    uint64_t code = ulp_tensor_get(&out, 0);
    ulp_tensor_free(&out);
    return code;
}

Test(probes, models_give_what_the_sources_state)
{
    table_t t;
    table_open(&t, ULP_TEST_DATA_DIR "/emulators/probes.txt");
    while (table_next(&t, 6)) {
        /* A name or, where a source's option is not the default, a line. */
        ulp_model_t model;
        ulp_error_t err;
        cr_assert_eq(ulp_model_parse(&model, t.word[1], &err), ULP_OK, "%s:%d: %s", t.path, t.line,
                     err.message);
        size_t k = strtoul(t.word[3], NULL, 10);
        problem_t p = problem_new(t.word[2], ulp_model_output(&model)->name, 1, k);
        ulp_tensor_set(&p.c, 0, table_hex(&t, t.word[4]));
        for (size_t i = 6; i < t.nwords; i++) {
            char *colon = strchr(t.word[i], ':'), *star = strchr(t.word[i], '*');
            size_t place = strtoul(t.word[i], NULL, 10);
            cr_assert(colon && star && place < k, "%s:%d: %s", t.path, t.line, t.word[i]);
            ulp_tensor_set(&p.a, place, table_hex(&t, colon + 1));
            ulp_tensor_set(&p.b, place, table_hex(&t, star + 1));
        }
        problem_connect(&p, 1, k, 0);
        uint64_t want = table_hex(&t, t.word[5]), got = run(&p, t.word[1]);
        cr_expect_eq(got, want, "%s:%d: probe %s: %s gives %jx, the source %jx", t.path, t.line,
                     t.word[0], t.word[1], (uintmax_t)got, (uintmax_t)want);
        problem_free(&p);
    }
}

/* All a = b = 2^-9, so that p = 2^-18; the two places of 2^14 and -2^14, or one of them and c. */
static problem_t swamp(const char *format, size_t k, size_t i, size_t j, double c)
{
    problem_t p = problem_new(format, "f32", 1, k);
    const ulp_format_t *f = p.a.format;
    for (size_t at = 0; at < k; at++) {
        ulp_tensor_set(&p.a, at, code_of(at == i ? 128.0 : at == j ? -128.0 : 0x1p-9, f));
        ulp_tensor_set(&p.b, at, code_of(at == i || at == j ? 128.0 : 0x1p-9, f));
    }
    ulp_tensor_set(&p.c, 0, code_of(c, p.c.format));
    return p;
}

static uint64_t run_swamp(problem_t *p, const char *model)
{
    problem_connect(p, 1, p->a.shape[1], 0);
    return run(p, model);
}

static void check_swamp(const char *model, const char *format, size_t k, size_t l)
{
    for (size_t i = 0; i < k; i++) {
        /* k = 2 l: what comes in the second step survives a swamp in the first. */
        double want = k > l && i < l ? (double)(k - l) * 0x1p-18 : 0.0;
        problem_t p = swamp(format, k, i, k, -0x1p14);
        cr_expect_eq(run_swamp(&p, model), code_of(want, p.c.format), "%s: swamp at %zu", model, i);
        problem_free(&p);
        for (size_t j = 0; j < k; j++) {
            if (i != j) {
                want = k > l && i < l && j < l ? (double)(k - l) * 0x1p-18 : 0.0;
                p = swamp(format, k, i, j, 0x1p-18);
                cr_expect_eq(run_swamp(&p, model), code_of(want, p.c.format),
                             "%s: swamps at %zu, %zu", model, i, j);
                problem_free(&p);
            }
        }
    }
}

/* Behaviour tests of [MMASIM], run on the devices by its authors. */
Test(probes, what_one_step_fuses)
{
    check_swamp("volta.f16.f32", "f16", 4, 4);
    check_swamp("turing.f16.f32", "f16", 8, 8);
    check_swamp("ampere.f16.f32", "f16", 16, 8);
    check_swamp("ampere.tf32.f32", "tf32", 8, 4);
    check_swamp("ada.bf16.f32", "bf16", 16, 8);
    check_swamp("ada.f8.f32", "f8e4m3fn", 32, 16);
    check_swamp("ada.f8.f32", "f8e5m2", 16, 16);
    check_swamp("hopper.f16.f32", "f16", 16, 16);
    check_swamp("hopper.tf32.f32", "tf32", 8, 8);
    check_swamp("hopper.f8.f32.wgmma", "f8e5m2", 32, 32);
    check_swamp("blackwell.f8f6f4.f32.tcgen05", "f8e4m3fn", 32, 32);
    check_swamp("rtxblackwell.f8.f32", "f8e4m3fn", 32, 32);
}

/* Recorded on an MI300X [MMASIM], tests/probe/probe_amd_cdna3.ipynb, groups A and D. */
Test(probes, cdna3_fp8_joins_even_and_odd)
{
    const char *model = "cdna3.f8.f32", *format = "f8e4m3fnuz";
    for (size_t i = 0; i < 32; i++) {
        for (size_t j = 0; j < 32; j++) {
            if (i == j) {
                continue;
            }
            problem_t p = swamp(format, 32, i, j, 0x1p-18);
            double want = i < 16 && j < 16 ? 16.0 * 0x1p-18 : 0.0;
            cr_expect_eq(run_swamp(&p, model), code_of(want, p.c.format), "A: %zu, %zu", i, j);
            problem_free(&p);
        }
        problem_t p = swamp(format, 32, 32, i, 0x1p14);
        cr_expect_eq(run_swamp(&p, model), code_of(i < 16 ? 16.0 * 0x1p-18 : 0.0, p.c.format),
                     "A: c, %zu", i);
        problem_free(&p);
    }
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j <= 16; j++) {
            int c_swamps = j == 16;
            if (i == j) {
                continue;
            }
            problem_t p =
                swamp(format, 16, c_swamps ? 16 : i, c_swamps ? i : j, c_swamps ? 0x1p14 : 0x1p-10);
            for (size_t at = 0; at < 16; at++) {
                if (at != i && at != j) {
                    ulp_tensor_set(&p.a, at, code_of(0x1p-6, p.a.format));
                    ulp_tensor_set(&p.b, at, code_of(0x1p-5, p.b.format));
                }
            }
            double want = c_swamps ? 8 * 0x1p-11 : (i + j) % 2 ? 0x1p-10 : 5 * 0x1p-10;
            cr_expect_eq(run_swamp(&p, model), code_of(want, p.c.format), "D: %zu, %zu", i, j);
            problem_free(&p);
        }
    }
}

static void put_scales(ulp_tensor_t *t, const double *value, size_t n, const char *format)
{
    *t = new_tensor(format, 1, n);
    for (size_t i = 0; i < n; i++) {
        ulp_tensor_set(t, i, code_of(value[i], t->format));
    }
}

/* Group 6.1: [MMASIM] Table 8, the block-scaled columns. */
static void check_groups(const char *model, const char *scale, size_t block)
{
    static const double sa16[] = {0x1p11, 1, 1, 1}, sb16[] = {0x1p8, 0x1p-1, 1, 1};
    static const double sa4m3[] = {0x1p8, 1, 1, 1}, sb4m3[] = {0x1p8, 0x1p-1, 1, 1};
    static const double a[] = {-1, -1, -0.5}, b[] = {1, 0.5, 0.5};
    int ue4m3 = strcmp(scale, "f8e4m3fn") == 0;
    problem_t p = problem_new("f4e2m1fn", "f32", 1, 64);
    size_t second = block; /* where the second group stands */
    ulp_tensor_set(&p.a, 0, code_of(-4, p.a.format));
    ulp_tensor_set(&p.b, 0, code_of(4, p.b.format));
    for (size_t i = 0; i < 3; i++) {
        ulp_tensor_set(&p.a, second + i, code_of(a[i], p.a.format));
        ulp_tensor_set(&p.b, second + i, code_of(b[i], p.b.format));
    }
    /* UE4M3 reaches 2^8: -4 * 4 * 2^16 against c = 2^20. */
    put_scales(&p.a_scale, ue4m3 ? sa4m3 : sa16, 64 / block, scale);
    put_scales(&p.b_scale, ue4m3 ? sb4m3 : sb16, 64 / block, scale);
    ulp_tensor_set(&p.c, 0, code_of(ue4m3 ? 0x1p20 : 0x1p23, p.c.format));
    problem_connect(&p, 1, 64, block);
    uint64_t got = run(&p, model);
    cr_expect_eq(got, code_of(-0.875, p.c.format), "%s gives %jx", model, (uintmax_t)got);
    problem_free(&p);
}

Test(probes, block_scaled_groups_keep_35_bits)
{
    check_groups("blackwell.mxf4.f32.tcgen05", "f8e8m0fnu", 32);
    check_groups("rtxblackwell.mxf4.f32", "f8e8m0fnu", 32);
    check_groups("blackwell.mxf4nvf4.ue8m0.block32.f32.tcgen05", "f8e8m0fnu", 32);
    check_groups("blackwell.mxf4nvf4.ue8m0.block16.f32.tcgen05", "f8e8m0fnu", 16);
    check_groups("blackwell.mxf4nvf4.f32.tcgen05", "f8e4m3fn", 16);
    check_groups("rtxblackwell.mxf4nvf4.ue4m3.block16.f32", "f8e4m3fn", 16);
}

/* Group 6.1: MXFP8 with scales of 1. */
Test(probes, block_scaled_fp8_keeps_25_bits)
{
    static const double a[] = {-0x1p13, -0.5, -0.25, -0.125}, b[] = {0x1p10, 1, 1, 1}, one[] = {1};
    const char *models[] = {"blackwell.mxf8f6f4.f32.tcgen05", "rtxblackwell.mxf8f6f4.f32"};
    problem_t p = problem_new("f8e5m2", "f32", 1, 32);
    for (size_t i = 0; i < 4; i++) {
        ulp_tensor_set(&p.a, i, code_of(a[i], p.a.format));
        ulp_tensor_set(&p.b, i, code_of(b[i], p.b.format));
    }
    put_scales(&p.a_scale, one, 1, "f8e8m0fnu");
    put_scales(&p.b_scale, one, 1, "f8e8m0fnu");
    ulp_tensor_set(&p.c, 0, code_of(0x1p23, p.c.format));
    problem_connect(&p, 1, 32, 32);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(run(&p, models[i]), code_of(-0.75, p.c.format), "%s", models[i]);
    }
    problem_free(&p);
}
