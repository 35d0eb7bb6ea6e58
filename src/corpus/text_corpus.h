/* Sentence pairs as normalised text, in memory, or in a file with 8 bytes of each pair in memory
 * (corpus/corpus_store.h). */
#pragma once

#include "corpus/corpus_store.h"
#include "corpus/pair_reader.h"
#include "language/language.h"

// Where a pair was read.
typedef struct TextPlace {
    const char *file; // not owned; NULL if none
    size_t line;      // in that file (pair_reader.h)
    size_t number;    // among all lines (TMX: units) read for the corpus, from 0
} TextPlace;

typedef struct TextPair {
    TextView sides[2]; // source, target: each followed by a NUL that its length does not count
    TextPlace place;
} TextPair;

// How a corpus in a file is read.
typedef struct TextWindows {
    StoreWindow of[2]; // of text_corpus_pair and of text_corpus_other_pair
    Status status;     // the first failure
    Error error;
} TextWindows;

// Start from {0} for a corpus in memory, end with text_corpus_free.
typedef struct TextCorpus {
    CorpusStore store;    // of each pair its place and its lengths, then its sides, each with a NUL
    TextWindows *windows; // NULL in memory
    size_t *begins;       // (count) where each pair begins in the store
    size_t count;         // pairs
    size_t capacity;
    uint64_t hash;     // of all pairs added, in order; shows whether a corpus has changed
    ReadCounts counts; // of all files that were read
    char languages[2][LANGUAGE_SIZE]; // as the first file that says so names them; else empty
    Bytes bad;                        // messages of lines passed over (pair_reader_bad)
    Bytes notes;                      // what was taken of them, a line each (pair_reader_describe)
} TextCorpus;

/* Begins an empty corpus: in a file in `folder`, whose name must outlive the corpus, or in memory
 * if that is NULL. On failure there is nothing to free. */
Status text_corpus_open(TextCorpus *corpus, const char *folder, Error *error);

/* Adds every pair of a file (pair_reader.h); pairs with an empty side are left out and counted.
 * `spec` must stay valid as long as the corpus is used. */
Status text_corpus_read(TextCorpus *corpus, const char *spec, const PairOptions *options,
                        Error *error);

// Adds a copy of a pair.
Status text_corpus_add(TextCorpus *corpus, const TextPair *pair, Error *error);

/* Pair i; in memory valid until the next add, in a file until then and until the next pair. A pair
 * that cannot be read of the file is empty, as are all after it, and text_corpus_check tells.
 * Of a corpus in a file one thread reads at a time. */
TextPair text_corpus_pair(const TextCorpus *corpus, size_t i);

// The same, to compare with another pair: what text_corpus_pair has returned stays valid.
TextPair text_corpus_other_pair(const TextCorpus *corpus, size_t i);

// Whether all pairs could be read so far.
Status text_corpus_check(const TextCorpus *corpus, Error *error);

/* Moves the pairs i with chosen[i] to the corpus `taken`, or removes them if it is NULL; the others
 * keep their order. On failure `corpus` is as it was. The store keeps the bytes of all. */
Status text_corpus_take(TextCorpus *corpus, const bool *chosen, TextCorpus *taken, Error *error);

/* Moves about min(most, share · count) of the pairs to the empty corpus `held_out`: those whose
 * source has the lowest hash, so that the choice does not depend on the order and equal sources
 * stay together. At least one pair moves and one stays; STATUS_ARGUMENT if all sources are
 * equal. */
Status text_corpus_split(TextCorpus *corpus, TextCorpus *held_out, size_t most, double share,
                         Error *error);

/* How many letters the two sides have in common: Σ over letters of min(share of the source's
 * letters, share of the target's), 0 … 1. */
Status text_corpus_common_letters(const TextCorpus *corpus, double *common, Error *error);

// From where they are known, the most certain first.
typedef enum LanguageSource {
    LANGUAGES_GIVEN,    // PairOptions.languages
    LANGUAGES_OF_FILES, // of a TMX, or the names of columns
    LANGUAGES_OF_TEXT,  // language/language_evidence.h
} LanguageSource;
extern const char *const language_source_names[]; // "given", "files", "text", NULL

typedef struct CorpusLanguages {
    char tags[2][LANGUAGE_SIZE]; // of source and target; empty where it is not known
    LanguageSource source;
    const Language *contrary[2]; // what the text surely is although the tag says otherwise, or NULL
} CorpusLanguages;

/* The languages of the two sides: given, said by the files, or told from a few hundred pairs of the
 * corpus. */
Status text_corpus_languages(CorpusLanguages *languages, const TextCorpus *corpus,
                             const PairOptions *options, Error *error);

void text_corpus_free(TextCorpus *corpus);
