#include "text/utf8.h"
#include "text/vocabulary_build.h"

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

static Status read_character(Vocabulary *vocabulary, const json_t *item, size_t place, Error *error)
{
    const char *text = json_string_value(item);
    size_t length = json_string_length(item);
    uint32_t code_point;
    bool valid;
    if (!text || !length || utf8_decode(text, length, &code_point, &valid) != length || !valid ||
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

static Status read_merge(Vocabulary *vocabulary, const json_t *item, size_t place, Error *error)
{
    const json_t *left = json_array_get(item, 0), *right = json_array_get(item, 1);
    if (json_array_size(item) != 2 || !json_is_integer(left) || !json_is_integer(right))
        return error_set(error, STATUS_FORMAT, "vocabulary: merge %zu is not a pair of ids", place);
    json_int_t ids[2] = {json_integer_value(left), json_integer_value(right)};
    const char *fault = "uses an id out of range";
    if (ids[0] >= 0 && ids[0] < VOCABULARY_MAX_SIZE && ids[1] >= 0 && ids[1] < VOCABULARY_MAX_SIZE)
        fault = vocabulary_merge_fault(vocabulary, (int32_t)ids[0], (int32_t)ids[1]);
    if (fault)
        return error_set(error, STATUS_FORMAT, "vocabulary: merge %zu, of %lld and %lld, %s", place,
                         (long long)ids[0], (long long)ids[1], fault);
    int32_t result;
    return vocabulary_add_merge(vocabulary, (int32_t)ids[0], (int32_t)ids[1], &result, error);
}

Status vocabulary_from_json(Vocabulary **vocabulary, const json_t *json, Error *error)
{
    *vocabulary = NULL;
    const json_t *alphabet = json_object_get(json, "alphabet");
    const json_t *merges = json_object_get(json, "merges");
    size_t letters = json_array_size(alphabet), joins = json_array_size(merges);
    if (!json_is_array(alphabet) || !json_is_array(merges) || json_object_size(json) != 2)
        return error_set(
            error, STATUS_FORMAT,
            "vocabulary: not an object of exactly two lists, \"alphabet\" and \"merges\"");
    if (!letters) return error_set(error, STATUS_FORMAT, "vocabulary: the alphabet is empty");
    if (letters > VOCABULARY_MAX_SIZE - TOKEN_FIRST || joins > VOCABULARY_MAX_SIZE)
        return error_set(
            error, STATUS_FORMAT,
            "vocabulary: %zu characters and %zu merges exceed the maximum of %d subwords", letters,
            joins, VOCABULARY_MAX_SIZE);

    Vocabulary *read = NULL;
    Status status = vocabulary_new(&read, error);
    for (size_t i = 0; i < letters && !status; i++)
        status = read_character(read, json_array_get(alphabet, i), i, error);
    for (size_t i = 0; i < joins && !status; i++)
        status = read_merge(read, json_array_get(merges, i), i, error);
    if (status) {
        vocabulary_free(read);
        return status;
    }
    *vocabulary = read;
    return STATUS_OK;
}
