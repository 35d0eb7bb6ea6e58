#include "model/lexicon.h"

#include "base/array.h"
#include "text/special_tokens.h"

static const char EDGES[] = LEXICON_PREFIX "edges", UNITS[] = LEXICON_PREFIX "units";
const char *const lexicon_tensors[] = {EDGES, UNITS, NULL};

static size_t head_count(uint16_t head)
{
    return head & (UNIT_IS_TEXT - 1);
}

static unsigned head_value(uint16_t head)
{
    return head >> 8;
}

static Status damaged(const char *path, const char *what, size_t at, Error *error)
{
    return error_set(error, STATUS_FORMAT, "%s: tensor %s has %s, at %zu; train the model again",
                     path, UNITS, what, at);
}

/* Passes a head and its tokens, which must be of a vocabulary of `size` and in the tensor; </s> may be
 * the last of several if `of_source`. */
static Status pass_run(const Lexicon *lexicon, size_t *at, size_t size, bool of_source,
                       const char *path, Error *error)
{
    const size_t head = *at;
    if (head >= lexicon->size) return damaged(path, "a unit without its end", head, error);
    const uint16_t mark = lexicon->units[head] & UNIT_IS_TEXT;
    const size_t count = head_count(lexicon->units[head]);
    if (count == 0 || (mark && !of_source) || count > MAX_UNIT_TOKENS ||
        count >= lexicon->size - head)
        return damaged(path, "a wrong number of tokens", head, error);
    for (*at = head + 1; *at <= head + count; ++*at) {
        const uint16_t token = lexicon->units[*at];
        const bool ends = of_source && count > 1 && *at == head + count && token == TOKEN_EOS;
        if ((token <= TOKEN_EOS && !ends) || token >= size)
            return damaged(path, "a token that is none", *at, error);
    }
    return STATUS_OK;
}

int lexicon_compare(const uint16_t *unit, const uint16_t *tokens, size_t count)
{
    const size_t own = head_count(*unit++);
    for (size_t i = 0; i < own && i < count; i++)
        if (unit[i] != tokens[i]) return unit[i] < tokens[i] ? -1 : 1;
    return own < count ? -1 : own > count;
}

// Passes a unit with its translations.
static Status pass_unit(const Lexicon *lexicon, size_t *at, const char *path,
                        const ModelConfig *config, Error *error)
{
    const size_t begin = *at;
    TRY(pass_run(lexicon, at, config->source_vocabulary, true, path, error));
    const unsigned entries = head_value(lexicon->units[begin]);
    if (entries > MAX_UNIT_ENTRIES)
        return damaged(path, "a wrong number of translations", begin, error);
    for (unsigned i = 0; i < entries; i++)
        TRY(pass_run(lexicon, at, config->target_vocabulary, false, path, error));
    return STATUS_OK;
}

static const uint16_t *unit_at(const Lexicon *lexicon, size_t place)
{
    return lexicon->units + lexicon->places[place];
}

static Status find_units(Lexicon *lexicon, const char *path, const ModelConfig *config,
                         Error *error)
{
    size_t capacity = 0;
    for (size_t at = 0; at < lexicon->size;) {
        const size_t begin = at;
        const uint16_t *unit = lexicon->units + begin;
        TRY(pass_unit(lexicon, &at, path, config, error));
        if (lexicon->count > 0 &&
            lexicon_compare(unit_at(lexicon, lexicon->count - 1), unit + 1, head_count(*unit)) >= 0)
            return damaged(path, "units out of order", begin, error);
        TRY(array_add(&lexicon->places, &lexicon->count, &capacity, "a lexicon", error,
                      (uint32_t)begin));
    }
    return STATUS_OK;
}

static Status check_shape(const TensorView *view, const char *path, const char *name,
                          TensorType type, size_t most, Error *error)
{
    if (view && view->type == type && view->rank == 1 && view->shape[0] <= most) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: tensor %s of its lexicon is missing or of another form; train the model "
                     "again",
                     path, name);
}

Status lexicon_read(Lexicon *lexicon, const SafetensorsFile *file, const char *path,
                    const ModelConfig *config, Error *error)
{
    const TensorView *edges = safetensors_find(file, EDGES), *units = safetensors_find(file, UNITS);
    *lexicon = (Lexicon){0};
    if (!edges && !units) return STATUS_OK;
    TRY(check_shape(edges, path, EDGES, TENSOR_U8, config->source_vocabulary, error));
    TRY(check_shape(units, path, UNITS, TENSOR_U16, UINT32_MAX, error));
    if (edges->shape[0] != config->source_vocabulary)
        return error_set(error, STATUS_FORMAT,
                         "%s: tensor %s has %zu numbers; there are %zu source tokens", path, EDGES,
                         edges->shape[0], config->source_vocabulary);
    lexicon->edges = edges->data;
    lexicon->units = units->data;
    lexicon->size = units->shape[0];
    return find_units(lexicon, path, config, error);
}

Status lexicon_write(const Lexicon *lexicon, SafetensorsWriter *writer, const ModelConfig *config,
                     Error *error)
{
    if (lexicon->count == 0) return STATUS_OK;
    const TensorView units = {UNITS, TENSOR_U16, 1, {lexicon->size}, lexicon->units, 0};
    const TensorView edges = {EDGES, TENSOR_U8, 1, {config->source_vocabulary}, lexicon->edges, 0};
    TRY(safetensors_writer_tensor(writer, &units, error));
    return safetensors_writer_tensor(writer, &edges, error);
}

void lexicon_free(Lexicon *lexicon)
{
    memory_free(lexicon->places);
    for (size_t i = 0; i < 2; i++) memory_free(lexicon->owned[i]);
    *lexicon = (Lexicon){0};
}

// Where the unit of these tokens is; NULL if there is none.
static const uint16_t *find_unit(const Lexicon *lexicon, const int32_t *tokens, size_t count)
{
    uint16_t wanted[MAX_UNIT_TOKENS];
    size_t place;
    if (count > MAX_UNIT_TOKENS) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (tokens[i] >= MAX_LEXICON_TOKENS) return NULL;
        wanted[i] = (uint16_t)tokens[i];
    }
    array_search(place, 0, lexicon->count,
                 lexicon_compare(unit_at(lexicon, place), wanted, count) < 0);
    if (place == lexicon->count) return NULL;
    const uint16_t *unit = unit_at(lexicon, place);
    return lexicon_compare(unit, wanted, count) == 0 ? unit : NULL;
}

bool lexicon_has(const Lexicon *lexicon, const int32_t *tokens, size_t count)
{
    return find_unit(lexicon, tokens, count);
}

bool lexicon_has_text(const Lexicon *lexicon, const int32_t *tokens, size_t count)
{
    const uint16_t *unit = find_unit(lexicon, tokens, count);
    return unit && (*unit & UNIT_IS_TEXT);
}

size_t lexicon_find(LexiconRun runs[MAX_UNIT_ENTRIES], const Lexicon *lexicon,
                    const int32_t *tokens, size_t count)
{
    const uint16_t *at = find_unit(lexicon, tokens, count);
    const size_t entries = at ? head_value(*at) : 0;
    for (size_t i = 0; i < entries; i++) {
        at += head_count(*at) + 1;
        runs[i] = (LexiconRun){at + 1, head_count(*at), head_value(*at) / (double)UINT8_MAX};
    }
    return entries;
}

size_t lexicon_longest(LexiconRun runs[MAX_UNIT_ENTRIES], size_t *count, const Lexicon *lexicon,
                       const int32_t *source, size_t length, size_t begin)
{
    const uint8_t *edges = lexicon->edges;
    *count = 0;
    if (begin > 0 && lexicon_joins(edges[source[begin - 1]], edges[source[begin]])) return begin;
    size_t end = length - begin > MAX_UNIT_TOKENS ? begin + MAX_UNIT_TOKENS : length;
    const size_t least = edges[source[begin]] & EDGE_NAME ? 1 : 2;
    for (; end >= begin + least; end--) {
        if (end < length && lexicon_joins(edges[source[end - 1]], edges[source[end]])) continue;
        if (begin > 0 && source[end - 1] == TOKEN_EOS) continue;
        *count = lexicon_find(runs, lexicon, source + begin, end - begin);
        if (*count > 0) return end;
    }
    return begin;
}
