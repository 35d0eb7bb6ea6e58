#include "serve/service/api_keys.h"

#include "base/array.h"
#include "base/bytes.h"
#include "io/line_reader.h"

static Status add_line(ApiKeys *keys, const Line *line, const char *path, Error *error)
{
    const TextView text = text_view_trimmed((TextView){line->text, line->length});
    if (text.length == 0 || *text.data == '#') return STATUS_OK;
    if (text.length >= MAX_API_KEY)
        return error_set(error, STATUS_FORMAT, "%s: line %zu: a key has at most %d bytes", path,
                         line->number, MAX_API_KEY - 1);
    TRY(array_reserve(&keys->items, &keys->capacity, keys->count + 1, "API keys", error));
    char *key = keys->items[keys->count++];
    memset(key, 0, MAX_API_KEY);
    memcpy(key, text.data, text.length);
    return STATUS_OK;
}

Status api_keys_read(ApiKeys *keys, const char *path, Error *error)
{
    FREED_BY(line_reader_close_at) LineReader *reader = NULL;
    TRY(line_reader_open(&reader, path, error));
    for (bool more = true; more;) {
        Line line;
        TRY(line_reader_next(reader, &line, &more, error));
        if (more) TRY(add_line(keys, &line, path, error));
    }
    if (keys->count > 0) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: has no key; write one on each line", path);
}

bool api_keys_have(const ApiKeys *keys, const char *key)
{
    char given[MAX_API_KEY] = {0};
    bool found = false;
    size_t length = strlen(key);
    if (length >= MAX_API_KEY) return false;
    memcpy(given, key, length + 1);
    for (size_t i = 0; i < keys->count; i++) {
        unsigned different = 0;
        for (size_t j = 0; j < MAX_API_KEY; j++)
            different |= (unsigned char)(given[j] ^ keys->items[i][j]);
        found |= different == 0;
    }
    return found;
}

void api_keys_free(ApiKeys *keys)
{
    memory_free(keys->items);
    *keys = (ApiKeys){0};
}
