#include "text/spans.h"

#include "base/array.h"
#include "text/utf8.h"

Status spans_append(Spans *spans, Span span, Error *error)
{
    return array_add(&spans->items, &spans->count, &spans->capacity, "spans", error, span);
}

Status spans_add(Spans *spans, Span span, Error *error)
{
    if (spans->count > 0 && span.begin <= spans->items[spans->count - 1].end) {
        Span *last = &spans->items[spans->count - 1];
        if (last->end < span.end) last->end = span.end;
        return STATUS_OK;
    }
    return spans_append(spans, span, error);
}

Status spans_merge(Spans *spans, const Spans *more, Error *error)
{
    FREED_BY(spans_free) Spans all = {0};
    for (size_t i = 0, j = 0; i + j < spans->count + more->count;) {
        bool first =
            j == more->count || (i < spans->count && spans->items[i].begin < more->items[j].begin);
        TRY(spans_add(&all, first ? spans->items[i++] : more->items[j++], error));
    }
    const Spans before = *spans;
    *spans = all;
    all = before;
    return STATUS_OK;
}

const Span *spans_ending_behind(const Span *spans, size_t count, size_t place)
{
    size_t first;
    array_search(first, 0, count, spans[first].end <= place);
    return first < count ? &spans[first] : NULL;
}

void spans_leave_out(Spans *spans, const Spans *others)
{
    size_t left = 0;
    for (size_t i = 0; i < spans->count; i++)
        if (!spans_overlap(others->items, others->count, spans->items[i]))
            spans->items[left++] = spans->items[i];
    spans->count = left;
}

void spans_free(Spans *spans)
{
    memory_free(spans->items);
    *spans = (Spans){0};
}

bool spans_leave(const Spans *spans, TextView text, bool (*is)(uint32_t))
{
    size_t next = 0;
    for (size_t at = 0; at < text.length;) {
        if (next < spans->count && at == spans->items[next].begin)
            at = spans->items[next++].end;
        else if (is(utf8_next(text.data, text.length, &at)))
            return true;
    }
    return false;
}
