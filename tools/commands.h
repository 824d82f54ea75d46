/*
 * tools/commands.h - the commands, one a file.
 */
#ifndef ULP_TOOLS_COMMANDS_H
#define ULP_TOOLS_COMMANDS_H

#include "tools/command.h"

extern const ulp_command_t ulp_cmd_completion;
extern const ulp_command_t ulp_cmd_diff;
extern const ulp_command_t ulp_cmd_emulate;
extern const ulp_command_t ulp_cmd_explain;
extern const ulp_command_t ulp_cmd_formats;
extern const ulp_command_t ulp_cmd_info;
extern const ulp_command_t ulp_cmd_models;
extern const ulp_command_t ulp_cmd_ops;
extern const ulp_command_t ulp_cmd_show;

#endif
