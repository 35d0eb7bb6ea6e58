#include "reading/untranslated_spans.h"

#include "base/ascii.h"
#include "text/address.h"
#include "text/emoji.h"
#include "text/html_reference.h"
#include "text/number.h"
#include "text/utf8.h"

#include <string.h>

enum { SMALL_OF_CAMEL = 2, CODE_CHANGES = 2 };

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

static bool is_private(uint32_t c)
{
    return (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000;
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
    if (from == begin || from == scan->length || utf8_is_in_word(before)) return begin;
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

// A380-X2 and 3M-20X, but not 21ST or 10H30: capitals and digits that begin with a capital, or
// change twice.
static bool is_code(const char *part, size_t length)
{
    size_t changes = 0, capitals = 0;
    char before = '\0';
    for (size_t i = 0; i < length; i++) {
        if (part[i] == '-') continue;
        if (!ascii_is_digit(part[i]) && !ascii_is_capital(part[i])) return false;
        capitals += ascii_is_capital(part[i]);
        changes += before && ascii_is_digit(before) != ascii_is_digit(part[i]);
        before = part[i];
    }
    if (ascii_is_capital(part[0])) return changes > 0;
    return changes >= CODE_CHANGES && capitals >= CODE_CHANGES;
}

// Whether a place is inside of a word such as v2.0.
static bool is_behind_mark(const Scan *scan, size_t at)
{
    return at > 1 && strchr(".,:", scan->text[at - 1]) &&
           ((unsigned char)scan->text[at - 2] >= 0x80 ||
            is_part_character((unsigned char)scan->text[at - 2]));
}

// Where a number ends that may begin at `begin`; letters do not follow: 6th is for the model.
static size_t find_number(Scan *scan, size_t begin)
{
    bool runs_on;
    size_t behind;
    if (begin < scan->no_number || !ascii_is_digit(byte_at(scan, begin))) return begin;
    if (is_behind_mark(scan, begin)) return begin;
    size_t end = number_end(scan->text, scan->length, begin, &runs_on, &behind);
    if (runs_on) scan->no_number = behind; // nor is it a number from a later place
    return end;
}

// Where a number begins whose digits begin at `at`: with a sign or a currency before them.
static size_t number_begin(const Scan *scan, size_t at)
{
    uint32_t sign = utf8_before(scan->text, at);
    char bytes[4];
    return utf8_is_among(sign, "+$€£¥￥") ? at - utf8_encode(sign, bytes) : at;
}

/* Adds the spans among the parts of the word from *place to `end`, which other characters separate,
 * and moves to its end, or behind it, where a number goes on over a space. */
static Status add_parts(Scan *scan, size_t *place, size_t end)
{
    for (size_t at = *place, next; at < end; at = *place = next) {
        size_t stop = next = at;
        while (stop < end && is_part_character(utf8_next(scan->text, end, &next))) stop = next;
        while (at < stop && scan->text[at] == '-') at++;
        while (stop > at && scan->text[stop - 1] == '-') stop--;
        const char *part = scan->text + at;
        size_t length = stop - at;
        size_t number = find_number(scan, at);
        if (length == 0) continue;
        if (is_snake(part, length) || is_camel(part, length) || is_code(part, length)) {
            TRY(spans_add(scan->spans, (Span){at, stop}, scan->error));
        } else if (number > at) {
            TRY(spans_add(scan->spans, (Span){number_begin(scan, at), number}, scan->error));
            if (number > next) next = number;
        }
    }
    return STATUS_OK;
}

// Adds the spans of the word that begins at *at, and moves past them and it.
static Status add_word(Scan *scan, size_t *at)
{
    size_t begin = *at;
    size_t end = utf8_run_end(scan->text, scan->length, begin, address_is_word_character);
    size_t found = mention_end(scan, begin, end);
    if (found == begin) found = address_end(scan->text, scan->length, begin, end);
    if (found == begin) found = call_end(scan, begin, end);
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

// Adds the span of several characters that begins at *at if it does, and moves past what was read.
static Status add_next(Scan *scan, size_t *at, uint32_t before)
{
    size_t begin = *at, end = emoji_end(scan->text, scan->length, begin);
    uint32_t c = character(scan, begin);
    if (end == begin && c == '`') end = code_end(scan, begin, before);
    if (end == begin && c == '#' && !utf8_is_in_word(before)) end = tag_end(scan, begin);
    if (end == begin && address_is_word_character(c)) return add_word(scan, at);
    if (end == begin && c == '&') return add_ampersand(scan, at);
    if (c == '`' && end == begin) {
        *at = backticks_end(scan, begin);
        return STATUS_OK;
    }
    (void)utf8_next(scan->text, scan->length, at);
    if (end == begin && !is_private(c)) return STATUS_OK;
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
