#include "text/vocabulary.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/chunks.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

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
    Status status = array_reserve(&subwords->ids, &capacity, needed, "a text's subwords", error);
    if (status) return status;
    return array_reserve(&subwords->ends, &subwords->capacity, needed, "a text's subwords", error);
}

// Merges the chunk, appends its subwords and empties it.
static Status finish_chunk(const Vocabulary *vocabulary, Symbols *symbols, Subwords *subwords,
                           Error *error)
{
    Status status = symbols_merge(symbols, &vocabulary->rules, error);
    if (!status) status = reserve_subwords(subwords, subwords->count + symbols->count, error);
    if (status) return status;
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
    Status status = STATUS_OK;
    for (size_t at = begin; at < end && !status;) {
        size_t taken;
        int32_t id = vocabulary_character(vocabulary, text + at, end - at, &taken);
        size_t next = at + taken;
        if (id >= 0) status = symbols_add(symbols, id, next, error);
        for (size_t byte = at; id < 0 && byte < next && !status; byte++)
            status = symbols_add(symbols, TOKEN_BYTES + (unsigned char)text[byte], byte + 1, error);
        at = next;
    }
    return status;
}

Status vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                         Subwords *subwords, Error *error)
{
    subwords->count = 0;
    if (!length) return STATUS_OK;
    if (length >= SYMBOL_NONE)
        return error_set(error, STATUS_ARGUMENT, "a text of %zu bytes is too long; split it",
                         length);
    Symbols symbols = {0};
    Status status = symbols_add(&symbols, TOKEN_SPACE, 0, error); // the space before the text
    if (!status && text[0] == ' ') status = finish_chunk(vocabulary, &symbols, subwords, error);
    for (size_t begin = 0; begin < length && !status;) {
        size_t end = chunk_end(text, length, begin);
        status = add_characters(vocabulary, text, begin, end, &symbols, error);
        if (!status) status = finish_chunk(vocabulary, &symbols, subwords, error);
        begin = end;
    }
    symbols_free(&symbols);
    return status;
}

// Appends a text with U+FFFD for invalid UTF-8.
static Status append_repaired(Bytes *out, const char *text, size_t length, Error *error)
{
    Status status = STATUS_OK;
    size_t copied = 0; // bytes that `out` has
    for (size_t at = 0; at < length && !status;) {
        uint32_t code_point;
        bool valid;
        size_t next = at + utf8_decode(text + at, length - at, &code_point, &valid);
        if (!valid) {
            char replacement[4];
            size_t size = utf8_encode(UTF8_REPLACEMENT, replacement);
            status = bytes_append(out, text + copied, at - copied, error);
            if (!status) status = bytes_append(out, replacement, size, error);
            copied = next;
        }
        at = next;
    }
    if (!status) status = bytes_append(out, text + copied, length - copied, error);
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
        if (!is_subword(vocabulary, ids[i])) {
            status = error_set(error, STATUS_ARGUMENT, "id %d is not in the vocabulary of %zu",
                               (int)ids[i], vocabulary_size(vocabulary));
            break;
        }
        size_t length;
        const char *text = vocabulary_bytes(vocabulary, ids[i], &length);
        status = bytes_append(&joined, text, length, error);
    }
    size_t space = joined.length && joined.data[0] == ' ';
    size_t before = out->length;
    if (!status && joined.length)
        status = append_repaired(out, joined.data + space, joined.length - space, error);
    if (status && out->data) {
        out->length = before;
        out->data[before] = '\0';
    }
    bytes_free(&joined);
    return status;
}
