#include "reading/phrase.h"

#include "base/array.h"
#include "base/ascii.h"
#include "reading/placeholders.h"
#include "text/utf8.h"
#include "text/word_list.h"

#include <string.h>

/* The subwords of a text with the space that the vocabulary puts before it or, if `glued`, without
 * one, as behind a bracket, an apostrophe or a Chinese character. None if no text is cut so. */
static Status encode(const Vocabulary *vocabulary, const char *text, size_t length, bool glued,
                     Subwords *subwords, Error *error)
{
    if (!glued) return vocabulary_encode(vocabulary, text, length, subwords, error);
    uint32_t first;
    Bytes longer = {0};
    utf8_decode(text, length, &first, NULL);
    // another kind of character, from which a subword does not reach into the text (text/chunks.h)
    const char *before = utf8_is_word(first) ? "(" : "a";
    Status status = bytes_append_string(&longer, before, error);
    if (!status) status = bytes_append(&longer, text, length, error);
    if (!status)
        status = vocabulary_encode(vocabulary, longer.data, longer.length, subwords, error);
    bytes_free(&longer);
    if (status) return status;
    size_t skipped = 0;
    while (skipped < subwords->count && subwords->ends[skipped] < 1) skipped++;
    skipped =
        skipped < subwords->count && subwords->ends[skipped] == 1 ? skipped + 1 : subwords->count;
    subwords->count -= skipped;
    memmove(subwords->ids, subwords->ids + skipped, subwords->count * sizeof *subwords->ids);
    return STATUS_OK;
}

Status phrase_add(Constraints *constraints, PhraseKind kind, const Vocabulary *vocabulary,
                  TextView text, Error *error)
{
    Subwords subwords = {0};
    Status status = STATUS_OK;
    size_t before = constraints->count;
    bool initial = kind == PHRASE_INITIAL, room = initial || before < MAX_PHRASES;
    for (int glued = 0; glued < (initial ? 1 : 2) && !status && room; glued++) {
        status = encode(vocabulary, text.data, text.length, glued, &subwords, error);
        if (status || subwords.count == 0 || subwords.count > MAX_PHRASE_TOKENS) continue;
        status =
            constraints_add(constraints, constraints->count > before ? PHRASE_ALTERNATIVE : kind,
                            subwords.ids, subwords.count, error);
    }
    subwords_free(&subwords);
    return status;
}

void phrase_place(Constraints *constraints, const Subwords *source, Span span)
{
    size_t first = 0, next = 0;
    while (first < source->count && source->ends[first] <= span.begin) first++;
    while (next < source->count && source->ends[next] < span.end) next++;
    constraints_place(constraints, first, next < source->count ? next + 1 : next);
}

static unsigned char edges_of(const char *bytes, size_t length)
{
    unsigned char edges = 0;
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

Status phrase_edges_new(unsigned char **edges, const Vocabulary *vocabulary, Error *error)
{
    size_t size = vocabulary_size(vocabulary);
    TRY(array_new(edges, size, "phrases", error));
    for (size_t id = 0; id < size; id++) {
        size_t length;
        const char *bytes = vocabulary_bytes(vocabulary, (int32_t)id, &length);
        (*edges)[id] = edges_of(bytes, length);
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

static TextView span_text(const Reading *reading, Span span)
{
    return (TextView){reading->given.text.data + span.begin, span.end - span.begin};
}

Status phrases_require_spans(Constraints *constraints, const Reading *reading,
                             const Subwords *subwords, Error *error)
{
    const Making making = {constraints, reading, subwords};
    const NormalView *given = &reading->given;
    size_t length = subwords->count > 0 ? subwords->ends[subwords->count - 1] : 0;
    for (size_t i = 0; i < given->span_count && given->spans[i].end <= length; i++) {
        const Span span = given->spans[i];
        if (!spans_overlap(reading->placed, reading->placed_count, span))
            TRY(add(&making, PHRASE_NEW, span, span_text(reading, span), error));
    }
    return STATUS_OK;
}

// Whether a number is before a place, with one space between, or in the word there: 12, 1er.
static bool is_behind_number(TextView text, size_t at)
{
    size_t word = at > 0 && text.data[at - 1] == ' ' ? at - 1 : at;
    while (word > 0 && text.data[word - 1] != ' ') word--;
    return word < at && ascii_is_digit(text.data[word]);
}

static bool is_before_number(TextView text, size_t at)
{
    return at + 1 < text.length && text.data[at] == ' ' && ascii_is_digit(text.data[at + 1]);
}

/* The month of a date that begins at a place, as the language of the source writes it, and as that
 * of the target does; false if there is none. */
static bool find_month(TextView *month, TextView *translation, const Reading *reading, size_t at)
{
    const Language *const *languages = reading->context->languages;
    const char *from = language_list(languages[0], WORDS_MONTHS);
    const char *to = language_list(languages[1], WORDS_MONTHS);
    const TextView text = reading->given.text;
    while (word_list_next(&from, month) && word_list_next(&to, translation)) {
        if (!utf8_has_word_at(text, at, *month)) continue;
        return ascii_is_digit(month->data[0]) || is_behind_number(text, at) ||
               is_before_number(text, at + month->length);
    }
    return false;
}

Status phrases_bind(Constraints *constraints, const Reading *reading, const Subwords *subwords,
                    Error *error)
{
    const Making making = {constraints, reading, subwords};
    const TextView text = reading->given.text;
    TextView month, translation;
    bool all = true; // are phrases
    constraints->bound = TOKEN_HAS_PLACEHOLDER;
    for (size_t at = 0, end; at < text.length; at = end) {
        Span span = {at, end = at + 1};
        PhraseKind kind = PHRASE_OPTIONAL;
        if (find_month(&month, &translation, reading, at)) {
            kind = PHRASE_NEW;
            span.end = end = at + month.length;
        } else {
            if (!ascii_is_digit(text.data[at])) continue;
            while (end < text.length && ascii_is_digit(text.data[end])) end++;
            span.end = end;
            translation = span_text(reading, span);
        }
        constraints->bound |= TOKEN_HAS_DIGIT;
        if (spans_overlap(reading->spans.items, reading->spans.count, span)) continue;
        size_t before = constraints->count;
        TRY(add(&making, kind, span, translation, error));
        all &= constraints->count > before;
    }
    // a number for which there is no room must be said all the same
    if (!all || constraints->count == MAX_PHRASES) constraints->bound = TOKEN_HAS_PLACEHOLDER;
    return STATUS_OK;
}
