/* emulators/stage_table.c - one row a stage. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/stage_table.h"

#define KEYED 1
#define ALONE 0
#define MUST  1
#define MAY   0

/* f + 2 bits an addend and 10 bits for 1024 of them stay below 2^62. */
enum { L_MAX = 1024, F_MAX = 48, N_MAX = 1 << 30, E_MIN = -5000, E_MAX = 5000 };

static const ulp_stage_row_t rows[] = {
    {ULP_STAGE_IN,
     0,
     "in",
     {{ULP_ITEM_FORMAT, "format", ALONE, MAY, 0, 0},
      {ULP_ITEM_MODE, "mode", ALONE, MAY, 0, 0},
      {ULP_ITEM_FLUSH, "flush", KEYED, MAY, 0, 0}}},
    {ULP_STAGE_ORDER,
     1,
     "order",
     {{ULP_ITEM_ORDER, "order", ALONE, MUST, 0, 0}, {ULP_ITEM_N, "block", KEYED, MAY, 4, N_MAX}}},
    {ULP_STAGE_SCALE, 2, "scale", {{ULP_ITEM_N, "n", ALONE, MUST, 1, N_MAX}}},
    {ULP_STAGE_FDPA,
     ULP_STAGE_PLACE_KERNEL,
     "fdpa",
     {{ULP_ITEM_L, "l", KEYED, MUST, 1, L_MAX},
      {ULP_ITEM_F, "f", KEYED, MUST, 1, F_MAX},
      {ULP_ITEM_FINAL, "final", KEYED, MUST, 2, 53},
      {ULP_ITEM_E0, "e0", KEYED, MAY, E_MIN, E_MAX},
      {ULP_ITEM_ACC, "acc", KEYED, MAY, 0, 0},
      {ULP_ITEM_ZERO, "zero", KEYED, MAY, 0, 0}}},
    {ULP_STAGE_GDPA,
     ULP_STAGE_PLACE_KERNEL,
     "gdpa",
     {{ULP_ITEM_L, "l", KEYED, MUST, 1, L_MAX},
      {ULP_ITEM_G, "g", KEYED, MUST, 1, L_MAX},
      {ULP_ITEM_F, "f", KEYED, MUST, 1, 40},
      {ULP_ITEM_FINAL, "final", KEYED, MUST, 2, 53},
      {ULP_ITEM_E0, "e0", KEYED, MUST, E_MIN, E_MAX},
      {ULP_ITEM_ACC, "acc", KEYED, MAY, 0, 0},
      {ULP_ITEM_ZERO, "zero", KEYED, MAY, 0, 0}}},
    {ULP_STAGE_PAIRWISE,
     ULP_STAGE_PLACE_KERNEL,
     "pairwise",
     {{ULP_ITEM_L, "l", KEYED, MUST, 1, 64},
      {ULP_ITEM_FINAL, "final", KEYED, MUST, 2, 53},
      {ULP_ITEM_FLUSH, "flush", KEYED, MAY, 0, 0}}},
    {ULP_STAGE_TRFDPA,
     ULP_STAGE_PLACE_KERNEL,
     "trfdpa",
     {{ULP_ITEM_L, "l", KEYED, MUST, 1, 64},
      {ULP_ITEM_F, "f", KEYED, MUST, 1, 30},
      {ULP_ITEM_F2, "f2", KEYED, MUST, 1, 40}}},
    {ULP_STAGE_GTRFDPA,
     ULP_STAGE_PLACE_KERNEL,
     "gtrfdpa",
     {{ULP_ITEM_L, "l", KEYED, MUST, 2, 64},
      {ULP_ITEM_F, "f", KEYED, MUST, 1, 30},
      {ULP_ITEM_F2, "f2", KEYED, MUST, 1, 40}}},
    {ULP_STAGE_FMA,
     ULP_STAGE_PLACE_KERNEL,
     "fma",
     {{ULP_ITEM_FORMAT, "format", ALONE, MUST, 0, 0}, {ULP_ITEM_MODE, "mode", ALONE, MAY, 0, 0}}},
    {ULP_STAGE_IMAC,
     ULP_STAGE_PLACE_KERNEL,
     "imac",
     {{ULP_ITEM_OVERFLOW, "overflow", ALONE, MUST, 0, 0}, {ULP_ITEM_L, "l", KEYED, MAY, 1, L_MAX}}},
    {ULP_STAGE_PROMOTE,
     4,
     "promote",
     {{ULP_ITEM_N, "n", ALONE, MUST, 1, N_MAX},
      {ULP_ITEM_FORMAT, "format", ALONE, MAY, 0, 0},
      {ULP_ITEM_MODE, "mode", ALONE, MAY, 0, 0}}},
    {ULP_STAGE_SPLITK, 5, "splitk", {{ULP_ITEM_N, "n", ALONE, MUST, 1, 4096}}},
    {ULP_STAGE_OUT,
     6,
     "out",
     {{ULP_ITEM_FORMAT, "format", ALONE, MUST, 0, 0},
      {ULP_ITEM_MODE, "mode", ALONE, MAY, 0, 0},
      {ULP_ITEM_SATURATE, "sat", ALONE, MAY, 0, 0}}},
};

size_t ulp_stage_row_count(void)
{
    return sizeof rows / sizeof rows[0];
}

const ulp_stage_row_t *ulp_stage_row_at(size_t i)
{
    return i < ulp_stage_row_count() ? &rows[i] : NULL;
}

const ulp_stage_row_t *ulp_stage_row_find(ulp_stage_kind_t kind)
{
    for (size_t i = 0; i < ulp_stage_row_count(); i++) {
        if (rows[i].kind == kind) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *ulp_item_word(ulp_item_field_t field, int i)
{
    static const char *const orders[] = {"asc", "desc", "pairs", NULL};
    static const char *const flushes[] = {"signed", "zero", NULL};
    static const char *const saturate[] = {"sat", NULL};
    static const char *const overflows[] = {"wrap", "sat", NULL};
    static const char *const zeros[] = {"plus", "signed", NULL};
    switch (field) {
    case ULP_ITEM_ORDER:
        return orders[i];
    case ULP_ITEM_FLUSH:
        return flushes[i];
    case ULP_ITEM_SATURATE:
        return saturate[i];
    case ULP_ITEM_OVERFLOW:
        return overflows[i];
    case ULP_ITEM_ZERO:
        return zeros[i];
    default:
        return NULL;
    }
}

int *ulp_stage_number(ulp_stage_t *stage, ulp_item_field_t field)
{
    switch (field) {
    case ULP_ITEM_L:
        return &stage->l;
    case ULP_ITEM_G:
        return &stage->g;
    case ULP_ITEM_F:
        return &stage->f;
    case ULP_ITEM_F2:
        return &stage->f2;
    case ULP_ITEM_E0:
        return &stage->e0;
    case ULP_ITEM_N:
        return &stage->n;
    case ULP_ITEM_ORDER:
        return &stage->order;
    case ULP_ITEM_OVERFLOW:
        return &stage->saturate;
    case ULP_ITEM_ZERO:
        return &stage->zero;
    default:
        return NULL;
    }
}
