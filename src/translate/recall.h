/* What a text takes from a translation memory (translation_memory.h).
 *
 * Of a near match is taken what translates the words that text and source have in common, and the
 * rest is searched: the alignment of the match says which target words belong to words that differ.
 * These are left out, with unaligned words and the commonest words of the language beside them,
 * which must agree with what takes their place; and where the text differs there may be other
 * words. The parts that are left are phrases of the search (search/constraints.h), and a
 * translation must have them in the match's order: the match's first word first, its last word
 * last, unless the text differs there. */
#pragma once

#include "reading/translation.h"
#include "search/constraints.h"
#include "translate/alignment.h"
#include "translate/translation_memory.h"

enum { MAX_KEPT = 16 };

// Start from {0}, end with recall_free.
typedef struct Recall {
    MemoryMatch match;
    Translation forced; // its pair, decoded with the target given and with attention
    // of a near match: parts of its target, and what part of the text each translates, empty if
    // that is not known
    Span kept[MAX_KEPT], places[MAX_KEPT];
    bool filled[MAX_KEPT]; // there are other words before it
    size_t count;
    size_t room;       // bytes of what is searched: of the target left out, and of the text put in
    bool begins, ends; // the first is its beginning, the last its end
    bool failed;       // search found no such translation: the text has no match
} Recall;

/* Whether the match is the translation of the text, as it stands. */
bool recall_is_exact(const Recall *recall);

/* Sets the parts of a near match that the translation of `text` must have; none if there is no word
 * among them. `language` is the target's, NULL if it is not known. */
Status recall_read(Recall *recall, TextView text, const LinkReading *reading,
                   const Language *language, Error *error);

// Adds them to the phrases that the translation must contain. `subwords` are the text's.
Status recall_require(Constraints *constraints, const Recall *recall, const Reading *reading,
                      const Subwords *subwords, Error *error);

// Leaves of the renderings of a translation at most n_best that have the parts, in order; false if
// none has them.
bool recall_choose(Translation *translation, const Recall *recall, size_t n_best);

void recall_free(Recall *recall);
