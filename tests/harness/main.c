/*
 * tests/harness/main.c - main of every test program: a known floating-point environment first, then
 * Criterion; exit 77 (skipped, never passed) where the test needs ../shared and it is absent.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    fesetenv(FE_DFL_ENV);
    if (ULP_TEST_NEEDS_SHARED) {
        struct stat status;
        if (stat(ULP_TEST_SHARED_DIR, &status) != 0) {
            fprintf(stderr, "skipped: %s is absent (recorded outputs and public cases)\n",
                    ULP_TEST_SHARED_DIR);
            return 77;
        }
    }
    struct criterion_test_set *tests = criterion_initialize();
    int result = 0;
    if (criterion_handle_args(argc, argv, true)) {
        result = !criterion_run_all_tests(tests);
    }
    criterion_finalize(tests);
    return result;
}
