/*
 * tools/command.h - a command: its options as a table, its one entry, and what it was called with.
 *
 * To add a command: cmd_NAME.c with a ulp_command_t, its line in main.c, man/ulpscope-NAME.1.
 */
#ifndef ULP_TOOLS_COMMAND_H
#define ULP_TOOLS_COMMAND_H

#include <popt.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"
#include "precision/format.h"
#include "tools/exit.h"

typedef enum {
    ULP_REPORT_TEXT = 0,
    ULP_REPORT_JSON,
    ULP_REPORT_MARKDOWN,
    ULP_REPORTS
} ulp_report_t;

enum { ULP_GIVEN_MAX = 256 };

typedef struct ulp_call ulp_call_t;

typedef struct {
    const char *name;
    const char *operands; /* "A B" */
    size_t least, most;   /* how many */
    const char *summary;
    const struct poptOption *options; /* its own: no arg pointer, `val` a code from 1 to 255 */
    unsigned reports;                 /* 1 << ULP_REPORT_..., or'ed */
    const char *examples;             /* two lines, each "  ulpscope ..." */
    ulp_exit_t (*run)(ulp_call_t *call);
} ulp_command_t;

/* One call of a command. */
struct ulp_call {
    const ulp_command_t *command;
    ulp_report_t report;
    const char *output; /* -o; NULL: stdout */
    int quiet;
    int threads; /* >= 1 */
    size_t noperands;
    const char **operand;
    size_t ngiven;
    struct {
        int code;
        char *value; /* NULL for a switch */
    } given[ULP_GIVEN_MAX];
    char *text; /* what goes to stdout or the output file */
    size_t size;
    FILE *out;   /* write the answer here; it is delivered when run() returns */
    int *failed; /* set by ulp_call_fail: then nothing is delivered */
};

/** The commands, in the order of help; NULL past the last. main.c. */
const ulp_command_t *ulp_command_at(size_t i);
const ulp_command_t *ulp_command_find(const char *name);

/** Options that every command has. options.c. */
const struct poptOption *ulp_shared_options(void);

/**
 * Parse argv[1...] of a command into `call`.
 *
 * @return  -1: go on; else the exit code (help was printed, or a usage error)
 */
int ulp_call_parse(ulp_call_t *call, const ulp_command_t *command, int argc, const char **argv);
void ulp_call_free(ulp_call_t *call);

/** Last value of an option, NULL if not given (a switch: ""). */
const char *ulp_call_option(const ulp_call_t *call, int code);

/** A number of at least 0 from an option; *out is kept if it is not given. Returns 0, or -1 after
 * saying why not. */
int ulp_call_number(const ulp_call_t *call, int code, const char *name, double *out);

/** The format of that name; NULL after saying that it is unknown or ambiguous. */
const ulp_format_t *ulp_call_format(const ulp_call_t *call, const char *name);

/** One line on stderr: "ulpscope COMMAND: ..."; returns ULP_EXIT_NO_ANSWER. The second adds where
 * help is. */
ulp_exit_t ulp_call_fail(const ulp_call_t *call, const char *format, ...) ULP_PRINTF(2, 3);
ulp_exit_t ulp_call_usage(const ulp_call_t *call, const char *format, ...) ULP_PRINTF(2, 3);

/** Of two codes for several subjects: no answer beats no beats yes. */
ulp_exit_t ulp_exit_worse(ulp_exit_t a, ulp_exit_t b);

#endif
