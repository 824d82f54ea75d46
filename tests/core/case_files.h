/*
 * tests/core/case_files.h - a directory for one test, and the Python that shares no code with us.
 */
#ifndef ULP_TESTS_CORE_CASE_FILES_H
#define ULP_TESTS_CORE_CASE_FILES_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEST_PATH = 512 };

/* A new directory; removed by test_directory_remove. */
static inline void test_directory_make(char directory[TEST_PATH])
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory, TEST_PATH, "%s/ulpscope-test-XXXXXX", parent ? parent : "/tmp");
    cr_assert(mkdtemp(directory) != NULL, "%s", directory);
}

static inline void test_directory_remove(const char *directory)
{
    char command[TEST_PATH + 32];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cr_assert(system(command) == 0, "%s", command);
}

/* python3 SCRIPT ARGUMENTS: a script of tests/, by its path from there. */
static inline int test_python(const char *script, const char *arguments)
{
    char command[8 * TEST_PATH];
    snprintf(command, sizeof command, "/usr/bin/python3 '%s/../%s' %s", ULP_TEST_DATA_DIR, script,
             arguments);
    return system(command);
}

#endif
