/* What is likely to be wrong with a parallel corpus although every line of it can be read. Nothing is left out unless it is
 * asked for; texts are compared as they were normalised. */
#ifndef REGARD_CORPUS_HYGIENE_H
#define REGARD_CORPUS_HYGIENE_H

#include "corpus/text_corpus.h"

/* Pairs of suspicious lengths are likely not to translate each other. With n and m the characters of source and target, and
 * r = Σ m / Σ n over the corpus: max(r n, m) > 9 min(r n, m) and |r n − m| ≥ 10. The factor is that of Moses'
 * clean-corpus-n; r makes it fair to Chinese, whose sentences have a third of the characters. */
enum { HYGIENE_LENGTH_RATIO = 9, HYGIENE_LENGTH_DIFFERENCE = 10 };

typedef struct LengthFindings {
    size_t count;    // suspicious pairs
    TextPlace first; // of them, if there are any
} LengthFindings;

LengthFindings hygiene_lengths(const TextCorpus *corpus);

/* The pairs that equal an earlier one on both sides. If `leave_out`, they are taken out of the corpus; the order of the
 * others stays. */
Status hygiene_duplicates(TextCorpus *corpus, bool leave_out, size_t *count, Error *error);

// How many pairs of a held-out corpus stand in the one that is learned from.
typedef struct SharedPairs {
    size_t pairs;   // both sides as a pair
    size_t sources; // the source sentence, whatever its translation: these pairs too
    size_t targets; // the target sentence, likewise
} SharedPairs;

Status hygiene_shared(const TextCorpus *corpus, const TextCorpus *held_out, SharedPairs *shared,
                      Error *error);

#endif
