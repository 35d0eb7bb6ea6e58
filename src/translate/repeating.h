// Hypotheses that say the same twice in a row (text/repetition.h).
#ifndef REGARD_TRANSLATE_REPEATING_H
#define REGARD_TRANSLATE_REPEATING_H

#include "base/bytes.h"
#include "search/hypotheses.h"
#include "text/vocabulary.h"

/* Leaves out the hypotheses before the first, best first, that does not repeat itself. None if all
 * do, or the source does. */
Status repeating_leave_out(Hypotheses *hypotheses, const Bytes *source,
                           const Vocabulary *vocabulary, Error *error);

#endif
