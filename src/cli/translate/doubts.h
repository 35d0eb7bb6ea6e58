/* A translation with what is doubtful in it marked, or left as it was in the source. */
#pragma once

#include "cli/translate/translate.h"

// How words that are more likely wrong than right are marked: not, as ⟦word⟧, or in a colour.
typedef enum UncertainStyle { UNCERTAIN_NONE, UNCERTAIN_MARK, UNCERTAIN_COLOR } UncertainStyle;
extern const char *const uncertain_styles[]; // "none", "mark", "color", NULL

/* Writes a rendering's text as --uncertain and --min-confidence want it: words with a probability
 * below ½ are marked, and sentences below the least confidence are left in the source's language and
 * counted in run->left. */
void doubts_write(Writer *out, TranslateRun *run, const Translation *translation,
                  const Rendering *rendering);

// STATUS_FORMAT if they are wanted of a model that has no confidence.
Status doubts_check(const TranslateRun *run, Error *error);
