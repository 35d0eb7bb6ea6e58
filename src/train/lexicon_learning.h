/* A lexicon (model/lexicon.h) learned from the links of a corpus.
 *
 * Both sides are cut into words: runs of letters, of what is between them, and single Han tokens. A
 * unit is up to MAX_UNIT_WORDS source words without a space inside that are linked to a run of as
 * many target words, and no word of either run to one outside (a consistent phrase pair: Och & Ney
 * 2004, "The alignment template approach", section 4.1), such that one target word is linked to all
 * of the unit; or all words of a short source, such as an entry of a dictionary, whatever their links,
 * with the other side of its pair: also a name of several, the first and the last with capitals. Another is a whole text with the other side: of fewer tokens than
 * MAX_UNIT_TOKENS, of which the first and the last have letters.
 * With c the number of occurrences,
 *
 *     p(y | x) = c(x, y) / (c(x) + 1)
 *
 * of pairs that occur at least twice; those of less than LEXICON_LEAST are left out, of a unit all but
 * the LEXICON_ENTRIES likeliest, and beside the first those of less than LEXICON_LEAST_OTHER. Of a text that is
 * translated like a unit, the unit says so. Where there would be more than MAX_LEXICON_UNITS, pairs must occur more often. Words in lower case of several
 * tokens that occur twice are units anyway, if need be without a translation. In a script without
 * spaces, the first words of a text count as they are inside one, without the space that begins it.
 *
 * A function of the corpus: one without links, or of larger vocabularies than MAX_LEXICON_TOKENS,
 * has an empty one. */
#pragma once

#include "corpus/token_corpus.h"
#include "model/lexicon.h"
#include "text/vocabulary.h"

enum { MAX_UNIT_WORDS = 6, MAX_LEXICON_UNITS = 1 << 18, LEXICON_ENTRIES = 3 };
#define LEXICON_LEAST 0.17       // of the likeliest
#define LEXICON_LEAST_OTHER 0.25 // of others

// vocabularies: of source and target. Freed by lexicon_free, after a failure too.
Status lexicon_learn(Lexicon *lexicon, const TokenCorpus *corpus,
                     const Vocabulary *const vocabularies[2], Error *error);
