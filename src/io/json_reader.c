#include "io/json_reader.h"

#include "base/ascii.h"
#include "base/utf8_sequence.h"

#include <string.h>

static bool break_off(JsonReader *reader)
{
    reader->broken = true;
    return false;
}

// The next byte that is not white space; 0 at the end.
static char next_mark(JsonReader *reader)
{
    while (reader->at < reader->end && ascii_is_blank(*reader->at)) reader->at++;
    return reader->at < reader->end && !reader->broken ? *reader->at : 0;
}

bool json_reader_open(JsonReader *reader, char mark)
{
    if (next_mark(reader) != mark) return false;
    reader->at++;
    return reader->opened = true;
}

bool json_reader_more(JsonReader *reader, char mark)
{
    bool first = reader->opened;
    reader->opened = false;
    char next = next_mark(reader);
    if (next == mark) {
        reader->at++;
        return false;
    }
    if (first) return next != 0 || break_off(reader);
    if (next != ',') return break_off(reader);
    reader->at++;
    return next_mark(reader) != mark || break_off(reader);
}

// Four hexadecimal digits; -1 if they are not there.
static int32_t take_hexadecimal(JsonReader *reader)
{
    int32_t value = 0;
    if (reader->end - reader->at < 4) return -1;
    for (int i = 0; i < 4 && value >= 0; i++) {
        int digit = ascii_hexadecimal(*reader->at++);
        value = digit < 0 ? -1 : value << 4 | digit;
    }
    return value;
}

// The code point after "\u", of two such escapes above U+FFFF; 0 if there is none.
static uint32_t take_code_point(JsonReader *reader)
{
    int32_t first = take_hexadecimal(reader);
    if (first < 0 || (first >= 0xdc00 && first < 0xe000)) return 0;
    if (first < 0xd800 || first >= 0xe000) return (uint32_t)first;
    if (reader->end - reader->at < 2 || memcmp(reader->at, "\\u", 2)) return 0;
    reader->at += 2;
    int32_t second = take_hexadecimal(reader);
    if (second < 0xdc00 || second >= 0xe000) return 0;
    return 0x10000 + ((uint32_t)(first - 0xd800) << 10) + (uint32_t)(second - 0xdc00);
}

// After the backslash.
static bool take_escape(JsonReader *reader)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = reader->at < reader->end ? *reader->at++ : 0;
    const char *known = c ? strchr(names, c) : NULL;
    if (known) *reader->room++ = meanings[known - names];
    if (known || c != 'u') return known;
    uint32_t code_point = take_code_point(reader);
    if (code_point) reader->room += utf8_encode(code_point, reader->room);
    return code_point != 0;
}

static bool take_sequence(JsonReader *reader)
{
    uint32_t code_point;
    bool valid;
    size_t left = (size_t)(reader->end - reader->at);
    size_t length = utf8_decode(reader->at, left, &code_point, &valid);
    if (!valid) return false;
    memcpy(reader->room, reader->at, length);
    reader->room += length;
    reader->at += length;
    return true;
}

bool json_reader_string(JsonReader *reader, const char **string)
{
    if (next_mark(reader) != '"') return false;
    const char *begin = reader->room;
    reader->opened = false;
    reader->at++;
    while (reader->at < reader->end && *reader->at != '"') {
        unsigned char c = (unsigned char)*reader->at;
        bool taken = true;
        if (c == '\\') {
            reader->at++;
            taken = take_escape(reader);
        } else if (c >= 0x80) {
            taken = take_sequence(reader);
        } else if (c >= 0x20) {
            *reader->room++ = *reader->at++;
        } else {
            taken = false;
        }
        if (!taken) return break_off(reader);
    }
    if (reader->at == reader->end) return break_off(reader);
    reader->at++;
    *reader->room++ = '\0'; // there is room: a string has two quotes
    *string = begin;
    return true;
}

bool json_reader_name(JsonReader *reader, const char **name)
{
    if (!json_reader_string(reader, name) || next_mark(reader) != ':') return break_off(reader);
    reader->at++;
    return true;
}

bool json_reader_integer(JsonReader *reader, int64_t *number)
{
    char sign = next_mark(reader);
    const char *at = reader->at + (sign == '-'), *digits = at;
    int64_t value = 0;
    bool fits = true;
    for (; at < reader->end && ascii_is_digit(*at); at++)
        fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, sign == '-' ? '0' - *at : *at - '0', &value);
    if (at == digits || (at < reader->end && (*at == '.' || *at == 'e' || *at == 'E')))
        return false;
    reader->opened = false;
    if (!fits || (*digits == '0' && at - digits > 1)) return break_off(reader);
    reader->at = at;
    *number = value;
    return true;
}

bool json_reader_ended(JsonReader *reader)
{
    return !reader->broken && next_mark(reader) == 0 && reader->at == reader->end;
}
