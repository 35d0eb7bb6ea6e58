/* What a translation must begin with: from a text to the tokens that search allows
 * (search/prefix.h).
 *
 * A prefix may end within a word, and the subword there may reach beyond it: after "Le ch" the
 * translation may go on with the subword " chat", or with " ch" and then "ien". Allowed are the
 * subwords of all texts that begin with the prefix, cut as the vocabulary cuts them. */
#pragma once

#include "reading/reading.h"
#include "search/prefix.h"

/* Sets reading->prefix, how many places of `given` were not UTF-8, and whether it was longer than
 * MAX_TRANSLATION_SUBWORDS and is cut; and fills `prefix`, which is {0} and is freed by prefix_free
 * even after a failure. An empty text gives no prefix. White space at its end says that the last
 * word is complete: another follows, or the translation ends. */
Status target_prefix_read(Prefix *prefix, Reading *reading, TextView given, size_t *invalid,
                          bool *cut, Error *error);
