/*
 * tests/bench/bench_diff.c - the diff of two large datasets against reading them, and against
 * h5diff.
 *
 * Two contiguous f32 datasets of 400 MB in HDF5 files, made in $TMPDIR and removed. h5diff is a
 * child process on the same files, if it is installed.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/diff.h"

/* A piece of 1 MiB, as diff.c reads: a larger one leaves the second-level cache and reads slower.
 */
enum { NELEMS = 100 * 1000 * 1000, PIECE = 1 << 18, REPEATS = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_diff: %s\n", what);
    exit(2);
}

/* Element i of the datasets: around 1 in size; of those of `got` one in `one_in` is 1 to 4 steps
 * off. */
static uint32_t element(size_t i, int is_got, uint32_t one_in)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z ^= z >> 27;
    uint32_t bits = ((uint32_t)z & 0x81ffffff) + 0x3e000000;
    if (is_got && one_in != 0 && (uint32_t)(z >> 32) % one_in == 0) {
        bits += 1 + ((uint32_t)(z >> 60) & 3);
    }
    return bits;
}

static void make(const char *path, int is_got, uint32_t one_in)
{
    hsize_t shape = NELEMS;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &shape, NULL);
    hid_t data =
        H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    uint32_t *piece = malloc(PIECE * sizeof *piece);
    if (data < 0 || piece == NULL) {
        fail("cannot make its files");
    }
    for (hsize_t first = 0; first < NELEMS; first += PIECE) {
        hsize_t n = NELEMS - first < PIECE ? NELEMS - first : PIECE;
        for (size_t i = 0; i < n; i++) {
            piece[i] = element(first + i, is_got, one_in);
        }
        hid_t memory = H5Screate_simple(1, &n, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL);
        if (H5Dwrite(data, H5T_IEEE_F32LE, memory, space, H5P_DEFAULT, piece) < 0) {
            fail("cannot write its files");
        }
        H5Sclose(memory);
    }
    free(piece);
    H5Dclose(data);
    H5Sclose(space);
    H5Fclose(file);
}

static ulp_source_t *open_source(const char *path)
{
    ulp_source_t *source;
    ulp_error_t err;
    if (ulp_source_open(&source, path, NULL, &err) != ULP_OK) {
        fail(err.message);
    }
    return source;
}

/* Seconds to read both by pieces and look at nothing. */
static double read_both(ulp_source_t *got, ulp_source_t *want)
{
    ulp_error_t err;
    char *buffer = malloc((size_t)2 * PIECE * 4);
    if (buffer == NULL) {
        fail("no memory");
    }
    double start = now();
    for (size_t first = 0; first < NELEMS; first += PIECE) {
        size_t n = NELEMS - first < PIECE ? NELEMS - first : PIECE;
        if (ulp_source_read(got, buffer, first, n, &err) != ULP_OK ||
            ulp_source_read(want, buffer + (size_t)PIECE * 4, first, n, &err) != ULP_OK) {
            fail(err.message);
        }
    }
    double seconds = now() - start;
    free(buffer);
    return seconds;
}

static double diff_both(ulp_source_t *got, ulp_source_t *want, const ulp_compare_how_t *how,
                        int threads, ulp_comparison_t *out)
{
    ulp_error_t err;
    double start = now();
    if (ulp_diff_sources(out, got, want, how, threads, &err) != ULP_OK) {
        fail(err.message);
    }
    return now() - start;
}

/* Seconds of `h5diff A B`; below 0 if it is not there. */
static double h5diff(const char *a, const char *b)
{
    double start = now();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) == NULL) {
            _exit(126);
        }
        execlp("h5diff", "h5diff", "-q", a, b, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) ||
        WEXITSTATUS(status) > 1) {
        return -1;
    }
    return now() - start;
}

static double least(double a, double b)
{
    return b < a ? b : a;
}

static void measure(const char *a, const char *b, const char *what)
{
    static const ulp_compare_how_t within = {.given = ULP_TOLERANCE_REL, .rel = 0x1p-22};
    ulp_source_t *got = open_source(a);
    ulp_source_t *want = open_source(b);
    int cores = omp_get_num_procs() < 2 ? 1 : 2;
    double read = 1e9, one = 1e9, two = 1e9, rel = 1e9;
    ulp_comparison_t c;
    for (int i = 0; i < REPEATS; i++) {
        read = least(read, read_both(got, want));
        rel = least(rel, diff_both(got, want, &within, 1, &c));
        one = least(one, diff_both(got, want, NULL, 1, &c));
        two = least(two, diff_both(got, want, NULL, cores, &c));
    }
    ulp_source_close(got);
    ulp_source_close(want);
    printf("%s: %zu of %zu differ, at most %llu steps\n", what, c.differing, c.n,
           (unsigned long long)c.max_distance);
    printf("  read both %.3f s; diff, 1 thread %.3f s (%.2f x), %d threads %.3f s (%.2f x); with "
           "--rel, 1 thread %.3f s (%.2f x)\n",
           read, one, one / read, cores, two, two / read, rel, rel / read);
    double other = h5diff(a, b);
    if (other > 0) {
        printf("  h5diff %.2f s: %.0f x the diff of 1 thread, %.0f x of %d\n", other, other / one,
               other / two, cores);
    } else {
        printf("  h5diff: not there\n");
    }
}

int main(void)
{
    static const struct {
        uint32_t one_in;
        const char *what;
    } rows[] = {{0, "equal"},
                {1000, "one in 1000 differs"},
                {100, "one in 100 differs"},
                {1, "all differ"}};
    const char *folder = getenv("TMPDIR");
    char a[512];
    char b[512];
    folder = folder != NULL ? folder : "/tmp";
    snprintf(a, sizeof a, "%s/bench_diff_got.%ld.h5", folder, (long)getpid());
    snprintf(b, sizeof b, "%s/bench_diff_want.%ld.h5", folder, (long)getpid());
    make(b, 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make(a, 1, rows[i].one_in);
        measure(a, b, rows[i].what);
        fflush(stdout);
    }
    remove(a);
    remove(b);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("peak resident memory: %.0f MB\n", (double)usage.ru_maxrss / 1024);
    return 0;
}
