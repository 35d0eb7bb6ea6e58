#include "reading/placeholders.h"

#include "base/ascii.h"
#include "reading/lists.h"
#include "reading/magnitude.h"
#include "reading/phrase.h"
#include "reading/variants.h"
#include "text/utf8.h"

enum { FIRST_PLACEHOLDER = 0xE000 };

Status placeholder_append(Bytes *text, size_t number, Error *error)
{
    return utf8_append(text, FIRST_PLACEHOLDER + (uint32_t)number, error);
}

size_t placeholders_known(const Vocabulary *source, const Vocabulary *target)
{
    size_t known = 0;
    for (; known < MAX_PLACEHOLDERS; known++) {
        char spelling[4];
        size_t length = utf8_encode(FIRST_PLACEHOLDER + (uint32_t)known, spelling);
        if (vocabulary_find(source, spelling, length) < 0) break;
        if (vocabulary_find(target, spelling, length) < 0) break;
    }
    return known;
}

size_t placeholder_next(const char *text, size_t length, size_t *at)
{
    uint32_t c = utf8_next(text, length, at);
    bool placeholder = c >= FIRST_PLACEHOLDER && c < FIRST_PLACEHOLDER + MAX_PLACEHOLDERS;
    return placeholder ? c - FIRST_PLACEHOLDER : MAX_PLACEHOLDERS;
}

// Whether there is no letter in a span: a model may say a number by itself.
static bool is_number(TextView text)
{
    bool number = false;
    for (size_t at = 0; at < text.length;) {
        uint32_t c = utf8_next(text.data, text.length, &at);
        if (utf8_is_letter(c) || utf8_is_symbol(c)) return false;
        number |= utf8_is_number(c);
    }
    return number;
}

// Whether a number has a few digits and nothing else: then it is read as it stands, for 1 hour and 2
// hours are not alike, and which number goes with which noun is seen by nothing but its digits.
static bool is_short(TextView number)
{
    enum { SHORT = 4 };
    return number.length <= SHORT && text_view_is_digits(number);
}

// Takes a span to be read as the next placeholder.
static Status place(Reading *reading, Span span, Error *error)
{
    TRY(lists_translate(&reading->placed_text, span, reading, error));
    reading->placed_ends[reading->placed_count] = reading->placed_text.length;
    reading->placed[reading->placed_count++] = span;
    return STATUS_OK;
}

// Which spans are placeholders if there are too many: those that cannot be read, then those that are
// no numbers.
typedef enum Rank { UNREAD, TEXT, NUMBER, RANKS } Rank;

static Rank rank_of(const Reading *reading, TextView span)
{
    if (variants_lack(reading->context, span)) return UNREAD;
    return is_number(span) ? NUMBER : TEXT;
}

// Takes the first spans of each rank, in all at most as many as the model knows placeholders.
static Status place_spans(Reading *reading, const Spans *spans, Error *error)
{
    size_t room[RANKS] = {0}, left = reading->context->placeholders;
    for (size_t i = 0; i < spans->count; i++)
        room[rank_of(reading, reading_text(reading, spans->items[i]))]++;
    for (Rank rank = UNREAD; rank < RANKS; left -= room[rank++])
        if (room[rank] > left) room[rank] = left;
    for (size_t i = 0; i < spans->count; i++) {
        const TextView text = reading_text(reading, spans->items[i]);
        const Rank rank = rank_of(reading, text);
        if (room[rank] == 0 || (rank == NUMBER && is_short(text))) continue;
        room[rank]--;
        TRY(place(reading, spans->items[i], error));
    }
    return STATUS_OK;
}

/* Reads a number in words, said as a phrase at the beginning, with digits, so that no word of it is
 * translated as well; and like the target with a word for a power of ten or none. */
static Status read_digits(Reading *reading, Error *error)
{
    const Language *const *languages = reading->context->languages;
    const Span *first = spans_beginning_at(reading->phrases.items, reading->phrases.count, 0);
    FREED_BY(bytes_free) Bytes digits = {0};
    uint64_t value;
    if (!first || !languages[0]->digits ||
        magnitude_end(reading->given.text, 0, languages, &value) != first->end)
        return STATUS_OK;
    const Language plain = {.group = languages[0]->group};
    TRY(magnitude_write(&digits, value, languages[1], error));
    const bool words = utf8_has(digits.data, digits.length, utf8_is_letter);
    bytes_clear(&digits);
    TRY(magnitude_write(&digits, value, words ? languages[0] : &plain, error));
    return mapped_replace(&reading->text, 0, first->end, digits.data, digits.length, error);
}

static Status read(Reading *reading, Error *error)
{
    FREED_BY(bytes_free) Bytes placeholder = {0};
    FREED_BY(spans_free) Spans spans = {0};
    TRY(lists_join(&spans, &reading->spans, reading->given.text, reading->context->languages,
                   error));
    TRY(place_spans(reading, &spans, error));
    TRY(read_digits(reading, error));
    for (size_t i = 0; i < reading->placed_count; i++) {
        Span span = reading->placed[i];
        bytes_clear(&placeholder);
        TRY(placeholder_append(&placeholder, i, error));
        TRY(mapped_replace(&reading->text, span.begin, span.end, placeholder.data,
                           placeholder.length, error));
    }
    return mapped_finish(&reading->text, error);
}

TextView placeholders_span(const Reading *reading, size_t number)
{
    size_t begin = number > 0 ? reading->placed_ends[number - 1] : 0;
    return (TextView){reading->placed_text.data + begin, reading->placed_ends[number] - begin};
}

Status placeholders_in_prefix(Bytes *text, const Reading *reading, Error *error)
{
    const TextView prefix = bytes_view(&reading->prefix);
    bool said[MAX_PLACEHOLDERS] = {false};
    bytes_clear(text);
    for (size_t at = 0, next; at < prefix.length; at = next) {
        size_t number = 0;
        while (number < reading->placed_count &&
               (said[number] || !utf8_has_word_at(prefix, at, placeholders_span(reading, number))))
            number++;
        next = at;
        if (number == reading->placed_count) {
            (void)utf8_next(prefix.data, prefix.length, &next);
            TRY(bytes_append(text, prefix.data + at, next - at, error));
            continue;
        }
        said[number] = true;
        next = at + placeholders_span(reading, number).length;
        TRY(placeholder_append(text, number, error));
    }
    return STATUS_OK;
}

// The number of the only placeholder in a subword, MAX_PLACEHOLDERS if there is none or are
// several.
static size_t number_of(const Vocabulary *vocabulary, int32_t id)
{
    size_t length, found = MAX_PLACEHOLDERS, count = 0;
    const char *bytes = vocabulary_bytes(vocabulary, id, &length);
    for (size_t at = 0; at < length;) {
        size_t number = placeholder_next(bytes, length, &at);
        if (number == MAX_PLACEHOLDERS) continue;
        found = number;
        count++;
    }
    return count == 1 ? found : MAX_PLACEHOLDERS;
}

// Whether a span is no number.
static bool is_name(TextView span)
{
    for (size_t i = 0; i < span.length; i++)
        if (ascii_is_digit(span.data[i])) return false;
    return true;
}

Status placeholders_require(Constraints *constraints, const Reading *reading,
                            const Subwords *subwords, Error *error)
{
    const ReadingContext *context = reading->context;
    for (size_t number = 0; number < reading->placed_count; number++) {
        PhraseKind kind = PHRASE_NEW;
        for (int32_t id = 0; id < (int32_t)vocabulary_size(context->target); id++) {
            if (!(context->edges[id] & TOKEN_HAS_PLACEHOLDER)) continue; // nearly all
            if (number_of(context->target, id) != number) continue;
            TRY(constraints_add(constraints, kind, &id, 1, error));
            kind = PHRASE_ALTERNATIVE;
        }
        phrase_place(constraints, subwords, reading->placed[number]);
        if (is_name(placeholders_span(reading, number))) constraints_name(constraints);
    }
    return STATUS_OK;
}

Status placeholders_write_spans(Bytes *text, const Bytes *said, const Reading *reading,
                                Error *error)
{
    bool written[MAX_PLACEHOLDERS] = {false};
    bytes_clear(text);
    for (size_t at = 0; at < said->length;) {
        size_t begin = at, number = placeholder_next(said->data, said->length, &at);
        TextView part = {said->data + begin, at - begin};
        if (number < reading->placed_count && !written[number]) {
            part = placeholders_span(reading, number);
            written[number] = true;
        }
        TRY(bytes_append_view(text, part, error));
    }
    return STATUS_OK;
}

// What a model has said as its spans are put back.
typedef struct Restoring {
    const Reading *reading;
    MappedText *said; // its pass writes the text with the spans
    bool restored[MAX_PLACEHOLDERS];
    size_t span_end; // of the last one in what is written; 0 before the first
    bool stopped;    // a full stop is behind that in the source
    size_t stop;     // where the marks are behind which spans stand at its end; 0: there are none
} Restoring;

static bool ends_in_space(const Bytes *text)
{
    return text->length == 0 || text->data[text->length - 1] == ' ';
}

static bool is_behind_span(const Restoring *restoring)
{
    return restoring->span_end > 0 && restoring->span_end == restoring->said->written.length;
}

// Whether only a mark is between the span before and what follows: 2 and 5 are not 2,5.
static bool is_behind_mark(const Restoring *restoring)
{
    const Bytes *text = &restoring->said->written;
    return restoring->span_end > 0 && restoring->span_end + 1 == text->length &&
           utf8_is_among((unsigned char)text->data[restoring->span_end], ".,:");
}

// Inserts a space before said[at] if two words would run into one: 3 and 17 are not 317. The prefix
// stays as it was given.
static Status separate(Restoring *restoring, size_t at, uint32_t next, bool spans, Error *error)
{
    const Bytes *text = &restoring->said->written;
    if (text->length < restoring->reading->prefix.length) return STATUS_OK;
    uint32_t before = utf8_before(bytes_text(text), text->length);
    bool words = utf8_is_in_word(before) && utf8_is_in_word(next);
    return words || spans ? mapped_replace(restoring->said, at, at, " ", 1, error) : STATUS_OK;
}

// Where the marks begin that end a sentence at `end` of a text, with white space behind them; `end`
// if there are none.
static size_t stop_before(const char *text, size_t end)
{
    size_t at = end;
    for (size_t next = end; next > 0; next = at) {
        char bytes[4];
        uint32_t c = utf8_before(text, next);
        if (!utf8_is_among(c, ".!?。！？ ")) break;
        at = next - utf8_encode(c, bytes);
    }
    while (at < end && text[at] == ' ') at++;
    return at;
}

/* Remembers a sentence's end before a span, of which only spans may follow, unless the source has
 * one there, too. Search puts what it finds no place for behind the end: "your letter. 12". */
static void note_stop(Restoring *restoring, size_t number, const Bytes *text)
{
    const Reading *reading = restoring->reading;
    size_t begin = reading->placed[number].begin;
    size_t stop = stop_before(bytes_text(text), text->length);
    bool given = stop_before(reading->given.text.data, begin) < begin;
    if (restoring->stop == 0 && !given && stop > 0 && stop >= restoring->span_end &&
        stop < text->length && stop >= reading->prefix.length)
        restoring->stop = stop;
}

static bool is_stopped(const Reading *reading, size_t number)
{
    return text_view_at(reading->given.text, reading->placed[number].end) == '.';
}

// Writes the span of the placeholder at said[begin … *at - 1], apart from what is before it; or
// nothing, and then not two spaces either.
static Status put_back(Restoring *restoring, size_t number, size_t begin, size_t *at, Error *error)
{
    MappedText *said = restoring->said;
    TRY(mapped_keep(said, begin, error));
    if (number < restoring->reading->placed_count && !restoring->restored[number]) {
        const TextView span = placeholders_span(restoring->reading, number);
        restoring->restored[number] = true;
        note_stop(restoring, number, &said->written);
        bool apart = is_behind_span(restoring) || is_behind_mark(restoring);
        TRY(separate(restoring, begin, utf8_at(span.data, span.length, 0), apart, error));
        TRY(mapped_replace(said, begin, *at, span.data, span.length, error));
        restoring->span_end = said->written.length;
        restoring->stopped = is_stopped(restoring->reading, number);
        return STATUS_OK;
    }
    *at += ends_in_space(&said->written) && text_view_at(bytes_view(&said->text), *at) == ' ';
    return mapped_replace(said, begin, *at, "", 0, error);
}

/* A full stop that a placeholder's subword has brought, and that cannot be right: a second one, "in
 * Genève..", but of three; or one in a sentence, "Emma. is", but of the source. */
static bool is_stray_stop(const Restoring *restoring, size_t begin, size_t end)
{
    const Bytes *said = &restoring->said->text, *text = &restoring->said->written;
    if (said->data[begin] != '.' || text->length <= restoring->reading->prefix.length) return false;
    bool third = end < said->length && said->data[end] == '.';
    if (is_behind_mark(restoring) && !third) return text->data[text->length - 1] == '.';
    size_t next = end + 1;
    return is_behind_span(restoring) && !restoring->stopped && next < said->length &&
           said->data[end] == ' ' && utf8_is_lower(utf8_next(said->data, said->length, &next));
}

// Writes the character of said[begin … end - 1], which is no placeholder.
static Status put_character(Restoring *restoring, size_t begin, size_t end, Error *error)
{
    MappedText *said = restoring->said;
    uint32_t c = utf8_at(said->text.data, said->text.length, begin);
    if (is_behind_span(restoring)) TRY(separate(restoring, begin, c, false, error));
    if (!utf8_is_among(c, ".!?。！？ ")) restoring->stop = 0;
    if (is_stray_stop(restoring, begin, end)) return mapped_replace(said, begin, end, "", 0, error);
    return mapped_keep(said, end, error);
}

// Whether the prefix has, as it was given, the character that is a placeholder elsewhere.
static bool is_literal(const Restoring *restoring, size_t begin, size_t end)
{
    const Bytes *prefix = &restoring->reading->prefix;
    size_t place = restoring->said->written.length;
    return place + (end - begin) <= prefix->length &&
           memcmp(prefix->data + place, restoring->said->text.data + begin, end - begin) == 0;
}

static Status restore(Restoring *restoring, Error *error)
{
    MappedText *said = restoring->said;
    for (size_t at = 0; at < said->text.length;) {
        size_t begin = at, number = placeholder_next(said->text.data, said->text.length, &at);
        if (number < MAX_PLACEHOLDERS && !is_literal(restoring, begin, at))
            TRY(put_back(restoring, number, begin, &at, error));
        else
            TRY(put_character(restoring, begin, at, error));
    }
    return mapped_finish(said, error);
}

// Adds the spans that are missing, instead of a space at the end.
static Status add_missing(Restoring *restoring, Error *error)
{
    MappedText *said = restoring->said;
    size_t length = said->text.length, end = length - (length > 0 && ends_in_space(&said->text));
    TRY(mapped_replace(said, end, length, "", 0, error));
    for (size_t i = 0; i < restoring->reading->placed_count; i++) {
        if (restoring->restored[i]) continue;
        const TextView span = placeholders_span(restoring->reading, i);
        note_stop(restoring, i, &said->written);
        if (said->written.length > 0) TRY(mapped_replace(said, length, length, " ", 1, error));
        TRY(mapped_replace(said, length, length, span.data, span.length, error));
        restoring->span_end = said->written.length;
    }
    return mapped_finish(said, error);
}

/* Moves the marks of a sentence's end behind the spans that stand there, "your letter 12.", in the
 * place of those that do already. */
static Status move_stop(Restoring *restoring, Error *error)
{
    MappedText *said = restoring->said;
    const char *text = bytes_text(&said->text);
    size_t stop = restoring->stop, end = stop, length = said->text.length;
    while (end < length && text[end] != ' ') end++;
    if (stop == 0 || end >= restoring->span_end) return STATUS_OK;
    size_t next = end + (text[stop - 1] == ' '); // not two spaces
    size_t last = restoring->span_end - 1;
    // with the last byte of the span, so that the marks are of its subword
    FREED_BY(bytes_free) Bytes moved = {0};
    TRY(bytes_append(&moved, text + last, 1, error));
    TRY(bytes_append(&moved, text + stop, end - stop, error));
    TRY(mapped_replace(said, stop, next, "", 0, error));
    TRY(mapped_replace(said, last, length, moved.data, moved.length, error));
    return mapped_finish(said, error);
}

static Status write(const Reading *reading, MappedText *said, Error *error)
{
    Restoring restoring = {.reading = reading, .said = said};
    TRY(restore(&restoring, error));
    TRY(add_missing(&restoring, error));
    return move_stop(&restoring, error);
}

const ReadingStep placeholders_step = {"placeholders", reading_has_placeholders, read, write};
