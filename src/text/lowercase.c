#include "text/lowercase.h"

#include "text/utf8.h"

#include <stdbool.h>
#include <utf8proc.h>

enum { CAPITAL_SIGMA = 0x3A3, SMALL_SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2, CAPITAL_I_DOT = 0x130 };

/* Unicode's property Cased: upper, lower and title case letters, and signs and numerals that are
 * upper or lower case. (It also has modifier letters; those are case-ignorable, and this is only
 * asked for what is not.) */
static bool is_cased(uint32_t code_point)
{
    utf8proc_int32_t c = (utf8proc_int32_t)code_point;
    utf8proc_category_t category = utf8proc_category(c);
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
           category == UTF8PROC_CATEGORY_LT || utf8proc_islower(c) || utf8proc_isupper(c);
}

/* Unicode's property Case_Ignorable: Mn, Me, Cf, Lm, Sk, and the marks that may stand inside a word
 * (those whose Word_Break is MidLetter, MidNumLet or Single_Quote, from WordBreakProperty.txt). */
static bool is_case_ignorable(uint32_t code_point)
{
    static const uint16_t inside_word[] = {0x27,   0x2E,   0x3A,   0xB7,   0x387,  0x55F,
                                           0x5F4,  0x2018, 0x2019, 0x2024, 0x2027, 0xFE13,
                                           0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};
    switch (utf8proc_category((utf8proc_int32_t)code_point)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        break;
    }
    for (size_t i = 0; i < sizeof inside_word / sizeof *inside_word; i++)
        if (code_point == inside_word[i]) return true;
    return false;
}

/* Whether the first character of `text` that is not case-ignorable is cased. */
static bool cased_follows(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code_point;
        i += utf8_decode(text + i, length - i, &code_point, NULL);
        if (!is_case_ignorable(code_point)) return is_cased(code_point);
    }
    return false;
}

Status lowercase_append(Bytes *lower, const char *text, size_t length, Error *error)
{
    bool after_cased =
        false; // of the characters before, the last that is not case-ignorable is cased
    for (size_t i = 0; i < length;) {
        uint32_t code_point, small;
        i += utf8_decode(text + i, length - i, &code_point, NULL);
        if (code_point < 0x80) {
            small = code_point + (code_point >= 'A' && code_point <= 'Z' ? 'a' - 'A' : 0);
        } else if (code_point == CAPITAL_SIGMA) {
            bool final = after_cased && !cased_follows(text + i, length - i);
            small = final ? FINAL_SIGMA : SMALL_SIGMA;
        } else if (code_point == CAPITAL_I_DOT) {
            small = 'i';
        } else {
            small = (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point);
        }
        if (!is_case_ignorable(code_point)) after_cased = is_cased(code_point);

        char bytes[8];
        size_t size = utf8_encode(small, bytes);
        if (code_point == CAPITAL_I_DOT) size += utf8_encode(0x307, bytes + size);
        Status status = bytes_append(lower, bytes, size, error);
        if (status) return status;
    }
    return STATUS_OK;
}
