#include "reading/numeral.h"

#include "base/ascii.h"
#include "reading/magnitude.h"
#include "reading/term.h"
#include "text/utf8.h"

enum { GROUP = 3, MOST_READ = 5 }; // digits and marks of one that is read as it stands

// A numeral by its parts, of which all but the whole number may be empty.
typedef struct Numeral {
    TextView sign, currency; // € before or behind it
    TextView whole;          // with marks between its groups
    TextView decimals;
    TextView unit; // with the space before it
    TextView percent;
    size_t groups;
} Numeral;

// Takes so many bytes from the beginning of the text.
static TextView take(TextView *text, size_t length)
{
    const TextView taken = {text->data, length};
    *text = text_view_from(*text, length);
    return taken;
}

// Takes a character if it is one of these.
static TextView take_sign(TextView *text, const char *signs)
{
    size_t end = 0;
    const bool found =
        text->length > 0 && utf8_is_among(utf8_next(text->data, text->length, &end), signs);
    return take(text, found ? end : 0);
}

static TextView take_digits(TextView *text)
{
    return take(text, text_view_digits_end(*text, 0));
}

// Digits behind a mark, which are taken with it; none if there are not so many, or any for 0.
static TextView take_marked(TextView *text, const char *mark, size_t count)
{
    const bool marked = text_view_at(*text, 0) == *mark;
    TextView rest = text_view_from(*text, marked), digits = take_digits(&rest);
    if (!marked || (count > 0 && digits.length != count)) digits.length = 0;
    if (digits.length > 0) *text = rest;
    return digits;
}

// % and a currency close to a numeral or behind a space, or a unit; false if there is more.
static bool read_behind(Numeral *numeral, TextView text)
{
    const TextView unit = text;
    take_sign(&text, " ");
    numeral->percent = take_sign(&text, "%‰");
    if (numeral->currency.length == 0) numeral->currency = take_sign(&text, NUMERAL_CURRENCIES);
    if (text.length == 0) return true;
    numeral->unit = unit;
    for (size_t i = 0; i < unit.length; i++)
        if (ascii_is_digit(unit.data[i])) return false;
    return text.data == unit.data + (*unit.data == ' ');
}

// Reads a span; false if it is no numeral of the language.
static bool read_numeral(Numeral *numeral, TextView text, const Language *language)
{
    *numeral = (Numeral){.sign = take_sign(&text, "+-−")};
    numeral->currency = take_sign(&text, NUMERAL_CURRENCIES);
    numeral->whole = take_digits(&text);
    size_t first = numeral->whole.length;
    if (first == 0) return false;
    if (first <= GROUP && *numeral->whole.data != '0')
        while (take_marked(&text, language->group, GROUP).length > 0) numeral->groups++;
    numeral->whole.length += numeral->groups * (1 + GROUP);
    numeral->decimals = take_marked(&text, language->decimal, 0);
    return read_behind(numeral, text);
}

/* Whether a numeral counts or measures. A point may also be that of a version or a chapter, which no
 * language writes as a comma. */
static bool is_quantity(const Numeral *numeral, TextView text, size_t end, const Language *source)
{
    if (numeral->decimals.length == 0 || *source->decimal == ',') return true;
    size_t marks = numeral->unit.length + numeral->percent.length + numeral->currency.length;
    if (numeral->groups > 0 || marks > 0) return true;
    if (text_view_at(text, end) != ' ') return false;
    const size_t begin = (size_t)(numeral->whole.data - text.data);
    return (utf8_is_lower(utf8_at(text.data, text.length, end + 1)) &&
            term_is_behind(text, begin, source, WORDS_BEFORE_QUANTITY)) ||
           term_at(text, end + 1, source, WORDS_COUNTED).text.length > 0 ||
           magnitude_is_word(text, end + 1, source);
}

static bool is_digit_at(TextView text, size_t at)
{
    return ascii_is_digit(text_view_at(text, at));
}

// Whether one word behind another number leads to a place, as in 2.5 to 3.5 and 5 à 10 €. That number
// has the mark, unless the mark is NUL.
static bool is_second(TextView text, size_t begin, char mark)
{
    size_t at = begin - (text_view_at(text, begin - 1) == ' ');
    bool marked = mark == '\0';
    while (at > 0 && !strchr(" ,;:.!?)", text.data[at - 1])) at--;
    if (text_view_at(text, at - 1) != ' ' || !is_digit_at(text, at - 2)) return false;
    for (at--; at > 0 && strchr("0123456789.,", text.data[at - 1]); at--)
        marked |= text.data[at - 1] == mark;
    return marked && !utf8_is_among(utf8_before(text.data, at), NUMERAL_CURRENCIES);
}

// Whether characters are a mark and what begins or ends a number.
static bool is_link(uint32_t mark, uint32_t number)
{
    return utf8_is_among(mark, "-–—~'’") &&
           (utf8_is_number(number) || utf8_is_among(number, NUMERAL_CURRENCIES));
}

// Whether a mark joins a numeral with another: $10–15, 1'250.
static bool is_joined(TextView text, Span span)
{
    char bytes[4];
    const uint32_t before = utf8_before(text.data, span.begin);
    const size_t mark = span.begin - (before ? utf8_encode(before, bytes) : 0);
    if (is_link(before, utf8_before(text.data, mark))) return true;
    size_t next = span.end;
    const uint32_t after = next < text.length ? utf8_next(text.data, text.length, &next) : 0;
    return is_link(after, utf8_at(text.data, text.length, next));
}

// Whether a text has a dollar sign that is at no number, as formulas do: $x = 5$.
static bool has_formula(TextView text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] != '$' || is_digit_at(text, i + 1)) continue;
        const size_t end = i - (text_view_at(text, i - 1) == ' ');
        if (!is_digit_at(text, end - 1)) return true;
    }
    return false;
}

// Whether a sign may be that of more than the numeral: US$5, $5 million, 5 à 10 €, £2m.
static bool has_other_currency(const Numeral *numeral, TextView text, Span span,
                               const Language *source)
{
    const TextView currency = numeral->currency;
    const bool behind = currency.data > numeral->whole.data;
    return numeral->unit.length > 0 || utf8_is_in_word(utf8_before(text.data, span.begin)) ||
           magnitude_is_word(text, span.end, source) ||
           (behind && is_second(text, span.begin, '\0')) ||
           (*currency.data == '$' && has_formula(text));
}

/* Whether a numeral may be part of another, or a telephone number or a code, whose groups stay:
 * +33 800 123 456, code 123 456. */
static bool is_part(const Numeral *numeral, TextView text, Span span, const Language *source)
{
    const size_t begin = span.begin, end = span.end, currency = numeral->currency.length;
    const bool space = text_view_at(text, end) == ' ';
    if (space && is_digit_at(text, end + 1)) return true;
    if ((currency > 0 || numeral->decimals.length > 0) && is_joined(text, span)) return true;
    if (currency > 0) return has_other_currency(numeral, text, span, source);
    if (*source->decimal == '.') return numeral->decimals.length > 0 && is_second(text, begin, '.');
    if (numeral->groups == 0) return false;
    if (text_view_at(text, begin - 1) == ' ' && is_digit_at(text, begin - 2)) return true;
    const TextView whole = numeral->whole;
    const bool round = memcmp(whole.data + whole.length - GROUP, "000", GROUP) == 0;
    if (end != begin + numeral->sign.length + whole.length) return false;
    if (numeral->sign.length > 0 && *numeral->sign.data == '+') return true;
    return whole.length % (1 + GROUP) == GROUP && !round &&
           !(space && utf8_is_lower(utf8_at(text.data, text.length, end + 1)));
}

/* Appends a span that is a large number with a word, or that behind a currency's sign, $3.2 million,
 * 320万美元; *found tells whether it is one. */
static Status append_magnitude(Bytes *out, bool *found, TextView text, Span span,
                               const Language *const languages[2], Error *error)
{
    const Language *target = languages[1];
    TextView rest = span_text(text, span);
    const TextView sign = take_sign(&rest, NUMERAL_CURRENCIES);
    const bool behind = target && target->signs_behind && sign.length > 0;
    uint64_t value;
    *found = magnitude_end(text, span.begin + sign.length, languages, &value) == span.end;
    if (!*found) return STATUS_OK;
    const TextView unit = language_unit(target, sign);
    if (unit.length == 0 && !behind) TRY(bytes_append_view(out, sign, error));
    TRY(magnitude_write(out, value, target, error));
    if (behind) TRY(bytes_append_string(out, " ", error));
    return bytes_append_view(out, behind ? sign : unit, error);
}

static Status append_digits(Bytes *out, const Numeral *numeral, const Language *target,
                            Error *error)
{
    const TextView whole = numeral->whole, decimals = numeral->decimals;
    for (size_t i = 0; i < whole.length; i++)
        TRY(ascii_is_digit(whole.data[i]) ? bytes_append(out, &whole.data[i], 1, error)
                                          : bytes_append_string(out, target->group, error));
    if (decimals.length > 0) TRY(bytes_append_string(out, target->decimal, error));
    return bytes_append_view(out, decimals, error);
}

// Reads a span; false if it is no quantity. `word` is what the target writes instead of its symbol.
static bool read_quantity(Numeral *numeral, TextView *word, TextView text, Span span,
                          const Language *const languages[2])
{
    const Language *source = languages[0], *target = languages[1];
    if (!source || !target || !source->group || !target->group ||
        !read_numeral(numeral, span_text(text, span), source) ||
        !is_quantity(numeral, text, span.end, source) || is_part(numeral, text, span, source))
        return false;
    TextView symbol = numeral->currency.length > 0 ? numeral->currency : numeral->unit;
    take_sign(&symbol, " ");
    *word = language_unit(target, symbol);
    return true;
}

bool numeral_is_read(TextView text, Span span, const Language *const languages[2])
{
    Numeral numeral;
    TextView word;
    if (!read_quantity(&numeral, &word, text, span, languages)) return false;
    take_sign(&numeral.unit, " ");
    const uint32_t first = utf8_at(numeral.unit.data, numeral.unit.length, 0);
    const bool letters = utf8_is_letter(first) && !utf8_is_han(first);
    const bool plain = numeral.unit.length + numeral.percent.length + numeral.currency.length == 0;
    if (plain) return numeral.groups > 0 && span.begin == 0;
    return (letters || word.length > 0) &&
           numeral.whole.length + numeral.decimals.length <= MOST_READ;
}

Status numeral_write(Bytes *out, TextView text, Span span, const Language *const languages[2],
                     Error *error)
{
    const Language *target = languages[1];
    FREED_BY(bytes_free) Bytes digits = {0};
    Numeral numeral;
    TextView word;
    bool found;
    TRY(append_magnitude(out, &found, text, span, languages, error));
    if (found) return STATUS_OK;
    if (!read_quantity(&numeral, &word, text, span, languages) ||
        (word.length == 0 && *languages[0]->decimal == *target->decimal))
        return bytes_append_view(out, span_text(text, span), error);
    const TextView none = {"", 0};
    if (word.length > 0) {
        numeral.currency = none;
        numeral.unit = word;
    }
    const TextView currency = numeral.currency;
    const bool behind = target->signs_behind;
    const bool apart = behind && numeral.percent.length + currency.length > 0;
    const TextView space = {" ", apart};
    const TextView before = behind ? none : currency, after = behind ? currency : none;
    TRY(append_digits(&digits, &numeral, target, error));
    const TextView parts[] = {numeral.sign,    before, bytes_view(&digits), numeral.unit, space,
                              numeral.percent, after};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        TRY(bytes_append_view(out, parts[i], error));
    return STATUS_OK;
}
