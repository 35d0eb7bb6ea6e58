#include "text/spans.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"

Status spans_add(Spans *spans, Span span, Error *error)
{
    if (spans->count > 0 && span.begin <= spans->items[spans->count - 1].end) {
        Span *last = &spans->items[spans->count - 1];
        if (last->end < span.end) last->end = span.end;
        return STATUS_OK;
    }
    TRY(array_reserve(&spans->items, &spans->capacity, spans->count + 1, "spans", error));
    spans->items[spans->count++] = span;
    return STATUS_OK;
}

void spans_free(Spans *spans)
{
    memory_free(spans->items);
    *spans = (Spans){0};
}

bool spans_are_all(const Span *spans, size_t count, const char *text, size_t length)
{
    size_t next = 0;
    for (size_t at = 0; at < length;) {
        if (next < count && at == spans[next].begin) {
            at = spans[next++].end;
            continue;
        }
        uint32_t c = utf8_next(text, length, &at);
        if (utf8_is_letter(c) || utf8_is_number(c)) return false;
    }
    return count > 0;
}
