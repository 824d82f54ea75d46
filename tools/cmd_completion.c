/* tools/cmd_completion.c - ulpscope completion SHELL: completion, from the option tables. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tools/commands.h"

static const struct poptOption options[] = {POPT_TABLEEND};

static void print_words(FILE *out, const struct poptOption *table)
{
    for (; table->longName != NULL; table++) {
        fprintf(out, " --%s", table->longName);
    }
}

static void print_bash(FILE *out)
{
    fprintf(out, "# bash completion of ulpscope: source <(ulpscope completion bash)\n"
                 "_ulpscope() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                 "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                 "        words='--help --version");
    for (size_t i = 0; ulp_command_at(i) != NULL; i++) {
        fprintf(out, " %s", ulp_command_at(i)->name);
    }
    fprintf(out, "'\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; ulp_command_at(i) != NULL; i++) {
        fprintf(out, "        %s) words='", ulp_command_at(i)->name);
        print_words(out, ulp_command_at(i)->options);
        print_words(out, ulp_shared_options());
        fprintf(out, "' ;;\n");
    }
    fprintf(out, "        esac\n    fi\n"
                 "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                 "}\ncomplete -o default -F _ulpscope ulpscope\n");
}

static void print_zsh(FILE *out)
{
    fprintf(out, "#compdef ulpscope\n"
                 "# zsh completion of ulpscope: ulpscope completion zsh > _ulpscope\n"
                 "if (( CURRENT == 2 )); then\n    compadd -- --help --version");
    for (size_t i = 0; ulp_command_at(i) != NULL; i++) {
        fprintf(out, " %s", ulp_command_at(i)->name);
    }
    fprintf(out, "\n    return\nfi\ncase $words[2] in\n");
    for (size_t i = 0; ulp_command_at(i) != NULL; i++) {
        fprintf(out, "%s) compadd --", ulp_command_at(i)->name);
        print_words(out, ulp_command_at(i)->options);
        print_words(out, ulp_shared_options());
        fprintf(out, " ;;\n");
    }
    fprintf(out, "esac\n_files\n");
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
