/* Texts on their way through the model: a source in normal form with its subwords, and its
 * translations, each a text with its subwords, its probability and, if wanted, the attention
 * between the subwords. */
#ifndef REGARD_TRANSLATE_RENDERING_H
#define REGARD_TRANSLATE_RENDERING_H

#include "base/bytes.h"
#include "search/beam.h"
#include "text/letter_case.h"
#include "text/spans.h"
#include "text/vocabulary.h"

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
    float *log_ps;     // (subwords + 1) of each, </s> last; NULL unless the target was given
    double score;      // log_p / length^α
    bool incomplete;   // the search did not find a place for a term of the glossary
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

// Spans of a source that are read as placeholders (translate/placeholders.h).
enum { MAX_PLACEHOLDERS = 4 };

typedef struct Translation Translation;
struct Translation {
    Bytes source;             // in normal form
    Subwords source_subwords; // those that the model reads, without </s>
    bool cut;                 // the source (or a given target) was longer than the limit
    bool recases;             // if not CASE_SENTENCE, it is read as such (text/letter_case.h)
    LetterCase letter_case;   // of what is read, if it recases
    bool varies;        // characters that the vocabulary lacks are read as others (text/variants.h)
    const char *elided; // words that renderings elide (text/elision.h); NULL: none
    bool ends;          // a short text is read with a mark at its end (text/end_mark.h)
    bool ended;         // it was
    bool placeholders;  // the model knows them
    Span kept[MAX_PLACEHOLDERS]; // (kept_count) of the source, each of which it reads as one
    size_t kept_count;
    Bytes prefix;          // what renderings found begin with, in normal form; empty: anything
    bool prefix_cut;       // it was longer than the limit
    size_t invalid;        // places that were not UTF-8
    Rendering *renderings; // (count) best first; none for an empty source
    size_t count;
    Translation *sentences; // (sentence_count) of a source that was split (translate/paragraph.h)
    size_t sentence_count;  // 0 of any other
    size_t begin;           // of a sentence: where it begins in the source that was split
};

// Subwords that the model reads of a text; the rest is cut off. Far beyond what it is trained on.
enum { MAX_TRANSLATION_SUBWORDS = 1000 };

// Sets source, source_subwords, cut and invalid of a translation that is {0} but for `recases`,
// `varies` and `ends`, from any bytes.
Status translation_read_source(Translation *translation, const Vocabulary *vocabulary,
                               const char *text, size_t length, Error *error);

// Sets source_subwords, cut, letter_case and ended from what the model reads of the source.
Status translation_read_subwords(Translation *translation, const Vocabulary *vocabulary,
                                 const Bytes *text, Error *error);

// Lets subwords that are not in the source, of a mark that was read at its end, have no bytes.
void translation_cut_mark(Translation *translation);

// Appends a given target as a rendering, from any bytes; alpha is left NULL.
Status translation_add_given(Translation *translation, const Vocabulary *vocabulary,
                             const char *text, size_t length, Error *error);

/* Appends the hypotheses that search found as renderings, at most n_best, with the source's spans
 * in the place of placeholders; those without a visible character are skipped, and those whose
 * normal form does not begin with the prefix (an accent that follows it has changed its last
 * letter). If none is left the rendering is the prefix or, if there is none, the source itself,
 * without attention. Takes over the hypotheses' alpha. */
Status translation_add_found(Translation *translation, const Vocabulary *vocabulary,
                             Hypotheses *hypotheses, size_t n_best, Error *error);

void translation_free(Translation *translation);

#endif
