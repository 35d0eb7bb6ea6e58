#include "model/shortlist.h"

#include "base/array.h"
#include "text/special_tokens.h"

static const char ALWAYS[] = SHORTLIST_PREFIX "always", BEGIN[] = SHORTLIST_PREFIX "begin",
                  IDS[] = SHORTLIST_PREFIX "ids";
const char *const shortlist_tensors[] = {ALWAYS, BEGIN, IDS, NULL};

static Status wrong_form(const TensorView *view, const char *path, const char *type, Error *error)
{
    return error_set(error, STATUS_FORMAT,
                     "%s: tensor %s is %s in %zu dimensions; it must be %s in one", path,
                     view->name, tensor_type_name(view->type), view->rank, type);
}

static Status find(const TensorView **view, const SafetensorsFile *file, const char *path,
                   const char *name, Error *error)
{
    *view = safetensors_find(file, name);
    if (*view) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: has a shortlist without %s; train the model again",
                     path, name);
}

// Finds a tensor of tokens of a vocabulary of `size`. One in I32, of an older file, is narrowed, in
// memory that is `owned`.
static Status find_tokens(const uint16_t **tokens, size_t *count, void **owned,
                          const SafetensorsFile *file, const char *path, const char *name,
                          size_t size, Error *error)
{
    const TensorView *view;
    TRY(find(&view, file, path, name, error));
    if ((view->type != TENSOR_U16 && view->type != TENSOR_I32) || view->rank != 1)
        return wrong_form(view, path, "U16", error);
    *tokens = view->data;
    *count = view->shape[0];
    if (view->type == TENSOR_U16) return STATUS_OK;
    const int32_t *wide = view->data;
    uint16_t *narrow;
    TRY(array_new(&narrow, *count, "a shortlist", error));
    *tokens = *owned = narrow;
    for (size_t i = 0; i < *count; i++) {
        if (wide[i] < 0 || (size_t)wide[i] >= size)
            return error_set(
                error, STATUS_FORMAT,
                "%s: tensor %s has %d; tokens are less than %zu; train the model again", path, name,
                (int)wide[i], size);
        narrow[i] = (uint16_t)wide[i];
    }
    return STATUS_OK;
}

/* Whether tokens ascend and are less than `end`. */
static bool ascends(const uint16_t *ids, size_t count, size_t end)
{
    for (size_t i = 0; i < count; i++)
        if (ids[i] >= end || (i > 0 && ids[i] <= ids[i - 1])) return false;
    return true;
}

static Status check(const Shortlist *shortlist, size_t ids_count, const char *path,
                    const ModelConfig *config, Error *error)
{
    size_t V = config->target_vocabulary;
    if (!ascends(shortlist->always, shortlist->always_count, V) ||
        shortlist->always_count <= TOKEN_EOS || shortlist->always[TOKEN_EOS] != TOKEN_EOS)
        return error_set(error, STATUS_FORMAT,
                         "%s: tensor %s does not hold ascending tokens below %zu that begin with "
                         "the special ones; train the model again",
                         path, ALWAYS, V);
    const int32_t *begin = shortlist->begin;
    for (size_t i = 0; i < config->source_vocabulary; i++) {
        if (begin[0] != 0 || begin[i] > begin[i + 1] || (size_t)begin[i + 1] > ids_count)
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s does not hold ascending places in %zu tokens, at %zu; "
                             "train the model again",
                             path, BEGIN, ids_count, i);
        if (!ascends(shortlist->ids + begin[i], (size_t)(begin[i + 1] - begin[i]), V))
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s does not hold ascending tokens below %zu for source "
                             "token %zu; train the model again",
                             path, IDS, V, i);
    }
    if ((size_t)begin[config->source_vocabulary] == ids_count) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: tensor %s ends at %d, and there are %zu tokens; train the model again",
                     path, BEGIN, (int)begin[config->source_vocabulary], ids_count);
}

static Status read(Shortlist *shortlist, const SafetensorsFile *file, const char *path,
                   const ModelConfig *config, Error *error)
{
    const TensorView *begin;
    const size_t V = config->target_vocabulary;
    size_t ids_count;
    TRY(find_tokens(&shortlist->always, &shortlist->always_count, &shortlist->owned[0], file, path,
                    ALWAYS, V, error));
    TRY(find(&begin, file, path, BEGIN, error));
    TRY(find_tokens(&shortlist->ids, &ids_count, &shortlist->owned[1], file, path, IDS, V, error));
    if (begin->type != TENSOR_I32 || begin->rank != 1) return wrong_form(begin, path, "I32", error);
    if (begin->shape[0] != config->source_vocabulary + 1)
        return error_set(error, STATUS_FORMAT,
                         "%s: tensor %s has %zu numbers; %zu source tokens need one more than that",
                         path, BEGIN, begin->shape[0], config->source_vocabulary);
    shortlist->begin = begin->data;
    return check(shortlist, ids_count, path, config, error);
}

Status shortlist_read(Shortlist *shortlist, const SafetensorsFile *file, const char *path,
                      const ModelConfig *config, Error *error)
{
    bool any = false;
    *shortlist = (Shortlist){0};
    if (config->target_vocabulary > MAX_SHORTLIST_VOCABULARY) return STATUS_OK;
    for (size_t i = 0; shortlist_tensors[i]; i++)
        any |= safetensors_find(file, shortlist_tensors[i]) != NULL;
    return any ? read(shortlist, file, path, config, error) : STATUS_OK;
}

Status shortlist_write(const Shortlist *shortlist, SafetensorsWriter *writer,
                       const ModelConfig *config, Error *error)
{
    const size_t sources = config->source_vocabulary;
    if (shortlist->always_count == 0) return STATUS_OK;
    const TensorView views[] = {
        // the wider one first, so that each is aligned
        {BEGIN, TENSOR_I32, 1, {sources + 1}, shortlist->begin, 0},
        {ALWAYS, TENSOR_U16, 1, {shortlist->always_count}, shortlist->always, 0},
        {IDS, TENSOR_U16, 1, {(size_t)shortlist->begin[sources]}, shortlist->ids, 0},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        TRY(safetensors_writer_tensor(writer, &views[i], error));
    return STATUS_OK;
}

void shortlist_free(Shortlist *shortlist)
{
    for (size_t i = 0; i < 2; i++) memory_free(shortlist->owned[i]);
    *shortlist = (Shortlist){0};
}

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
    size_t count = shortlist->always_count + sentence->target_length;
    for (size_t j = 0; j < sentence->source_length; j++) {
        const int32_t *begin = shortlist->begin + sentence->source[j];
        count += (size_t)(begin[1] - begin[0]) + config->joint;
    }
    return count < config->target_vocabulary ? count : config->target_vocabulary;
}

static void mark_all(unsigned char *marks, const uint16_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) marks[ids[i]] = 1;
}

/* Marks a sentence's candidates. */
static void mark_sentence(unsigned char *marks, const Shortlist *shortlist,
                          const ModelConfig *config, const TokenPair *sentence)
{
    memset(marks, 0, config->target_vocabulary);
    mark_all(marks, shortlist->always, shortlist->always_count);
    for (size_t t = 0; t < sentence->target_length; t++) marks[sentence->target[t]] = 1;
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
    Arena *arena = &candidates->arena;
    TRY(arena_lay_out(arena, layout(candidates, arena, sentences, V, most), error));
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
