#include "translate/normal_text.h"

#include "text/normalise.h"
#include "text/untranslated_spans.h"
#include "text/utf8.h"

/* Appends a part in normal form; *space: white space is due before it, or afterwards before the
 * next. `span` is set to its place. */
static Status append_part(NormalText *normal, TextView part, bool *space, Span *span, Error *error)
{
    size_t invalid, at = 0;
    TRY(normalise(&normal->part, part.data, part.length, &invalid, error));
    normal->invalid += invalid;
    *space |= part.length > 0 && utf8_is_space(utf8_next(part.data, part.length, &at));
    span->begin = span->end = normal->text.length;
    if (normal->part.length == 0) return STATUS_OK;
    if (*space && normal->text.length > 0) TRY(bytes_append(&normal->text, " ", 1, error));
    *space = utf8_is_space(utf8_before(part.data, part.length));
    span->begin = normal->text.length;
    TRY(bytes_append(&normal->text, normal->part.data, normal->part.length, error));
    span->end = normal->text.length;
    return STATUS_OK;
}

static Status read_parts(NormalText *normal, TextView text, const Spans *given, Error *error)
{
    size_t at = 0;
    bool space = false;
    Span place;
    for (size_t i = 0; i < given->count; i++) {
        const Span span = given->items[i];
        const TextView before = {text.data + at, span.begin - at};
        const TextView part = {text.data + span.begin, span.end - span.begin};
        TRY(append_part(normal, before, &space, &place, error));
        TRY(append_part(normal, part, &space, &place, error));
        if (place.begin < place.end) TRY(spans_add(&normal->spans, place, error));
        at = span.end;
    }
    return append_part(normal, (TextView){text.data + at, text.length - at}, &space, &place, error);
}

Status normal_text_read(NormalText *normal, TextView text, const Spans *given, bool finds,
                        Error *error)
{
    bytes_clear(&normal->text);
    normal->spans.count = 0;
    normal->invalid = 0;
    if (given && given->count > 0)
        TRY(read_parts(normal, text, given, error));
    else
        TRY(normalise(&normal->text, text.data, text.length, &normal->invalid, error));
    if (!finds) return STATUS_OK;
    const char *bytes = bytes_text(&normal->text);
    TRY(untranslated_spans_find(&normal->found, bytes, normal->text.length, error));
    return normal->found.count > 0 ? spans_merge(&normal->spans, &normal->found, error) : STATUS_OK;
}

void normal_text_free(NormalText *normal)
{
    bytes_free(&normal->text);
    bytes_free(&normal->part);
    spans_free(&normal->spans);
    spans_free(&normal->found);
    *normal = (NormalText){0};
}
