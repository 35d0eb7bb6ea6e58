#include "reading/phrase.h"

#include "base/array.h"
#include "text/utf8.h"

#include <string.h>

/* The subwords of a text with the space that the vocabulary puts before it or, if `glued`, without
 * one, as behind a bracket, an apostrophe or a Chinese character. None if no text is cut so. */
static Status encode(const Vocabulary *vocabulary, const char *text, size_t length, bool glued,
                     Subwords *subwords, Error *error)
{
    if (!glued) return vocabulary_encode(vocabulary, text, length, subwords, error);
    uint32_t first;
    Bytes longer = {0};
    utf8_decode(text, length, &first, NULL);
    // another kind of character, from which a subword does not reach into the text (text/chunks.h)
    const char *before = utf8_is_word(first) ? "(" : "a";
    Status status = bytes_append_string(&longer, before, error);
    if (!status) status = bytes_append(&longer, text, length, error);
    if (!status)
        status = vocabulary_encode(vocabulary, longer.data, longer.length, subwords, error);
    bytes_free(&longer);
    if (status) return status;
    size_t skipped = 0;
    while (skipped < subwords->count && subwords->ends[skipped] < 1) skipped++;
    skipped =
        skipped < subwords->count && subwords->ends[skipped] == 1 ? skipped + 1 : subwords->count;
    subwords->count -= skipped;
    memmove(subwords->ids, subwords->ids + skipped, subwords->count * sizeof *subwords->ids);
    return STATUS_OK;
}

Status phrase_add(Constraints *constraints, const Vocabulary *vocabulary, TextView text,
                  Error *error)
{
    Subwords subwords = {0};
    Status status = STATUS_OK;
    size_t before = constraints->count;
    for (int glued = 0; glued < 2 && !status && before < MAX_PHRASES; glued++) {
        status = encode(vocabulary, text.data, text.length, glued, &subwords, error);
        if (status || subwords.count == 0 || subwords.count > MAX_PHRASE_TOKENS) continue;
        status = constraints_add(constraints,
                                 constraints->count > before ? PHRASE_ALTERNATIVE : PHRASE_NEW,
                                 subwords.ids, subwords.count, error);
    }
    subwords_free(&subwords);
    return status;
}

Status phrase_add_initial(Constraints *constraints, const Vocabulary *vocabulary, TextView text,
                          Error *error)
{
    Subwords subwords = {0};
    Status status = vocabulary_encode(vocabulary, text.data, text.length, &subwords, error);
    if (!status && subwords.count <= MAX_PHRASE_TOKENS)
        status = constraints_add(constraints, PHRASE_INITIAL, subwords.ids, subwords.count, error);
    subwords_free(&subwords);
    return status;
}

void phrase_place(Constraints *constraints, const Subwords *source, Span span)
{
    size_t first = 0, next = 0;
    while (first < source->count && source->ends[first] <= span.begin) first++;
    while (next < source->count && source->ends[next] < span.end) next++;
    constraints_place(constraints, first, next < source->count ? next + 1 : next);
}

static unsigned char edges_of(const char *bytes, size_t length)
{
    unsigned char edges = 0;
    uint32_t first = 0, last = 0;
    for (size_t at = 0; at < length;) {
        last = utf8_next(bytes, length, &at);
        if (!first) first = last;
    }
    if (utf8_is_in_word(first)) edges |= TOKEN_BEGINS_IN_WORD;
    // behind a full stop there is a space, as within a word there is none
    if (utf8_is_in_word(last) || utf8_is_among(last, ".,;:!?)]}%…")) edges |= TOKEN_ENDS_IN_WORD;
    return edges;
}

Status phrase_edges_new(unsigned char **edges, const Vocabulary *vocabulary, Error *error)
{
    size_t size = vocabulary_size(vocabulary);
    TRY(array_new(edges, size, "phrases", error));
    for (size_t id = 0; id < size; id++) {
        size_t length;
        const char *bytes = vocabulary_bytes(vocabulary, (int32_t)id, &length);
        (*edges)[id] = edges_of(bytes, length);
    }
    return STATUS_OK;
}

Status phrases_require_spans(Constraints *constraints, const Reading *reading,
                             const Subwords *subwords, Error *error)
{
    const NormalView *given = &reading->given;
    size_t length = subwords->count > 0 ? subwords->ends[subwords->count - 1] : 0;
    for (size_t i = 0; i < given->span_count && given->spans[i].end <= length; i++) {
        const Span span = given->spans[i];
        const TextView text = {given->text.data + span.begin, span.end - span.begin};
        size_t before = constraints->count;
        if (spans_overlap(reading->placed, reading->placed_count, span)) continue;
        TRY(phrase_add(constraints, reading->context->target, text, error));
        if (constraints->count > before) phrase_place(constraints, subwords, span);
    }
    return STATUS_OK;
}
