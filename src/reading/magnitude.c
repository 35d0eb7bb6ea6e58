#include "reading/magnitude.h"

#include "base/ascii.h"
#include "reading/numeral.h"
#include "text/utf8.h"
#include "text/word_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

enum { GROUP = 3, LARGE = 4, MOST_DIGITS = 15 };

// A number as it is read, 三亿五千: digits, then words for powers of ten.
typedef struct Number {
    TextView text;
    size_t at;
    uint64_t total;   // 三亿
    uint64_t section; // of powers below LARGE: 五千
    uint64_t digits;  // without a power yet
    size_t count;     // of these; 0: there are none
    int decimals;     // of these
    bool zero;        // before these
    int power;        // the last one read; 0: none
} Number;

static uint64_t power_of_ten(int power)
{
    return power > 0 ? 10 * power_of_ten(power - 1) : 1;
}

// Moves behind the word of a list that stands there, behind a space or not; its value, or -1.
static int read_word(Number *number, const char *words)
{
    TextView text = number->text;
    int value;
    for (TextView word; word_list_next_numbered(&words, &value, &word, '>');) {
        size_t begin = number->at + (text_view_at(text, number->at) == ' ');
        size_t end = begin + word.length;
        if (end > text.length || strncasecmp(text.data + begin, word.data, word.length) != 0)
            continue;
        if (utf8_is_inside_word(text, end)) continue;
        number->at = end;
        return value;
    }
    return -1;
}

bool magnitude_is_word(TextView text, size_t at, const Language *language)
{
    return read_word(&(Number){.text = text, .at = at}, language->magnitudes) >= 0;
}

// 150, 1.5 or 1,000
static bool read_digits(Number *number)
{
    TextView text = number->text;
    bool point = false;
    for (size_t at = number->at; at < text.length; at++) {
        const char c = text.data[at];
        bool mark = number->count > 0 && !point && (c == '.' || c == ',');
        if (!ascii_is_digit(c) && !mark) break;
        point |= c == '.';
        if (mark) continue;
        number->digits = 10 * number->digits + (uint64_t)(c - '0');
        number->decimals += point;
        number->at = at + 1;
        if (++number->count > MOST_DIGITS) return false;
    }
    return number->count > 0;
}

// 3万 and 三万, but not 三四万, which is about so many; behind a zero there may be fewer digits.
static void read_numeral(Number *number, const Language *language)
{
    size_t begin = number->at;
    if (read_digits(number)) return;
    int digit = read_word(number, language->digits);
    number->zero = digit == 0;
    if (digit == 0) digit = read_word(number, language->digits);
    number->count = digit > 0;
    number->digits = digit > 0 ? (uint64_t)digit : 0;
    if (digit <= 0) number->at = begin;
}

// Whether a number goes on with a power of ten.
static bool take_power(Number *number, int power)
{
    const uint64_t unit = power_of_ten(power), most = power_of_ten(MOST_DIGITS);
    if (number->count == 0 && number->section == 0 && power == 1) number->digits = 1; // 十万
    uint64_t *part = power < LARGE ? &number->digits : &number->section;
    if (power >= LARGE) number->section += number->digits;
    if (power >= LARGE && number->section == 0) part = &number->total; // 万亿
    if (*part == 0 || *part > most / unit) return false;
    const uint64_t value = *part * unit, share = power_of_ten(number->decimals);
    if (value % share != 0) return false;
    *part = 0;
    *(power < LARGE ? &number->section : &number->total) += value / share;
    number->digits = number->count = 0;
    number->decimals = 0;
    number->power = power;
    return true;
}

static bool has_power(const Language *language, int power)
{
    const char *words = language->magnitudes;
    int value;
    for (TextView word; word_list_next_numbered(&words, &value, &word, '>');)
        if (value == power) return true;
    return false;
}

// Whether a number, or a word for an uncertain one, is before a place: 几十万.
static bool is_begun(TextView text, size_t at, const Language *language)
{
    char bytes[5] = "";
    const uint32_t c = utf8_before(text.data, at);
    if (c < 0x80) return utf8_is_among(c, "0123456789.,");
    utf8_encode(c, bytes);
    return (language->digits && strstr(language->digits, bytes)) ||
           strstr(language->magnitudes, bytes);
}

// Reads digits and words for powers of ten, of which it tells those that `other`, unless it is NULL, lacks.
static bool read_powers(Number *number, const Language *language, const Language *other,
                        bool *lacking)
{
    const size_t begin = number->at;
    for (int power;; *lacking |= other && power >= LARGE && !has_power(other, power)) {
        read_numeral(number, language);
        if (number->at == begin && number->text.data[begin] == ' ') return false;
        if ((power = read_word(number, language->magnitudes)) < 0) return number->at > begin;
        if (!take_power(number, power)) return false;
    }
}

bool magnitude_read(TextView text, size_t *at, const Language *language, uint64_t *value)
{
    Number number = {.text = text, .at = *at};
    bool lacking = false;
    if (*at == text.length || !read_powers(&number, language, NULL, &lacking)) return false;
    *value = number.total + number.section + number.digits;
    *at = number.at;
    return number.decimals == 0;
}

// Whether a number written in words has several digits, 三百五十六, which are seldom all translated.
static bool is_compound(const Number *number, const Language *language)
{
    uint64_t value = number->total + number->section + number->digits;
    if (!language->digits || value < power_of_ten(GROUP - 1)) return false;
    while (value % 10 == 0) value /= 10;
    return value >= 10;
}

// Whether a currency's sign is before a number, which the target writes behind it.
static bool is_price(TextView text, size_t begin, const Language *target)
{
    return target->signs_behind && utf8_is_among(utf8_before(text.data, begin), NUMERAL_CURRENCIES);
}

size_t magnitude_end(TextView text, size_t begin, const Language *const languages[2],
                     uint64_t *value)
{
    Number number = {.text = text, .at = begin};
    bool lacking = false;
    if (!languages[0] || !languages[0]->magnitudes || !languages[1]) return begin;
    if (is_begun(text, begin, languages[0])) return begin;
    if (!read_powers(&number, languages[0], languages[1], &lacking)) return begin;
    // 三万五 is 35,000
    lacking |= is_compound(&number, languages[0]) || is_price(text, begin, languages[1]);
    bool whole = number.count == 0 || number.zero || number.power == 1 ||
                 number.count == (size_t)number.power;
    *value = number.total + number.section + number.digits;
    return lacking && whole && number.decimals == 0 ? number.at : begin;
}

static Status write_digits(Bytes *out, uint64_t value, const char *group, Error *error)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % GROUP == 0) TRY(bytes_append_string(out, group, error));
        TRY(bytes_append(out, &digits[i], 1, error));
    }
    return STATUS_OK;
}

Status magnitude_write(Bytes *out, uint64_t value, const Language *language, Error *error)
{
    const char *words = language->magnitudes;
    TextView name = {"", 0};
    uint64_t unit = 1;
    int power;
    for (TextView word; word_list_next_numbered(&words, &power, &word, '<');) {
        if (power < LARGE || value < power_of_ten(power) || value % power_of_ten(power - 3) != 0)
            continue;
        unit = power_of_ten(power); // the largest is the last
        name = word;
    }
    if (name.length == 0) return write_digits(out, value, language->group, error);
    TRY(bytes_append_format(out, error, "%" PRIu64 ".%03" PRIu64, value / unit,
                            value % unit * 1000 / unit));
    size_t end = out->length;
    while (out->data[end - 1] == '0') end--;
    bytes_cut(out, end - (out->data[end - 1] == '.'));
    bool spaced = !utf8_is_han(utf8_at(name.data, name.length, 0));
    return bytes_append_format(out, error, "%s%.*s", spaced ? " " : "", (int)name.length,
                               name.data);
}
