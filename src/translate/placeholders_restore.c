#include "translate/placeholders.h"

#include "text/utf8.h"
#include "translate/phrase.h"

#include <string.h>

Status placeholders_write_spans(Bytes *text, const Bytes *said, const Translation *translation,
                                Error *error)
{
    bool written[MAX_PLACEHOLDERS] = {false};
    bytes_clear(text);
    for (size_t at = 0; at < said->length;) {
        size_t begin = at, number = placeholder_next(said->data, said->length, &at);
        TextView part = {said->data + begin, at - begin};
        if (number < translation->kept_count && !written[number]) {
            part = placeholders_span(translation, number);
            written[number] = true;
        }
        TRY(bytes_append(text, part.data, part.length, error));
    }
    return STATUS_OK;
}

// A rendering's text as it is put together anew.
typedef struct Restoring {
    const Translation *translation;
    const Bytes *said; // with placeholders
    Subwords *subwords;
    size_t subword; // the first whose end is still a place in `said`
    Bytes text;
    bool restored[MAX_PLACEHOLDERS];
    size_t span_end; // of the last one in `text`; 0 before the first
    bool stopped;    // a full stop is behind that in the source
    size_t stop;     // where the marks are behind which spans stand at its end; 0: there are none
} Restoring;

/* Moves the ends up to said[end], where the text as far as that is all there. Those in a
 * placeholder are where what stands for it ends. */
static void pass_ends(Restoring *restoring, size_t end, bool placeholder)
{
    uint32_t *ends = restoring->subwords->ends;
    for (; restoring->subword < restoring->subwords->count; restoring->subword++) {
        size_t old = ends[restoring->subword];
        if (old > end) break;
        ends[restoring->subword] =
            (uint32_t)(restoring->text.length - (placeholder ? 0 : end - old));
    }
}

static bool ends_in_space(const Bytes *text)
{
    return text->length == 0 || text->data[text->length - 1] == ' ';
}

static bool is_behind_span(const Restoring *restoring)
{
    return restoring->span_end > 0 && restoring->span_end == restoring->text.length;
}

// Whether only a mark is between the span before and what follows: 2 and 5 are not 2,5.
static bool is_behind_mark(const Restoring *restoring)
{
    const Bytes *text = &restoring->text;
    return restoring->span_end > 0 && restoring->span_end + 1 == text->length &&
           utf8_is_among((unsigned char)text->data[restoring->span_end], ".,:");
}

// Adds a space if two words would run into one: 3 and 17 are not 317. The prefix stays as it was
// given.
static Status separate(Restoring *restoring, uint32_t next, bool spans, Error *error)
{
    Bytes *text = &restoring->text;
    if (text->length < restoring->translation->prefix.length) return STATUS_OK;
    uint32_t before = utf8_before(bytes_text(text), text->length);
    bool words = utf8_is_in_word(before) && utf8_is_in_word(next);
    return words || spans ? bytes_append(text, " ", 1, error) : STATUS_OK;
}

// Where the marks begin that end a sentence at `end` of a text, with white space behind them; `end`
// if there are none.
static size_t stop_before(const char *text, size_t end)
{
    size_t at = end;
    for (size_t next = end; next > 0; next = at) {
        char bytes[4];
        uint32_t c = utf8_before(text, next);
        if (!utf8_is_among(c, ".!?。！？ ")) break;
        at = next - utf8_encode(c, bytes);
    }
    while (at < end && text[at] == ' ') at++;
    return at;
}

/* Remembers a sentence's end before a span, of which only spans may follow, unless the source has
 * one there, too. Search puts what it finds no place for behind the end: "your letter. 12". */
static void note_stop(Restoring *restoring, size_t number)
{
    const Translation *translation = restoring->translation;
    const Bytes *text = &restoring->text;
    size_t begin = translation->kept[number].begin;
    size_t stop = stop_before(bytes_text(text), text->length);
    bool given = stop_before(translation->source.data, begin) < begin;
    if (restoring->stop == 0 && !given && stop > 0 && stop >= restoring->span_end &&
        stop < text->length && stop >= translation->prefix.length)
        restoring->stop = stop;
}

static bool is_stopped(const Translation *translation, size_t number)
{
    size_t end = translation->kept[number].end;
    return end < translation->source.length && translation->source.data[end] == '.';
}

// The span of a placeholder, apart from what is before it; or nothing, and then not two spaces
// either.
static Status put_back(Restoring *restoring, size_t number, size_t *at, Error *error)
{
    Bytes *text = &restoring->text;
    const Bytes *said = restoring->said;
    if (number < restoring->translation->kept_count && !restoring->restored[number]) {
        const TextView span = placeholders_span(restoring->translation, number);
        restoring->restored[number] = true;
        note_stop(restoring, number);
        size_t first = 0;
        uint32_t next = utf8_next(span.data, span.length, &first);
        TRY(separate(restoring, next, is_behind_span(restoring) || is_behind_mark(restoring),
                     error));
        TRY(bytes_append(text, span.data, span.length, error));
        restoring->span_end = text->length;
        restoring->stopped = is_stopped(restoring->translation, number);
    } else if (ends_in_space(text) && *at < said->length && said->data[*at] == ' ') {
        ++*at;
    }
    pass_ends(restoring, *at, true);
    return STATUS_OK;
}

// Adds the spans that are missing.
static Status add_missing(Restoring *restoring, Error *error)
{
    Bytes *text = &restoring->text;
    for (size_t i = 0; i < restoring->translation->kept_count; i++) {
        if (restoring->restored[i]) continue;
        const TextView span = placeholders_span(restoring->translation, i);
        note_stop(restoring, i);
        if (text->length > 0) TRY(bytes_append(text, " ", 1, error));
        TRY(bytes_append(text, span.data, span.length, error));
        restoring->span_end = text->length;
    }
    return STATUS_OK;
}

// Where a place in the text is when what is from `stop` to `end` is behind all that follows.
static size_t moved_place(size_t place, size_t stop, size_t end)
{
    if (place <= stop) return place;
    return place <= end ? stop : place - (end - stop);
}

/* Moves the marks of a sentence's end behind the spans that stand there, "your letter 12.", in the
 * place of those that do already. */
static Status move_stop(Restoring *restoring, Error *error)
{
    Bytes *text = &restoring->text, moved = {0};
    Subwords *subwords = restoring->subwords;
    size_t stop = restoring->stop, end = stop, length = text->length;
    const char *bytes = bytes_text(text);
    while (end < length && bytes[end] != ' ') end++;
    if (stop == 0 || end >= restoring->span_end) return STATUS_OK;
    size_t next = end + (bytes[stop - 1] == ' '); // not two spaces
    Status status = bytes_append(&moved, bytes, stop, error);
    if (!status) status = bytes_append(&moved, bytes + next, restoring->span_end - next, error);
    if (!status) status = bytes_append(&moved, bytes + stop, end - stop, error);
    if (status) {
        bytes_free(&moved);
        return status;
    }
    for (size_t i = 0; i < subwords->count; i++) {
        size_t place = moved_place(subwords->ends[i], stop, next);
        bool last = subwords->ends[i] == length || place > moved.length;
        subwords->ends[i] = (uint32_t)(last ? moved.length : place);
    }
    bytes_free(text);
    *text = moved;
    return STATUS_OK;
}

// Whether the prefix has, as it was given, the character that is a placeholder elsewhere.
static bool is_literal(const Restoring *restoring, size_t begin, size_t end)
{
    const Bytes *prefix = &restoring->translation->prefix;
    size_t place = restoring->text.length;
    return place + (end - begin) <= prefix->length &&
           memcmp(prefix->data + place, restoring->said->data + begin, end - begin) == 0;
}

/* A full stop that a placeholder's subword has brought, and that cannot be right: a second one, "in
 * Genève..", but of three; or one in a sentence, "Emma. is", but of the source. */
static bool is_stray_stop(const Restoring *restoring, size_t begin, size_t end)
{
    const Bytes *said = restoring->said, *text = &restoring->text;
    if (said->data[begin] != '.' || text->length <= restoring->translation->prefix.length)
        return false;
    bool third = end < said->length && said->data[end] == '.';
    if (is_behind_mark(restoring) && !third) return text->data[text->length - 1] == '.';
    size_t next = end + 1;
    return is_behind_span(restoring) && !restoring->stopped && next < said->length &&
           said->data[end] == ' ' && utf8_is_lower(utf8_next(said->data, said->length, &next));
}

// Puts the character of said[begin … end - 1], which is no placeholder.
static Status put_character(Restoring *restoring, size_t begin, size_t end, Error *error)
{
    const Bytes *said = restoring->said;
    size_t from = begin;
    uint32_t c = utf8_next(said->data, said->length, &from);
    if (is_behind_span(restoring)) TRY(separate(restoring, c, false, error));
    if (!utf8_is_among(c, ".!?。！？ ")) restoring->stop = 0;
    bool stray = is_stray_stop(restoring, begin, end);
    if (!stray) TRY(bytes_append(&restoring->text, said->data + begin, end - begin, error));
    pass_ends(restoring, end, stray);
    return STATUS_OK;
}

static Status restore(Restoring *restoring, Error *error)
{
    const Bytes *said = restoring->said;
    Bytes *text = &restoring->text;
    for (size_t at = 0; at < said->length;) {
        size_t begin = at, number = placeholder_next(said->data, said->length, &at);
        if (number < MAX_PLACEHOLDERS && !is_literal(restoring, begin, at))
            TRY(put_back(restoring, number, &at, error));
        else
            TRY(put_character(restoring, begin, at, error));
    }
    if (text->length > 0 && ends_in_space(text)) bytes_cut(text, text->length - 1);
    const Subwords *subwords = restoring->subwords;
    for (size_t i = subwords->count; i-- > 0 && subwords->ends[i] > text->length;)
        subwords->ends[i] = (uint32_t)text->length;
    TRY(add_missing(restoring, error));
    return move_stop(restoring, error);
}

Status placeholders_restore(Rendering *rendering, const Translation *translation, Error *error)
{
    if (!translation->placeholders) return STATUS_OK;
    Restoring restoring = {
        .translation = translation, .said = &rendering->text, .subwords = &rendering->subwords};
    Status status = restore(&restoring, error);
    if (status) {
        bytes_free(&restoring.text);
        return status;
    }
    bytes_free(&rendering->text);
    rendering->text = restoring.text;
    return STATUS_OK;
}
