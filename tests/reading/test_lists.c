// Lists of what stays as it is: which spans are one, and what is between its items in a translation.

#include "reading/lists.h"

#include "reading/untranslated_spans.h"
#include "support/failing_malloc.h"
#include "support/reading_case.h"

#include <string.h>

typedef struct ListCase {
    const char *from, *to, *text;
    const char *said; // spans joined and translated, one after another, each with | behind it
} ListCase;

static void check(const ListCase *expected)
{
    const ReadingContext context = {
        .languages = {language_of(expected->from), language_of(expected->to)}};
    Reading reading = reading_of(&context, expected->text);
    const TextView text = reading.given.text;
    Spans *items = &reading.spans, joined = {0};
    Bytes said = {0};
    assert_ok(untranslated_spans_find(items, text.data, text.length, NULL));
    assert_ok(lists_join(&joined, items, text, context.languages, NULL));
    for (size_t i = 0; i < joined.count; i++) {
        assert_ok(lists_translate(&said, joined.items[i], &reading, NULL));
        assert_ok(bytes_append_string(&said, "|", NULL));
    }
    ck_assert_str_eq(said.data, expected->said);
    bytes_free(&said);
    spans_free(&joined);
    reading_free(&reading);
}

TEST(lists)
{
    static const ListCase cases[] = {
        {"en", "fr", "the values are 862, 425 and 379.", "862, 425 et 379|"},
        {"en", "zh", "862, 425, and 379 or 5", "862、425和379或5|"},
        {"fr", "en", "862 ; 425 ou 379", "862; 425 or 379|"},
        {"zh", "en", "是862、425，7和379。", "862, 425, 7 and 379|"},
        {"zh", "fr", "862；425与379，", "862; 425 et 379|"},
        {"en", "fr", "1, 2, 3 but 4, 5 and x, 6 and 7", "1, 2, 3|4|5|6|7|"},
        {"en", "fr", "1, 2, 3 sand 4 and5 and 6", "1, 2, 3|4|and5|6|"},
        // marks inside of items, and commas that are none of a sentence
        {"en", "zh", "`a, b`, `c` and f()", "`a, b`、`c`和f()|"},
        {"en", "zh", "a.txt,b.txt,c.txt", "a.txt,b.txt,c.txt|"},
        // without a translation of what joins them
        {"en", "de", "1, 2 and 3", "1|2|3|"},
        {"", "", "1, 2; 3", "1, 2; 3|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

TEST(allocation_fails)
{
    static const Language *const unknown[2];
    Span items[] = {{0, 1}, {3, 4}};
    const Spans spans = {items, 2, 2};
    Spans joined = {0};
    failing_malloc_at(1);
    ck_assert(
        failing_malloc_expect(lists_join(&joined, &spans, (TextView){"1, 2", 4}, unknown, NULL)));
    ck_assert_uint_eq(joined.count, 0);
}
