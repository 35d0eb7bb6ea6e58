#include "model/batch_shortlist.h"

#include <string.h>

static void layout(BatchShortlist *candidates, Arena *arena, size_t sentences, size_t vocabulary,
                   size_t count)
{
    candidates->begin = arena_take(arena, sentences + 1, sizeof *candidates->begin);
    candidates->ids = arena_take(arena, count, sizeof *candidates->ids);
    candidates->bias = arena_take(arena, count, sizeof *candidates->bias);
    candidates->marks = arena_take(arena, vocabulary, sizeof *candidates->marks);
}

/* As many candidates as a sentence has, or more: those of several tokens may be the same. */
static size_t bound(const Shortlist *shortlist, const ModelConfig *config,
                    const TokenPair *sentence)
{
    size_t count = shortlist->always_count;
    for (size_t j = 0; j < sentence->source_length; j++) {
        const int32_t *begin = shortlist->begin + sentence->source[j];
        count += (size_t)(begin[1] - begin[0]) + config->joint;
    }
    return count < config->target_vocabulary ? count : config->target_vocabulary;
}

static void mark_all(unsigned char *marks, const int32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) marks[ids[i]] = 1;
}

/* Marks a sentence's candidates. */
static void mark_sentence(unsigned char *marks, const Shortlist *shortlist,
                          const ModelConfig *config, const TokenPair *sentence)
{
    memset(marks, 0, config->target_vocabulary);
    mark_all(marks, shortlist->always, shortlist->always_count);
    for (size_t j = 0; j < sentence->source_length; j++) {
        int32_t token = sentence->source[j];
        size_t begin = (size_t)shortlist->begin[token];
        mark_all(marks, shortlist->ids + begin, (size_t)shortlist->begin[token + 1] - begin);
        if (config->joint) marks[token] = 1;
    }
}

Status batch_shortlist_fill(BatchShortlist *candidates, const Shortlist *shortlist,
                            const ModelConfig *config, const Batch *batch, const real *bias,
                            Error *error)
{
    size_t V = config->target_vocabulary, sentences = batch->source.count, most = 0, next = 0;
    for (size_t i = 0; i < sentences; i++) most += bound(shortlist, config, &batch->pairs[i]);
    Arena measure = arena_measuring();
    layout(candidates, &measure, sentences, V, most);
    Status status = arena_reserve(&candidates->arena, measure.high, error);
    if (status) return status;
    layout(candidates, &candidates->arena, sentences, V, most);
    candidates->begin[0] = candidates->longest = 0;
    for (size_t place = 0; place < sentences; place++) {
        mark_sentence(candidates->marks, shortlist, config,
                      &batch->pairs[batch->source_pair[place]]);
        for (size_t id = 0; id < V; id++) {
            if (!candidates->marks[id]) continue;
            candidates->ids[next] = (int32_t)id;
            candidates->bias[next++] = bias[id];
        }
        size_t count = next - candidates->begin[place];
        candidates->begin[place + 1] = next;
        if (count > candidates->longest) candidates->longest = count;
    }
    return STATUS_OK;
}

void batch_shortlist_free(BatchShortlist *candidates)
{
    arena_free(&candidates->arena);
    *candidates = (BatchShortlist){0};
}

const int32_t *batch_shortlist_of(const BatchShortlist *candidates, size_t place, size_t *count)
{
    *count = candidates->begin[place + 1] - candidates->begin[place];
    return candidates->ids + candidates->begin[place];
}

const real *batch_shortlist_bias(const BatchShortlist *candidates, size_t place)
{
    return candidates->bias + candidates->begin[place];
}
