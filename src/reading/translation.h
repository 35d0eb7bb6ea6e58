/* Texts on their way through the model: a source in normal form with its subwords, and its
 * translations, each a text with its subwords, its probability and, if wanted, the attention
 * between the subwords. */
#pragma once

#include "base/bytes.h"
#include "reading/reading.h"
#include "reading/senses.h"
#include "search/beam.h"

// Of a sentence within the rendering of a text that was split.
typedef struct SentencePlace {
    size_t rendering; // which of the sentence's own
    size_t begin;     // where it begins
} SentencePlace;

// One translation of a source: found by search, or given.
typedef struct Rendering {
    Bytes text;        // in normal form, so one line
    Subwords subwords; // without </s>; their ends are offsets in text
    double log_p;      // natural logarithm, summed over subwords and </s>
    float *
        log_ps; // (subwords + 1) of each, </s> last; NULL of a text that stays as it is or was split
    double score; // log_p / length^α
    // (subwords) the share of the other hypotheses found that have it; NULL where there are none
    float *agreements;
    double known; // how probable it is that it is right, where the model does not say it: of what
                  // was looked up; else 0
    bool incomplete; // the search did not find a place for a term of the glossary
    // attention (matrices, subwords + 1, source subwords + 1), </s> last on both sides; NULL if not
    // wanted. Alignments are made of the first matrix: with several heads their mean, and they
    // follow.
    float *alpha;
    size_t matrices; // 1, or 1 + heads; 0 without alpha
    // (subwords + 1, source subwords + 1) of a target that was given, where it is wanted: its
    // posterior attention (model/posterior_attention.h); else NULL
    float *posterior;
    // (sentences of the translation) of a text that was split; it has no alpha, its sentences have
    SentencePlace *places;
} Rendering;

typedef struct Translation Translation;
struct Translation {
    Bytes source;             // in normal form
    Subwords source_subwords; // those that the model reads, without </s>; ends are in the source
    bool cut;                 // the source (or a given target) was longer than the limit
    bool prefix_cut;          // and so was what renderings begin with
    size_t invalid;           // places that were not UTF-8
    double similarity; // to what it comes from in a memory (translate/translation_memory.h); else 0
    Rendering *renderings; // (count) best first; none for an empty source
    size_t count;
    Senses *senses;         // of a word or short text (translate/dictionary.h); NULL: none
    BeamTree tree;          // what the search tried, if wanted (SearchOptions.with_tree)
    Translation *sentences; // (sentence_count) of a source that was split (reading/paragraph.h)
    size_t sentence_count;  // 0 of any other
    size_t begin;           // of a sentence: where it begins in the source that was split
};

// Sets source, source_subwords and cut of a translation that is {0} from what has been read.
Status translation_set_source(Translation *translation, Reading *reading, Error *error);

// Sets source, source_subwords, cut and invalid of a translation that is {0} from any bytes, which
// the model reads as they are.
Status translation_set_given_source(Translation *translation, const Vocabulary *vocabulary,
                                    TextView text, Error *error);

// Appends a given target as a rendering, from any bytes; alpha is left NULL.
Status translation_add_given(Translation *translation, const Vocabulary *vocabulary, TextView text,
                             Error *error);

/* Appends the hypotheses that search found as renderings, at most n_best, written back as the
 * source was read, without bytes that are no character; those without a visible character are skipped,
 * and those whose normal form does not begin with the prefix (an accent that follows it has changed its
 * last letter), and if they are to be distinct, those whose text an earlier one has, of other subwords.
 * If none is left the rendering is the prefix or, if there is none, the source itself, without
 * attention. Takes over the hypotheses' alpha. */
Status translation_add_found(Translation *translation, const Reading *reading,
                             Hypotheses *hypotheses, size_t n_best, bool distinct, Error *error);

/* Sets a translation that is {0}: a text in normal form of which nothing is to be translated
 * (reading_stays), and `count` renderings that are the same, of probability 1. Each subword attends
 * to those whose bytes it has, in so many matrices. */
Status translation_set_unchanged(Translation *translation, const ReadingContext *context,
                                 TextView text, size_t count, size_t matrices, Error *error);

// Similarity; of a text that was split the least of its sentences'.
double translation_similarity(const Translation *translation);

// Sets score to log_p / length^α.
void rendering_set_score(Rendering *rendering, double length_normalization);

void rendering_free(Rendering *rendering);

void translation_free(Translation *translation);
