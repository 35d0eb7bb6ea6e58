#include "bench/speed/widen.h"

#include "base/memory.h"
#include "io/json.h"

#include <stdbool.h>

// U+F0000 + i in UTF-8: 4 bytes, F3 and three that hold 6 bits each.
static json_t *private_character(size_t i)
{
    unsigned point = 0xF0000 + (unsigned)i;
    char text[5] = {(char)0xF3, (char)(0x80 | (point >> 12 & 0x3F)),
                    (char)(0x80 | (point >> 6 & 0x3F)), (char)(0x80 | (point & 0x3F)), 0};
    return json_string(text);
}

/* Merges are made of ids; those of earlier merges stand behind the alphabet, which grows. */
static bool move_merges(json_t *merges, json_int_t first, json_int_t by)
{
    size_t i;
    json_t *merge;
    json_array_foreach(merges, i, merge)
    {
        for (size_t side = 0; side < 2; side++) {
            json_int_t id = json_integer_value(json_array_get(merge, side));
            if (id >= first && json_array_set_new(merge, side, json_integer(id + by))) return false;
        }
    }
    return true;
}

Status vocabulary_widen(Vocabulary **wide, const Vocabulary *vocabulary, size_t size, Error *error)
{
    json_t *json = vocabulary_to_json(vocabulary);
    json_t *alphabet = json_object_get(json, "alphabet");
    size_t have = vocabulary_size(vocabulary), missing = size > have ? size - have : 0;
    json_int_t first = (json_int_t)(TOKEN_FIRST + json_array_size(alphabet));
    bool done = json != NULL;
    for (size_t i = 0; i < missing && done; i++)
        done = json_array_append_new(alphabet, private_character(i)) == 0;
    done = done && move_merges(json_object_get(json, "merges"), first, (json_int_t)missing);
    char *text;
    if (!done) {
        json_decref(json);
        return error_memory(error, size, "a vocabulary");
    }
    TRY(json_text(&text, json, JSON_COMPACT, error));
    Status status = vocabulary_read(wide, text, error);
    memory_free(text);
    return status;
}
