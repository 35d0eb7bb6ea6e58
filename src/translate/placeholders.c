#include "translate/placeholders.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"
#include "translate/phrase.h"

#include <string.h>

enum { FIRST_PLACEHOLDER = 0xE000, PLACEHOLDER_BYTES = 3, PLACEHOLDER_LEAD = 0xEE }; // in UTF-8

Status placeholder_append(Bytes *text, size_t number, Error *error)
{
    return utf8_append(text, FIRST_PLACEHOLDER + (uint32_t)number, error);
}

size_t placeholders_known(const Vocabulary *source, const Vocabulary *target)
{
    size_t known = 0;
    for (; known < MAX_PLACEHOLDERS; known++) {
        char spelling[4];
        size_t length = utf8_encode(FIRST_PLACEHOLDER + (uint32_t)known, spelling);
        if (vocabulary_find(source, spelling, length) < 0) break;
        if (vocabulary_find(target, spelling, length) < 0) break;
    }
    return known;
}

size_t placeholder_next(const char *text, size_t length, size_t *at)
{
    uint32_t c = utf8_next(text, length, at);
    bool placeholder = c >= FIRST_PLACEHOLDER && c < FIRST_PLACEHOLDER + MAX_PLACEHOLDERS;
    return placeholder ? c - FIRST_PLACEHOLDER : MAX_PLACEHOLDERS;
}

// What the model reads of a source.
static Status write_source(Bytes *text, const Translation *translation, Error *error)
{
    size_t at = 0;
    const char *source = bytes_text(&translation->source);
    for (size_t i = 0; i < translation->kept_count; at = translation->kept[i++].end) {
        TRY(bytes_append(text, source + at, translation->kept[i].begin - at, error));
        TRY(placeholder_append(text, i, error));
    }
    return bytes_append(text, source + at, translation->source.length - at, error);
}

/* The subwords' ends in the source instead of in what the model reads. Spans that it does not read,
 * since the text is cut before them, are none. */
static void move_ends(Translation *translation)
{
    Subwords *subwords = &translation->source_subwords;
    // spans before the subword's end, and by what they are longer, modulo 2^64 if they are shorter
    size_t before = 0, shift = 0;
    for (size_t i = 0; i < subwords->count; i++) {
        while (before < translation->kept_count) {
            const Span *span = &translation->kept[before];
            if (subwords->ends[i] + shift < span->begin + PLACEHOLDER_BYTES) break;
            shift += span->end - span->begin - PLACEHOLDER_BYTES;
            before++;
        }
        subwords->ends[i] += (uint32_t)shift;
    }
    translation->kept_count = before;
}

// Whether there is no letter in a span: a model may say a number by itself.
static bool is_number(const char *text, Span span)
{
    bool number = false;
    for (size_t at = span.begin; at < span.end;) {
        uint32_t c = utf8_next(text, span.end, &at);
        if (utf8_is_letter(c) || utf8_is_symbol(c)) return false;
        number |= utf8_is_number(c);
    }
    return number;
}

// Keeps the first spans, at most `known`; those that are numbers only if there is room beside the
// others.
static void keep_spans(Translation *translation, const NormalView *source, size_t known)
{
    size_t room = known; // for numbers
    for (size_t i = 0; i < source->span_count && room > 0; i++)
        room -= !is_number(source->text.data, source->spans[i]);
    for (size_t i = 0; i < source->span_count && translation->kept_count < known; i++) {
        bool number = is_number(source->text.data, source->spans[i]);
        if (number && room == 0) continue;
        room -= number;
        translation->kept[translation->kept_count++] = source->spans[i];
    }
}

Status placeholders_read_source(Translation *translation, const Vocabulary *vocabulary,
                                const NormalView *source, size_t known, Error *error)
{
    Bytes text = {0};
    TRY(bytes_append(&translation->source, source->text.data, source->text.length, error));
    translation->placeholders = true;
    keep_spans(translation, source, known);
    Status status = write_source(&text, translation, error);
    if (!status) status = translation_read_subwords(translation, vocabulary, &text, error);
    if (!status) move_ends(translation);
    if (!status) translation_cut_mark(translation);
    bytes_free(&text);
    return status;
}

TextView placeholders_span(const Translation *translation, size_t number)
{
    const Span *span = &translation->kept[number];
    return (TextView){translation->source.data + span->begin, span->end - span->begin};
}

// Whether a word goes on between two characters.
static bool is_inside(uint32_t before, uint32_t behind)
{
    return utf8_is_in_word(before) && utf8_is_in_word(behind);
}

// Whether a span's text stands at `at`, where `before` is the character before it, as a word of its
// own.
static bool stands_at(const Bytes *text, size_t at, uint32_t before, TextView span)
{
    size_t end = at + span.length;
    if (text->length - at < span.length || memcmp(text->data + at, span.data, span.length) != 0)
        return false;
    return !is_inside(before, utf8_at(span.data, span.length, 0)) &&
           !is_inside(utf8_before(span.data, span.length), utf8_at(text->data, text->length, end));
}

Status placeholders_in_prefix(Bytes *text, const Translation *translation, Error *error)
{
    const Bytes *prefix = &translation->prefix;
    bool said[MAX_PLACEHOLDERS] = {false};
    bytes_clear(text);
    uint32_t before = 0;
    for (size_t at = 0, next; at < prefix->length; at = next) {
        size_t number = 0;
        while (number < translation->kept_count &&
               (said[number] ||
                !stands_at(prefix, at, before, placeholders_span(translation, number))))
            number++;
        next = at;
        before = 0;
        if (number == translation->kept_count) {
            before = utf8_next(prefix->data, prefix->length, &next);
            TRY(bytes_append(text, prefix->data + at, next - at, error));
            continue;
        }
        said[number] = true;
        next = at + placeholders_span(translation, number).length;
        TRY(placeholder_append(text, number, error));
    }
    return STATUS_OK;
}

// The number of the only placeholder in a subword, MAX_PLACEHOLDERS if there is none or are
// several.
static size_t number_of(const Vocabulary *vocabulary, int32_t id)
{
    size_t length, found = MAX_PLACEHOLDERS, count = 0;
    const char *bytes = vocabulary_bytes(vocabulary, id, &length);
    if (!memchr(bytes, PLACEHOLDER_LEAD, length)) return MAX_PLACEHOLDERS;
    for (size_t at = 0; at < length;) {
        size_t number = placeholder_next(bytes, length, &at);
        if (number == MAX_PLACEHOLDERS) continue;
        found = number;
        count++;
    }
    return count == 1 ? found : MAX_PLACEHOLDERS;
}

Status placeholder_tokens_find(PlaceholderTokens *tokens, const Vocabulary *vocabulary,
                               Error *error)
{
    for (size_t number = 0; number < MAX_PLACEHOLDERS; number++) {
        for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
            if (number_of(vocabulary, (int32_t)id) != number) continue;
            TRY(array_reserve(&tokens->ids, &tokens->capacity, tokens->ends[number] + 1,
                              "placeholders", error));
            tokens->ids[tokens->ends[number]++] = (int32_t)id;
        }
        if (number + 1 < MAX_PLACEHOLDERS) tokens->ends[number + 1] = tokens->ends[number];
    }
    return STATUS_OK;
}

void placeholder_tokens_free(PlaceholderTokens *tokens)
{
    memory_free(tokens->ids);
    *tokens = (PlaceholderTokens){0};
}

Status placeholders_require(Constraints *constraints, const PlaceholderTokens *tokens,
                            const Translation *translation, Error *error)
{
    for (size_t number = 0; number < translation->kept_count; number++) {
        size_t first = number > 0 ? tokens->ends[number - 1] : 0;
        TRY(constraints_add(constraints, &tokens->ids[first], 1, error));
        for (size_t i = first + 1; i < tokens->ends[number]; i++)
            TRY(constraints_add_alternative(constraints, &tokens->ids[i], 1, error));
        phrase_place(constraints, &translation->source_subwords, translation->kept[number]);
    }
    return STATUS_OK;
}

// Whether the text has each placeholder of the source exactly once, and no other.
static bool is_complete(const Bytes *text, size_t count)
{
    size_t said[MAX_PLACEHOLDERS + 1] = {0};
    for (size_t at = 0; at < text->length;) said[placeholder_next(text->data, text->length, &at)]++;
    for (size_t i = 0; i < MAX_PLACEHOLDERS; i++)
        if (said[i] != (i < count)) return false;
    return true;
}

Status placeholders_choose(Hypotheses *hypotheses, const Translation *translation,
                           const Vocabulary *vocabulary, Error *error)
{
    Bytes text = {0};
    Status status = STATUS_OK;
    size_t complete = 0; // the first ones, in their order
    if (translation->kept_count == 0) return STATUS_OK;
    for (size_t i = 0; i < hypotheses->count && !status; i++) {
        Hypothesis hypothesis = hypotheses->items[i];
        bytes_clear(&text);
        status = vocabulary_decode(vocabulary, hypothesis.tokens, hypothesis.length, &text, error);
        if (status || !is_complete(&text, translation->kept_count)) continue;
        hypotheses->items[i] = hypotheses->items[complete];
        hypotheses->items[complete++] = hypothesis;
    }
    bytes_free(&text);
    if (status || complete == 0) return status;
    for (size_t i = complete; i < hypotheses->count; i++) {
        memory_free(hypotheses->items[i].tokens);
        memory_free(hypotheses->items[i].alpha);
    }
    hypotheses->count = complete;
    return STATUS_OK;
}
