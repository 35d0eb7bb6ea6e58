/* The step for numbers that the target writes otherwise: dates, times and quantities are found, to be
 * said as phrases (reading/phrase.h), and large numbers with a word, to be translated as spans. */
#include "reading/lists.h"
#include "reading/magnitude.h"
#include "reading/numeral.h"
#include "reading/term.h"
#include "text/utf8.h"

// Whether a span of `spans` is partly in another.
static bool is_divided(const Spans *spans, Span span)
{
    const Span *first = spans_ending_behind(spans->items, spans->count, span.begin);
    const Span *last = spans_ending_behind(spans->items, spans->count, span.end);
    return (first && first->begin < span.begin) || (last && last->begin < span.end);
}

/* Where a date, a time, or a quantity with a word ends that begins at a place; the place if there is
 * none. No day or hour is an item of a list, unless the year is there: May 3, 5 and 7. */
static size_t phrase_end(const Reading *reading, const Spans *apart, size_t at)
{
    const Language *const *languages = reading->context->languages;
    const TextView text = reading->given.text;
    const Term date = term_at(text, at, languages[0], WORDS_DATES);
    const Span span = {at, at + date.text.length};
    if (span.end > at && (date.row == 0 || !is_divided(apart, span))) return span.end;
    const Span *quantity = spans_ending_behind(apart->items, apart->count, at);
    return quantity && quantity->begin == at && !reading->given.marked &&
                   numeral_is_read(text, *quantity, languages)
               ? quantity->end
               : at;
}

static Status find_phrases(Reading *reading, Error *error)
{
    const TextView text = reading->given.text;
    FREED_BY(spans_free) Spans apart = {0};
    TRY(lists_join(&apart, &reading->spans, text, reading->context->languages, error));
    for (size_t at = 0, next; at < text.length; at = next) {
        const size_t end = phrase_end(reading, &apart, at);
        if (end > at) TRY(spans_append(&reading->phrases, (Span){at, end}, error));
        if ((next = end) == at) (void)utf8_next(text.data, text.length, &next);
    }
    return STATUS_OK;
}

static Status find_magnitudes(Spans *found, const Reading *reading, Error *error)
{
    const TextView text = reading->given.text;
    uint64_t value;
    for (size_t at = 0, next; at < text.length; at = next) {
        size_t end = magnitude_end(text, at, reading->context->languages, &value);
        next = end;
        if (end > at)
            TRY(spans_add(found, (Span){at, end}, error));
        else
            (void)utf8_next(text.data, text.length, &next);
    }
    return STATUS_OK;
}

static Status read(Reading *reading, Error *error)
{
    FREED_BY(spans_free) Spans found = {0};
    Spans *spans = &reading->spans;
    const Spans *phrases = &reading->phrases;
    size_t left = 0;
    if (*language_list(reading->context->languages[1], WORDS_DATES))
        TRY(find_phrases(reading, error));
    for (size_t i = 0; i < spans->count; i++)
        if (!spans_overlap(phrases->items, phrases->count, spans->items[i]))
            spans->items[left++] = spans->items[i];
    spans->count = left;
    TRY(find_magnitudes(&found, reading, error));
    if (found.count > 0) TRY(spans_merge(spans, &found, error));
    return STATUS_OK;
}

const ReadingStep numbers_step = {"numbers", reading_has_placeholders, read, NULL};
