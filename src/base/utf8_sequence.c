#include "base/utf8_sequence.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t length, uint32_t *code_point, bool *valid)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0], low = 0x80, high = 0xbf;
    size_t taken = 1, wanted = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    bool begins = first >= 0xc2 && first <= 0xf4;
    uint32_t c = first & (0x7fu >> wanted);
    if (first < 0x80) { // most of what is read
        if (valid) *valid = true;
        *code_point = first;
        return 1;
    }
    if (first == 0xe0) low = 0xa0;  // below, a shorter form exists
    if (first == 0xed) high = 0x9f; // above are the surrogates
    if (first == 0xf0) low = 0x90;  // below, a shorter form exists
    if (first == 0xf4) high = 0x8f; // above U+10FFFF there is nothing
    while (begins && taken < wanted && taken < length && bytes[taken] >= low &&
           bytes[taken] <= high) {
        c = c << 6 | (bytes[taken++] & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    bool whole = begins && taken == wanted;
    if (valid) *valid = whole;
    *code_point = whole ? c : UTF8_REPLACEMENT;
    return taken;
}

size_t utf8_encode(uint32_t c, char out[4])
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = UTF8_REPLACEMENT;
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(leads[length] | c);
    return length;
}

size_t utf8_sequence(const char *text)
{
    uint32_t code_point;
    bool valid; // the NUL at the end is no continuation byte, so nothing after it is read
    size_t length = utf8_decode(text, 4, &code_point, &valid);
    return valid ? length : 0;
}

size_t utf8_whole_length(const char *text, size_t length)
{
    for (size_t back = 1; back < 4 && back <= length; back++) {
        unsigned char byte = (unsigned char)text[length - back];
        if ((byte & 0xc0) == 0x80) continue;
        size_t wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return wanted > back ? length - back : length;
    }
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
    uint32_t c;
    (void)utf8_decode(sequence, length, &c, NULL);
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    bool bidi = c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
                (c >= 0x2066 && c <= 0x2069);
    return control || bidi ? c : 0;
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
