/* Spans of a text, in order and without overlap: what stays as it is, sentences, the units that an
 * alignment links. */
#pragma once

#include "base/bytes.h"

typedef struct Span {
    size_t begin, end; // bytes of the text
} Span;

static inline size_t span_length(Span span)
{
    return span.end - span.begin;
}

static inline TextView span_text(TextView text, Span span)
{
    return (TextView){text.data + span.begin, span_length(span)};
}

// Makes a span, empty at first ({0}), so long that it has another as well.
static inline void span_extend(Span *span, Span more)
{
    if (more.end == 0) return;
    if (span->end == 0) *span = more;
    if (more.begin < span->begin) span->begin = more.begin;
    if (more.end > span->end) span->end = more.end;
}

// Start from {0}, reuse freely, end with spans_free.
typedef struct Spans {
    Span *items; // (count)
    size_t count;
    size_t capacity;
} Spans;

// Appends a span behind all others, even where it touches the last one.
Status spans_append(Spans *spans, Span span, Error *error);

/* Adds a span that begins no earlier than the last one does; one that touches or overlaps that is
 * joined with it. On STATUS_MEMORY nothing has changed. */
Status spans_add(Spans *spans, Span span, Error *error);

/* Adds those of `more`, each where it belongs; those that touch or overlap are joined. On
 * STATUS_MEMORY nothing has changed. */
Status spans_merge(Spans *spans, const Spans *more, Error *error);

// The first of the spans (count) that ends behind a place; NULL: none. In logarithmic time.
const Span *spans_ending_behind(const Span *spans, size_t count, size_t place);

// The one of the spans (count) that begins at a place; NULL: none.
static inline const Span *spans_beginning_at(const Span *spans, size_t count, size_t place)
{
    const Span *found = spans_ending_behind(spans, count, place);
    return found && found->begin == place ? found : NULL;
}

// The one of the spans (count) that a place divides; NULL: none.
static inline const Span *spans_divided_at(const Span *spans, size_t count, size_t place)
{
    const Span *found = spans_ending_behind(spans, count, place);
    return found && found->begin < place ? found : NULL;
}

// Whether one of the spans (count) has a byte of another span.
static inline bool spans_overlap(const Span *spans, size_t count, Span span)
{
    const Span *found = spans_ending_behind(spans, count, span.begin);
    return found && found->begin < span.end;
}

// Leaves out those that overlap one of the others.
void spans_leave_out(Spans *spans, const Spans *others);

// Whether a character of a class, as utf8_is_letter tells it, is outside the spans of a text.
bool spans_leave(const Spans *spans, TextView text, bool (*is)(uint32_t));

void spans_free(Spans *spans);
