/* Texts that are not translated, since nothing of them is outside of spans that stay as they are
 * (translate/normal_text.h). */
#ifndef REGARD_TRANSLATE_UNCHANGED_H
#define REGARD_TRANSLATE_UNCHANGED_H

#include "translate/rendering.h"

// How such a text is rendered.
typedef struct UnchangedForm {
    const Vocabulary *vocabularies[2]; // of source and target
    size_t count;                      // renderings wanted, all alike
    size_t matrices;                   // of attention; 0: none are wanted
} UnchangedForm;

/* Sets a translation that is {0}: a text in normal form and renderings that are the same, of
 * probability 1. Each subword attends to those whose bytes it has. */
Status unchanged_set(Translation *translation, TextView text, const UnchangedForm *form,
                     Error *error);

#endif
