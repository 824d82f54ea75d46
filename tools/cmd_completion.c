/* tools/cmd_completion.c - ulpscope completion SHELL: completion, from the option tables. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "core/op.h"
#include "emulators/table.h"
#include "tools/commands.h"

static const struct poptOption options[] = {POPT_TABLEEND};

/* What may follow, a kind of word each. */
static void print_options(FILE *out, const ulp_command_t *command)
{
    const struct poptOption *const tables[] = {command->options, ulp_shared_options()};
    for (size_t t = 0; t < 2; t++) {
        for (const struct poptOption *o = tables[t]; o->longName != NULL; o++) {
            fprintf(out, " --%s", o->longName);
        }
    }
}

static void print_commands(FILE *out)
{
    for (size_t i = 0; ulp_command_at(i) != NULL; i++) {
        fprintf(out, " %s", ulp_command_at(i)->name);
    }
}

static void print_formats(FILE *out)
{
    for (size_t i = 0; i < ulp_format_count(); i++) {
        fprintf(out, " %s", ulp_format_at(i)->name);
    }
}

static void print_models(FILE *out)
{
    for (size_t i = 0; ulp_named_model_at(i) != NULL; i++) {
        fprintf(out, " %s", ulp_named_model_at(i)->name);
    }
}

static void print_ops(FILE *out)
{
    for (size_t i = 0; i < ulp_op_count(); i++) {
        fprintf(out, " %s", ulp_op_at(i)->name);
    }
}

static void print_reports(FILE *out)
{
    fputs(" text json markdown", out);
}

static void print_shells(FILE *out)
{
    fputs(" bash zsh", out);
}

/* Words that follow an option, and operands of a command; where none stands, file names. */
typedef struct {
    const char *after;
    void (*print)(FILE *out);
} words_t;

static const words_t values[] = {
    {"--format", print_reports}, {"--dtype", print_formats}, {"--model", print_models}};
static const words_t operands[] = {{"formats", print_formats},
                                   {"models", print_models},
                                   {"ops", print_ops},
                                   {"completion", print_shells}};
enum {
    NVALUES = sizeof values / sizeof values[0],
    NOPERANDS = sizeof operands / sizeof operands[0]
};

static void print_cases(FILE *out, const words_t *words, size_t n, const char *indent)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s%s) words='", indent, words[i].after);
        words[i].print(out);
        fputs("' ;;\n", out);
    }
}

static void print_option_cases(FILE *out, const char *indent)
{
    for (size_t i = 0; ulp_command_at(i) != NULL; i++) {
        fprintf(out, "%s%s) words='", indent, ulp_command_at(i)->name);
        print_options(out, ulp_command_at(i));
        fputs("' ;;\n", out);
    }
}

/* Both shells run the same cases on $before (the word in front), $command and $word. */
static void print_body(FILE *out)
{
    fputs("    local words=\n    if [[ -z $command ]]; then\n        words='--help --version", out);
    print_commands(out);
    fputs("'\n    else\n        case $before in\n", out);
    print_cases(out, values, NVALUES, "        ");
    fputs("        esac\n        if [[ -z $words && $word == -* ]]; then\n"
          "            case $command in\n",
          out);
    print_option_cases(out, "            ");
    fputs("            esac\n        elif [[ -z $words ]]; then\n            case $command in\n",
          out);
    print_cases(out, operands, NOPERANDS, "            ");
    fputs("            esac\n        fi\n    fi\n", out);
}

static void print_bash(FILE *out)
{
    fputs("# bash completion of ulpscope: source <(ulpscope completion bash)\n"
          "_ulpscope() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=\n"
          "    [[ $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]}\n",
          out);
    print_body(out);
    fputs("    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\ncomplete -o default -F _ulpscope ulpscope\n",
          out);
}

static void print_zsh(FILE *out)
{
    fputs(
        "#compdef ulpscope\n"
        "# zsh completion of ulpscope: ulpscope completion zsh > _ulpscope, in a folder of $fpath\n"
        "_ulpscope() {\n"
        "    local word=$words[CURRENT] before=$words[CURRENT-1] command=\n"
        "    (( CURRENT > 2 )) && command=$words[2]\n",
        out);
    print_body(out);
    fputs("    if [[ -n $words ]]; then\n        compadd -- ${=words}\n"
          "    else\n        _files\n    fi\n"
          "}\n_ulpscope \"$@\"\n",
          out);
}

static ulp_exit_t run(ulp_call_t *call)
{
    if (strcmp(call->operand[0], "bash") == 0) {
        print_bash(call->out);
    } else if (strcmp(call->operand[0], "zsh") == 0) {
        print_zsh(call->out);
    } else {
        return ulp_call_usage(call, "'%s' is neither bash nor zsh", call->operand[0]);
    }
    return ULP_EXIT_YES;
}

const ulp_command_t ulp_cmd_completion = {
    .name = "completion",
    .operands = "bash|zsh",
    .least = 1,
    .most = 1,
    .summary = "completion for a shell",
    .options = options,
    .reports = 1u << ULP_REPORT_TEXT,
    .examples = "  source <(ulpscope completion bash)\n  ulpscope completion zsh > _ulpscope\n",
    .run = run};
