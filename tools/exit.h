/*
 * tools/exit.h - the three exit codes, and no other.
 */
#ifndef ULP_TOOLS_EXIT_H
#define ULP_TOOLS_EXIT_H

typedef enum {
    ULP_EXIT_YES = 0,      /* done; equal; within tolerance; explained */
    ULP_EXIT_NO = 1,       /* a difference; a bound exceeded; not explained */
    ULP_EXIT_NO_ANSWER = 2 /* usage, unreadable, not comparable, undecided */
} ulp_exit_t;

#endif
