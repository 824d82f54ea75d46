/* tools/main.c - ulpscope: the table of commands, and the way from argv to an exit code. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <hdf5.h>
#include <jansson.h>
#include <mpfr.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_replace.h"
#include "core/fpenv.h"
#include "emulators/nearest.h"
#include "tools/commands.h"
#include "tools/json.h"

static const ulp_command_t *const commands[] = {
    &ulp_cmd_explain, &ulp_cmd_diff,    &ulp_cmd_info, &ulp_cmd_emulate,    &ulp_cmd_show,
    &ulp_cmd_models,  &ulp_cmd_formats, &ulp_cmd_ops,  &ulp_cmd_completion,
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

const ulp_command_t *ulp_command_at(size_t i)
{
    return i < NCOMMANDS ? commands[i] : NULL;
}

const ulp_command_t *ulp_command_find(const char *name)
{
    for (size_t i = 0; i < NCOMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_help(void)
{
    printf("ulpscope: which arithmetic produced this output? Rounding, or a bug?\n\n");
    for (size_t i = 0; i < NCOMMANDS; i++) {
        printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
    }
    printf("\nulpscope COMMAND --help says more. Exit: 0 yes, 1 no, 2 no answer.\nExamples:\n"
           "  ulpscope explain case.h5\n"
           "  ulpscope diff a.h5:/outputs/h100 b.npy --dtype bf16\n");
}

static void print_version(int as_json)
{
    char hdf5[32] = "unknown";
    unsigned major, minor, release;
    if (H5get_libversion(&major, &minor, &release) >= 0) {
        snprintf(hdf5, sizeof hdf5, "%u.%u.%u", major, minor, release);
    }
    if (!as_json) {
        printf("ulpscope %s\ncompiler %s (%s)\nMPFR %s\nHDF5 %s\nfloating point: %s\n", ULP_VERSION,
               ULP_COMPILER, ULP_FLAGS, mpfr_get_version(), hdf5, ulp_fpenv_describe());
        return;
    }
    json_t *object = ulp_json_begin("ulpscope.version/1");
    json_object_set_new(object, "compiler", json_string(ULP_COMPILER));
    json_object_set_new(object, "flags", json_string(ULP_FLAGS));
    json_object_set_new(object, "mpfr", json_string(mpfr_get_version()));
    json_object_set_new(object, "hdf5", json_string(hdf5));
    json_object_set_new(object, "floating_point", json_string(ulp_fpenv_describe()));
    json_dumpf(object, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(object);
}

static int answer_version(int argc, const char **argv)
{
    if (argc > 1 || (argc == 1 && strcmp(argv[0], "--json") != 0)) {
        fprintf(stderr, "ulpscope: --version: '%s' is not --json\n", argv[argc - 1]);
        return ULP_EXIT_NO_ANSWER;
    }
    print_version(argc == 1);
    return ULP_EXIT_YES;
}

/* What was printed must have arrived. */
static int finish(int code)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "ulpscope: cannot write the answer%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
        return ULP_EXIT_NO_ANSWER;
    }
    return code;
}

/* The answer to stdout, or whole into its file. */
static ulp_exit_t deliver(ulp_call_t *call, ulp_exit_t code)
{
    ulp_error_t err;
    if (call->output != NULL && call->size > 0) {
        if (ulp_file_replace(call->output, call->text, call->size, &err) != ULP_OK) {
            return ulp_call_fail(call, "%s", err.message);
        }
    } else if (!call->quiet) {
        errno = 0;
        if (fwrite(call->text, 1, call->size, stdout) != call->size || fflush(stdout) != 0) {
            code = ulp_call_fail(call, "cannot write the answer: %s", strerror(errno));
            clearerr(stdout); /* said once */
        }
    }
    return code;
}

static ulp_exit_t answer(ulp_call_t *call)
{
    int failed = 0;
    call->failed = &failed;
    call->out = open_memstream(&call->text, &call->size);
    if (call->out == NULL) {
        return ulp_call_fail(call, "out of memory");
    }
    ulp_exit_t code = call->command->run(call);
    if (fclose(call->out) != 0) {
        return ulp_call_fail(call, "out of memory for the report");
    }
    return failed ? ULP_EXIT_NO_ANSWER : deliver(call, code);
}

static ulp_exit_t run(const ulp_command_t *command, int argc, const char **argv)
{
    ulp_call_t call;
    int done = ulp_call_parse(&call, command, argc, argv);
    ulp_exit_t code = done == -1 ? answer(&call) : (ulp_exit_t)done;
    ulp_call_free(&call);
    return code;
}

static int refuse_command(const char *name)
{
    ulp_nearest_t nearest = ulp_nearest_start(name);
    for (size_t i = 0; i < NCOMMANDS; i++) {
        ulp_nearest_try(&nearest, commands[i]->name);
    }
    ulp_nearest_try(&nearest, "--help");
    ulp_nearest_try(&nearest, "--version");
    const char *near = ulp_nearest_word(&nearest);
    fprintf(stderr, "ulpscope: '%s' is not %s%s%s%s; see ulpscope --help\n", name,
            name[0] == '-' ? "an option" : "a command", near ? " (did you mean '" : "",
            near ? near : "", near ? "'?)" : "");
    return ULP_EXIT_NO_ANSWER;
}

int main(int argc, const char **argv)
{
    ulp_fpenv_reset();
    /* A closed pipe or a limit of file size is an error to report, not a death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name == NULL) {
        fprintf(stderr, "ulpscope: needs a command; see ulpscope --help\n");
        return ULP_EXIT_NO_ANSWER;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return finish(ULP_EXIT_YES);
    }
    if (strcmp(name, "--version") == 0) {
        return finish(answer_version(argc - 2, argv + 2));
    }
    const ulp_command_t *command = ulp_command_find(name);
    return command ? finish((int)run(command, argc - 1, argv + 1)) : refuse_command(name);
}
