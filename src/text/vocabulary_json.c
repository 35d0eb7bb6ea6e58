#include "base/memory.h"
#include "io/json_reader.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <inttypes.h>
#include <string.h>

json_t *vocabulary_to_json(const Vocabulary *vocabulary)
{
    json_t *alphabet = json_array(), *merges = json_array();
    bool made = alphabet && merges; // appending a NULL item fails too
    for (size_t i = 0; i < vocabulary->alphabet_count && made; i++) {
        size_t length;
        const char *text = vocabulary_bytes(vocabulary, (int32_t)(TOKEN_FIRST + i), &length);
        made = !json_array_append_new(alphabet, json_stringn(text, length));
    }
    for (size_t i = 0; i < vocabulary->rules.count && made; i++) {
        const MergeRule *rule = &vocabulary->rules.list[i];
        made = !json_array_append_new(merges, json_pack("[ii]", rule->left, rule->right));
    }
    if (made) return json_pack("{soso}", "alphabet", alphabet, "merges", merges);
    json_decref(alphabet);
    json_decref(merges);
    return NULL;
}

/* One of the alphabet. A space is the first, and is there already. */
static Status read_character(Vocabulary *vocabulary, JsonReader *reader, size_t place, Error *error)
{
    const char *text = "";
    size_t length = json_reader_string(reader, &text) ? strlen(text) : 0;
    uint32_t code_point;
    bool valid;
    if (!length || utf8_decode(text, length, &code_point, &valid) != length || !valid ||
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
    for (*count = 0; json_reader_more(reader, ']'); ++*count) {
        if (*count >= VOCABULARY_MAX_SIZE)
            return error_set(error, STATUS_FORMAT, "vocabulary: more than %d of its %s",
                             VOCABULARY_MAX_SIZE, name);
        TRY(read_item(vocabulary, reader, *count, error));
    }
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
    char *strings = memory_resize(NULL, length, 1);
    if (!strings) return error_memory(error, length, "a vocabulary");
    JsonReader reader = json_reader(text, length, strings);
    Vocabulary *read = NULL;
    Status status = vocabulary_new(&read, error);
    if (!status) status = read_lists(read, &reader, error);
    memory_free(strings);
    if (status)
        vocabulary_free(read);
    else
        *vocabulary = read;
    return status;
}
