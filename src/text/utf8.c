#include "text/utf8.h"

#include <utf8proc.h>

/* The well-formed sequences are those of table 3-7 of the Unicode Standard: only the second byte
 * has limits that depend on the first, and they keep out overlong forms, surrogates and values over
 * U+10FFFF. What is read up to the first byte that does not fit is the maximal subpart. */
size_t utf8_decode(const char *text, size_t length, uint32_t *code_point, bool *valid)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    if (valid) *valid = true;
    *code_point = first;
    if (first < 0x80) return 1;

    size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    uint32_t value = first & (0x7Fu >> size);
    size_t taken = 1;
    while (taken < size && taken < length && bytes[taken] >= least && bytes[taken] <= most) {
        value = value << 6 | (bytes[taken++] & 0x3Fu);
        least = 0x80;
        most = 0xBF;
    }
    *code_point = value;
    if (taken == size) return taken;
    *code_point = UTF8_REPLACEMENT;
    if (valid) *valid = false;
    return taken;
}

size_t utf8_encode(uint32_t code_point, char out[4])
{
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF))
        code_point = UTF8_REPLACEMENT;
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    size_t size = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code_point & 0x3F));
        code_point >>= 6;
    }
    out[0] = (char)((0xF00u >> size & 0xF0u) | code_point); // 110xxxxx, 1110xxxx, 11110xxx
    return size;
}

static utf8proc_category_t category(uint32_t code_point)
{
    return code_point > 0x10FFFF ? UTF8PROC_CATEGORY_CN : utf8proc_category((int32_t)code_point);
}

// The list is closed: PropList.txt of Unicode 15, White_Space.
bool utf8_is_space(uint32_t code_point)
{
    if (code_point <= 0x20) return code_point == 0x20 || (code_point >= 0x09 && code_point <= 0x0D);
    if (code_point < 0x1680) return code_point == 0x85 || code_point == 0xA0;
    return code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200A) ||
           code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202F ||
           code_point == 0x205F || code_point == 0x3000;
}

static bool is_mark(uint32_t code_point)
{
    utf8proc_category_t is = category(code_point);
    return is >= UTF8PROC_CATEGORY_MN && is <= UTF8PROC_CATEGORY_ME;
}

bool utf8_is_letter(uint32_t code_point)
{
    utf8proc_category_t is = category(code_point);
    return (is >= UTF8PROC_CATEGORY_LU && is <= UTF8PROC_CATEGORY_LO) || is_mark(code_point);
}

bool utf8_is_number(uint32_t code_point)
{
    utf8proc_category_t is = category(code_point);
    return is >= UTF8PROC_CATEGORY_ND && is <= UTF8PROC_CATEGORY_NO;
}

bool utf8_is_control(uint32_t code_point)
{
    utf8proc_category_t is = category(code_point);
    return is == UTF8PROC_CATEGORY_CC || is == UTF8PROC_CATEGORY_CS || is == UTF8PROC_CATEGORY_CN;
}

// By Blocks.txt of Unicode 15; each extension is taken with the unassigned places at its end.
bool utf8_is_han(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
    } blocks[] = {
        {0x3005, 0x3005},   // the iteration mark
        {0x3007, 0x3007},   // the ideographic zero
        {0x3400, 0x4DBF},   // extension A
        {0x4E00, 0x9FFF},   // unified ideographs
        {0xF900, 0xFAFF},   // compatibility ideographs
        {0x20000, 0x2FA1F}, // extensions B … F and the compatibility supplement
        {0x30000, 0x323AF}, // extensions G and H
    };
    if (code_point < blocks[0].first) return false;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (code_point >= blocks[i].first && code_point <= blocks[i].last) return true;
    return false;
}

bool utf8_extends(uint32_t code_point)
{
    return code_point >= 0x300 &&
           (code_point == 0x200C || code_point == 0x200D || is_mark(code_point));
}

int utf8_width(uint32_t code_point)
{
    return code_point > 0x10FFFF ? 1 : utf8proc_charwidth((int32_t)code_point);
}

size_t utf8_text_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        at += utf8_decode(text + at, length - at, &code_point, NULL);
        width += utf8_is_control(code_point) ? 1 : (size_t)utf8_width(code_point);
    }
    return width;
}

size_t utf8_decompose(uint32_t code_point, uint32_t out[MAX_UTF8_DECOMPOSED])
{
    int boundary = 0;
    utf8proc_ssize_t count =
        utf8proc_decompose_char((int32_t)code_point, (int32_t *)out, MAX_UTF8_DECOMPOSED,
                                UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &boundary);
    if (count >= 1 && count <= MAX_UTF8_DECOMPOSED) return (size_t)count;
    out[0] = code_point;
    return 1;
}

uint8_t utf8_combining_class(uint32_t code_point)
{
    return code_point < 0x300
               ? 0
               : (uint8_t)utf8proc_get_property((int32_t)code_point)->combining_class;
}

size_t utf8_compose(uint32_t *code_points, size_t count)
{
    utf8proc_ssize_t composed = utf8proc_normalize_utf32(
        (int32_t *)code_points, (utf8proc_ssize_t)count, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    return composed < 0 ? count : (size_t)composed;
}
