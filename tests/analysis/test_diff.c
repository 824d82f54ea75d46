/*
 * tests/analysis/test_diff.c - two datasets in files: what counts as a difference, the same answer
 * for any number of threads and any storage, and what cannot be compared.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/diff.h"
#include "tests/core/hdf5_files.h"
#include "tests/harness/random.h"

static char directory[TEST_PATH];

static void setup(void)
{
    test_directory_make(directory);
}

static void teardown(void)
{
    test_directory_remove(directory);
}

TestSuite(diff, .init = setup, .fini = teardown);

static const char *in_directory(const char *name, char path[2 * TEST_PATH])
{
    snprintf(path, 2 * TEST_PATH, "%s/%s", directory, name);
    return path;
}

/* A file of one dataset of codes of `format`: unsigned integers whose attribute names it,
 * big-endian or not, in chunks or not. */
static void write_codes(const char *name, const char *format, int rank, const hsize_t *shape,
                        const void *codes, hsize_t chunk, int big)
{
    char path[2 * TEST_PATH];
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    size_t nbytes = ulp_format_bytes(ulp_format_find(format, NULL));
    hid_t type = H5Tcopy(nbytes == 1   ? H5T_STD_U8LE
                         : nbytes == 2 ? H5T_STD_U16LE
                         : nbytes == 4 ? H5T_STD_U32LE
                                       : H5T_STD_U64LE);
    if (chunk != 0) {
        H5Pset_chunk(dcpl, 1, &chunk);
        H5Pset_shuffle(dcpl);
        H5Pset_deflate(dcpl, 1);
    }
    if (big) { /* written as they lie in memory: the bytes are turned first */
        H5Tset_order(type, H5T_ORDER_BE);
        size_t n = 1;
        for (int i = 0; i < rank; i++) {
            n *= shape[i];
        }
        unsigned char *turned = malloc(n * nbytes + 1);
        for (size_t i = 0; i < n * nbytes; i++) {
            turned[i / nbytes * nbytes + nbytes - 1 - i % nbytes] =
                ((const unsigned char *)codes)[i];
        }
        write_file(in_directory(name, path), type, rank, shape, dcpl, turned, format, 0);
        free(turned);
    } else {
        write_file(in_directory(name, path), type, rank, shape, dcpl, codes, format, 0);
    }
    H5Tclose(type);
    H5Pclose(dcpl);
}

static ulp_status_t diff_files(ulp_comparison_t *out, const char *got, const char *want,
                               const ulp_compare_how_t *how, int threads, ulp_error_t *err)
{
    char path[2 * TEST_PATH];
    ulp_source_t *a = NULL;
    ulp_source_t *b = NULL;
    cr_assert(ulp_source_open(&a, in_directory(got, path), NULL, err) == ULP_OK, "%s",
              err->message);
    cr_assert(ulp_source_open(&b, in_directory(want, path), NULL, err) == ULP_OK, "%s",
              err->message);
    ulp_status_t status = ulp_diff_sources(out, a, b, how, threads, err);
    ulp_source_close(a);
    ulp_source_close(b);
    return status;
}

/* One pair a file: value and class from the formats' documents, distance counted by hand. */
Test(diff, pairs)
{
    static const struct {
        const char *format;
        uint64_t got, want;
        size_t differing, signs; /* under the default policies; zero_sign_differs */
        uint64_t distance;
        size_t nan, inf; /* in got and want together */
        double apart;
        const char *what;
    } rows[] = {
        {"f32", 0x00000000, 0x80000000, 0, 1, 0, 0, 0, 0, "+0 and -0"},
        {"f32", 0x7fc00000, 0xff800001, 0, 0, 0, 2, 0, 0, "NaN and NaN"},
        {"f32", 0x7fc00000, 0x7f800000, 1, 0, UINT64_MAX, 1, 1, 0, "NaN and inf"},
        {"f32", 0x7f800000, 0x7f7fffff, 1, 0, 1, 0, 1, 0, "inf and the largest"},
        {"f32", 0x7f800000, 0xff800000, 1, 0, 0xff000000, 0, 2, 0, "inf and -inf"},
        {"f32", 0x00000001, 0x00000003, 1, 0, 2, 0, 0, 0x1p-148, "subnormals"},
        {"f32", 0x007fffff, 0x00800000, 1, 0, 1, 0, 0, 0x1p-149, "subnormal and normal"},
        {"f32", 0x00000001, 0x80000001, 1, 0, 2, 0, 0, 0x1p-148, "both sides of zero"},
        {"f32", 0x3f7fffff, 0x3f800001, 1, 0, 2, 0, 0, 0x1.8p-23, "both sides of 1"},
        {"f64", 0x0000000000000001, 0x8000000000000000, 1, 0, 1, 0, 0, 0x1p-1074, "least, -0"},
        {"f16", 0x7bff, 0x7c00, 1, 0, 1, 0, 1, 0, "65504 and inf"},
        {"bf16", 0x3f80, 0x3f7f, 1, 0, 1, 0, 0, 0x1p-8, "1 and below"},
        {"f8e4m3fn", 0x7e, 0x7f, 1, 0, UINT64_MAX, 1, 0, 0, "448 and NaN"},
        {"f8e4m3fn", 0xff, 0x7f, 0, 0, 0, 2, 0, 0, "NaN of two signs"},
        {"f8e4m3fn", 0x78, 0x77, 1, 0, 1, 0, 0, 16, "256 and 240"},
        {"f8e4m3", 0x78, 0x77, 1, 0, 1, 0, 1, 0, "inf and 240"},
        {"f8e4m3", 0x78, 0x79, 1, 0, UINT64_MAX, 1, 1, 0, "inf and NaN"},
        {"f8e4m3fnuz", 0x80, 0x00, 1, 0, UINT64_MAX, 1, 0, 0, "NaN and 0"},
        {"f8e5m2", 0x7b, 0x7c, 1, 0, 1, 0, 1, 0, "57344 and inf"},
    };
    const hsize_t shape = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ulp_comparison_t c;
        ulp_error_t err = {0};
        write_codes("got.h5", rows[i].format, 1, &shape, &rows[i].got, 0, 0);
        write_codes("want.h5", rows[i].format, 1, &shape, &rows[i].want, 0, 0);
        cr_assert(diff_files(&c, "got.h5", "want.h5", NULL, 1, &err) == ULP_OK, "%s", err.message);
        cr_expect(c.n == 1 && c.differing == rows[i].differing && c.outside == c.differing &&
                      c.zero_sign_differs == rows[i].signs,
                  "%s: %zu differ, %zu outside", rows[i].what, c.differing, c.outside);
        cr_expect(c.nan_got + c.nan_want == rows[i].nan && c.inf_got + c.inf_want == rows[i].inf,
                  "%s: %zu NaN, %zu inf", rows[i].what, c.nan_got + c.nan_want,
                  c.inf_got + c.inf_want);
        cr_expect(c.max_abs == rows[i].apart, "%s: %a apart", rows[i].what, c.max_abs);
        if (rows[i].differing) {
            cr_expect(c.nworst == 1 && c.worst[0].distance == rows[i].distance &&
                          c.worst[0].got == rows[i].got && c.worst[0].want == rows[i].want,
                      "%s: distance %llu", rows[i].what, (unsigned long long)c.worst[0].distance);
        } else {
            cr_expect(c.nworst == 0 && c.histogram[0] == 1, "%s", rows[i].what);
        }
        size_t last = c.histogram[ULP_HISTOGRAM_BINS - 1];
        cr_expect_eq(last, rows[i].distance == UINT64_MAX, "%s", rows[i].what);
    }
}

/* The policies reach the comparison. */
Test(diff, policies)
{
    const hsize_t shape = 3;
    const uint32_t got[3] = {0x7fc00000, 0x00000000, 0x3f800001};
    const uint32_t want[3] = {0x7fc00000, 0x80000000, 0x3f800000};
    static const struct {
        ulp_compare_how_t how;
        size_t differing, outside;
    } rows[] = {
        {{.given = 0}, 1, 1},
        {{.nan = ULP_NAN_DIFFER}, 2, 2},
        {{.zero = ULP_ZERO_DIFFER}, 2, 2},
        {{.nan = ULP_NAN_DIFFER, .zero = ULP_ZERO_DIFFER}, 3, 3},
        {{.given = ULP_TOLERANCE_ULP, .ulp = 1}, 1, 0},
        {{.given = ULP_TOLERANCE_REL, .rel = 1, .nan = ULP_NAN_DIFFER}, 2, 1},
    };
    write_codes("got.h5", "f32", 1, &shape, got, 0, 0);
    write_codes("want.h5", "f32", 1, &shape, want, 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ulp_comparison_t c;
        ulp_error_t err = {0};
        cr_assert(diff_files(&c, "got.h5", "want.h5", &rows[i].how, 2, &err) == ULP_OK);
        cr_expect(c.differing == rows[i].differing && c.outside == rows[i].outside,
                  "row %zu: %zu differ, %zu outside", i, c.differing, c.outside);
    }
}

static void expect_equal(const ulp_comparison_t *got, const ulp_comparison_t *want,
                         const char *what)
{
    cr_expect(got->n == want->n && got->differing == want->differing &&
                  got->outside == want->outside && got->nan_got == want->nan_got &&
                  got->nan_want == want->nan_want && got->nan_both == want->nan_both &&
                  got->inf_got == want->inf_got && got->inf_want == want->inf_want &&
                  got->zero_got == want->zero_got && got->zero_want == want->zero_want &&
                  got->zero_sign_differs == want->zero_sign_differs &&
                  got->max_distance == want->max_distance && got->max_abs == want->max_abs &&
                  got->max_rel == want->max_rel && got->first_index == want->first_index,
              "%s: %zu differ, first %zu; want %zu, first %zu", what, got->differing,
              got->first_index, want->differing, want->first_index);
    cr_expect_arr_eq(got->histogram, want->histogram, sizeof got->histogram, "%s", what);
    cr_assert_eq(got->nworst, want->nworst);
    for (size_t i = 0; i < got->nworst; i++) {
        cr_expect(got->worst[i].index == want->worst[i].index &&
                      got->worst[i].distance == want->worst[i].distance &&
                      got->worst[i].got == want->worst[i].got &&
                      got->worst[i].want == want->worst[i].want,
                  "%s: worst %zu is element %zu, want %zu", what, i, got->worst[i].index,
                  want->worst[i].index);
    }
}

/* Many pieces: contiguous, chunked, of the other byte order, by any number of threads, against one
 * call in memory. */
Test(diff, threads_and_storage_change_nothing)
{
    enum { N = 700001 };
    static uint32_t got[N], want[N];
    const hsize_t shape = N;
    uint64_t state = test_seed();
    for (size_t i = 0; i < N; i++) {
        uint64_t r = test_random(&state);
        want[i] = 0x3f000000 + ((uint32_t)r & 0x80ffffff);
        got[i] = want[i] + (r >> 40 & 7 ? 0 : (uint32_t)(r >> 44) & 3);
        if ((r >> 50) % 4096 == 0) {
            got[i] = (uint32_t)test_random(&state);
        }
    }
    ulp_compare_how_t how = {.given = ULP_TOLERANCE_REL, .rel = 0x1p-22};
    ulp_comparison_t in_memory = {0};
    ulp_compare_codes(&in_memory, got, want, N, 0, ulp_format_find("f32", NULL), &how);
    cr_assert(in_memory.differing > 1000 && in_memory.outside > 0 &&
              in_memory.outside < in_memory.differing && in_memory.nan_got > 0);
    write_codes("got.h5", "f32", 1, &shape, got, 0, 0);
    write_codes("plain.h5", "f32", 1, &shape, want, 0, 0);
    write_codes("chunked.h5", "f32", 1, &shape, want, 10007, 0);
    write_codes("big.h5", "f32", 1, &shape, want, 300000, 1);
    static const char *const others[] = {"plain.h5", "chunked.h5", "big.h5"};
    static const int threads[] = {1, 2, 3, 4, 9};
    for (size_t i = 0; i < 3; i++) {
        for (size_t t = 0; t < 5; t++) {
            ulp_comparison_t c;
            ulp_error_t err = {0};
            char what[64];
            snprintf(what, sizeof what, "%s, %d threads", others[i], threads[t]);
            cr_assert(diff_files(&c, "got.h5", others[i], &how, threads[t], &err) == ULP_OK, "%s",
                      err.message);
            expect_equal(&c, &in_memory, what);
        }
    }
}

/* One line that names both, and `out` as it was. */
static void expect_refused(const char *got, const char *want, ulp_status_t status,
                           const char *const *words)
{
    ulp_comparison_t c;
    ulp_error_t err = {0};
    memset(&c, 0x5a, sizeof c);
    cr_expect_eq(diff_files(&c, got, want, NULL, 2, &err), status, "%s, %s: %s", got, want,
                 err.message);
    cr_expect_eq(err.code, status);
    cr_expect_eq(c.n, (size_t)0x5a5a5a5a5a5a5a5a);
    cr_expect_null(strchr(err.message, '\n'));
    for (; *words != NULL; words++) {
        cr_expect(strstr(err.message, *words) != NULL, "\"%s\" does not say %s", err.message,
                  *words);
    }
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(diff, what_is_not_comparable)
{
    static const uint8_t bytes[64];
    const hsize_t six = 6, two_three[2] = {2, 3}, none = 0, seven = 7;
    write_codes("six.h5", "f16", 1, &six, bytes, 0, 0);
    write_codes("seven.h5", "f16", 1, &seven, bytes, 0, 0);
    write_codes("grid.h5", "f16", 2, two_three, bytes, 0, 0);
    write_codes("bf16.h5", "bf16", 1, &six, bytes, 0, 0);
    write_codes("none.h5", "f16", 1, &none, NULL, 0, 0);
    expect_refused("six.h5", "seven.h5", ULP_ERROR_SHAPE, WORDS("six.h5", "seven.h5", "6", "7"));
    expect_refused("six.h5", "grid.h5", ULP_ERROR_SHAPE, WORDS("six.h5", "grid.h5", "2x3"));
    expect_refused("six.h5", "bf16.h5", ULP_ERROR_ARGUMENT,
                   WORDS("six.h5", "bf16.h5", "f16", "against bf16"));
    expect_refused("none.h5", "none.h5", ULP_ERROR_SHAPE, WORDS("none.h5", "nothing to compare"));
    expect_refused("none.h5", "six.h5", ULP_ERROR_SHAPE, WORDS("none.h5", "six.h5"));
}

/* What the reader refuses late, in a piece far inside, in either file. */
Test(diff, a_bad_piece)
{
    enum { N = 900000 };
    static uint32_t codes[N];
    const hsize_t shape = N;
    write_codes("good.h5", "tf32", 1, &shape, codes, 0, 0);
    codes[300000] = 1; /* padding of tf32 is 0 */
    write_codes("bad.h5", "tf32", 1, &shape, codes, 0, 0);
    expect_refused("good.h5", "bad.h5", ULP_ERROR_FORMAT, WORDS("bad.h5", "300000"));
    expect_refused("bad.h5", "good.h5", ULP_ERROR_FORMAT, WORDS("bad.h5", "300000"));
}
