#include "base/utf8_sequence.h"

#include <string.h>

size_t utf8_sequence(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0], low = 0x80, high = 0xbf;
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return 0;
    if (first == 0xe0) low = 0xa0;  // below, a shorter form exists
    if (first == 0xed) high = 0x9f; // above are the surrogates
    if (first == 0xf0) low = 0x90;  // below, a shorter form exists
    if (first == 0xf4) high = 0x8f; // above U+10FFFF there is nothing
    if (bytes[1] < low || bytes[1] > high) return 0;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    // the NUL at the end is no continuation byte, so nothing after it is read
    for (size_t i = 2; i < length; i++)
        if ((bytes[i] & 0xc0) != 0x80) return 0;
    return length;
}

bool utf8_is_valid(const char *text)
{
    while (*text) {
        size_t length = utf8_sequence(text);
        if (length == 0) return false;
        text += length;
    }
    return true;
}

uint32_t utf8_control(const char *sequence, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)sequence;
    uint32_t c = bytes[0];
    if (length == 2) c = (c & 0x1f) << 6 | (bytes[1] & 0x3f);
    if (length == 3) c = (c & 0x0f) << 12 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3f);
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    bool bidi = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                (c >= 0x2066 && c <= 0x2069);
    return length < 4 && (control || bidi) ? c : 0;
}

void utf8_make_harmless(char *text, size_t length, bool lines)
{
    for (size_t i = 0, taken; i < length; i += taken) {
        size_t sequence = utf8_sequence(text + i);
        taken = sequence ? sequence : 1;
        if (lines && (text[i] == '\n' || text[i] == '\t')) continue;
        if (!sequence || !text[i] || utf8_control(text + i, sequence)) memset(text + i, '?', taken);
    }
}
