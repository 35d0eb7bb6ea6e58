#include "train/token_edges.h"

#include "base/array.h"
#include "text/special_tokens.h"
#include "text/utf8.h"

static uint8_t edges_of(const Vocabulary *vocabulary, int32_t token)
{
    size_t length, at = 0;
    const char *text = vocabulary_bytes(vocabulary, token, &length);
    if (token < TOKEN_FIRST || length == 0) return 0;
    const bool space = text[0] == ' ';
    const uint32_t first = utf8_at(text, length, space), last = utf8_before(text, length);
    uint8_t edges = space ? EDGE_SPACE : 0;
    if (!space && utf8_is_letter(first) && !utf8_is_han(first)) edges |= EDGE_BEGINS;
    if (utf8_is_letter(last) && !utf8_is_han(last)) edges |= EDGE_ENDS;
    while (at < length)
        if (utf8_is_letter(utf8_next(text, length, &at))) edges |= EDGE_WORD;
    return edges;
}

uint32_t token_initial(const Vocabulary *vocabulary, int32_t token)
{
    size_t length;
    const char *text = vocabulary_bytes(vocabulary, token, &length);
    return utf8_at(text, length, length > 0 && *text == ' ');
}

// Whether a token has a capital first, and is several tokens in lower case.
static Status is_name(bool *name, const Vocabulary *vocabulary, int32_t token, Error *error)
{
    FREED_BY(bytes_free) Bytes small = {0};
    FREED_BY(subwords_free) Subwords subwords = {0};
    size_t length;
    const char *text = vocabulary_bytes(vocabulary, token, &length);
    *name = utf8_is_upper(token_initial(vocabulary, token));
    if (!*name) return STATUS_OK;
    const bool spaced = *text == ' ';
    TRY(utf8_append_lowercase(&small, text + spaced, length - spaced, error));
    TRY(vocabulary_encode_part(vocabulary, bytes_text(&small), small.length, spaced, &subwords,
                               error));
    *name = subwords.count > 1;
    return STATUS_OK;
}

Status token_edges_new(uint8_t **edges, const Vocabulary *vocabulary, Error *error)
{
    const size_t size = vocabulary_size(vocabulary);
    TRY(array_new(edges, size, "a lexicon", error));
    for (int32_t token = 0; token < (int32_t)size; token++) {
        bool name;
        (*edges)[token] = edges_of(vocabulary, token);
        TRY(is_name(&name, vocabulary, token, error));
        if (name && (*edges)[token]) (*edges)[token] |= EDGE_NAME;
    }
    return STATUS_OK;
}
