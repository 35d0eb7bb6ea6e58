/* Likely mistakes in a parallel corpus that reads without error: sides of very different length,
 * duplicates, overlap with held-out data. Texts are compared in their normalised form. */
#ifndef REGARD_CORPUS_CORPUS_CHECK_H
#define REGARD_CORPUS_CORPUS_CHECK_H

#include "corpus/text_corpus.h"

/* The sides of a pair are unlikely to translate each other if
 *
 *     max(r n, m) > 9 min(r n, m)  and  |r n − m| ≥ 10
 *
 * with n and m the characters of source and target, and r = Σ m / Σ n over the corpus. The factor
 * is that of Moses' clean-corpus-n; r allows for languages such as Chinese, whose sentences have a
 * third of the characters. */
enum { MAX_LENGTH_RATIO = 9, MIN_LENGTH_DIFFERENCE = 10 };

typedef struct LengthMismatches {
    size_t count;    // of pairs
    TextPlace first; // of these pairs, if any
} LengthMismatches;

LengthMismatches corpus_check_lengths(const TextCorpus *corpus);

/* Counts the pairs that equal an earlier one on both sides, and with `remove` removes them; the
 * others keep their order. */
Status corpus_check_duplicates(TextCorpus *corpus, bool remove, size_t *count, Error *error);

// How many pairs of a held-out corpus also occur in the training corpus.
typedef struct CorpusOverlap {
    size_t pairs;   // with both sides
    size_t sources; // with the source sentence, whatever its translation
    size_t targets; // with the target sentence, whatever its source
} CorpusOverlap;

Status corpus_check_overlap(const TextCorpus *corpus, const TextCorpus *held_out,
                            CorpusOverlap *overlap, Error *error);

#endif
