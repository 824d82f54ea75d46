/* tools/options.c - what a command was called with. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "emulators/nearest.h"
#include "tools/command.h"

/* Codes of the shared options, above those of the commands. */
enum { FORMAT = 1001, JSON, OUTPUT, QUIET, THREADS, HELP };

static const struct poptOption shared[] = {
    {"format", 0, POPT_ARG_STRING, NULL, FORMAT, "how to print the answer (default text)",
     "text|json|markdown"},
    {"json", 0, POPT_ARG_NONE, NULL, JSON, "short for --format json", NULL},
    {"out", 'o', POPT_ARG_STRING, NULL, OUTPUT, "write to FILE, whole or not at all", "FILE"},
    {"quiet", 'q', POPT_ARG_NONE, NULL, QUIET, "print nothing; the exit code tells", NULL},
    {"threads", 0, POPT_ARG_STRING, NULL, THREADS, "threads (default: all processors)", "N"},
    {"help", 'h', POPT_ARG_NONE, NULL, HELP, "this text", NULL},
    POPT_TABLEEND};

const struct poptOption *ulp_shared_options(void)
{
    return shared;
}

static void say(const ulp_call_t *call, const char *format, va_list args, const char *tail)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, args);
    fprintf(stderr, "ulpscope %s: %s%s\n", call->command->name, line, tail);
    if (call->failed != NULL) {
        *call->failed = 1;
    }
}

ulp_exit_t ulp_call_fail(const ulp_call_t *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(call, format, args, "");
    va_end(args);
    return ULP_EXIT_NO_ANSWER;
}

ulp_exit_t ulp_call_usage(const ulp_call_t *call, const char *format, ...)
{
    char tail[96];
    snprintf(tail, sizeof tail, "; see ulpscope %s --help", call->command->name);
    va_list args;
    va_start(args, format);
    say(call, format, args, tail);
    va_end(args);
    return ULP_EXIT_NO_ANSWER;
}

ulp_exit_t ulp_exit_worse(ulp_exit_t a, ulp_exit_t b)
{
    return a > b ? a : b;
}

static const char *const report_names[ULP_REPORTS] = {"text", "json", "markdown"};

/* "text|json": what a command provides. */
static void list_reports(char text[64], const ulp_command_t *command, const char *between)
{
    text[0] = '\0';
    for (unsigned i = 0; i < ULP_REPORTS; i++) {
        if (command->reports & (1u << i)) {
            snprintf(text + strlen(text), 64 - strlen(text), "%s%s", text[0] ? between : "",
                     report_names[i]);
        }
    }
}

static void print_options(const ulp_command_t *command, const struct poptOption *options)
{
    for (; options != NULL && options->longName != NULL; options++) {
        char name[160];
        char reports[64];
        const char *argument = options->argDescrip;
        if (options->val == FORMAT) {
            list_reports(reports, command, "|");
            argument = reports;
        }
        snprintf(name, sizeof name, "%s%c%s--%s%s%s", options->shortName ? "-" : "",
                 options->shortName ? options->shortName : ' ', options->shortName ? ", " : "",
                 options->longName, argument ? " " : "", argument ? argument : "");
        printf("  %-34s %s\n", name[0] == ' ' ? name + 1 : name, options->descrip);
    }
}

static void print_help(const ulp_command_t *command)
{
    printf("ulpscope %s %s\n%s\n\n", command->name, command->operands, command->summary);
    print_options(command, command->options);
    print_options(command, shared);
    printf("\nExit: 0 yes, 1 no, 2 no answer. More: man ulpscope-%s\nExamples:\n%s", command->name,
           command->examples);
}

static int set_report(ulp_call_t *call, const char *option, const char *name)
{
    for (unsigned i = 0; i < ULP_REPORTS; i++) {
        if ((call->command->reports & (1u << i)) && strcmp(name, report_names[i]) == 0) {
            call->report = (ulp_report_t)i;
            return -1;
        }
    }
    char has[64];
    list_reports(has, call->command, ", ");
    return (int)ulp_call_usage(call, "%s: '%s' is not provided, only %s", option, name, has);
}

static int set_threads(ulp_call_t *call, const char *text)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n < 1 || n > 4096) {
        return (int)ulp_call_usage(call, "--threads: '%s' is not a number from 1 to 4096", text);
    }
    call->threads = (int)n;
    return -1;
}

/* Takes `value`. Returns -1 to go on. */
static int take(ulp_call_t *call, int code, char *value)
{
    int done = -1;
    switch (code) {
    case FORMAT:
        done = set_report(call, "--format", value);
        break;
    case JSON:
        done = set_report(call, "--json", "json");
        break;
    case OUTPUT:
        call->output = value;
        break;
    case QUIET:
        call->quiet = 1;
        break;
    case THREADS:
        done = set_threads(call, value);
        break;
    case HELP:
        print_help(call->command);
        done = ULP_EXIT_YES;
        break;
    default:
        break;
    }
    if (done == -1 && call->ngiven == ULP_GIVEN_MAX) {
        done = (int)ulp_call_usage(call, "more than %d options", (int)ULP_GIVEN_MAX);
    }
    if (done != -1) {
        free(value);
        return done;
    }
    call->given[call->ngiven].code = code;
    call->given[call->ngiven++].value = value;
    return -1;
}

static int check_operands(ulp_call_t *call, poptContext context)
{
    const char **operand = poptGetArgs(context);
    size_t n = 0;
    while (operand != NULL && operand[n] != NULL) {
        n++;
    }
    const ulp_command_t *command = call->command;
    if (n < command->least) {
        return (int)ulp_call_usage(call, "needs %s", command->operands);
    }
    if (n > command->most) {
        return (int)ulp_call_usage(call, "'%s' is one operand too many: %s", operand[command->most],
                                   command->operands);
    }
    call->operand = calloc(n + 1, sizeof *call->operand);
    for (size_t i = 0; call->operand != NULL && i < n; i++) {
        call->operand[i] = strdup(operand[i]);
        if (call->operand[i] == NULL) {
            break;
        }
        call->noperands++;
    }
    if (call->operand == NULL || call->noperands < n) {
        return (int)ulp_call_fail(call, "out of memory");
    }
    return -1;
}

/* "-1.5" and "-inf" are operands: no option begins like them. */
static int is_negative_number(const char *text)
{
    return text[0] == '-' && (strchr("0123456789.", text[1] ? text[1] : 'x') != NULL ||
                              strcmp(text, "-inf") == 0 || strcmp(text, "-nan") == 0);
}

/* Does this argument take the next one for its value? */
static int takes_next(const ulp_command_t *command, const char *text)
{
    const struct poptOption *const tables[] = {command->options, shared};
    for (size_t t = 0; t < 2; t++) {
        for (const struct poptOption *o = tables[t]; o->longName != NULL; o++) {
            int is_long = strncmp(text, "--", 2) == 0 && strcmp(text + 2, o->longName) == 0;
            int is_short =
                text[0] == '-' && text[1] != '\0' && text[1] == o->shortName && text[2] == '\0';
            if (is_long || is_short) {
                return o->argInfo == POPT_ARG_STRING;
            }
        }
    }
    return 0;
}

/* A copy of argv in which negative numbers that are operands stand last, behind "--", where popt
 * leaves them alone. NULL: out of memory. */
static const char **shield(int *argc, const char **argv, const ulp_command_t *command)
{
    const char **copy = calloc((size_t)*argc + 2, sizeof *copy);
    const char **number = calloc((size_t)*argc + 1, sizeof *number);
    int n = 0;
    int nnumbers = 0;
    int i = 0;
    for (; copy != NULL && number != NULL && i < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (i > 0 && is_negative_number(argv[i]) && !takes_next(command, argv[i - 1])) {
            number[nnumbers++] = argv[i];
        } else {
            copy[n++] = argv[i];
        }
    }
    if (copy != NULL && number != NULL && (nnumbers > 0 || i < *argc)) {
        copy[n++] = "--";
        for (int j = 0; j < nnumbers; j++) {
            copy[n++] = number[j];
        }
        for (i++; i < *argc; i++) {
            copy[n++] = argv[i];
        }
    }
    free(number);
    *argc = n;
    return copy;
}

static int refuse_option(const ulp_call_t *call, const char *option, int code)
{
    ulp_nearest_t nearest = ulp_nearest_start(option + strspn(option, "-"));
    const struct poptOption *const tables[] = {call->command->options, shared};
    for (size_t t = 0; code == POPT_ERROR_BADOPT && t < 2; t++) {
        for (const struct poptOption *o = tables[t]; o->longName != NULL; o++) {
            ulp_nearest_try(&nearest, o->longName);
        }
    }
    const char *near = ulp_nearest_word(&nearest);
    return (int)ulp_call_usage(call, "%s: %s%s%s%s", option, poptStrerror(code),
                               near ? " (did you mean '--" : "", near ? near : "",
                               near ? "'?)" : "");
}

int ulp_call_parse(ulp_call_t *call, const ulp_command_t *command, int argc, const char **argv)
{
    memset(call, 0, sizeof *call);
    call->command = command;
    call->threads = omp_get_num_procs();
    struct poptOption table[] = {
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)(size_t)command->options, 0, NULL, NULL},
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)(size_t)shared, 0, NULL, NULL},
        POPT_TABLEEND};
    const char **shielded = shield(&argc, argv, command);
    poptContext context = shielded ? poptGetContext(command->name, argc, shielded, table, 0) : NULL;
    if (context == NULL) {
        free(shielded);
        return (int)ulp_call_fail(call, "out of memory");
    }
    int done = -1;
    int code = 0;
    while (done == -1 && (code = poptGetNextOpt(context)) > 0) {
        done = take(call, code, poptGetOptArg(context));
    }
    if (done == -1 && code < -1) {
        done = refuse_option(call, poptBadOption(context, POPT_BADOPTION_NOALIAS), code);
    }
    if (done == -1) {
        done = check_operands(call, context);
    }
    poptFreeContext(context);
    free(shielded);
    return done;
}

void ulp_call_free(ulp_call_t *call)
{
    for (size_t i = 0; i < call->ngiven; i++) {
        free(call->given[i].value);
    }
    for (size_t i = 0; i < call->noperands; i++) {
        free((void *)(size_t)call->operand[i]);
    }
    free(call->operand);
    free(call->text);
}

const char *ulp_call_option(const ulp_call_t *call, int code)
{
    for (size_t i = call->ngiven; i > 0; i--) {
        if (call->given[i - 1].code == code) {
            return call->given[i - 1].value ? call->given[i - 1].value : "";
        }
    }
    return NULL;
}

int ulp_call_number(const ulp_call_t *call, int code, const char *name, double *out)
{
    const char *text = ulp_call_option(call, code);
    if (text == NULL) {
        return 0;
    }
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x) || x < 0.0) {
        ulp_call_usage(call, "--%s: '%s' is not a number of at least 0", name, text);
        return -1;
    }
    *out = x;
    return 0;
}

const ulp_format_t *ulp_call_format(const ulp_call_t *call, const char *name)
{
    const char *ambiguity;
    const ulp_format_t *format = ulp_format_find(name, &ambiguity);
    if (format != NULL) {
        return format;
    }
    if (ambiguity != NULL) {
        ulp_call_fail(call, "%s", ambiguity);
        return NULL;
    }
    ulp_nearest_t nearest = ulp_nearest_start(name);
    for (size_t i = 0; i < ulp_format_count(); i++) {
        ulp_nearest_try(&nearest, ulp_format_at(i)->name);
        for (size_t j = 0; ulp_format_alias(ulp_format_at(i), j) != NULL; j++) {
            ulp_nearest_try(&nearest, ulp_format_alias(ulp_format_at(i), j));
        }
    }
    const char *near = ulp_nearest_word(&nearest);
    ulp_call_fail(call, "'%s' is not a format%s%s%s; ulpscope formats lists them", name,
                  near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return NULL;
}
