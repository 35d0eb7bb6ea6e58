/* Texts of several sentences: split before they are translated, joined again afterwards.
 *
 * A text of one sentence is given to the model as it is. A sentence of more subwords than the model reads
 * is parted between clauses (text/clause.h), and its parts count as sentences. A text with a prefix is not
 * split: nobody knows which sentence its end belongs to.
 *
 * Translations are joined with one space where their script has spaces between sentences. The renderings
 * of the whole are the likeliest combinations of those of its sentences (translate/combination.h); log p
 * is the sum of theirs, the score their mean. Samples are joined in the order drawn. */
#ifndef REGARD_TRANSLATE_PARAGRAPH_H
#define REGARD_TRANSLATE_PARAGRAPH_H

#include "text/sentences.h"
#include "text/vocabulary.h"
#include "translate/rendering.h"

// A sentence of one of the texts.
typedef struct Piece {
    size_t text;          // which
    bool whole;           // all of it, as given
    size_t place, length; // else in `Paragraphs.normal`
    size_t begin;         // where it begins in the text's normal form
} Piece;

typedef struct Paragraphs {
    const Vocabulary *vocabulary; // of the sources
    size_t languages[2];          // of source and target (text/language.h)
    Piece *pieces;                // (count)
    size_t count, capacity;
    Bytes normal;       // normal forms of the texts that are split
    size_t *invalid;    // (texts) places that were not UTF-8, in those
    TextView *views;    // (count) the pieces
    TextView *prefixes; // (count) theirs; NULL if none were given
    Sentences sentences;
    Subwords subwords;
    Bytes text;
} Paragraphs;

/* Splits `count` texts; `prefixes` (count) may be NULL. Start with vocabulary and languages set and the
 * rest 0; `texts` must stay where they are. To be freed even after a failure. */
Status paragraphs_read(Paragraphs *paragraphs, const TextView *texts, const TextView *prefixes,
                       size_t count, Error *error);

/* Sets `translations` of the `count` texts from those of the pieces, which are empty afterwards, also
 * after a failure; then those set must still be freed. At most `n_best` renderings, in the order drawn if
 * `sampled`. */
Status paragraphs_join(const Paragraphs *paragraphs, Translation *pieces, size_t n_best,
                       bool sampled, Translation *translations, size_t count, Error *error);

void paragraphs_free(Paragraphs *paragraphs);

#endif
