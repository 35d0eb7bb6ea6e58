#include "reading/lists.h"

#include "reading/numeral.h"
#include "text/utf8.h"
#include "text/word_list.h"

enum { LIST_ITEMS = 3 };

// What is between two items, as the text has it and as a translation does.
typedef struct Separator {
    size_t end;       // where it began: there is none
    const char *mark; // "": as in the text
    TextView word;    // with spaces around it; empty: none
} Separator;

static bool writes_han(const Language *language)
{
    return language && language->han != HAN_NONE;
}

static size_t spaces_end(TextView text, size_t at)
{
    return at + (text_view_at(text, at) == ' ');
}

// A comma or semicolon; in ASCII it is one of a sentence only with a space behind it.
static Separator mark_at(TextView text, size_t begin, const Language *target)
{
    size_t at = spaces_end(text, begin);
    uint32_t c = utf8_at(text.data, text.length, at);
    Separator separator = {.end = begin, .mark = ""};
    bool comma = utf8_is_among(c, ",，、");
    if (at == text.length || !(comma || utf8_is_among(c, ";；"))) return separator;
    (void)utf8_next(text.data, text.length, &at);
    separator.end = spaces_end(text, at);
    if (target && (separator.end > at || utf8_is_unspaced(c)))
        separator.mark = comma                ? writes_han(target) ? "、" : ", "
                         : writes_han(target) ? "；"
                                              : "; ";
    return separator;
}

// What is between two items that end and begin there, one of which is followed by the other.
static Separator separator_at(TextView text, size_t begin, const Language *const languages[2])
{
    Separator separator = mark_at(text, begin, languages[1]);
    const char *from = language_list(languages[0], WORDS_LISTING);
    const char *to = language_list(languages[1], WORDS_LISTING);
    size_t at = spaces_end(text, separator.end);
    bool apart = at > begin && text.data[at - 1] == ' ';
    for (TextView word, said; word_list_next(&from, &word) && word_list_next(&to, &said);) {
        size_t end = at + word.length, next = spaces_end(text, end);
        if (!text_view_has_at(text, at, word)) continue;
        if (!writes_han(languages[0]) && !(apart && next > end)) continue;
        return (Separator){next, "", said};
    }
    return separator;
}

Status lists_join(Spans *joined, const Spans *spans, TextView text,
                  const Language *const languages[2], Error *error)
{
    const Span *items = spans->items;
    joined->count = 0;
    for (size_t i = 0, next; i < spans->count; i = next) {
        for (next = i + 1; next < spans->count; next++) {
            size_t end = items[next - 1].end, begin = separator_at(text, end, languages).end;
            if (begin == end || begin != items[next].begin) break;
        }
        if (next - i < LIST_ITEMS) next = i + 1;
        TRY(spans_add(joined, (Span){items[i].begin, items[next - 1].end}, error));
    }
    return STATUS_OK;
}

static Status append_separator(Bytes *out, Span place, TextView text,
                               const Language *const languages[2], Error *error)
{
    const Separator separator = separator_at(text, place.begin, languages);
    if (separator.word.length > 0) {
        const char *space = writes_han(languages[1]) ? "" : " ";
        return bytes_append_format(out, error, "%s%.*s%s", space, (int)separator.word.length,
                                   separator.word.data, space);
    }
    if (*separator.mark) return bytes_append_string(out, separator.mark, error);
    return bytes_append_view(out, span_text(text, place), error);
}

static Status append_item(Bytes *out, const Span *item, const Reading *reading, Error *error)
{
    const TextView text = reading->given.text;
    const Span *given =
        spans_beginning_at(reading->given.spans, reading->given.span_count, item->begin);
    if (reading->given.marked && given && given->end == item->end)
        return bytes_append_view(out, span_text(text, *item), error);
    return numeral_write(out, text, *item, reading->context->languages, error);
}

Status lists_translate(Bytes *out, Span span, const Reading *reading, Error *error)
{
    const Spans *spans = &reading->spans;
    const Span *item = spans_ending_behind(spans->items, spans->count, span.begin);
    const Span *end = spans->items + spans->count;
    for (size_t at = span.begin; item < end && item->begin < span.end; at = item++->end) {
        if (at < item->begin)
            TRY(append_separator(out, (Span){at, item->begin}, reading->given.text,
                                 reading->context->languages, error));
        TRY(append_item(out, item, reading, error));
    }
    return STATUS_OK;
}
