/* tools/stage_words.c - a stage of a model in words. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/stage_words.h"

#include <stdio.h>
#include <string.h>

static const char *mode_words(ulp_round_mode_t mode)
{
    static const char *const words[ULP_ROUND_MODE_COUNT] = {"to nearest, ties to even",
                                                            "to nearest, ties away from zero",
                                                            "toward zero",
                                                            "toward +inf",
                                                            "toward -inf",
                                                            "to odd",
                                                            "stochastically"};
    return words[mode];
}

static const char *flush_words(ulp_flush_t flush)
{
    return flush == ULP_FLUSH_SIGNED ? "zeros of their sign" : "+0";
}

/* "rounded toward zero to 24 significant bits in the range of f32". */
static void final_words(char text[160], const ulp_stage_t *stage)
{
    snprintf(text, 160, "rounded %s to %d significant bits in the range of %s",
             mode_words(stage->final_mode), stage->final_p, stage->acc ? stage->acc->name : "f32");
}

static void in_words(char *text, size_t size, const ulp_stage_t *stage)
{
    int n = 0;
    if (stage->format != NULL) {
        n = snprintf(text, size, "a and b are rounded %s to %s", mode_words(stage->mode),
                     stage->format->name);
    }
    if (stage->flush != ULP_FLUSH_NONE) {
        snprintf(text + n, size - (size_t)n, "%ssubnormals of a and b become %s", n ? "; " : "",
                 flush_words(stage->flush));
    }
}

static void order_words(char *text, size_t size, const ulp_stage_t *stage)
{
    static const char *const words[] = {"rises", "falls",
                                        "comes first where k mod 4 < 2, then the others"};
    char block[48] = "";
    if (stage->n > 0) {
        snprintf(block, sizeof block, " within each block of %d", stage->n);
    } else if (stage->order == 2) {
        snprintf(block, sizeof block, " within each block of 32");
    }
    snprintf(text, size, "k %s%s", words[stage->order], block);
}

/* Where bits are cut, what becomes of the sign of a sum that vanishes is an option. */
static const char *zero_words(const ulp_stage_t *stage)
{
    return stage->zero ? "; a negative sum that vanishes gives -0"
                       : "; a negative sum that vanishes gives +0";
}

static void fdpa_words(char *text, size_t size, const ulp_stage_t *stage)
{
    char final[160];
    final_words(final, stage);
    if (stage->f == ULP_STAGE_F_INF) {
        snprintf(text, size, "%d products and the sum so far are added exactly, then %s", stage->l,
                 final);
        return;
    }
    snprintf(text, size,
             "%d products and the sum so far are aligned to the largest exponent among them, at "
             "least %d, cut toward zero to %d fraction bits there, added exactly, then %s%s",
             stage->l, stage->e0, stage->f, final, zero_words(stage));
}

static void gdpa_words(char *text, size_t size, const ulp_stage_t *stage)
{
    char final[160];
    final_words(final, stage);
    snprintf(text, size,
             "%d products in groups of %d: each group is summed exactly and scaled; the groups and "
             "the sum so far are aligned to the largest exponent (of a group: that of its scales), "
             "at least %d, cut toward zero to %d fraction bits there, added, then %s%s",
             stage->l, stage->g, stage->e0, stage->f, final, zero_words(stage));
}

static void pairwise_words(char *text, size_t size, const ulp_stage_t *stage)
{
    char final[160];
    final_words(final, stage);
    snprintf(text, size,
             "%d products are summed in a balanced tree and the result is added to the sum so far; "
             "every product and every sum is %s%s%s",
             stage->l, final,
             stage->flush != ULP_FLUSH_NONE ? ", and subnormal results become " : "",
             stage->flush != ULP_FLUSH_NONE ? flush_words(stage->flush) : "");
}

static void trfdpa_words(char *text, size_t size, const ulp_stage_t *stage)
{
    const char *which = stage->kind == ULP_STAGE_GTRFDPA
                            ? "%d products, even and odd k apart, are aligned to the largest "
                              "exponent of their half"
                            : "%d products are aligned to their largest exponent";
    int n = snprintf(text, size, which, stage->l);
    snprintf(text + n, size - (size_t)n,
             ", cut toward zero to %d fraction bits and added; joined with the sum so far, cut "
             "toward -inf to %d fraction bits, then rounded once to f32, to nearest, ties to even",
             stage->f, stage->f2);
}

static void imac_words(char *text, size_t size, const ulp_stage_t *stage)
{
    if (!stage->saturate) {
        snprintf(text, size, "integer products are added modulo 2^32");
    } else if (stage->l > 0) {
        snprintf(text, size,
                 "integer products are added exactly; after every %d the sum is clamped to i32",
                 stage->l);
    } else {
        snprintf(text, size,
                 "integer products are added exactly; the sum is clamped to i32 once, at the end");
    }
}

void ulp_stage_words(char text[ULP_STAGE_WORDS_MAX], const ulp_stage_t *stage)
{
    const size_t size = ULP_STAGE_WORDS_MAX;
    text[0] = '\0';
    switch (stage->kind) {
    case ULP_STAGE_NONE:
        break;
    case ULP_STAGE_IN:
        in_words(text, size, stage);
        break;
    case ULP_STAGE_ORDER:
        order_words(text, size, stage);
        break;
    case ULP_STAGE_FDPA:
        fdpa_words(text, size, stage);
        break;
    case ULP_STAGE_GDPA:
        gdpa_words(text, size, stage);
        break;
    case ULP_STAGE_PAIRWISE:
        pairwise_words(text, size, stage);
        break;
    case ULP_STAGE_TRFDPA:
    case ULP_STAGE_GTRFDPA:
        trfdpa_words(text, size, stage);
        break;
    case ULP_STAGE_FMA:
        snprintf(text, size, "one product at a time: a b plus the sum so far is rounded %s to %s",
                 mode_words(stage->mode), stage->format->name);
        break;
    case ULP_STAGE_IMAC:
        imac_words(text, size, stage);
        break;
    case ULP_STAGE_PROMOTE:
        snprintf(text, size,
                 "every %d of k start at 0; their sums are added, rounded %s, to an accumulator in "
                 "%s that starts at c",
                 stage->n, mode_words(stage->mode), stage->format ? stage->format->name : "f32");
        break;
    case ULP_STAGE_SCALE:
        snprintf(text, size, "a and b have a block scale for every %d of k", stage->n);
        break;
    case ULP_STAGE_OUT:
        snprintf(text, size, "the result is rounded %s to %s%s", mode_words(stage->mode),
                 stage->format->name,
                 stage->overflow == ULP_OVERFLOW_SATURATE ? ", overflow to the largest number"
                                                          : "");
        break;
    case ULP_STAGE_SPLITK:
        snprintf(text, size,
                 "K is cut into %d parts, each summed from 0 but the first, which starts at c; "
                 "their sums are added in order, to nearest, ties to even",
                 stage->n);
        break;
    }
}

void ulp_stage_line(char line[ULP_MODEL_LINE_MAX], const ulp_stage_t *stage)
{
    ulp_model_t model = {.nstages = 1};
    model.stage[0] = *stage;
    ulp_model_print(line, &model);
}
