#include "metrics/tokenizer_zh.h"

#include "metrics/western_punctuation.h"
#include "metrics/white_space.h"
#include "text/utf8.h"

// Whether sacreBLEU makes this character a token of its own.
static bool is_chinese(uint32_t code_point)
{
    /* In order. sacreBLEU means to include extension B and the compatibility supplement too, but
     * writes their bounds as '\u20000' to '\u2a6d6' and '\u2f800' to '\u2fa1d'. Python reads each
     * of these as two characters: four digits make the first, the fifth digit is the second.
     * Compared as strings, a single character lies between them if it is in U+2001 … U+2A6D or
     * U+2F81 … U+2FA1. So dashes, curly quotes and arrows are split off, and U+20000 and above are
     * not. Scores are comparable only if we do the same. */
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x2001, 0x2A6D}, // for extension B; covers the symbols U+2600 … U+27BF, also listed there
        {0x2E80, 0x2EFF}, // CJK radicals
        {0x2F00, 0x2FDF}, // Kangxi radicals; covers U+2F81 … U+2FA1 from above
        {0x2FF0, 0x2FFF}, // ideographic description
        {0x3000, 0x303F}, // CJK punctuation
        {0x3100, 0x312F}, // bopomofo
        {0x31A0, 0x31BF}, // bopomofo extended
        {0x31C0, 0x31EF}, // CJK strokes
        {0x3200, 0x33FF}, // enclosed CJK, CJK compatibility
        {0x3400, 0x4DB5}, // extension A
        {0x4E00, 0x9FBB}, // CJK unified ideographs as of Unicode 4.1
        {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, // compatibility ideographs
        {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},                   // vertical and compatibility forms
        {0xFF00, 0xFFEF},                                     // full-width and half-width forms
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code_point >= ranges[i].first; i++)
        if (code_point <= ranges[i].last) return true;
    return false;
}

Status tokenizer_zh(const char *text, size_t length, Bytes *line, Error *error)
{
    white_space_strip(&text, &length);
    Bytes spaced = {0};
    Status status = bytes_reserve(&spaced, length, error);
    for (size_t i = 0; i < length && !status;) {
        uint32_t code_point;
        size_t size = utf8_decode(text + i, length - i, &code_point, NULL);
        bool chinese = is_chinese(code_point);
        if (chinese) status = bytes_append(&spaced, " ", 1, error);
        if (!status) status = bytes_append(&spaced, text + i, size, error);
        if (chinese && !status) status = bytes_append(&spaced, " ", 1, error);
        i += size;
    }
    if (!status) status = western_punctuation_split(&spaced, error);
    if (!status) status = white_space_words(spaced.data, spaced.length, line, error);
    bytes_free(&spaced);
    return status;
}
