#include "metrics/white_space.h"

#include "text/utf8.h"

bool white_space_is(uint32_t code_point)
{
    return (code_point >= 0x1C && code_point <= 0x1F) || utf8_is_space(code_point);
}

void white_space_strip(const char **text, size_t *length)
{
    size_t begin = 0, end = 0; // after the leading white space, after the last word
    for (size_t i = 0; i < *length;) {
        if (!white_space_is(utf8_next(*text, *length, &i)))
            end = i;
        else if (!end)
            begin = i;
    }
    *text += begin;
    *length = end ? end - begin : 0;
}

Status white_space_words(const char *text, size_t length, Bytes *line, Error *error)
{
    bool first = true, space = false;
    for (size_t i = 0; i < length;) {
        uint32_t code_point = utf8_next(text, length, &i);
        if (white_space_is(code_point)) {
            space = !first;
            continue;
        }
        if (space) TRY(bytes_append(line, " ", 1, error));
        TRY(utf8_append(line, code_point, error));
        first = space = false;
    }
    return STATUS_OK;
}
