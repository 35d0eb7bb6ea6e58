/* What stands for placeholders is put back into what a model has said. */

#include "base/array.h"
#include "base/memory.h"
#include "support/suite.h"
#include "translate/placeholders.h"

#include <string.h>

// Sets the rendering of a text whose spans are marked [ ] to what was said, a subword for each
// byte.
static Rendering restored(const char *marked, const char *prefix, const char *said)
{
    Translation translation = {.placeholders = true};
    ck_assert_int_eq(bytes_append_string(&translation.prefix, prefix, NULL), STATUS_OK);
    Rendering rendering = {0};
    for (const char *at = marked; *at; at++) {
        Span *span = &translation.kept[translation.kept_count];
        if (*at == '[') span->begin = translation.source.length;
        if (*at == ']') span->end = translation.source.length, translation.kept_count++;
        if (*at != '[' && *at != ']')
            ck_assert_int_eq(bytes_append(&translation.source, at, 1, NULL), STATUS_OK);
    }
    ck_assert_int_eq(bytes_append_string(&rendering.text, said, NULL), STATUS_OK);
    ck_assert_int_eq(array_new(&rendering.subwords.ends, strlen(said), "a test", NULL), STATUS_OK);
    for (size_t i = 0; i < strlen(said); i++)
        rendering.subwords.ends[rendering.subwords.count++] = (uint32_t)i + 1;
    ck_assert_int_eq(placeholders_restore(&rendering, &translation, NULL), STATUS_OK);
    translation_free(&translation);
    return rendering;
}

static void check_begun(const char *marked, const char *prefix, const char *said,
                        const char *expected)
{
    Rendering rendering = restored(marked, prefix, said);
    ck_assert_str_eq(rendering.text.data, expected);
    for (size_t i = 0; i < rendering.subwords.count; i++) {
        uint32_t before = i > 0 ? rendering.subwords.ends[i - 1] : 0;
        ck_assert_uint_ge(rendering.subwords.ends[i], before);
        ck_assert_uint_le(rendering.subwords.ends[i], rendering.text.length);
    }
    bytes_free(&rendering.text);
    subwords_free(&rendering.subwords);
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
    Translation translation = {
        .source = {.data = "a bc", .length = 4}, .kept = {{2, 4}}, .kept_count = 1};
    Bytes text = {0}, said = {.data = "\ue000 x \ue000\ue001", .length = 12};
    ck_assert_int_eq(placeholders_write_spans(&text, &said, &translation, NULL), STATUS_OK);
    ck_assert_str_eq(text.data, "bc x \ue000\ue001");
    bytes_free(&text);
}

// The marks of a sentence's end are behind what search has found no better place for.
TEST(the_end_of_a_sentence)
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

TEST(ends_of_restored_subwords)
{
    Rendering rendering = restored("[ab cd]", "", "x \ue000.y");
    static const uint32_t ends[] = {1, 2, 7, 7,
                                    7, 8, 9}; // all bytes of a placeholder end with the span
    ck_assert_mem_eq(rendering.subwords.ends, ends, sizeof ends);
    bytes_free(&rendering.text);
    subwords_free(&rendering.subwords);
    rendering = restored("a [bc] d", "", "x. \ue000"); // x bc.
    static const uint32_t moved[] = {1, 1, 2, 5, 5, 5};
    ck_assert_mem_eq(rendering.subwords.ends, moved, sizeof moved);
    bytes_free(&rendering.text);
    subwords_free(&rendering.subwords);
}
