#include "tools/roff.h"

#include "text/utf8.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_LINE = 78 }; // bytes of a line, unless a word alone is longer

// The escapes of groff_char(7) for ASCII that troff would set as something else.
static const char *escape_of(uint32_t character)
{
    switch (character) {
    case '\\':
        return "\\(rs";
    case '"':
        return "\\(dq";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    default:
        return NULL;
    }
}

// Appends the character at `text`, of which `length` bytes are left, and says how many it has.
static Status append_character(Bytes *out, const char *text, size_t length, size_t *used,
                               Error *error)
{
    uint32_t character;
    *used = utf8_decode(text, length, &character, NULL);
    if (escape_of(character)) return bytes_append_string(out, escape_of(character), error);
    if (character < ' ' || character == 0x7f) return bytes_append_string(out, " ", error);
    if (character < 0x7f) return bytes_append(out, text, 1, error);
    return bytes_append_format(out, error, "\\[u%04X]", (unsigned)character);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// A word; its dashes are minus signs if `literal`, at its beginning, and behind digits.
static Status append_word(Bytes *out, const char *word, size_t length, bool literal, Error *error)
{
    Status status = STATUS_OK;
    // an escape of no width: the line is not a request then
    if (length > 0 && word[0] == '.') status = bytes_append_string(out, "\\&", error);
    literal = literal || (length > 0 && word[0] == '-');
    for (size_t i = 0, used; !status && i < length; i += used) {
        used = 1;
        if (word[i] == '-' && (literal || (i > 0 && is_digit(word[i - 1]))))
            status = bytes_append_string(out, "\\-", error);
        else
            status = append_character(out, word + i, length - i, &used, error);
    }
    return status;
}

// Where the last line begins, which may hold something already.
static size_t line_start(const Bytes *out)
{
    size_t start = out->length;
    while (start > 0 && out->data[start - 1] != '\n') start--;
    return start;
}

Status roff_text(Bytes *out, const char *text, Error *error)
{
    Status status = STATUS_OK;
    bool first = true, ends_sentence = false;
    for (text += strspn(text, " "); !status && *text; first = false) {
        size_t length = strcspn(text, " "), gap = out->length;
        if (!first) status = bytes_append_string(out, ends_sentence ? "\n" : " ", error);
        if (!status) status = append_word(out, text, length, false, error);
        if (status) break;
        if (!first && out->length - line_start(out) > MAX_LINE) out->data[gap] = '\n';
        ends_sentence = strchr(".?!", text[length - 1]) != NULL;
        text += length;
        text += strspn(text, " ");
    }
    return status ? status : bytes_append_string(out, "\n", error);
}

Status roff_literal(Bytes *out, const char *text, Error *error)
{
    return append_word(out, text, strlen(text), true, error);
}
