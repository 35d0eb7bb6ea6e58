#include "reading/untranslated_spans.h"

#include "base/ascii.h"
#include "reading/address.h"
#include "reading/variable.h"
#include "text/html_reference.h"
#include "text/utf8.h"
#include "text/word_list.h"

enum { SMALL_OF_CAMEL = 2, MOST_OF_WORD = 100 };                      // bytes
enum { MONTH = 0x6708, MONTH_DIGITS = 2, FIRST_BEYOND_ASCII = 0x80 }; // 月
enum { GROUP = 3, LIST_GROUPS = 3, HOUR_DIGITS = 2, MINUTE_DIGITS = 2 };

/* Symbols of units, the same in all languages (The International System of Units,
 * 9th edition, section 5.2). Those that are words too, such as A, are left out. */
static const char units[] = "m km cm mm nm µm μm m² km² cm² m³ cm³ m2 km2 cm2 mm2 m3 cm3 km/h m/s "
                            "g kg mg µg μg l L ml "
                            "mL cl cL dl dL W kW MW kWh V kV mV Hz kHz MHz GHz kB KB MB GB TB "
                            "kbit/s Mbit/s Gbit/s min ms °C °F ° ℃ ℉";

typedef struct Scan {
    Spans *spans;
    const char *text;
    size_t length;
    size_t no_number; // numbers that begin before this place run into a word
    Error *error;
} Scan;

static char byte_at(const Scan *scan, size_t at)
{
    return at < scan->length ? scan->text[at] : '\0';
}

// The character at a place, 0 at the end.
static uint32_t character(const Scan *scan, size_t at)
{
    return utf8_at(scan->text, scan->length, at);
}

// Whether what stands at a place goes on with the word before it.
static bool goes_on(const Scan *scan, size_t at)
{
    return utf8_is_in_word(character(scan, at));
}

static size_t behind(const Scan *scan, size_t at)
{
    (void)utf8_next(scan->text, scan->length, &at);
    return at;
}

static bool is_part_character(uint32_t c)
{
    return c == '_' || c == '-' || utf8_is_word(c);
}

// Where the backticks that begin at `at` end.
static size_t backticks_end(const Scan *scan, size_t at)
{
    while (byte_at(scan, at) == '`') at++;
    return at;
}

/* Where code in backticks ends. None stands at a word's edge but outside: LaTeX's `quotation' is no
 * code. */
static size_t code_end(const Scan *scan, size_t begin, uint32_t before)
{
    size_t from = backticks_end(scan, begin);
    if (from == scan->length || utf8_is_in_word(before)) return begin;
    const char *next = memchr(scan->text + from, '`', scan->length - from);
    if (!next) return begin;
    size_t close = (size_t)(next - scan->text), end = backticks_end(scan, close);
    bool spaced = scan->text[from] == ' ' || scan->text[close - 1] == ' ';
    bool inside = utf8_is_in_word(character(scan, end));
    return end - close == from - begin && !spaced && !inside ? end : begin;
}

// Where a tag ends, whose sign is at `begin`.
static size_t tag_end(const Scan *scan, size_t begin)
{
    bool letter = false;
    size_t at = begin + 1;
    for (size_t next = at; at < scan->length; at = next) {
        uint32_t c = utf8_next(scan->text, scan->length, &next);
        bool named = utf8_is_word(c) && address_is_word_character(c);
        if (!named && c != '_') break;
        letter |= utf8_is_letter(c);
    }
    return letter ? at : begin;
}

// Where a mention ends that is the word from `begin` to `end`, such as @user@example.org.
static size_t mention_end(const Scan *scan, size_t begin, size_t end)
{
    if (scan->text[begin] != '@') return begin;
    while (end > begin && strchr("._-+@/\\~%", scan->text[end - 1])) end--;
    return end > begin && utf8_is_word(character(scan, begin + 1)) ? end : begin;
}

// foo.bar()
static size_t call_end(const Scan *scan, size_t begin, size_t end)
{
    if (byte_at(scan, end) != '(' || byte_at(scan, end + 1) != ')') return begin;
    for (size_t i = begin; i < end; i++) {
        char c = scan->text[i];
        bool letter = ascii_is_letter(c) || c == '_';
        if (!letter && (i == begin || (!ascii_is_digit(c) && c != '.'))) return begin;
    }
    return end + 2;
}

// snake_case: an underscore between letters or numbers.
static bool is_snake(const char *part, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++)
        if (part[i] == '_' && !strchr("_-", part[i - 1]) && !strchr("_-", part[i + 1])) return true;
    return false;
}

static bool is_camel(const char *part, size_t length)
{
    size_t small = 0, capitals = 0;
    while (small < length && ascii_is_small(part[small])) small++;
    for (size_t i = small; i < length; i++) {
        if (!ascii_is_alphanumeric(part[i])) return false;
        capitals += ascii_is_capital(part[i]);
    }
    return small >= SMALL_OF_CAMEL && capitals > 0;
}

/* A380-X2, H₂O and 3f2a9c: a digit behind a letter, or in capitals behind a hyphen, too. Digits before
 * letters are a number with its ending, 21st or 80S, but for 3B and 5G. Other numbers than those of
 * digits are read by no model: ½, ①; yet m² is a unit. */
static bool is_code(TextView part)
{
    const size_t digits = text_view_digits_end(part, 0);
    const bool small = utf8_has(part.data, part.length, utf8_is_lower);
    uint32_t before = 0;
    if (word_list_has(units, part.data, part.length)) return false;
    for (size_t at = 0; at < part.length;) {
        const uint32_t c = utf8_next(part.data, part.length, &at);
        if (c == '-' && !small) continue;
        const bool cased = utf8_is_lower(before) || utf8_is_upper(before);
        if (utf8_is_number(c) && (cased || c >= FIRST_BEYOND_ASCII)) return true;
        before = c;
    }
    return digits > 0 && digits + 1 == part.length && strchr("ABCDFGK", part.data[digits]);
}

static bool is_identifier(TextView part)
{
    return is_snake(part.data, part.length) || is_camel(part.data, part.length) || is_code(part);
}

// Whether a place is inside of a word such as v2.0.
static bool is_behind_mark(const Scan *scan, size_t at)
{
    return at > 1 && strchr(".,:", scan->text[at - 1]) &&
           ((unsigned char)scan->text[at - 2] >= FIRST_BEYOND_ASCII ||
            is_part_character((unsigned char)scan->text[at - 2]));
}

// Behind the digit at a place, a common or a full-width one; the place if there is none.
static size_t digit_end(const Scan *scan, size_t at)
{
    enum { FULL_ZERO = 0xFF10, FULL_NINE = 0xFF19, FULL_LENGTH = 3 };
    if (ascii_is_digit(byte_at(scan, at))) return at + 1;
    uint32_t c = character(scan, at);
    return c >= FULL_ZERO && c <= FULL_NINE ? at + FULL_LENGTH : at;
}

static size_t digits_end(const Scan *scan, size_t at)
{
    for (size_t next; (next = digit_end(scan, at)) > at;) at = next;
    return at;
}

// The exponent of 3e10 and 1.5E-7, behind the digits that end at `at`.
static size_t exponent_end(const Scan *scan, size_t at)
{
    if (byte_at(scan, at) != 'e' && byte_at(scan, at) != 'E') return at;
    size_t digits = at + 1;
    if (byte_at(scan, digits) == '-' || byte_at(scan, digits) == '+') digits++;
    size_t end = digits_end(scan, digits);
    return end > digits && !goes_on(scan, end) ? end : at;
}

// Digits with marks between them, and groups of three behind a space.
static size_t marked_end(const Scan *scan, size_t begin)
{
    size_t at = digits_end(scan, begin), end = at;
    bool spaced = at - begin <= GROUP;
    for (size_t next; at < scan->length && strchr(".,:/- ", scan->text[at]); end = at = next) {
        next = digits_end(scan, at + 1);
        bool group = scan->text[at] == ' ' && spaced && next - at == 1 + GROUP;
        if (next == at + 1 || (scan->text[at] == ' ' && !group)) break;
        spaced = group;
    }
    return exponent_end(scan, end);
}

// Where groups of digits end, one behind `at` and the others behind spaces; `at` if they are few.
static size_t list_end(const Scan *scan, size_t begin, size_t at)
{
    size_t groups = digits_end(scan, begin) == at, end = at;
    while (groups > 0 && byte_at(scan, end) == ' ') {
        size_t next = digits_end(scan, end + 1);
        if (next == end + 1 || goes_on(scan, next)) break;
        end = next;
        groups++;
    }
    return groups >= LIST_GROUPS ? end : at;
}

// A unit's symbol at `at` or behind a space there; an elided word is none: 10 m'ont dit.
static size_t unit_end(const Scan *scan, size_t at)
{
    const TextView text = {scan->text, scan->length};
    const size_t begin = at + (byte_at(scan, at) == ' ');
    const char *list = units;
    for (TextView unit; word_list_next(&list, &unit);) {
        const size_t end = begin + unit.length;
        if (end > at && text_view_has_at(text, begin, unit) && !goes_on(scan, end) &&
            !utf8_is_apostrophe(character(scan, end)))
            at = end;
    }
    return at;
}

// 9h30 and 8 h 05, of which the digits before h end at `at`.
static size_t time_end(const Scan *scan, size_t begin, size_t at)
{
    size_t hour = at + (byte_at(scan, at) == ' ');
    if (at - begin > HOUR_DIGITS || ascii_to_small(byte_at(scan, hour)) != 'h') return at;
    size_t minutes = hour + 1 + (byte_at(scan, hour + 1) == ' ');
    size_t end = digits_end(scan, minutes);
    bool minute = end - minutes == MINUTE_DIGITS && !goes_on(scan, end);
    return minute ? unit_end(scan, end) : at;
}

// A sign or a unit.
static size_t sign_end(const Scan *scan, size_t at)
{
    size_t sign = at + (byte_at(scan, at) == ' ');
    if (!utf8_is_among(character(scan, sign), "%‰€£¥$")) return unit_end(scan, at);
    (void)utf8_next(scan->text, scan->length, &sign);
    // 5 £15: the sign may be that of the number behind it, or of a word: 5 $US, 5%d
    return ascii_is_alphanumeric(byte_at(scan, sign)) ? at : sign;
}

// Where a number ends that may begin at `begin`; letters do not follow: 6th is for the model, and so
// is 5月, May.
static size_t find_number(Scan *scan, size_t begin)
{
    if (begin < scan->no_number || digit_end(scan, begin) == begin) return begin;
    if (is_behind_mark(scan, begin)) return begin;
    size_t digits = marked_end(scan, begin), end = list_end(scan, begin, digits);
    if (end == digits) end = time_end(scan, begin, digits);
    if (end == digits && digits < scan->length) end = sign_end(scan, digits);
    bool month = digits - begin <= MONTH_DIGITS && character(scan, digits) == MONTH;
    if (end > digits || !(goes_on(scan, digits) || month)) return end;
    scan->no_number = digits; // nor is it a number from a later place
    return begin;
}

// Where a number begins whose digits begin at `at`: with #, a sign or a currency before them, but a
// minus or # not behind a word: C#5, pages 4 -5.
static size_t number_begin(const Scan *scan, size_t at)
{
    uint32_t sign = utf8_before(scan->text, at);
    char bytes[4];
    bool currency = utf8_is_among(sign, "+$€£¥￥");
    if (!currency && !utf8_is_among(sign, "-−#")) return at;
    size_t begin = at - utf8_encode(sign, bytes);
    bool behind_word = utf8_is_in_word(utf8_before(scan->text, begin));
    return currency || !behind_word ? begin : at;
}

/* A sign that relates or points: < = > ~ → ©. Others are read: °, a Chinese zero, and what is a kind of
 * apostrophe, dash or accent. */
static bool is_sign(uint32_t c)
{
    return utf8_is_among(c, "§¶†‡") ||
           ((utf8_is_symbol(c) || utf8_is_math(c)) && !utf8_is_among(c, "°´`¨^～○"));
}

// The letter that stands alone at a place, as a variable does.
static bool is_letter_alone(const Scan *scan, size_t at)
{
    return ascii_is_letter(byte_at(scan, at)) && !goes_on(scan, at + 1) &&
           !utf8_is_among(character(scan, at + 1), "'’.") &&
           !utf8_is_in_word(utf8_before(scan->text, at));
}

static bool relates(uint32_t c)
{
    return is_sign(c) && utf8_is_math(c) && c != '|';
}

static bool is_operand(uint32_t c)
{
    return is_sign(c) || utf8_is_number(c);
}

// Where the last span ends, if a space leads from there to a place and a character of a class is before
// it; else the place.
static size_t join_begin(const Scan *scan, size_t begin, bool (*is)(uint32_t))
{
    const Spans *spans = scan->spans;
    const size_t last = spans->count > 0 ? spans->items[spans->count - 1].end : begin;
    const bool joined = last + 1 == begin && scan->text[last] == ' ';
    return joined && is(utf8_before(scan->text, last)) ? last : begin;
}

// Adds a sign, of mathematics with what it relates, as one span: 5 < 7, x > y; a + or − only between
// such. *end is behind it.
static Status add_sign(Scan *scan, size_t sign, size_t *end)
{
    const uint32_t c = character(scan, sign);
    const size_t after = behind(scan, sign), space = byte_at(scan, after) == ' ';
    size_t begin = sign;
    *end = after;
    if (relates(c) && sign > space && space == (scan->text[sign - 1] == ' ')) {
        if (is_letter_alone(scan, sign - space - 1)) begin = sign - space - 1;
        if (is_letter_alone(scan, after + space)) *end = after + space + 1;
        begin = join_begin(scan, begin, is_operand);
    }
    const bool between =
        begin < sign && (*end > after || ascii_is_digit(byte_at(scan, after + space)));
    if (utf8_is_among(c, "+−") && !between) {
        *end = after;
        return STATUS_OK;
    }
    return spans_add(scan->spans, (Span){begin, *end}, scan->error);
}

// Adds a number, with the sign that relates it to what is before it.
static Status add_number(Scan *scan, Span number)
{
    number.begin = join_begin(scan, number.begin, relates);
    return spans_add(scan->spans, number, scan->error);
}

// v2 and v1.2.3
static size_t version_end(const Scan *scan, size_t begin)
{
    size_t end = begin + 1;
    if (byte_at(scan, begin) != 'v' && byte_at(scan, begin) != 'V') return begin;
    for (size_t next; (next = digits_end(scan, end)) > end; end = next + 1)
        if (byte_at(scan, next) != '.' || digit_end(scan, next + 1) == next + 1)
            return goes_on(scan, next) ? begin : next;
    return begin;
}

/* Adds the spans among the parts of the word from *place to `end`, which other characters separate,
 * and moves to its end, or behind it, where a number goes on over a space. */
static Status add_parts(Scan *scan, size_t *place, size_t end)
{
    for (size_t at = *place, next; at < end; at = *place = next) {
        size_t stop = next = at;
        while (stop < end && is_part_character(utf8_next(scan->text, end, &next))) stop = next;
        if (stop > at) next = stop;
        while (at < stop && scan->text[at] == '-') at++;
        while (stop > at && scan->text[stop - 1] == '-') stop--;
        const char *part = scan->text + at;
        size_t length = stop - at;
        size_t number = find_number(scan, at), version = version_end(scan, at);
        if (length == 0) {
            if (is_sign(character(scan, *place))) TRY(add_sign(scan, *place, &next));
        } else if (version > at) {
            TRY(spans_add(scan->spans, (Span){at, version}, scan->error));
            next = version;
        } else if (number < stop && is_identifier((TextView){part, length})) {
            TRY(spans_add(scan->spans, (Span){at, stop}, scan->error));
        } else if (number > at) {
            TRY(add_number(scan, (Span){number_begin(scan, at), number}));
            if (number > next) next = number;
        }
    }
    return STATUS_OK;
}

// Whether a word has more of ASCII than words do: it is data.
static bool is_too_long(const char *word, size_t length)
{
    size_t ascii = 0;
    for (size_t i = 0; i < length; i++) ascii += (unsigned char)word[i] < FIRST_BEYOND_ASCII;
    return ascii > MOST_OF_WORD;
}

// Adds the spans of the word that begins at *at, and moves past them and it.
static Status add_word(Scan *scan, size_t *at)
{
    size_t begin = *at;
    size_t end = utf8_run_end(scan->text, scan->length, begin, address_is_word_character);
    if (end == begin) end = digits_end(scan, begin); // full-width ones
    size_t found = mention_end(scan, begin, end);
    if (found == begin) found = address_end(scan->text, scan->length, begin, end);
    if (found == begin) found = call_end(scan, begin, end);
    if (found == begin && is_too_long(scan->text + begin, end - begin)) found = end;
    if (found == begin) return add_parts(scan, at, end);
    *at = found;
    return spans_add(scan->spans, (Span){begin, found}, scan->error);
}

/* Adds an &, which is read alike in all languages: with the reference that it begins, as &eacute;
 * is one, with the words around it if both begin with capitals, as in AT&T, or else alone. */
static Status add_ampersand(Scan *scan, size_t *at)
{
    size_t begin = *at, end = begin;
    (void)html_character(scan->text, scan->length, &end);
    if (scan->text[end - 1] != ';') {
        size_t word = begin;
        end = begin + 1;
        while (word > 0 && ascii_is_letter(scan->text[word - 1])) word--;
        if (ascii_is_capital(scan->text[word]) && ascii_is_capital(byte_at(scan, end))) {
            begin = word;
            while (ascii_is_letter(byte_at(scan, end))) end++;
        }
    }
    *at = end;
    return spans_add(scan->spans, (Span){begin, end}, scan->error);
}

/* Where the emoji that begins at a place ends; the place if there is none. It is a character as people
 * see them (utf8_cluster_end): a picture, or what U+FE0F or U+20E3 (keycap) makes one. */
static size_t emoji_end(const Scan *scan, size_t begin)
{
    enum { KEYCAP = 0x20E3, AS_EMOJI = 0xFE0F };
    const TextView text = {scan->text, scan->length};
    const size_t second = behind(scan, begin);
    size_t last = second;
    if (character(scan, second) == AS_EMOJI) last = behind(scan, second);
    const bool ascii = second == begin + 1, keycap = character(scan, last) == KEYCAP;
    const bool made = ascii ? keycap : last > second;
    return made || utf8_is_picture(character(scan, begin)) ? utf8_cluster_end(text, begin) : begin;
}

// Adds the span of several characters that begins at *at if it does, and moves past what was read.
static Status add_next(Scan *scan, size_t *at, uint32_t before)
{
    size_t begin = *at, end = emoji_end(scan, begin);
    uint32_t c = character(scan, begin);
    if (end == begin && c == '`') end = code_end(scan, begin, before);
    if (end == begin) end = variable_end((TextView){scan->text, scan->length}, begin);
    if (end == begin && c == '#' && !utf8_is_in_word(before)) end = tag_end(scan, begin);
    if (end == begin && (address_is_word_character(c) || digit_end(scan, begin) > begin))
        return add_word(scan, at);
    if (end == begin && c == '&') return add_ampersand(scan, at);
    if (c == '`' && end == begin) {
        *at = backticks_end(scan, begin);
        return STATUS_OK;
    }
    (void)utf8_next(scan->text, scan->length, at);
    bool private_use = (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000;
    if (end == begin && is_sign(c)) return add_sign(scan, begin, at);
    if (end == begin && !private_use) return STATUS_OK;
    if (end > begin) *at = end;
    return spans_add(scan->spans, (Span){begin, *at}, scan->error);
}

Status untranslated_spans_find(Spans *spans, const char *text, size_t length, Error *error)
{
    Scan scan = {.spans = spans, .text = text, .length = length, .error = error};
    Status status = STATUS_OK;
    spans->count = 0;
    for (size_t at = 0; at < length && !status;)
        status = add_next(&scan, &at, utf8_before(text, at));
    if (status) spans->count = 0;
    return status;
}
