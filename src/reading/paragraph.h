/* Texts as they are translated: brought into normal form, with the spans that stay as they are, given
 * ones and those of reading/untranslated_spans.h; if wanted, those of several sentences are split
 * before they are translated, and joined again afterwards.
 *
 * A text of one sentence is given to the model as it is; the marks of a line before it
 * (reading/line_mark.h), which stay, count as another. A sentence of more than about
 * 40 subwords, or of more spans that stay as they are than the model has placeholders for, is
 * parted between clauses or else words, and its parts count as sentences: so time grows with a
 * text's length, and no faster. A text with a prefix is not split: nobody knows which sentence its
 * end belongs to. Nor is a span ever divided.
 *
 * Translations are joined with one space where their script has spaces between sentences. The
 * renderings of the whole are the likeliest combinations of those of its sentences; log p is the
 * sum of theirs, the score their mean. Samples are joined in the order drawn. */
#pragma once

#include "reading/sentences.h"
#include "reading/translation.h"

// A text, or a sentence of one.
typedef struct Piece {
    size_t text;                   // which
    bool whole;                    // all of it
    bool goes_on;                  // a part of a sentence, but not the first
    bool of_sentence;              // a part of one in neither capitals nor title case
    bool mark;                     // what is before it in its line (reading/line_mark.h)
    size_t place, length;          // in `Paragraphs.normal`
    size_t begin;                  // where it begins in the text's normal form
    size_t first_span, span_count; // in `Paragraphs.spans`
} Piece;

typedef struct Paragraphs {
    const Vocabulary *vocabulary; // of the sources
    const Language *languages[2]; // of source and target; NULL: not known
    bool splits;                  // texts of several sentences
    size_t placeholders;          // that the model knows; 0: no spans are found besides those given
    Piece *pieces;                // (count)
    size_t count, capacity;
    Bytes normal;       // normal forms of the texts
    Spans spans;        // that stay as they are, each in bytes of its piece
    size_t *invalid;    // (texts) places that were not UTF-8
    NormalView *views;  // (count) the pieces
    TextView *prefixes; // (count) theirs; NULL if none were given
    Spans sentences;
    Subwords subwords;
    MappedText text;  // the one being read, in normal form
    Spans text_spans; // of it, that stay as they are, each list as one (reading/lists.h)
    Spans items;      // the same, apart
    Spans found;      // scratch
    size_t next_span; // of text_spans, the first that is in no piece yet
} Paragraphs;

// What is given of `count` texts.
typedef struct GivenTexts {
    const TextView *texts;    // (count)
    const TextView *prefixes; // (count) or NULL: none
    const Spans *spans;       // (count) of each, that stay as they are; or NULL: none
    size_t count;
    const bool *whole; // (count) of each, that it is not split; or NULL: any may be
} GivenTexts;

/* Reads and, if it splits, splits the texts. Start with vocabulary, languages, splits and
 * placeholders set and the rest 0. To be freed even after a failure. */
Status paragraphs_read(Paragraphs *paragraphs, const GivenTexts *given, Error *error);

/* Sets *numbers (pieces), freed by memory_free, for sampling: the first sentence of a text has the
 * text's own number, `first` and its place, as if it were not split, and no two have the same. */
Status paragraphs_number(uint64_t **numbers, const Paragraphs *paragraphs, uint64_t first,
                         Error *error);

/* Sets `translations` of the `count` texts from those of the pieces, which are empty afterwards,
 * also after a failure; then those set must still be freed. At most `n_best` renderings, in the
 * order drawn if `sampled`. */
Status paragraphs_join(const Paragraphs *paragraphs, Translation *pieces, size_t n_best,
                       bool sampled, Translation *translations, size_t count, Error *error);

/* Sets choices (n_best, count): in row k, which rendering of each sentence the k-th best
 * combination has. *found of them, at most n_best ≥ 1, by the sum of scores; equal ones by the
 * choices for the later sentences. Each sentence has at least one rendering, best first. Exact: of
 * the best combinations, the first sentences are among their own best. */
Status combinations_find(size_t *choices, size_t *found, size_t n_best,
                         const Translation *sentences, size_t count, Error *error);

void paragraphs_free(Paragraphs *paragraphs);
