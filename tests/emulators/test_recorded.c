/*
 * tests/emulators/test_recorded.c - 30 recorded sets of outputs of V100, A100, Ada, H100 and B200.
 *
 * Every element of every set must be reproduced by the rows of its device, by those that share the
 * datapath, and by no row of another one [KM25].
 */
#include "tests/emulators/problem.h"

enum { NAMES = 8 };

typedef struct {
    const char *file;
    const char *right[NAMES];
    const char *wrong[NAMES];
} recorded_t;

#define LIKE_HOPPER(t)                                                                             \
    "hopper." t ".f32", "hopper." t ".f32.wgmma", "blackwell." t ".f32",                           \
        "blackwell." t ".f32.tcgen05", "rtxblackwell." t ".f32"
#define NOT_HOPPER(t) "ampere." t ".f32", "hopper." t ".f32.k8", "cdna3." t ".f32"
#define HOPPER_F16                                                                                 \
    "hopper.f16.f16", "hopper.f16.f16.wgmma", "blackwell.f16.f16", "blackwell.f16.f16.tcgen05"
#define EMULATED(d) "hopper.f8." d ".mma", "blackwell.f8." d ".mma"
#define NATIVE(d)                                                                                  \
    "ada.f8." d, "hopper.f8." d ".wgmma", "blackwell.f8f6f4." d ".tcgen05", "rtxblackwell.f8." d,  \
        "rtxblackwell.f8." d ".k16"

static const recorded_t sets[] = {
    {"v100_f16_f32",
     {"volta.f16.f32"},
     {"turing.f16.f32", "ampere.f16.f32", "hopper.f16.f32", "cdna1.f16.f32", "cdna2.f16.f32",
      "cdna3.f16.f32", "fma.f32.f32"}},
    {"v100_f16_f16", {"volta.f16.f16"}, {NULL}},
    {"a100_f16_f32",
     {"ampere.f16.f32", "ada.f16.f32", "turing.f16.f32"},
     {"volta.f16.f32", "hopper.f16.f32", "hopper.f16.f32.k8", "cdna1.f16.f32", "cdna3.f16.f32"}},
    {"a100_bf16_f32",
     {"ampere.bf16.f32", "ada.bf16.f32"},
     {"hopper.bf16.f32", "cdna1.bf16.f32", "cdna2.bf16.f32", "cdna3.bf16.f32"}},
    {"a100_tf32_f32",
     {"ampere.tf32.f32", "ada.tf32.f32"},
     {"hopper.tf32.f32", "hopper.tf32.f32.k4", "cdna3.xf32.f32", "fma.f32.f32"}},
    {"a100_f16_f16", {"ampere.f16.f16", "ada.f16.f16", "turing.f16.f16"}, {"volta.f16.f16"}},
    {"ada_f16_f32",
     {"ada.f16.f32", "ampere.f16.f32"},
     {"volta.f16.f32", "hopper.f16.f32", "blackwell.f16.f32"}},
    {"ada_bf16_f32", {"ada.bf16.f32", "ampere.bf16.f32"}, {"hopper.bf16.f32", "cdna3.bf16.f32"}},
    {"ada_tf32_f32", {"ada.tf32.f32", "ampere.tf32.f32"}, {"hopper.tf32.f32", "cdna3.xf32.f32"}},
    {"ada_f16_f16", {"ada.f16.f16", "ampere.f16.f16"}, {"volta.f16.f16"}},
    {"ada_f8e4m3fn_f32",
     {"ada.f8.f32"},
     {EMULATED("f32"), "hopper.f8.f32.wgmma", "rtxblackwell.f8.f32"}},
    {"ada_f8e5m2_f32",
     {"ada.f8.f32"},
     {EMULATED("f32"), "hopper.f8.f32.wgmma", "rtxblackwell.f8.f32"}},
    {"ada_f8e4m3fn_f16",
     {"ada.f8.f16"},
     {EMULATED("f16"), "hopper.f8.f16.wgmma", "rtxblackwell.f8.f16"}},
    {"ada_f8e5m2_f16",
     {"ada.f8.f16"},
     {EMULATED("f16"), "hopper.f8.f16.wgmma", "rtxblackwell.f8.f16"}},
    {"h100_f16_f32", {LIKE_HOPPER("f16")}, {NOT_HOPPER("f16"), "volta.f16.f32"}},
    {"h100_bf16_f32", {LIKE_HOPPER("bf16")}, {NOT_HOPPER("bf16")}},
    {"h100_tf32_f32", {LIKE_HOPPER("tf32")}, {"ampere.tf32.f32", "cdna3.xf32.f32"}},
    {"h100_f16_f16", {HOPPER_F16}, {"ampere.f16.f16", "volta.f16.f16", "hopper.f16.f16.k8"}},
    {"h100_f8e4m3fn_f32",
     {"hopper.f8.f32.wgmma"},
     {EMULATED("f32"), "ada.f8.f32", "rtxblackwell.f8.f32"}},
    {"h100_f8e5m2_f32",
     {"hopper.f8.f32.wgmma"},
     {EMULATED("f32"), "ada.f8.f32", "rtxblackwell.f8.f32"}},
    {"h100_f8e4m3fn_f16", {EMULATED("f16")}, {NATIVE("f16")}},
    {"h100_f8e5m2_f16", {EMULATED("f16")}, {NATIVE("f16")}},
    {"b200_f16_f32", {LIKE_HOPPER("f16")}, {NOT_HOPPER("f16"), "volta.f16.f32"}},
    {"b200_bf16_f32", {LIKE_HOPPER("bf16")}, {NOT_HOPPER("bf16")}},
    {"b200_tf32_f32", {LIKE_HOPPER("tf32")}, {"ampere.tf32.f32", "cdna3.xf32.f32"}},
    {"b200_f16_f16", {HOPPER_F16}, {"ampere.f16.f16", "volta.f16.f16", "hopper.f16.f16.k8"}},
    {"b200_f8e4m3fn_f32", {EMULATED("f32")}, {NATIVE("f32")}},
    {"b200_f8e5m2_f32", {EMULATED("f32")}, {NATIVE("f32")}},
    {"b200_f8e4m3fn_f16", {EMULATED("f16")}, {NATIVE("f16")}},
    {"b200_f8e5m2_f16", {EMULATED("f16")}, {NATIVE("f16")}},
};

static size_t matched(const problem_t *p, const char *name, size_t *first)
{
    ulp_tensor_t out = emulate(p, name, ULP_PATH_PLAIN, 1);
    size_t same = 0;
    *first = SIZE_MAX;
    for (size_t i = 0; i < out.nelems; i++) {
        int equal = ulp_tensor_get(&out, i) == ulp_tensor_get(&p->d, i);
        same += (size_t)equal;
        *first = !equal && *first == SIZE_MAX ? i : *first;
    }
    ulp_tensor_free(&out);
    return same;
}

/* The element by itself is the element of the whole. */
static void check_elements(const problem_t *p, const char *name)
{
    size_t index[] = {0, 7, 1234, 2499};
    uint64_t code[4];
    ulp_model_t model = model_of(name);
    cr_assert_eq(ulp_emulate_elements(code, index, 4, &p->x, &model, NULL), ULP_OK);
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(code[i], ulp_tensor_get(&p->d, index[i]), "%s: element %zu", name, index[i]);
    }
}

Test(recorded, every_set_by_its_datapath_and_by_no_other)
{
    cr_assert_eq(sizeof sets / sizeof sets[0], 30u);
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        char path[1024];
        size_t first;
        snprintf(path, sizeof path, "%s/recorded/%s.h5", ULP_TEST_SHARED_DIR, sets[s].file);
        problem_t p = problem_read(path);
        problem_connect(&p, p.a.shape[0], p.a.shape[1], 0);
        cr_assert_eq(p.d.nelems, 2500u);
        for (int i = 0; i < NAMES && sets[s].right[i]; i++) {
            size_t same = matched(&p, sets[s].right[i], &first);
            cr_expect_eq(same, 2500u, "%s: %s reproduces %zu of 2500, not %zu", sets[s].file,
                         sets[s].right[i], same, first);
            check_elements(&p, sets[s].right[i]);
        }
        for (int i = 0; i < NAMES && sets[s].wrong[i]; i++) {
            size_t same = matched(&p, sets[s].wrong[i], &first);
            cr_expect(same < 2500u, "%s: %s reproduces all", sets[s].file, sets[s].wrong[i]);
        }
        problem_free(&p);
    }
}

/* One bit of one output. */
Test(recorded, a_flipped_bit_is_seen)
{
    char path[1024];
    size_t first;
    snprintf(path, sizeof path, "%s/recorded/h100_bf16_f32.h5", ULP_TEST_SHARED_DIR);
    problem_t p = problem_read(path);
    problem_connect(&p, p.a.shape[0], p.a.shape[1], 0);
    ulp_tensor_set(&p.d, 321, ulp_tensor_get(&p.d, 321) ^ 1);
    cr_expect_eq(matched(&p, "hopper.bf16.f32", &first), 2499u);
    cr_expect_eq(first, 321u);
    problem_free(&p);
}
