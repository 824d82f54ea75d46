/*
 * core/fpenv.h - the floating-point environment: known before anything is computed.
 */
#ifndef ULP_CORE_FPENV_H
#define ULP_CORE_FPENV_H

#include "core/status.h"

/**
 * Set round to nearest and subnormals on, whatever a foreign library did to the process (one linked
 * with -ffast-math turns on flush-to-zero). Every tool and every test program calls it first.
 *
 * @return  1 if something had to be set right, else 0
 */
int ulp_fpenv_reset(void);

/** One line of words: "round to nearest, subnormals kept". */
const char *ulp_fpenv_describe(void);

#endif
