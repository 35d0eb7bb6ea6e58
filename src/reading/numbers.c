/* The step for numbers that the target writes otherwise: dates are found, to be said as phrases
 * (reading/phrase.h), and large numbers with a word, to be translated as spans. */
#include "reading/date.h"
#include "reading/lists.h"
#include "reading/magnitude.h"
#include "text/utf8.h"

// No day is an item of a list: May 3, 5 and 7.
static Status find_dates(Reading *reading, Error *error)
{
    const Language *const *languages = reading->context->languages;
    Spans apart = {0};
    if (!languages[1] || !languages[1]->dates) return STATUS_OK;
    TRY(lists_join(&apart, &reading->spans, reading->given.text, languages, error));
    Status status = dates_find(&reading->phrases, reading->given.text, &apart, languages[0], error);
    spans_free(&apart);
    return status;
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
    Spans found = {0}, *spans = &reading->spans;
    const Spans *dates = &reading->phrases;
    size_t left = 0;
    TRY(find_dates(reading, error));
    for (size_t i = 0; i < spans->count; i++)
        if (!spans_overlap(dates->items, dates->count, spans->items[i]))
            spans->items[left++] = spans->items[i];
    spans->count = left;
    Status status = find_magnitudes(&found, reading, error);
    if (!status && found.count > 0) status = spans_merge(spans, &found, error);
    spans_free(&found);
    return status;
}

const ReadingStep numbers_step = {"numbers", reading_has_placeholders, read, NULL};
