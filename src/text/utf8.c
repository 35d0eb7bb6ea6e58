#include "text/utf8.h"

#include "base/ascii.h"

#include <utf8proc.h>

uint32_t utf8_next(const char *text, size_t length, size_t *at)
{
    uint32_t code_point;
    *at += utf8_decode(text + *at, length - *at, &code_point, NULL);
    return code_point;
}

uint32_t utf8_before(const char *text, size_t at)
{
    size_t begin = at, end;
    if (at == 0) return 0;
    do begin--;
    while (begin > 0 && at - begin < 4 && ((unsigned char)text[begin] & 0xC0) == 0x80);
    end = begin;
    uint32_t code_point = utf8_next(text, at, &end);
    return end == at ? code_point : UTF8_REPLACEMENT;
}

Status utf8_append(Bytes *out, uint32_t code_point, Error *error)
{
    char bytes[4];
    return bytes_append(out, bytes, utf8_encode(code_point, bytes), error);
}

#define IN(name) (1u << UTF8PROC_CATEGORY_##name)

enum {
    SPACES = IN(ZS) | IN(ZL) | IN(ZP),
    MARKS = IN(MN) | IN(MC) | IN(ME),
    LETTERS = IN(LU) | IN(LL) | IN(LT) | IN(LM) | IN(LO),
    NUMBERS = IN(ND) | IN(NL) | IN(NO),
};

// Whether a character is in one of these general categories; Cn is what is no code point at all.
static bool is_in(uint32_t code_point, unsigned categories)
{
    return 1u << utf8proc_category((utf8proc_int32_t)code_point) & categories;
}

bool utf8_is_space(uint32_t code_point)
{
    if (code_point < 0x80) return code_point == ' ' || (code_point >= '\t' && code_point <= '\r');
    return code_point == 0x85 || is_in(code_point, SPACES);
}

bool utf8_is_letter(uint32_t code_point)
{
    return is_in(code_point, LETTERS | MARKS);
}

bool utf8_is_lower(uint32_t code_point)
{
    return is_in(code_point, IN(LL));
}

bool utf8_is_upper(uint32_t code_point)
{
    return is_in(code_point, IN(LU) | IN(LT));
}

uint32_t utf8_to_lower(uint32_t code_point)
{
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point);
}

uint32_t utf8_to_upper(uint32_t code_point)
{
    return (uint32_t)utf8proc_toupper((utf8proc_int32_t)code_point);
}

uint32_t utf8_to_title(uint32_t code_point)
{
    return (uint32_t)utf8proc_totitle((utf8proc_int32_t)code_point);
}

bool utf8_is_number(uint32_t code_point)
{
    return is_in(code_point, NUMBERS);
}

bool utf8_is_in_word(uint32_t code_point)
{
    return (utf8_is_word(code_point) || utf8_extends(code_point)) && !utf8_is_unspaced(code_point);
}

bool utf8_has_word_at(TextView text, size_t at, TextView word)
{
    return text_view_has_at(text, at, word) && !utf8_is_inside_word(text, at) &&
           !utf8_is_inside_word(text, at + word.length);
}

bool utf8_is_control(uint32_t code_point)
{
    return is_in(code_point, IN(CC) | IN(CS) | IN(CN));
}

bool utf8_is_symbol(uint32_t code_point)
{
    return is_in(code_point, IN(SO) | IN(SK));
}

bool utf8_is_math(uint32_t code_point)
{
    return is_in(code_point, IN(SM));
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
           (code_point == 0x200C || code_point == 0x200D || is_in(code_point, MARKS));
}

bool utf8_is_picture(uint32_t code_point)
{
    const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)code_point);
    return (property->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
            property->boundclass == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR) &&
           utf8_is_symbol(code_point);
}

size_t utf8_cluster_end(TextView text, size_t at)
{
    utf8proc_int32_t state = 0;
    for (size_t end = at; at < text.length; at = end) {
        const utf8proc_int32_t c = (utf8proc_int32_t)utf8_next(text.data, text.length, &end);
        const uint32_t next = utf8_at(text.data, text.length, end);
        if (end == text.length ||
            utf8proc_grapheme_break_stateful(c, (utf8proc_int32_t)next, &state))
            return end;
    }
    return at;
}

bool utf8_is_among(uint32_t code_point, const char *characters)
{
    size_t length = strlen(characters);
    for (size_t at = 0; at < length;)
        if (utf8_next(characters, length, &at) == code_point) return true;
    return false;
}

TextView utf8_trimmed(TextView text, uint32_t (*next)(const char *text, size_t length, size_t *at))
{
    size_t first = 0, end = 0;
    for (size_t at = 0; at < text.length;) {
        size_t begin = at;
        if (utf8_is_space(next(text.data, text.length, &at))) continue;
        if (end == 0) first = begin;
        end = at;
    }
    return (TextView){text.data + first, end - first};
}

bool utf8_has(const char *text, size_t length, bool (*is)(uint32_t))
{
    for (size_t at = 0; at < length;)
        if (is(utf8_next(text, length, &at))) return true;
    return false;
}

size_t utf8_run_end(const char *text, size_t length, size_t at, bool (*is)(uint32_t))
{
    for (size_t next = at; at < length; at = next)
        if (!is(utf8_next(text, length, &next))) break;
    return at;
}

int utf8_width(uint32_t code_point)
{
    return utf8proc_charwidth((int32_t)code_point);
}

size_t utf8_text_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code_point = utf8_next(text, length, &at);
        width += utf8_is_control(code_point) ? 1 : (size_t)utf8_width(code_point);
    }
    return width;
}

size_t utf8_decompose(uint32_t code_point, uint32_t out[MAX_UTF8_DECOMPOSED])
{
    int boundary = 0;
    return (size_t)utf8proc_decompose_char((int32_t)code_point, (int32_t *)out, MAX_UTF8_DECOMPOSED,
                                           UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &boundary);
}

uint8_t utf8_combining_class(uint32_t code_point)
{
    return (uint8_t)utf8proc_get_property((int32_t)code_point)->combining_class;
}

size_t utf8_compose(uint32_t *code_points, size_t count)
{
    return (size_t)utf8proc_normalize_utf32((int32_t *)code_points, (utf8proc_ssize_t)count,
                                            UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

enum { CAPITAL_SIGMA = 0x3A3, SMALL_SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2 };
enum { CAPITAL_I_DOT = 0x130, DOT_ABOVE = 0x307 };

/* Unicode's property Cased: upper, lower and title case letters, and signs and numerals that are
 * upper or lower case. (It also has modifier letters; those are case-ignorable, and this is called
 * only for what is not.) */
static bool is_cased(uint32_t code_point)
{
    utf8proc_int32_t c = (utf8proc_int32_t)code_point;
    return is_in(code_point, IN(LT)) || utf8proc_islower(c) || utf8proc_isupper(c);
}

/* Unicode's property Case_Ignorable: Mn, Me, Cf, Lm, Sk, and the marks that may occur inside a word
 * (those whose Word_Break is MidLetter, MidNumLet or Single_Quote, from WordBreakProperty.txt). */
static bool is_case_ignorable(uint32_t code_point)
{
    static const uint16_t inside_word[] = {0x27,   0x2E,   0x3A,   0xB7,   0x387,  0x55F,
                                           0x5F4,  0x2018, 0x2019, 0x2024, 0x2027, 0xFE13,
                                           0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};
    if (is_in(code_point, IN(MN) | IN(ME) | IN(CF) | IN(LM) | IN(SK))) return true;
    for (size_t i = 0; i < sizeof inside_word / sizeof *inside_word; i++)
        if (code_point == inside_word[i]) return true;
    return false;
}

/* Whether the first character of `text` that is not case-ignorable is cased. */
static bool cased_follows(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code_point = utf8_next(text, length, &i);
        if (!is_case_ignorable(code_point)) return is_cased(code_point);
    }
    return false;
}

Status utf8_append_lowercase(Bytes *out, const char *text, size_t length, Error *error)
{
    bool after_cased = false; // whether the last character that is not case-ignorable was cased
    for (size_t i = 0; i < length;) {
        uint32_t code_point = utf8_next(text, length, &i), small;
        if (code_point < 0x80) {
            small = (unsigned char)ascii_to_small((char)code_point);
        } else if (code_point == CAPITAL_SIGMA) {
            bool final = after_cased && !cased_follows(text + i, length - i);
            small = final ? FINAL_SIGMA : SMALL_SIGMA;
        } else if (code_point == CAPITAL_I_DOT) {
            small = 'i';
        } else {
            small = utf8_to_lower(code_point);
        }
        if (!is_case_ignorable(code_point)) after_cased = is_cased(code_point);
        TRY(utf8_append(out, small, error));
        if (code_point == CAPITAL_I_DOT) {
            TRY(utf8_append(out, DOT_ABOVE, error));
        }
    }
    return STATUS_OK;
}
