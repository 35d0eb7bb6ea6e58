/* What the tests of reading's steps share: one step, taken by itself. */
#pragma once

#include "reading/reading.h"
#include "support/suite.h"

#include <string.h>

// A reading of a text; all of it is begun by `mapped_set`. Freed by reading_free.
static inline Reading reading_of(const ReadingContext *context, const char *text)
{
    Reading reading = {.context = context, .given = {.text = text_view_of(text)}};
    assert_ok(mapped_set(&reading.text, text, strlen(text), NULL));
    return reading;
}

// The text as one step reads it.
static inline Reading read_by(const ReadingStep *step, const ReadingContext *context,
                              const char *text)
{
    Reading reading = reading_of(context, text);
    if (step->applies(&reading)) assert_ok(step->read(&reading, NULL));
    return reading;
}

// What was said as one step writes it, with a subword for each byte of it; freed by mapped_free.
static inline MappedText written_by(const ReadingStep *step, const Reading *reading,
                                    const char *said)
{
    MappedText text = {0};
    assert_ok(mapped_set(&text, said, strlen(said), NULL));
    assert_ok(step->write(reading, &text, NULL));
    size_t before = 0;
    for (size_t end = 0; end <= strlen(said); end++) {
        size_t place = mapped_place(&text, end);
        ck_assert_uint_le(before, place);
        ck_assert_uint_le(place, text.text.length);
        before = place;
    }
    return text;
}
