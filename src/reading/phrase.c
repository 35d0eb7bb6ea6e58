#include "reading/phrase.h"

#include "base/array.h"
#include "base/ascii.h"
#include "reading/numeral.h"
#include "reading/placeholders.h"
#include "reading/senses.h"
#include "reading/term.h"
#include "text/utf8.h"

Status phrase_add(Constraints *constraints, PhraseKind kind, const Vocabulary *vocabulary,
                  TextView text, Error *error)
{
    FREED_BY(subwords_free) Subwords subwords = {0};
    size_t before = constraints->count;
    bool initial = kind == PHRASE_INITIAL;
    if (!initial && before >= MAX_PHRASES) return STATUS_OK;
    const bool unspaced = utf8_is_unspaced(utf8_at(text.data, text.length, 0));
    for (int glued = unspaced; glued < (initial ? 1 : 2); glued++) {
        TRY(vocabulary_encode_part(vocabulary, text.data, text.length, !glued, &subwords, error));
        if (subwords.count == 0 || subwords.count > MAX_PHRASE_TOKENS) continue;
        TRY(constraints_add(constraints, constraints->count > before ? PHRASE_ALTERNATIVE : kind,
                            subwords.ids, subwords.count, error));
    }
    return STATUS_OK;
}

void phrase_place(Constraints *constraints, const Subwords *source, Span span)
{
    const Span place = subwords_of_span(source, span);
    constraints_place(constraints, place.begin, place.end);
}

static unsigned char edges_of(const char *bytes, size_t length, const Language *language)
{
    size_t word = length > 0 && *bytes == ' ';
    unsigned char edges = 0;
    if (language_has_word(language, WORDS_MEASURE, bytes + word, length - word))
        edges = TOKEN_MEASURES;
    uint32_t first = 0, last = 0;
    for (size_t at = 0; at < length;) {
        size_t begin = at;
        if (placeholder_next(bytes, length, &begin) < MAX_PLACEHOLDERS)
            edges |= TOKEN_HAS_PLACEHOLDER;
        if (ascii_is_digit(bytes[at])) edges |= TOKEN_HAS_DIGIT;
        last = utf8_next(bytes, length, &at);
        if (!first) first = last;
    }
    if (utf8_is_in_word(first)) edges |= TOKEN_BEGINS_IN_WORD;
    // behind a full stop there is a space, as within a word there is none
    if (utf8_is_in_word(last) || utf8_is_among(last, ".,;:!?)]}%…")) edges |= TOKEN_ENDS_IN_WORD;
    return edges;
}

Status phrase_edges_new(unsigned char **edges, const Vocabulary *vocabulary,
                        const Language *language, Error *error)
{
    size_t size = vocabulary_size(vocabulary);
    TRY(array_new(edges, size, "phrases", error));
    for (size_t id = 0; id < size; id++) {
        size_t length;
        const char *bytes = vocabulary_bytes(vocabulary, (int32_t)id, &length);
        (*edges)[id] = edges_of(bytes, length, language);
    }
    return STATUS_OK;
}

// The phrases of a source, and what they are made of.
typedef struct Making {
    Constraints *constraints;
    const Reading *reading;
    const Subwords *subwords; // of the source
} Making;

// Adds a text as a phrase that translates a span of the source.
static Status add(const Making *making, PhraseKind kind, Span span, TextView text, Error *error)
{
    Constraints *constraints = making->constraints;
    size_t before = constraints->count;
    TRY(phrase_add(constraints, kind, making->reading->context->target, text, error));
    if (constraints->count > before) phrase_place(constraints, making->subwords, span);
    return STATUS_OK;
}

// The same of the next of several translations: all are alternatives of the phrase behind `before` others.
static Status add_choice(const Making *making, size_t before, Span span, TextView text,
                         Error *error)
{
    const bool first = making->constraints->count == before;
    return add(making, first ? PHRASE_NEW : PHRASE_ALTERNATIVE, span, text, error);
}

Status phrases_require_spans(Constraints *constraints, const Reading *reading,
                             const Subwords *subwords, Error *error)
{
    const Making making = {constraints, reading, subwords};
    const NormalView *given = &reading->given;
    size_t length = subwords_begin(subwords, subwords->count);
    for (size_t i = 0; i < given->span_count && given->spans[i].end <= length; i++) {
        const Span span = given->spans[i];
        if (!spans_overlap(reading->placed, reading->placed_count, span) &&
            !spans_overlap(reading->phrases.items, reading->phrases.count, span))
            TRY(add(&making, PHRASE_NEW, span, reading_text(reading, span), error));
    }
    return STATUS_OK;
}

/* Adds the term of a list that begins at a place, in all its translations, and moves *end behind it
 * if it has any. */
static Status add_term(const Making *making, size_t at, LanguageWords list, size_t *end,
                       Error *error)
{
    const Reading *reading = making->reading;
    const Language *const *languages = reading->context->languages;
    const size_t before = making->constraints->count;
    const Term term = term_at(reading->given.text, at, languages[0], list);
    const Span span = {at, at + term.text.length};
    FREED_BY(bytes_free) Bytes text = {0};
    bool found = term.text.length > 0 &&
                 !spans_overlap(reading->spans.items, reading->spans.count, span) &&
                 (list == WORDS_PATTERNS ||
                  !spans_overlap(reading->phrases.items, reading->phrases.count, span));
    for (size_t place = 0; found;) {
        TRY(term_translate(&text, &place, &term, languages, error));
        if (text.length == 0) break;
        TRY(add_choice(making, before, span, bytes_view(&text), error));
        *end = span.end;
    }
    return STATUS_OK;
}

/* Adds what the lexicon has of a name in Han, as alternatives. In the name's own script a word is
 * inflected, and may have lost its capital: Welsh, galloise. */
static Status add_name(const Making *making, Span span, Error *error)
{
    const Reading *reading = making->reading;
    const ReadingContext *context = reading->context;
    const Vocabulary *const vocabularies[2] = {context->source, context->target};
    const size_t before = making->constraints->count;
    const TextView name = reading_text(reading, span);
    const bool several = senses_are_compound(name);
    Senses senses;
    if (spans_overlap(reading->phrases.items, reading->phrases.count, span)) return STATUS_OK;
    TRY(senses_find(&senses, context->lexicon, vocabularies, name, false, error));
    for (size_t i = 0; i < senses.count; i++) {
        const Sense *sense = &senses.items[i];
        const TextView word =
            text_view_of(several && *sense->spelling ? sense->spelling : sense->word);
        if (!several && !utf8_has(word.data, word.length, utf8_is_han)) return STATUS_OK;
        TRY(add_choice(making, before, span, word, error));
    }
    return STATUS_OK;
}

Status phrases_wish(Constraints *constraints, const Reading *reading, const Subwords *subwords,
                    Error *error)
{
    const Making making = {constraints, reading, subwords};
    const size_t before = constraints->count;
    for (size_t at = 0, end; at < reading->given.text.length; at = end) {
        end = at + 1;
        TRY(add_term(&making, at, WORDS_COUNTED, &end, error));
        if (end == at + 1) TRY(add_term(&making, at, WORDS_TITLES, &end, error));
    }
    for (size_t i = 0; i < reading->names.count; i++)
        TRY(add_name(&making, reading->names.items[i], error));
    constraints_wish(constraints, before);
    return STATUS_OK;
}

/* Adds what is at a place of the source, of which *end is the next byte, and moves that behind it:
 * a date, a term, or a number that may be said. */
static Status bind_at(const Making *making, size_t at, size_t *end, Error *error)
{
    const Reading *reading = making->reading;
    const TextView text = reading->given.text;
    const Language *const *languages = reading->context->languages;
    const Span *phrase = spans_beginning_at(reading->phrases.items, reading->phrases.count, at);
    if (phrase) {
        FREED_BY(bytes_free) Bytes quantity = {0};
        TRY(add_term(making, at, WORDS_PATTERNS, end, error));
        if (*end == phrase->end) return STATUS_OK;
        *end = phrase->end;
        TRY(numeral_write(&quantity, text, *phrase, languages, error));
        return add(making, PHRASE_NEW, *phrase, bytes_view(&quantity), error);
    }
    TRY(add_term(making, at, WORDS_MONTHS, end, error));
    if (*end > at + 1 || !ascii_is_digit(text.data[at])) return STATUS_OK;
    *end = text_view_digits_end(text, at);
    const Span span = {at, *end};
    if (spans_overlap(reading->spans.items, reading->spans.count, span)) return STATUS_OK;
    return add(making, PHRASE_OPTIONAL, span, reading_text(reading, span), error);
}

Status phrases_bind(Constraints *constraints, const Reading *reading, const Subwords *subwords,
                    Error *error)
{
    const Making making = {constraints, reading, subwords};
    const TextView text = reading->given.text;
    bool all = true; // are phrases
    constraints->bound = TOKEN_HAS_PLACEHOLDER;
    for (size_t at = 0, end; at < text.length; at = end) {
        size_t before = constraints->count;
        end = at + 1;
        TRY(bind_at(&making, at, &end, error));
        bool number = false;
        for (size_t i = at; i < end; i++) number |= ascii_is_digit(text.data[i]);
        if (!number) continue;
        constraints->bound |= TOKEN_HAS_DIGIT;
        const Span place = {at, end};
        bool elsewhere = spans_overlap(reading->spans.items, reading->spans.count, place) ||
                         spans_overlap(reading->phrases.items, reading->phrases.count, place);
        all &= elsewhere || constraints->count > before;
    }
    // a number for which there is no room must be said all the same
    if (!all || constraints->count == MAX_PHRASES) constraints->bound = TOKEN_HAS_PLACEHOLDER;
    return STATUS_OK;
}
