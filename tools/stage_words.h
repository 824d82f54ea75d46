/*
 * tools/stage_words.h - a stage of a model in words.
 */
#ifndef ULP_TOOLS_STAGE_WORDS_H
#define ULP_TOOLS_STAGE_WORDS_H

#include "emulators/model.h"

enum { ULP_STAGE_WORDS_MAX = 512 };

/** What the stage does, one or two sentences without a full stop at the end. */
void ulp_stage_words(char text[ULP_STAGE_WORDS_MAX], const ulp_stage_t *stage);

/** One stage alone as it stands in the line: "scale(32)". */
void ulp_stage_line(char line[ULP_MODEL_LINE_MAX], const ulp_stage_t *stage);

#endif
