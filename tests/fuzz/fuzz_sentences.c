/* Any bytes as a line that is split into sentences, in a language that the first byte names, and as one whose
 * spans that stay as they are are found.
 *
 * tests/fuzz/run builds and runs it. */
#include "fuzz.h"

#include "language/language.h"
#include "reading/sentences.h"
#include "reading/untranslated_spans.h"
#include "text/utf8.h"

#include <assert.h>
#include <stdint.h>

// Nothing but white space is left out between sentences, and no character is divided.
static void check(const Spans *sentences, const char *text, size_t length)
{
    size_t at = 0;
    for (size_t i = 0; i <= sentences->count; i++) {
        size_t begin = i < sentences->count ? sentences->items[i].begin : length;
        size_t end = i < sentences->count ? sentences->items[i].end : length;
        assert(begin <= end && end <= length && (begin < end || i == sentences->count));
        while (at < begin) assert(utf8_is_space(utf8_next(text, length, &at)));
        assert(at == begin);
        while (at < end) (void)utf8_next(text, length, &at);
        assert(at == end);
    }
}

// Spans are in order, none is empty or touches another, and no character is divided.
static void check_spans(const Spans *spans, const char *text, size_t length)
{
    size_t at = 0;
    for (size_t i = 0; i < spans->count; i++) {
        const Span span = spans->items[i];
        assert(span.begin < span.end && span.end <= length);
        assert(i == 0 || spans->items[i - 1].end < span.begin);
        while (at < span.begin) (void)utf8_next(text, length, &at);
        assert(at == span.begin);
        while (at < span.end) (void)utf8_next(text, length, &at);
        assert(at == span.end);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const tags[] = {"en", "fr", "zh", "de"};
    if (size == 0) return 0;
    Spans sentences = {0};
    Spans spans = {0};
    const char *text = (const char *)data + 1;
    size_t length = size - 1, part = 4 + data[0];
    const Language *language = language_of(tags[data[0] % 4]);
    if (sentences_split(&sentences, language, text, length, NULL)) return 0;
    check(&sentences, text, length);
    if (!untranslated_spans_find(&spans, text, length, NULL)) check_spans(&spans, text, length);
    spans_free(&spans);
    for (size_t at = 0; length - at > part;) {
        size_t end = clause_end(text + at, length - at, part, language);
        assert(end >= 1 && end <= part);
        at += end;
    }
    spans_free(&sentences);
    return 0;
}
