#include "search/hypotheses.h"

#include "base/memory.h"

void hypotheses_free(Hypotheses *hypotheses)
{
    for (size_t i = 0; i < hypotheses->count; i++) {
        memory_free(hypotheses->items[i].tokens);
        memory_free(hypotheses->items[i].alpha);
    }
    memory_free(hypotheses->items);
    *hypotheses = (Hypotheses){0};
}
