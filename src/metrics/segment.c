#include "metrics/segment.h"

#include "base/memory.h"

#include <assert.h>

Status segment_symbols_read(SegmentSymbols *symbols, const Segment *segment, SymbolReader *reader,
                            void *context, Error *error)
{
    assert(segment->count > 0);
    *symbols = (SegmentSymbols){0};
    symbols->references = memory_new(segment->count, sizeof *symbols->references);
    if (!symbols->references)
        return error_memory(error, segment->count * sizeof *symbols->references, "references");
    Status status = reader(context, segment->hypothesis, &symbols->hypothesis, error);
    for (size_t r = 0; r < segment->count && !status; r++) {
        const char *reference = segment->references[r];
        if (*reference)
            status = reader(context, reference, &symbols->references[symbols->count++], error);
    }
    if (!symbols->count) symbols->count = 1; // zeroed memory is an empty text
    return status;
}

void segment_symbols_free(SegmentSymbols *symbols)
{
    for (size_t r = 0; r < symbols->count; r++) memory_free(symbols->references[r].symbols);
    memory_free(symbols->references);
    memory_free(symbols->hypothesis.symbols);
    *symbols = (SegmentSymbols){0};
}
