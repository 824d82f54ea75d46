/*
 * tests/core/test_case_write.c - case files written: every format back as it was, h5py and hashlib
 * agree with what is in them, the same call gives the same bytes; copies keep what is not ours; and
 * a write that fails leaves what was there and nothing else.
 */
#define _XOPEN_SOURCE 700
#include "case_files.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../harness/random.h"
#include "core/case.h"
#include "core/file_replace.h"

static char directory[TEST_PATH];

static void make(void)
{
    test_directory_make(directory);
}

static void drop(void)
{
    test_directory_remove(directory);
}

TestSuite(case_write, .init = make, .fini = drop);

static const char *in_directory(const char *name, char path[2 * TEST_PATH])
{
    snprintf(path, 2 * TEST_PATH, "%s/%s", directory, name);
    return path;
}

/* The whole of a file; *size -1 when it is not there. */
static char *slurp(const char *path, long *size)
{
    FILE *file = fopen(path, "rb");
    *size = -1;
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size + 1);
    cr_assert_eq(fread(bytes, 1, (size_t)*size, file), (size_t)*size);
    fclose(file);
    return bytes;
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *open = opendir(directory);
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(open);
    return count;
}

static ulp_tensor_t random_tensor(const char *format, int rank, const size_t *shape,
                                  uint64_t *state)
{
    ulp_tensor_t tensor = {0};
    ulp_error_t err = {0};
    const ulp_format_t *found = ulp_format_find(format, NULL);
    cr_assert(ulp_tensor_create(&tensor, found, rank, shape, &err) == ULP_OK, "%s", err.message);
    for (size_t i = 0; i < tensor.nelems; i++) {
        uint64_t code = test_random(state) >> (64 - found->bits);
        ulp_tensor_set(&tensor, i, code >> found->padding_bits << found->padding_bits);
    }
    return tensor;
}

/* 2x3 by 3x2 in f64 and one output: the smallest case of these tests. */
static ulp_status_t write_small(const char *path, double value, ulp_error_t *err)
{
    uint64_t code = 0;
    memcpy(&code, &value, sizeof code);
    ulp_tensor_t tensor[3] = {{0}};
    static const size_t shape[3][2] = {{2, 3}, {3, 2}, {2, 2}};
    for (size_t i = 0; i < 3; i++) {
        cr_assert(ulp_tensor_create(&tensor[i], ulp_format_find("f64", NULL), 2, shape[i], NULL) ==
                  ULP_OK);
        for (size_t j = 0; j < tensor[i].nelems; j++) {
            ulp_tensor_set(&tensor[i], j, code);
        }
    }
    const ulp_case_addition_t add[] = {{"inputs", "a", &tensor[0], 0, NULL},
                                       {"inputs", "b", &tensor[1], 0, NULL},
                                       {"outputs", "d", &tensor[2], 0, NULL}};
    ulp_status_t status = ulp_case_write(path, "gemm", NULL, 0, add, 3, err);
    for (size_t i = 0; i < 3; i++) {
        ulp_tensor_free(&tensor[i]);
    }
    return status;
}

Test(case_write, every_format_comes_back)
{
    static const struct {
        int rank;
        size_t shape[3];
    } shape[] = {{0, {0}}, {1, {7}}, {2, {0, 4}}, {3, {2, 3, 4}}, {2, {3, 70000}}};
    char path[2 * TEST_PATH];
    char arguments[4 * TEST_PATH];
    uint64_t state = test_seed();
    in_directory("formats.h5", path);
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++) {
        size_t count = ulp_format_count();
        ulp_tensor_t *tensor = calloc(count + 2, sizeof *tensor);
        ulp_case_addition_t *add = calloc(count + 2, sizeof *add);
        const ulp_attribute_t attribute[] = {{"note", "a \xc3\xa4 b"}, {"platform", ""}};
        for (size_t i = 0; i < count + 2; i++) {
            const char *name = i < count ? ulp_format_at(i)->name : i == count ? "a" : "b";
            tensor[i] =
                random_tensor(i < count ? name : "f32", shape[s].rank, shape[s].shape, &state);
            add[i] = (ulp_case_addition_t){i < count ? "outputs" : "inputs", name, &tensor[i],
                                           i % 3, attribute};
        }
        const ulp_attribute_t root[] = {{"alpha", "0.5"}, {"remark", "x"}};
        ulp_error_t err = {0};
        cr_assert(ulp_case_write(path, "gemm", root, 2, add, count + 2, &err) == ULP_OK, "%s",
                  err.message);
        snprintf(arguments, sizeof arguments, "'%s' %zu", path, count + 2);
        cr_expect(test_python("core/check_case.py", arguments) == 0, "shape %zu", s);

        ulp_case_t c = {0};
        cr_assert(ulp_case_read(&c, path, NULL, &err) == ULP_OK, "%s", err.message);
        cr_assert_eq(c.noutputs, count);
        cr_expect_str_eq(ulp_case_attribute(&c, "remark"), "x");
        for (size_t i = 0; i < count + 2; i++) {
            const ulp_tensor_t *got = ulp_case_input(&c, add[i].name);
            for (size_t j = 0; j < count && got == NULL; j++) {
                if (strcmp(c.output[j].name, add[i].name) == 0) {
                    got = &c.output[j].tensor;
                    cr_expect_eq(c.output[j].nattributes, add[i].nattributes);
                }
            }
            cr_assert(got != NULL && got->format == tensor[i].format, "%s", add[i].name);
            cr_assert(got->rank == tensor[i].rank && got->nelems == tensor[i].nelems);
            cr_expect(tensor[i].nelems == 0 ||
                          memcmp(got->data, tensor[i].data,
                                 got->nelems * ulp_format_bytes(got->format)) == 0,
                      "%s: bits changed", add[i].name);
        }
        ulp_case_free(&c);
        for (size_t i = 0; i < count + 2; i++) {
            ulp_tensor_free(&tensor[i]);
        }
        free(tensor);
        free(add);
    }
}

Test(case_write, same_call_same_bytes)
{
    char first[2 * TEST_PATH];
    char second[2 * TEST_PATH];
    long size[2];
    ulp_error_t err = {0};
    cr_assert(write_small(in_directory("first.h5", first), 1, &err) == ULP_OK, "%s", err.message);
    sleep(1); /* a time stamp would have moved */
    cr_assert(write_small(in_directory("second.h5", second), 1, &err) == ULP_OK);
    char *one = slurp(first, &size[0]);
    char *two = slurp(second, &size[1]);
    cr_assert_eq(size[0], size[1]);
    cr_expect(memcmp(one, two, (size_t)size[0]) == 0, "two calls, two files");
    cr_expect_lt(size[0], 16384, "%ld bytes for 16 numbers", size[0]);
    free(one);
    free(two);
    cr_expect_eq(count_files(), 2);
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    cr_expect(stat(first, &status) == 0 && (status.st_mode & 0777) == (0666 & ~mask), "mode %o",
              status.st_mode & 0777);
}

static const char *const some_model = "some line";

/* Replace outputs/second and add emulated/new. */
static ulp_status_t add_two(const char *to, const char *from, ulp_error_t *err)
{
    static const size_t shape[2] = {2, 2};
    ulp_tensor_t tensor = {0};
    double seven = 7;
    uint64_t code = 0;
    memcpy(&code, &seven, sizeof code);
    cr_assert(ulp_tensor_create(&tensor, ulp_format_find("f64", NULL), 2, shape, NULL) == ULP_OK);
    for (size_t i = 0; i < 4; i++) {
        ulp_tensor_set(&tensor, i, code);
    }
    const ulp_attribute_t note = {"note", "replaced"};
    const ulp_attribute_t model = {"model", (char *)some_model};
    const ulp_case_addition_t add[] = {{"outputs", "second", &tensor, 1, &note},
                                       {"emulated", "new", &tensor, 1, &model}};
    ulp_status_t status = ulp_case_add(to, from, add, 2, err);
    ulp_tensor_free(&tensor);
    return status;
}

Test(case_write, copies_keep_what_is_not_ours)
{
    char from[2 * TEST_PATH];
    char to[2 * TEST_PATH];
    char arguments[4 * TEST_PATH];
    ulp_error_t err = {0};
    snprintf(arguments, sizeof arguments, "make '%s'", in_directory("from.h5", from));
    cr_assert(test_python("core/make_foreign.py", arguments) == 0);
    long size[3];
    char *before = slurp(from, &size[0]);
    cr_assert(add_two(in_directory("to.h5", to), from, &err) == ULP_OK, "%s", err.message);
    snprintf(arguments, sizeof arguments, "check '%s'", to);
    cr_expect(test_python("core/make_foreign.py", arguments) == 0);
    char *after = slurp(from, &size[1]);
    cr_expect(size[0] == size[1] && memcmp(before, after, (size_t)size[0]) == 0,
              "the source was changed");
    free(before);
    free(after);

    /* Onto itself, again and again: the same file, which does not grow. The first time, HDF5 turns
     * object headers of older versions into its own. */
    cr_assert(add_two(to, to, &err) == ULP_OK, "%s", err.message);
    before = slurp(to, &size[0]);
    for (int i = 0; i < 3; i++) {
        cr_assert(add_two(to, to, &err) == ULP_OK, "%s", err.message);
    }
    after = slurp(to, &size[2]);
    cr_expect(size[0] == size[2] && memcmp(before, after, (size_t)size[0]) == 0, "%ld, then %ld",
              size[0], size[2]);
    free(before);
    free(after);
    cr_expect(test_python("core/make_foreign.py", arguments) == 0);
    cr_expect_eq(count_files(), 2);
}

Test(case_write, links_and_permissions_stay)
{
    char target[2 * TEST_PATH];
    char path[2 * TEST_PATH];
    ulp_error_t err = {0};
    struct stat status;
    cr_assert(write_small(in_directory("target.h5", target), 1, &err) == ULP_OK);
    cr_assert(chmod(target, 0640) == 0 && symlink("target.h5", in_directory("link.h5", path)) == 0);
    cr_expect(write_small(path, 2, &err) == ULP_OK, "%s", err.message);
    cr_expect(lstat(path, &status) == 0 && S_ISLNK(status.st_mode), "the link was replaced");
    cr_expect(stat(target, &status) == 0 && (status.st_mode & 0777) == 0640, "mode %o",
              status.st_mode & 0777);
    ulp_case_t c = {0};
    cr_assert(ulp_case_read(&c, target, NULL, &err) == ULP_OK);
    cr_expect_eq(ulp_tensor_get(&c.input[0].tensor, 0), 0x4000000000000000u);
    ulp_case_free(&c);
    cr_expect_eq(count_files(), 2);
}

Test(case_write, a_place_that_cannot_be_written)
{
    char path[2 * TEST_PATH];
    char here[2 * TEST_PATH];
    cr_assert(mkdir(in_directory("folder.h5", path), 0777) == 0);
    cr_assert(symlink("gone/away.h5", in_directory("nowhere.h5", path)) == 0);
    const struct {
        const char *path, *words;
    } row[] = {{in_directory("folder.h5", here), "directory"},
               {"/dev/full", "not a regular file"},
               {"/nonexistent-directory/x.h5", "No such file"},
               {path, "symbolic link"},
               {"", "No such file"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        cr_expect(write_small(row[i].path, 1, &err) == ULP_ERROR_IO, "%s", row[i].path);
        cr_expect(strstr(err.message, row[i].words) && strstr(err.message, row[i].path),
                  "\"%s\" lacks \"%s\"", err.message, row[i].words);
    }
    cr_expect_eq(count_files(), 2);
    if (geteuid() != 0) {
        ulp_error_t err = {0};
        cr_assert(chmod(directory, 0555) == 0);
        cr_expect(write_small(in_directory("x.h5", path), 1, &err) == ULP_ERROR_IO);
        cr_expect(strstr(err.message, "Permission denied") != NULL, "%s", err.message);
        cr_assert(chmod(directory, 0755) == 0);
    }
}

/* No room: the limit on the size of a file stands for the full disk. */
Test(case_write, no_room_leaves_all_as_it_was)
{
    char path[2 * TEST_PATH];
    char fresh[2 * TEST_PATH];
    long size[2];
    ulp_error_t err = {0};
    in_directory("kept.h5", path);
    in_directory("fresh.h5", fresh);
    cr_assert(write_small(path, 1, &err) == ULP_OK);
    char *before = slurp(path, &size[0]);
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    static const long room[] = {0, 1, 512, 1000};
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++) {
        ulp_error_t error[3] = {{0}};
        struct rlimit small = {(rlim_t)room[i], limit.rlim_max};
        cr_assert(setrlimit(RLIMIT_FSIZE, &small) == 0);
        ulp_status_t status[3] = {write_small(path, 2, &error[0]), add_two(path, path, &error[1]),
                                  write_small(fresh, 2, &error[2])};
        setrlimit(RLIMIT_FSIZE, &limit);
        for (size_t j = 0; j < 3; j++) {
            cr_expect(status[j] == ULP_ERROR_IO && strstr(error[j].message, strerror(EFBIG)) &&
                          strstr(error[j].message, j < 2 ? "kept.h5" : "fresh.h5"),
                      "room %ld, call %zu: %s", room[i], j, error[j].message);
        }
    }
    char *after = slurp(path, &size[1]);
    cr_expect(size[0] == size[1] && memcmp(before, after, (size_t)size[0]) == 0, "target changed");
    cr_expect_eq(count_files(), 1, "something was left behind");
    free(before);
    free(after);
}

Test(case_write, sources_that_are_no_case)
{
    char path[2 * TEST_PATH];
    char to[2 * TEST_PATH];
    ulp_error_t err = {0};
    FILE *file = fopen(in_directory("text.h5", path), "w");
    fputs("words\n", file);
    fclose(file);
    in_directory("to.h5", to);
    cr_expect_eq(add_two(to, path, &err), ULP_ERROR_FORMAT, "%s", err.message);
    cr_expect_eq(add_two(to, in_directory("gone.h5", path), &err), ULP_ERROR_IO, "%s", err.message);
    /* A case cut short at any length never comes out as a case. */
    cr_assert(write_small(in_directory("whole.h5", path), 1, &err) == ULP_OK);
    long size = 0;
    char *bytes = slurp(path, &size);
    for (long cut = 1; cut < size; cut += 97) {
        ulp_case_t c = {0};
        cr_assert(ulp_file_replace(in_directory("cut.h5", path), bytes, (size_t)cut, &err) ==
                  ULP_OK);
        cr_expect_neq(add_two(to, path, &err), ULP_OK, "cut at %ld of %ld", cut, size);
        cr_expect_neq(ulp_case_read(&c, path, NULL, &err), ULP_OK, "cut at %ld", cut);
        cr_expect(err.message[0] != '\0');
    }
    free(bytes);
    cr_expect_eq(count_files(), 3);
}

Test(case_write, arguments_that_make_no_case)
{
    char path[2 * TEST_PATH];
    ulp_tensor_t tensor = {0};
    cr_assert(ulp_tensor_create(&tensor, ulp_format_find("f64", NULL), 0, NULL, NULL) == ULP_OK);
    const ulp_attribute_t dtype = {"dtype", "f32"};
    const ulp_attribute_t digest = {"sha256", "00"};
    const ulp_attribute_t op[] = {{"op", "dot"}};
    const ulp_attribute_t twice[] = {{"x", "1"}, {"x", "2"}};
    const struct {
        const char *op;
        const ulp_attribute_t *attribute;
        size_t nattributes;
        ulp_case_addition_t add[2];
        size_t nadditions;
    } row[] = {
        {"gem", NULL, 0, {{0}}, 0},
        {"gemm", op, 1, {{0}}, 0},
        {"gemm", twice, 2, {{0}}, 0},
        {"gemm", NULL, 0, {{"inputs", "", &tensor, 0, NULL}}, 1},
        {"gemm", NULL, 0, {{"inputs", "a/b", &tensor, 0, NULL}}, 1},
        {"gemm", NULL, 0, {{"", "a", &tensor, 0, NULL}}, 1},
        {"gemm", NULL, 0, {{".", "a", &tensor, 0, NULL}}, 1},
        {"gemm", NULL, 0, {{"inputs", "a", &tensor, 1, &dtype}}, 1},
        {"gemm", NULL, 0, {{"inputs", "a", &tensor, 1, &digest}}, 1},
        {"gemm",
         NULL,
         0,
         {{"inputs", "a", &tensor, 0, NULL}, {"inputs", "a", &tensor, 0, NULL}},
         2},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ulp_error_t err = {0};
        cr_expect_eq(ulp_case_write(in_directory("x.h5", path), row[i].op, row[i].attribute,
                                    row[i].nattributes, row[i].add, row[i].nadditions, &err),
                     ULP_ERROR_ARGUMENT, "row %zu: %s", i, err.message);
        cr_expect(strstr(err.message, "x.h5") != NULL, "row %zu: %s", i, err.message);
    }
    ulp_tensor_free(&tensor);
    cr_expect_eq(count_files(), 0);
}
