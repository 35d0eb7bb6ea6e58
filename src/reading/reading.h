/* Reading: from what people write to what the model reads, and back. Each reason to read a sentence
 * otherwise than it stands is a step, a file and a row of a table:
 *
 *     step            before the model                       behind it
 *     elision                                                French d'8 becomes de 8, que à qu'à
 *     unknown words   are found, to stay as they are
 *     numbers         dates, times, 5 kg and 四万 are found, to be written as the target does
 *     glossary        its terms are found, to be translated
 *     placeholders    take the place of what stays           give it back, 3.5% as 3,5 %
 *     quotation       ‘Why?’ is read as Why?                 gets the target's marks: « Pourquoi ? »
 *     variants        no. 5 is read as number 5, … as ..., — as a comma
 *     letter case     WHERE IS TOM is read as a sentence     gets its capitals back, I love you one
 *
 * Steps read in this order and write in the reverse one. They edit a MappedText
 * (text/mapped_text.h), which knows where each byte came from, so none of them moves an offset.
 * What concerns a text of several sentences is in reading/paragraph.h. */
#pragma once

#include "language/language.h"
#include "model/lexicon.h"
#include "reading/letter_case.h"
#include "text/mapped_text.h"
#include "text/spans.h"
#include "text/vocabulary.h"

// Subwords that the model reads of a text; the rest is cut off. Far beyond what it is trained on.
enum { MAX_TRANSLATION_SUBWORDS = 1000 };

// Spans of a sentence that are read as placeholders (reading/placeholders.h).
enum { MAX_PLACEHOLDERS = 4 };

// What steps know of a model; the same for all sentences.
typedef struct ReadingContext {
    const Vocabulary *source, *target;
    const Language *languages[2]; // of source and target; NULL: not known
    size_t placeholders;          // that the model knows
    const Lexicon *lexicon;       // NULL: it has none
    unsigned char *edges;         // (target) of its subwords, for Constraints.edges; owned
    uint32_t left_out; // steps that are not taken, a bit for each by its row: for measurements
} ReadingContext;

// A sentence in normal form with spans that stay as they are, in order; not owned.
typedef struct NormalView {
    TextView text;
    const Span *spans; // (span_count)
    size_t span_count;
    bool stays;       // all of it: the marks of a line
    bool goes_on;     // it is a part of a sentence, but not the first
    bool of_sentence; // a part of one in neither capitals nor title case, so that it is in neither
    bool marked;      // some of its text's spans were given: then numerals stay as well
} NormalView;

// A sentence on its way. Start with the first five members set, end with reading_free.
typedef struct Reading {
    const ReadingContext *context;
    NormalView given;
    const struct Glossary *glossary; // NULL: none
    bool begun;                      // a beginning of its translation is given
    uint32_t applied;                // steps that were taken, a bit for each
    Spans spans;                     // of the source that stay as they are, given or found
    Spans
        phrases; // of the source that are phrases of search: dates, quantities, terms that are numbers
    Spans names;                   // of the source, for which the lexicon has other words
    Span placed[MAX_PLACEHOLDERS]; // (placed_count) of the source, read as a placeholder each
    size_t placed_count;
    Bytes placed_text;                    // what translations have for these, one after another
    size_t placed_ends[MAX_PLACEHOLDERS]; // (placed_count) in it
    bool paired;                          // the source's quotation marks and brackets have partners
    const char *around[2];                // marks that are put around translations; NULL: none
    LetterCase letter_case;               // of the source
    MappedText text;                      // the source as the model reads it
    Bytes prefix; // what translations begin with, in normal form; empty: anything
} Reading;

typedef struct ReadingStep {
    const char *name;
    bool (*applies)(const Reading *reading);
    // Edits reading->text, or finds spans; NULL: only writes.
    Status (*read)(Reading *reading, Error *error);
    // Edits what the model has said; NULL: only reads.
    Status (*write)(const Reading *reading, MappedText *said, Error *error);
} ReadingStep;

// Whether the model knows placeholders: of steps that find what stays as it is.
bool reading_has_placeholders(const Reading *reading);

extern const ReadingStep elision_step, unknown_words_step, numbers_step, glossary_step,
    placeholders_step, quotation_step, variants_step, letter_case_step;

// The bit of what is found before a text is split: reading/untranslated_spans.h.
enum { READING_STEPS = 8, READING_SPANS = 1 << READING_STEPS };
extern const ReadingStep *const reading_steps[READING_STEPS]; // in the order of reading

// Finds a model's placeholders, and what its subwords are. To be freed even after a failure.
Status reading_context_set(ReadingContext *context, const Vocabulary *source,
                           const Vocabulary *target, const Language *const languages[2],
                           Error *error);

void reading_context_free(ReadingContext *context);

// What is in a place of the source.
static inline TextView reading_text(const Reading *reading, Span span)
{
    return span_text(reading->given.text, span);
}

// Takes all steps that apply. To be freed even after a failure.
Status reading_read(Reading *reading, Error *error);

/* Whether nothing of the sentence is to be translated: all letters and numbers are in spans that
 * stay as they are, or there are none. */
bool reading_stays(const Reading *reading);

/* Replaces `subwords` by those of a text in normal form, at most MAX_TRANSLATION_SUBWORDS; sets `cut`
 * if there were more, and else leaves it. */
Status subwords_encode(Subwords *subwords, bool *cut, const Vocabulary *vocabulary,
                       const Bytes *text, Error *error);

/* Replaces `subwords` by those that the model reads, with ends in the source; `cut`: there were
 * more. Spans behind them are no placeholders any more. */
Status reading_encode(Reading *reading, Subwords *subwords, bool *cut, Error *error);

// Takes back all steps that were taken: makes what the model has said what is shown.
Status reading_write(const Reading *reading, MappedText *said, Error *error);

void reading_free(Reading *reading);
