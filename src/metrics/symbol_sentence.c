#include "metrics/symbol_sentence.h"

#include "base/memory.h"

#include <assert.h>

Status symbol_sentence_read(SymbolSentence *sentence, const char *hypothesis,
                            const char *const *references, size_t count, SymbolReader *reader,
                            void *context, Error *error)
{
    assert(count > 0);
    *sentence = (SymbolSentence){0};
    sentence->references = memory_new(count, sizeof *sentence->references);
    if (!sentence->references)
        return error_memory(error, count * sizeof *sentence->references, "references");
    Status status = reader(context, hypothesis, &sentence->hypothesis, error);
    for (size_t r = 0; r < count && !status; r++) {
        if (!*references[r]) continue;
        status = reader(context, references[r], &sentence->references[sentence->count++], error);
    }
    if (!sentence->count) sentence->count = 1; // what was allocated is an empty text already
    return status;
}

void symbol_sentence_free(SymbolSentence *sentence)
{
    for (size_t r = 0; r < sentence->count; r++) memory_free(sentence->references[r].symbols);
    memory_free(sentence->references);
    memory_free(sentence->hypothesis.symbols);
    *sentence = (SymbolSentence){0};
}
