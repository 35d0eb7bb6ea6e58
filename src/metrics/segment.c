#include "metrics/segment.h"

#include "base/array.h"
#include "text/normalise.h"
#include "text/utf8.h"

// With `lowercase`, replaces *text by its lower case, which `lower` holds.
static Status lower_case(const char **text, Bytes *lower, bool lowercase, Error *error)
{
    if (!lowercase || !**text) return STATUS_OK;
    bytes_clear(lower);
    TRY(utf8_append_lowercase(lower, *text, strlen(*text), error));
    *text = lower->data;
    return STATUS_OK;
}

// Whether a reference is left out: the empty ones are, unless all are.
static bool is_missing(const Segment *segment, size_t reference)
{
    bool any = false;
    for (size_t r = 0; r < segment->count; r++) any = any || *segment->references[r];
    return any && !*segment->references[reference];
}

size_t segment_reference_count(const Segment *segment)
{
    size_t count = 0;
    for (size_t r = 0; r < segment->count; r++) count += !is_missing(segment, r);
    return count;
}

Status segment_symbols_read(SegmentSymbols *symbols, const Segment *segment, bool lowercase,
                            SymbolReader *reader, void *context, Error *error)
{
    assert(segment->count > 0);
    *symbols = (SegmentSymbols){0};
    TRY(array_new(&symbols->references, segment->count, "references", error));
    FREED_BY(bytes_free) Bytes lower = {0};
    const char *text = segment->hypothesis;
    TRY(lower_case(&text, &lower, lowercase, error));
    TRY(reader(context, text, &symbols->hypothesis, error));
    for (size_t r = 0; r < segment->count; r++) {
        if (is_missing(segment, r)) continue;
        text = segment->references[r];
        TRY(lower_case(&text, &lower, lowercase, error));
        TRY(reader(context, text, &symbols->references[symbols->count++], error));
    }
    return STATUS_OK;
}

void segment_symbols_free(SegmentSymbols *symbols)
{
    for (size_t r = 0; r < symbols->count; r++) memory_free(symbols->references[r].symbols);
    memory_free(symbols->references);
    memory_free(symbols->hypothesis.symbols);
    *symbols = (SegmentSymbols){0};
}

/* The form in which texts are compared. Lower case comes first: it can split a letter and its mark
 * (İ), which composition then joins. */
static Status fold(Bytes *out, const char *text, bool lowercase, Error *error)
{
    FREED_BY(bytes_free) Bytes lower = {0};
    TRY(lower_case(&text, &lower, lowercase, error));
    return normalise(out, text, strlen(text), NULL, error);
}

Status segment_is_exact(bool *exact, const Segment *segment, bool lowercase, Error *error)
{
    FREED_BY(bytes_free) Bytes hypothesis = {0}, reference = {0};
    *exact = false;
    TRY(fold(&hypothesis, segment->hypothesis, lowercase, error));
    for (size_t r = 0; r < segment->count && !*exact; r++) {
        if (is_missing(segment, r)) continue;
        TRY(fold(&reference, segment->references[r], lowercase, error));
        *exact = text_view_equal(bytes_view(&reference), bytes_view(&hypothesis));
    }
    return STATUS_OK;
}
