/* Spans of a text, in order and without overlap. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Span {
    size_t begin, end; // bytes of the text, begin < end
} Span;

// Start from {0}, reuse freely, end with spans_free.
typedef struct Spans {
    Span *items; // (count)
    size_t count;
    size_t capacity;
} Spans;

/* Adds a span that begins no earlier than the last one does; one that touches or overlaps that is
 * joined with it. On STATUS_MEMORY nothing has changed. */
Status spans_add(Spans *spans, Span span, Error *error);

/* Adds those of `more`, each where it belongs; those that touch or overlap are joined. On
 * STATUS_MEMORY nothing has changed. */
Status spans_merge(Spans *spans, const Spans *more, Error *error);

// The first of the spans (count) that ends behind a place; NULL: none. In logarithmic time.
const Span *spans_ending_behind(const Span *spans, size_t count, size_t place);

// Whether one of the spans (count) has a byte of another span.
static inline bool spans_overlap(const Span *spans, size_t count, Span span)
{
    const Span *found = spans_ending_behind(spans, count, span.begin);
    return found && found->begin < span.end;
}

// Whether there are spans (count), and neither letter nor number of the text is outside them.
bool spans_are_all(const Span *spans, size_t count, const char *text, size_t length);

void spans_free(Spans *spans);
