#include "translate/repeating.h"

#include "base/memory.h"
#include "text/repetition.h"

#include <string.h>

static Status repeats(bool *found, const Hypothesis *hypothesis, const Vocabulary *vocabulary,
                      Error *error)
{
    Bytes text = {0};
    Status status =
        vocabulary_decode(vocabulary, hypothesis->tokens, hypothesis->length, &text, error);
    if (!status) status = repetition_find(found, bytes_text(&text), text.length, error);
    bytes_free(&text);
    return status;
}

Status repeating_leave_out(Hypotheses *hypotheses, const Bytes *source,
                           const Vocabulary *vocabulary, Error *error)
{
    Hypothesis *items = hypotheses->items;
    size_t first = 0;
    bool found = true;
    for (; first < hypotheses->count && found; first += found)
        TRY(repeats(&found, &items[first], vocabulary, error));
    if (first == 0 || found) return STATUS_OK;
    TRY(repetition_find(&found, bytes_text(source), source->length, error));
    if (found) return STATUS_OK;
    for (size_t i = 0; i < first; i++) {
        memory_free(items[i].tokens);
        memory_free(items[i].alpha);
    }
    hypotheses->count -= first;
    memmove(items, items + first, hypotheses->count * sizeof *items);
    return STATUS_OK;
}
