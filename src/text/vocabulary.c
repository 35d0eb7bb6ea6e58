#include "text/vocabulary.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/chunks.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <string.h>

void subwords_free(Subwords *subwords)
{
    memory_free(subwords->ids);
    memory_free(subwords->ends);
    *subwords = (Subwords){0};
}

size_t vocabulary_size(const Vocabulary *vocabulary)
{
    return vocabulary->spellings.count;
}

bool vocabulary_equal(const Vocabulary *a, const Vocabulary *b)
{
    if (a == b) return true;
    if (vocabulary_size(a) != vocabulary_size(b)) return false;
    for (size_t i = 0; i < vocabulary_size(a); i++)
        if (strcmp(a->spellings.entries[i].key, b->spellings.entries[i].key) != 0) return false;
    return true;
}

static bool is_subword(const Vocabulary *vocabulary, int32_t id)
{
    return id >= 0 && (size_t)id < vocabulary->spellings.count;
}

const char *vocabulary_spelling(const Vocabulary *vocabulary, int32_t id)
{
    return is_subword(vocabulary, id) ? vocabulary->spellings.entries[id].key : NULL;
}

int32_t vocabulary_find(const Vocabulary *vocabulary, const char *spelling, size_t length)
{
    const StringMapEntry *entry = string_map_find(&vocabulary->spellings, spelling, length);
    return entry ? (int32_t)entry->value : -1;
}

const char *vocabulary_bytes(const Vocabulary *vocabulary, int32_t id, size_t *length)
{
    *length = 0;
    if (!is_subword(vocabulary, id)) return "";
    *length = vocabulary->begins[id + 1] - vocabulary->begins[id];
    return vocabulary->text.data + vocabulary->begins[id];
}

static Status reserve_subwords(Subwords *subwords, size_t needed, Error *error)
{
    size_t capacity = subwords->capacity; // both arrays grow alike from it
    TRY(array_reserve(&subwords->ids, &capacity, needed, "a text's subwords", error));
    return array_reserve(&subwords->ends, &subwords->capacity, needed, "a text's subwords", error);
}

// Merges the chunk, appends its subwords and empties it.
static Status finish_chunk(const Vocabulary *vocabulary, Symbols *symbols, BpeDropout *dropout,
                           Subwords *subwords, Error *error)
{
    TRY(symbols_merge(symbols, &vocabulary->rules, dropout, error));
    TRY(reserve_subwords(subwords, subwords->count + symbols->count, error));
    for (size_t i = 0; i < symbols->count; i++) {
        subwords->ids[subwords->count] = symbols->data[i].id;
        subwords->ends[subwords->count++] = symbols->data[i].end;
    }
    symbols->count = 0;
    return STATUS_OK;
}

// Adds the characters of text[begin … end) as subwords of the alphabet or as bytes.
static Status add_characters(const Vocabulary *vocabulary, const char *text, size_t begin,
                             size_t end, Symbols *symbols, Error *error)
{
    for (size_t at = begin, next, taken; at < end; at = next) {
        int32_t id = vocabulary_character(vocabulary, text + at, end - at, &taken);
        next = at + taken;
        if (id >= 0) {
            TRY(symbols_add(symbols, id, next, error));
            continue;
        }
        for (size_t byte = at; byte < next; byte++) {
            TRY(symbols_add(symbols, TOKEN_BYTES + (unsigned char)text[byte], byte + 1, error));
        }
    }
    return STATUS_OK;
}

Status vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                         Subwords *subwords, Error *error)
{
    return vocabulary_encode_dropout(vocabulary, text, length, NULL, subwords, error);
}

Status vocabulary_encode_dropout(const Vocabulary *vocabulary, const char *text, size_t length,
                                 BpeDropout *dropout, Subwords *subwords, Error *error)
{
    subwords->count = 0;
    if (!length) return STATUS_OK;
    if (length >= SYMBOL_NONE)
        return error_set(error, STATUS_ARGUMENT, "a text of %zu bytes is too long; split it",
                         length);
    Symbols symbols = {0};
    Status status = symbols_add(&symbols, TOKEN_SPACE, 0, error); // the space before the text
    if (!status && text[0] == ' ')
        status = finish_chunk(vocabulary, &symbols, dropout, subwords, error);
    for (size_t begin = 0; begin < length && !status;) {
        size_t end = chunk_end(text, length, begin);
        status = add_characters(vocabulary, text, begin, end, &symbols, error);
        if (!status) status = finish_chunk(vocabulary, &symbols, dropout, subwords, error);
        begin = end;
    }
    symbols_free(&symbols);
    return status;
}

/* The subwords' bytes are concatenated and repaired as one text. This equals repairing each run of
 * byte subwords alone, because all other subwords are whole characters. */
Status vocabulary_decode(const Vocabulary *vocabulary, const int32_t *ids, size_t count, Bytes *out,
                         Error *error)
{
    Bytes joined = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        size_t length;
        const char *text = vocabulary_bytes(vocabulary, ids[i], &length);
        status = is_subword(vocabulary, ids[i])
                     ? bytes_append(&joined, text, length, error)
                     : error_set(error, STATUS_ARGUMENT, "id %d is not in the vocabulary of %zu",
                                 (int)ids[i], vocabulary_size(vocabulary));
    }
    size_t space = joined.length && joined.data[0] == ' ', before = out->length;
    for (size_t at = space; at < joined.length && !status;)
        status = utf8_append(out, utf8_next(joined.data, joined.length, &at), error);
    if (status) bytes_cut(out, before);
    bytes_free(&joined);
    return status;
}
