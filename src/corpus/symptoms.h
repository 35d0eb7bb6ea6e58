/* Signs that a corpus that reads without error is not what it should be: a column of numbers,
 * swapped or shifted sides, a header that was read as a pair, Chinese in two scripts. */
#ifndef REGARD_CORPUS_SYMPTOMS_H
#define REGARD_CORPUS_SYMPTOMS_H

#include "corpus/text_corpus.h"

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
} CorpusSymptoms;

enum { MAX_SYMPTOM_PAIRS = 200000 };

/* Looks at a corpus in the order of its files.
 *
 * Swapped: with c_s and c_t the counts of letter trigrams on either side, without the pair's own, a
 * pair is swapped if Σ log (c_s + 1) / (c_t + 1) over the source's trigrams, less the same over the
 * target's, is clearly negative.
 *
 * Shifted: in a block of lines the lengths of source n and target n do not correlate, but those of
 * source n and target n + k do (Gale & Church 1993 align sentences by that correlation).
 *
 * Scripts (language/chinese_script.h) are those of the target, since a model cannot know in which to
 * write. A source may be in both: then the model learns to read both. */
Status corpus_symptoms(CorpusSymptoms *symptoms, const TextCorpus *corpus, Error *error);

#endif
