/*
 * emulators/vendor_table.h - the rows of one vendor, for table.c.
 */
#ifndef ULP_EMULATORS_VENDOR_TABLE_H
#define ULP_EMULATORS_VENDOR_TABLE_H

#include "emulators/table.h"

typedef struct {
    const ulp_named_model_t *row;
    size_t count;
} ulp_vendor_table_t;

extern const ulp_vendor_table_t ulp_nvidia_table, ulp_amd_table, ulp_generic_table;

#endif
