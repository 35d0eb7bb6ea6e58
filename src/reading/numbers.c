/* The step for numbers that the target writes otherwise: dates, times, ordinals and quantities are
 * found, to be said as phrases (reading/phrase.h), and large numbers with a word, to be translated as
 * spans. */
#include "reading/lists.h"
#include "reading/magnitude.h"
#include "reading/numeral.h"
#include "reading/term.h"
#include "text/utf8.h"

// Whether a span of `spans` is partly in another.
static bool is_divided(const Spans *spans, Span span)
{
    return spans_divided_at(spans->items, spans->count, span.begin) ||
           spans_divided_at(spans->items, spans->count, span.end);
}

/* Where a date, a time, or a quantity with a word ends that begins at a place; the place if there is
 * none. No day or hour is an item of a list, unless the year is there: May 3, 5 and 7. */
static size_t phrase_end(const Reading *reading, const Spans *apart, size_t at)
{
    const Language *const *languages = reading->context->languages;
    const TextView text = reading->given.text;
    if (!*language_list(languages[1], WORDS_PATTERNS)) return at;
    const Term date = term_at(text, at, languages[0], WORDS_PATTERNS);
    const Span span = {at, at + date.text.length};
    if (span.end > at && (date.row == 0 || !is_divided(apart, span))) return span.end;
    const Span *quantity = spans_beginning_at(apart->items, apart->count, at);
    if (!quantity || reading->given.marked || !numeral_is_read(text, *quantity, languages))
        return at;
    return quantity->end;
}

// Finds phrases and, elsewhere, large numbers with a word.
static Status find(Spans *magnitudes, Reading *reading, Error *error)
{
    const TextView text = reading->given.text;
    const Language *const *languages = reading->context->languages;
    FREED_BY(spans_free) Spans apart = {0};
    uint64_t value;
    TRY(lists_join(&apart, &reading->spans, text, languages, error));
    for (size_t at = 0, next; at < text.length; at = next) {
        if ((next = phrase_end(reading, &apart, at)) > at)
            TRY(spans_append(&reading->phrases, (Span){at, next}, error));
        else if ((next = magnitude_end(text, at, languages, &value)) > at)
            TRY(spans_add(at == 0 && !reading->given.marked ? &reading->phrases : magnitudes,
                          (Span){at, next}, error));
        else
            (void)utf8_next(text.data, text.length, &next);
    }
    return STATUS_OK;
}

static Status read(Reading *reading, Error *error)
{
    FREED_BY(spans_free) Spans found = {0};
    TRY(find(&found, reading, error));
    spans_leave_out(&reading->spans, &reading->phrases);
    return found.count > 0 ? spans_merge(&reading->spans, &found, error) : STATUS_OK;
}

const ReadingStep numbers_step = {"numbers", reading_has_placeholders, read, NULL};
