/* A lexicon (model/lexicon.h) learned from the links of a corpus.
 *
 * Counted are the units of a pair (train/linked_words.h) with the target words that they are linked to,
 * if those are consistent and one of them is linked to all of the unit. Of a short source, such as an
 * entry of a dictionary, all words are one with the other side of their pair, whatever their links;
 * also a name of several words, of which the first and the last have capitals. Another unit is a whole
 * text with the other side: of fewer tokens than MAX_UNIT_TOKENS, of which the first and the last have
 * letters. With c the number of occurrences,
 *
 *     p(y | x) = c(x, y) / (c(x) + 1)
 *
 * of pairs that occur at least twice, or more often where there would be more than MAX_LEXICON_UNITS
 * units; train/lexicon_pairs.h keeps the likeliest. Words in lower case of several tokens that occur
 * twice are units anyway, if need be without a translation. In a script without spaces, the first words
 * of a text count as they are inside one, without the space that begins it. Quotation marks, brackets
 * and the mark between the parts of a name in Han are no part of a translation that they surround.
 *
 * A function of the corpus: one without links, or of larger vocabularies than MAX_LEXICON_TOKENS,
 * has an empty one. */
#pragma once

#include "corpus/token_corpus.h"
#include "model/lexicon.h"
#include "text/vocabulary.h"

enum { MAX_LEXICON_UNITS = 1 << 18 };

// vocabularies: of source and target. Freed by lexicon_free, after a failure too.
Status lexicon_learn(Lexicon *lexicon, const TokenCorpus *corpus,
                     const Vocabulary *const vocabularies[2], Error *error);
