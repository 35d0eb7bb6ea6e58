#include "text/vocabulary.h"

#include "base/array.h"
#include "io/json.h"
#include "io/json_reader.h"
#include "text/chunks.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <inttypes.h>
#include <stdio.h>

static const char SPACE_SHOWN[] = "\xE2\x96\x81"; // U+2581, lower one eighth block
enum { SPACE_SHOWN_LENGTH = 3, SPACE_SHOWN_CODE_POINT = 0x2581 };

// Adds a subword with a new spelling; its id is the number of subwords before it.
static Status add_subword(Vocabulary *vocabulary, const char *spelling, size_t spelling_length,
                          const char *text, size_t text_length, Error *error)
{
    size_t count = vocabulary->spellings.count;
    if (count >= VOCABULARY_MAX_SIZE)
        return error_set(error, STATUS_ARGUMENT, "a vocabulary holds at most %d subwords",
                         VOCABULARY_MAX_SIZE);
    TRY(array_reserve(&vocabulary->begins, &vocabulary->begins_capacity, count + 2, "a vocabulary",
                      error));
    vocabulary->begins[count] = vocabulary->text.length;
    TRY(bytes_append(&vocabulary->text, text, text_length, error));
    vocabulary->begins[count + 1] = vocabulary->text.length;
    if (!string_map_put(&vocabulary->spellings, spelling, spelling_length, (int64_t)count, NULL))
        return error_memory(error, spelling_length, "a vocabulary");
    return STATUS_OK;
}

static Status add_specials_and_bytes(Vocabulary *vocabulary, Error *error)
{
    static const char *const specials[TOKEN_BYTES] = {
        [TOKEN_PAD] = "<pad>", [TOKEN_UNK] = "<unk>", [TOKEN_BOS] = "<s>", [TOKEN_EOS] = "</s>"};
    for (int i = 0; i < TOKEN_BYTES; i++) {
        TRY(add_subword(vocabulary, specials[i], strlen(specials[i]), "", 0, error));
    }
    for (int byte = 0; byte < 256; byte++) {
        char spelling[8], text = (char)byte;
        int length = snprintf(spelling, sizeof spelling, "<0x%02X>", (unsigned)byte);
        TRY(add_subword(vocabulary, spelling, (size_t)length, &text, 1, error));
    }
    return STATUS_OK;
}

Status vocabulary_new(Vocabulary **vocabulary, Error *error)
{
    *vocabulary = NULL;
    FREED_BY(vocabulary_free_at) Vocabulary *made = NULL;
    TRY(array_new(&made, 1, "a vocabulary", error));
    TRY(add_specials_and_bytes(made, error));
    TRY(add_subword(made, SPACE_SHOWN, SPACE_SHOWN_LENGTH, " ", 1, error));
    made->alphabet_count = 1;
    *vocabulary = memory_take(&made);
    return STATUS_OK;
}

void vocabulary_free(Vocabulary *vocabulary)
{
    if (!vocabulary) return;
    string_map_free(&vocabulary->spellings);
    bytes_free(&vocabulary->text);
    memory_free(vocabulary->begins);
    merge_rules_free(&vocabulary->rules);
    memory_free(vocabulary);
}

bool vocabulary_admits(uint32_t code_point)
{
    if (code_point == ' ') return true;
    return code_point != SPACE_SHOWN_CODE_POINT && !utf8_is_control(code_point) &&
           !utf8_is_space(code_point);
}

Status vocabulary_add_character(Vocabulary *vocabulary, uint32_t code_point, Error *error)
{
    char text[4];
    size_t length = utf8_encode(code_point, text);
    TRY(add_subword(vocabulary, text, length, text, length, error));
    vocabulary->alphabet_count++;
    return STATUS_OK;
}

int32_t vocabulary_character(const Vocabulary *vocabulary, const char *text, size_t length,
                             size_t *taken)
{
    uint32_t code_point;
    bool valid;
    *taken = utf8_decode(text, length, &code_point, &valid);
    if (code_point == ' ') return TOKEN_SPACE;
    // the only character that is also the spelling of another subword
    if (!valid || code_point == SPACE_SHOWN_CODE_POINT) return -1;
    return vocabulary_find(vocabulary, text, *taken);
}

// The length of the concatenated spelling, which goes into `out`; 0 if it is too long. The spelling
// of a space has two bytes more than a space.
static size_t spell_merge(const Vocabulary *vocabulary, int32_t left, int32_t right,
                          char out[MAX_SUBWORD + 2])
{
    const StringMapEntry *first = &vocabulary->spellings.entries[left];
    const StringMapEntry *second = &vocabulary->spellings.entries[right];
    bool spaced = !strncmp(first->key, SPACE_SHOWN, SPACE_SHOWN_LENGTH);
    size_t length = first->length + second->length;
    if (length > MAX_SUBWORD + (spaced ? 2 : 0)) return 0;
    memcpy(out, first->key, first->length);
    memcpy(out + first->length, second->key, second->length);
    return length;
}

const char *vocabulary_merge_fault(const Vocabulary *vocabulary, int32_t left, int32_t right)
{
    int64_t count = (int64_t)vocabulary->spellings.count;
    if (left < TOKEN_FIRST || right < TOKEN_FIRST) return "uses a special token or a byte";
    if (left >= count || right >= count) return "uses a subword that does not exist yet";
    if (pair_map_find(&vocabulary->rules.ranks, left, right) != PAIR_MAP_NONE)
        return "repeats an earlier merge";
    if (vocabulary->text.data[vocabulary->begins[right]] == ' ')
        return "puts a space inside a subword";
    char spelling[MAX_SUBWORD + 2];
    size_t length = spell_merge(vocabulary, left, right, spelling);
    if (!length) return "makes a subword that is too long";
    int32_t same = vocabulary_find(vocabulary, spelling, length);
    if (same >= 0 && same < TOKEN_FIRST) return "makes the spelling of a special token or a byte";
    return NULL;
}

Status vocabulary_add_merge(Vocabulary *vocabulary, int32_t left, int32_t right, int32_t *result,
                            Error *error)
{
    char spelling[MAX_SUBWORD + 2], text[MAX_SUBWORD];
    size_t length = spell_merge(vocabulary, left, right, spelling);
    *result = vocabulary_find(vocabulary, spelling, length);
    if (*result < 0) {
        size_t left_length, right_length;
        const char *left_text = vocabulary_bytes(vocabulary, left, &left_length);
        const char *right_text = vocabulary_bytes(vocabulary, right, &right_length);
        memcpy(text, left_text, left_length);
        memcpy(text + left_length, right_text, right_length);
        *result = (int32_t)vocabulary->spellings.count;
        TRY(add_subword(vocabulary, spelling, length, text, left_length + right_length, error));
    }
    return merge_rules_add(&vocabulary->rules, (MergeRule){left, right, *result}, error);
}

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

Status subwords_reserve(Subwords *subwords, size_t needed, Error *error)
{
    size_t capacity = subwords->capacity; // both arrays grow alike from it
    TRY(array_reserve(&subwords->ids, &capacity, needed, "a text's subwords", error));
    return array_reserve(&subwords->ends, &subwords->capacity, needed, "a text's subwords", error);
}

Span subwords_of_span(const Subwords *subwords, Span span)
{
    Span found = {0, 0};
    while (found.begin < subwords->count && subwords->ends[found.begin] <= span.begin)
        found.begin++;
    found.end = found.begin;
    while (found.end < subwords->count && subwords_begin(subwords, found.end) < span.end)
        found.end++;
    return found;
}

// Merges the chunk, appends its subwords and empties it.
static Status finish_chunk(const Vocabulary *vocabulary, Symbols *symbols, Subwords *subwords,
                           Error *error)
{
    TRY(symbols_merge(symbols, &vocabulary->rules, error));
    TRY(subwords_reserve(subwords, subwords->count + symbols->count, error));
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

Status vocabulary_encode_part(const Vocabulary *vocabulary, const char *text, size_t length,
                              bool spaced, Subwords *subwords, Error *error)
{
    subwords->count = 0;
    if (!length) return STATUS_OK;
    if (length >= SYMBOL_NONE)
        return error_set(error, STATUS_ARGUMENT, "a text of %zu bytes is too long; split it",
                         length);
    FREED_BY(symbols_free) Symbols symbols = {0};
    if (spaced) TRY(symbols_add(&symbols, TOKEN_SPACE, 0, error)); // the space before the text
    if (spaced && text[0] == ' ') TRY(finish_chunk(vocabulary, &symbols, subwords, error));
    for (size_t begin = 0; begin < length;) {
        size_t end = chunk_end(text, length, begin);
        TRY(add_characters(vocabulary, text, begin, end, &symbols, error));
        TRY(finish_chunk(vocabulary, &symbols, subwords, error));
        begin = end;
    }
    return STATUS_OK;
}

Status vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                         Subwords *subwords, Error *error)
{
    return vocabulary_encode_part(vocabulary, text, length, true, subwords, error);
}

/* The subwords' bytes are concatenated and repaired as one text. This equals repairing each run of
 * byte subwords alone, because all other subwords are whole characters. */
Status vocabulary_decode(const Vocabulary *vocabulary, const int32_t *ids, size_t count, Bytes *out,
                         Error *error)
{
    FREED_BY(bytes_free) Bytes joined = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *text = vocabulary_bytes(vocabulary, ids[i], &length);
        if (!is_subword(vocabulary, ids[i]))
            return error_set(error, STATUS_ARGUMENT, "id %d is not in the vocabulary of %zu",
                             (int)ids[i], vocabulary_size(vocabulary));
        TRY(bytes_append(&joined, text, length, error));
    }
    size_t space = joined.length && joined.data[0] == ' ', before = out->length;
    for (size_t at = space; at < joined.length && !status;)
        status = utf8_append(out, utf8_next(joined.data, joined.length, &at), error);
    if (status) bytes_cut(out, before);
    return status;
}

json_t *vocabulary_to_json(const Vocabulary *vocabulary)
{
    json_t *alphabet = json_array(), *merges = json_array();
    for (size_t i = 0; i < vocabulary->alphabet_count; i++) {
        size_t length;
        const char *text = vocabulary_bytes(vocabulary, (int32_t)(TOKEN_FIRST + i), &length);
        json_append(&alphabet, json_stringn(text, length));
    }
    for (size_t i = 0; i < vocabulary->rules.count; i++) {
        const MergeRule *rule = &vocabulary->rules.list[i];
        json_append(&merges, json_pack("[ii]", rule->left, rule->right));
    }
    return json_pack("{soso}", "alphabet", alphabet, "merges", merges);
}

/* One of the alphabet. A space is the first, and is there already. */
static Status read_character(Vocabulary *vocabulary, JsonReader *reader, size_t place, Error *error)
{
    const char *text = "";
    size_t length = json_reader_string(reader, &text) ? strlen(text) : 0;
    uint32_t code_point;
    if (!length || utf8_decode(text, length, &code_point, NULL) != length ||
        !vocabulary_admits(code_point))
        return error_set(error, STATUS_FORMAT,
                         "vocabulary: entry %zu of the alphabet is not one printable character",
                         place);
    if (place == 0)
        return code_point == ' '
                   ? STATUS_OK
                   : error_set(error, STATUS_FORMAT,
                               "vocabulary: the alphabet does not begin with a space");
    if (code_point == ' ' || vocabulary_find(vocabulary, text, length) >= 0)
        return error_set(error, STATUS_FORMAT,
                         "vocabulary: entry %zu of the alphabet, \"%s\", is a duplicate", place,
                         text);
    return vocabulary_add_character(vocabulary, code_point, error);
}

static bool read_pair(JsonReader *reader, int64_t ids[2])
{
    return json_reader_open(reader, '[') && json_reader_more(reader, ']') &&
           json_reader_integer(reader, &ids[0]) && json_reader_more(reader, ']') &&
           json_reader_integer(reader, &ids[1]) && !json_reader_more(reader, ']') &&
           !reader->broken;
}

static Status read_merge(Vocabulary *vocabulary, JsonReader *reader, size_t place, Error *error)
{
    int64_t ids[2];
    if (!read_pair(reader, ids))
        return error_set(error, STATUS_FORMAT, "vocabulary: merge %zu is not a pair of ids", place);
    const char *fault = "uses an id out of range";
    if (ids[0] >= 0 && ids[0] < VOCABULARY_MAX_SIZE && ids[1] >= 0 && ids[1] < VOCABULARY_MAX_SIZE)
        fault = vocabulary_merge_fault(vocabulary, (int32_t)ids[0], (int32_t)ids[1]);
    if (fault)
        return error_set(error, STATUS_FORMAT,
                         "vocabulary: merge %zu, of %" PRId64 " and %" PRId64 ", %s", place, ids[0],
                         ids[1], fault);
    int32_t result;
    return vocabulary_add_merge(vocabulary, (int32_t)ids[0], (int32_t)ids[1], &result, error);
}

typedef Status ReadItem(Vocabulary *vocabulary, JsonReader *reader, size_t place, Error *error);

static Status wrong_form(Error *error)
{
    return error_set(error, STATUS_FORMAT,
                     "vocabulary: not an object of exactly two lists, \"alphabet\" and \"merges\"");
}

// The next member of the object, a list.
static Status read_list(Vocabulary *vocabulary, JsonReader *reader, const char *name,
                        ReadItem *read_item, size_t *count, Error *error)
{
    const char *found;
    if (!json_reader_more(reader, '}') || !json_reader_name(reader, &found) ||
        strcmp(found, name) || !json_reader_open(reader, '['))
        return wrong_form(error);
    for (*count = 0; json_reader_more(reader, ']'); ++*count)
        TRY(read_item(vocabulary, reader, *count, error));
    return STATUS_OK;
}

static Status read_lists(Vocabulary *vocabulary, JsonReader *reader, Error *error)
{
    size_t letters, merges;
    if (!json_reader_open(reader, '{')) return wrong_form(error);
    TRY(read_list(vocabulary, reader, "alphabet", read_character, &letters, error));
    if (!letters && !reader->broken)
        return error_set(error, STATUS_FORMAT, "vocabulary: the alphabet is empty");
    TRY(read_list(vocabulary, reader, "merges", read_merge, &merges, error));
    if (json_reader_more(reader, '}') || !json_reader_ended(reader)) return wrong_form(error);
    return STATUS_OK;
}

Status vocabulary_read(Vocabulary **vocabulary, const char *text, Error *error)
{
    *vocabulary = NULL;
    size_t length = strlen(text);
    FREED char *strings = memory_resize(NULL, length, 1);
    if (!strings) return error_memory(error, length, "a vocabulary");
    JsonReader reader = json_reader(text, length, strings);
    FREED_BY(vocabulary_free_at) Vocabulary *read = NULL;
    TRY(vocabulary_new(&read, error));
    TRY(read_lists(read, &reader, error));
    *vocabulary = memory_take(&read);
    return STATUS_OK;
}
