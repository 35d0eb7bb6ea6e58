// Results of include/regard.h: internal translations and a public view of each.
#ifndef REGARD_API_RESULT_H
#define REGARD_API_RESULT_H

#include "regard.h"
#include "translate/alignment.h"

/* A result for `count` sources. Its translations are {0}: set them, then call result_show once.
 * Freed by regard_result_free. */
Status result_new(RegardResult **result, size_t count, Error *error);

Translation *result_translations(RegardResult *result); // (count), owned by the result

typedef struct ResultForm {
    bool alignments;     // whether they are shown, with weights unless they are links only
    UnitKind units[2];   // of source and target, that alignments count
    LinkReading reading; // how links are read
} ResultForm;

// Makes the views that regard_result_source and regard_result_translation return.
Status result_show(RegardResult *result, const ResultForm *form, Error *error);

#endif
