/* Reads JSON piece by piece, in the order of the text, without making values of it: for texts that
 * are long and whose form is known, such as the header and the vocabularies of a model, which take
 * Jansson (io/json.h) as long as a translation.
 *
 *     JsonReader reader = json_reader(text, length, room);
 *     if (json_reader_open(&reader, '['))
 *         while (json_reader_more(&reader, ']'))
 *             if (!json_reader_integer(&reader, &number)) return … // something else is there
 *     if (!json_reader_ended(&reader)) return … // not JSON, or not only this list
 *
 * A function that returns false because another kind of value is there leaves the reader where it
 * was. Where the text is not JSON it is `broken`, and every call from then on returns false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct JsonReader {
    const char *begin, *at, *end;
    char *room;  // where the next string goes
    bool opened; // the last thing read was an opening mark
    bool broken; // what is at `at` is not JSON
} JsonReader;

/* For `length` bytes of text. Strings are put into `room`, which must hold as many bytes as the
 * text and last as long as they do. */
static inline JsonReader json_reader(const char *text, size_t length, char *room)
{
    return (JsonReader){.begin = text, .at = text, .end = text + length, .room = room};
}

// Takes the opening mark of an object, '{', or of an array, '['.
bool json_reader_open(JsonReader *reader, char mark);

// Whether another member or item follows before the closing mark, which it takes if none does.
bool json_reader_more(JsonReader *reader, char mark);

// Takes a string: UTF-8 without NUL, ended by one. *string is set only where it returns true.
bool json_reader_string(JsonReader *reader, const char **string);

// Takes the name of a member with the colon behind it.
bool json_reader_name(JsonReader *reader, const char **name);

// Takes a whole number of 64 bits, written without point and exponent.
bool json_reader_integer(JsonReader *reader, int64_t *number);

// Whether all of the text was JSON, and nothing is left.
bool json_reader_ended(JsonReader *reader);
