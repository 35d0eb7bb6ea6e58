/* Signs that a corpus that reads without error is not what it should be: sides of very different
 * length, duplicates, overlap with held-out data, a column of numbers, swapped or shifted sides, a
 * header that was read as a pair, Chinese in two scripts. Texts are compared in their normalised
 * form. */
#pragma once

#include "corpus/text_corpus.h"

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

typedef struct CorpusSymptoms {
    size_t pairs; // looked at: the first MAX_SYMPTOM_PAIRS
    // how many of them
    size_t numbers[2]; // have no letter on the source or target side
    size_t quoted[2];  // are in quotation marks
    size_t identical;  // have equal sides
    size_t swapped;    // look like a target and its source, judged by their letters
    TextPlace first_swapped;
    size_t simplified, traditional; // have a target in one script of Chinese
    bool header;                    // the first pair looks like names of columns
    int shift; // source n belongs to target n + shift, judged by lengths; 0: no sign of that
    TextPlace first_shifted;
    size_t unequal; // of all pairs, have sides of very different length
    TextPlace first_unequal;
} CorpusSymptoms;

enum { MAX_SYMPTOM_PAIRS = 200000, MAX_LENGTH_RATIO = 9, MIN_LENGTH_DIFFERENCE = 10 };

/* Looks at a corpus in the order of its files.
 *
 * Swapped: with c_s and c_t the counts of letter trigrams on either side, without the pair's own, a
 * pair is swapped if Σ log (c_s + 1) / (c_t + 1) over the source's trigrams, less the same over the
 * target's, is clearly negative.
 *
 * Shifted: in a block of lines the lengths of source n and target n do not correlate, but those of
 * source n and target n + k do (Gale & Church 1993 align sentences by that correlation).
 *
 * Unequal: the sides are unlikely to translate each other if
 *
 *     max(r n, m) > 9 min(r n, m)  and  |r n − m| ≥ 10
 *
 * with n and m the characters of source and target, and r = Σ m / Σ n over the corpus. The factor
 * is that of Moses' clean-corpus-n; r allows for languages such as Chinese, whose sentences have a
 * third of the characters.
 *
 * Scripts (language/chinese_script.h) are those of the target, since a model cannot know in which to
 * write. A source may be in both: then the model learns to read both. */
Status corpus_check_symptoms(CorpusSymptoms *symptoms, const TextCorpus *corpus, Error *error);
