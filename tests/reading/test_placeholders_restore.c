/* What stands for placeholders is put back into what a model has said. */

#include "reading/placeholders.h"
#include "support/reading_case.h"

#include <string.h>

// What was said of a text whose spans are marked [ ], with these in the place of placeholders.
static MappedText restored(const char *marked, const char *prefix, const char *said)
{
    Reading reading = {0};
    Bytes source = {0};
    assert_ok(bytes_append_string(&reading.prefix, prefix, NULL));
    for (const char *at = marked; *at; at++) {
        Span *span = &reading.placed[reading.placed_count];
        if (*at == '[') span->begin = source.length;
        if (*at != '[' && *at != ']') assert_ok(bytes_append(&source, at, 1, NULL));
        if (*at != ']') continue;
        span->end = source.length;
        assert_ok(bytes_append(&reading.placed_text, source.data + span->begin,
                               span->end - span->begin, NULL));
        reading.placed_ends[reading.placed_count++] = reading.placed_text.length;
    }
    reading.given.text = (TextView){bytes_text(&source), source.length};
    MappedText text = written_by(&placeholders_step, &reading, said);
    reading_free(&reading);
    bytes_free(&source);
    return text;
}

static void check_begun(const char *marked, const char *prefix, const char *said,
                        const char *expected)
{
    MappedText text = restored(marked, prefix, said);
    ck_assert_str_eq(bytes_text(&text.text), expected);
    mapped_free(&text);
}

static void check_restored(const char *marked, const char *said, const char *expected)
{
    check_begun(marked, "", said, expected);
}

TEST(restored)
{
    check_restored("a [b] [c d]", "\ue000 x \ue001.", "b x c d.");
    check_restored("a [b] [c]", "(\ue001), \ue000", "(c), b");
    check_restored("[b]", "\ue000 x \ue000 y", "b x y"); // a second one is left out
    check_restored("[b]", "\ue001 \ue000 \ue003", "b");
    check_restored("[b]", "x\ue001 \ue000", "x b");
    check_restored("a", "x \ue002", "x");
    check_restored("[3] a [17]", "x\ue000\ue001.", "x 3 17."); // not 317
    check_restored("[2] [5]", "x \ue000,\ue001: x", "x 2, 5: x");
    check_restored("a [12]", "l'\ue000e", "l'12 e");
    check_restored("[12]", "第\ue000页7\ue000", "第12页7");
    check_restored("[b] [c]", "x", "x b c"); // what is missing is at the end
    check_restored("[b]", "", "b");
    check_restored("[网]址", "看\ue000。", "看网。");
}

TEST(written_once)
{
    const Reading reading = {.placed = {{2, 4}},
                             .placed_count = 1,
                             .placed_text = {.data = "bc", .length = 2},
                             .placed_ends = {2}};
    Bytes text = {0}, said = {.data = "\ue000 x \ue000\ue001", .length = 12};
    assert_ok(placeholders_write_spans(&text, &said, &reading, NULL));
    ck_assert_str_eq(text.data, "bc x \ue000\ue001");
    bytes_free(&text);
}

// The marks of a sentence's end are behind what search has found no better place for.
TEST(stop)
{
    check_restored("a [b] [c]", "x.", "x b c.");
    check_restored("a [b] [c] d", "x. \ue000 \ue001", "x b c.");
    check_restored("a [b] d", "x.... \ue000!", "x b....");
    check_restored("a [b] d", "x。 \ue000", "x b。");
    check_restored("a [b] d", "x . \ue000", "x b.");
    check_restored("a [b] d", "x. \ue000 y.", "x. b y.");
    check_restored("a [b] d", "x. (\ue000)", "x. (b)");
    check_restored("a. [b]", "x. \ue000", "x. b"); // as in the source
    check_begun("a [b] d", "x.", "x. \ue000", "x. b");
    check_restored("a [b] d", "x \ue000..", "x b.");
    check_restored("a [b] d", "x \ue000...", "x b...");
    check_restored("a [b] [c] d", "x \ue000. \ue001", "x b c.");
    check_restored("a [b] d", "x \ue000. is", "x b is");
    check_restored("a [b]. d", "x \ue000. is", "x b. is");
    check_restored("a [b] d", "x \ue000. Is", "x b. Is");
}

// A character of the prefix that would be a placeholder elsewhere.
TEST(literal)
{
    check_begun("a [b] [c]", "x \ue000", "x \ue000 \ue000 \ue001", "x \ue000 b c");
    check_begun("a [b]", "\ue001", "\ue001 \ue001 \ue000", "\ue001 b");
    check_begun("a [b]", "b", "\ue000 x", "b x");
}

static void check_ends(const char *marked, const char *said, const size_t *ends)
{
    MappedText text = restored(marked, "", said);
    for (size_t i = 0; i < strlen(said); i++)
        ck_assert_uint_eq(mapped_place(&text, i + 1), ends[i]);
    mapped_free(&text);
}

// The last byte of a placeholder ends with the span.
TEST(restored_ends)
{
    check_ends("[ab cd]", "x \ue000.y", (const size_t[]){1, 2, 2, 2, 7, 8, 9});
    check_ends("a [bc] d", "x. \ue000", (const size_t[]){1, 1, 2, 2, 2, 5}); // x bc.
}
