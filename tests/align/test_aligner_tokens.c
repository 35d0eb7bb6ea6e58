#include "align/aligner_tokens.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

// The spellings of the tokens of `text`, with a bar between two.
static void expect(const char *text, const char *expected)
{
    AlignerTokens tokens = {0};
    Bytes shown = {0};
    assert_ok(aligner_tokens_set(&tokens, text, strlen(text), NULL));
    assert_ok(bytes_append_string(&shown, "", NULL));
    for (size_t i = 0; i < tokens.places.count; i++) {
        TextView spelling = aligner_tokens_spelling(&tokens, i);
        if (i) assert_ok(bytes_append_string(&shown, "|", NULL));
        assert_ok(bytes_append(&shown, spelling.data, spelling.length, NULL));
    }
    ck_assert_str_eq(shown.data, expected);
    bytes_free(&shown);
    aligner_tokens_free(&tokens);
}

TEST(words_and_marks)
{
    expect("", "");
    expect("  \xC2\xA0 ", "");
    expect("Le chat dort.", "le|chat|dort|.");
    expect("Well... (no)!?", "well|...|(|no|)|!|?");
    expect("C-49, 1,000.5%", "c|-|49|,|1,000.5|%");
    expect("e\xCC\x81t\xC3\xA9 3\xE6\x9C\x88", "e\xCC\x81t\xC3\xA9|3|\xE6\x9C\x88");
}

TEST(apostrophes)
{
    expect("l'homme qu'Il aujourd'hui", "l'|homme|qu'|il|aujourd'|hui");
    expect("l' homme , aujourd' hui", "l'|homme|,|aujourd'|hui");
    expect("It's I'll DON'T can't", "it|'s|i|'ll|do|n't|ca|n't");
    expect("It 's , I 'll do n't", "it|'s|,|i|'ll|do|n't");
    expect("the troops' 'rock'", "the|troops|'|'|rock'");
    expect("J\xE2\x80\x99"
           "ai it\xE2\x80\x99s",
           "j'|ai|it|'s");
}

TEST(one_spelling_for_one_mark)
{
    expect("\xE4\xBB\x96\xE8\xAF\xB4\xEF\xBC\x8C\xE2\x80\x9C\xE5\xA5\xBD\xE3\x80\x82\xE2\x80\x9D",
           "\xE4\xBB\x96|\xE8\xAF\xB4|,|\"|\xE5\xA5\xBD|.|\""); // 他说，“好。”
    expect("`` -LRB- a -RRB- '' \xC2\xAB \xC2\xBB", "\"|(|a|)|\"|\"|\"");
}

TEST(places_are_in_the_text)
{
    AlignerTokens tokens = {0};
    assert_ok(aligner_tokens_set(&tokens, "-LRB- It's", 10, NULL));
    static const uint32_t places[][2] = {{0, 5}, {6, 8}, {8, 10}};
    ck_assert_uint_eq(tokens.places.count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(tokens.places.items[i].begin, places[i][0]);
        ck_assert_uint_eq(tokens.places.items[i].end, places[i][1]);
    }
    aligner_tokens_free(&tokens);
}

TEST(invalid_bytes)
{
    expect("a\xFF\xFE"
           "b",
           "a|\xEF\xBF\xBD\xEF\xBF\xBD|b");
}

TEST(spans_are_tokens)
{
    static const char text[] = "the f(X, y)s (a)b";
    Span items[] = {{4, 11}, {13, 16}, {16, 17}};
    const Spans spans = {.items = items, .count = 3};
    static const char *const expected[] = {"the", "f(x, y)", "s", "(a)", "b"};
    AlignerTokens tokens = {0};
    const TextView view = {text, sizeof text - 1};
    assert_ok(aligner_tokens_set_spans(&tokens, view, &spans, NULL));
    ck_assert_uint_eq(tokens.places.count, 5);
    for (size_t i = 0; i < 5; i++) {
        TextView spelling = aligner_tokens_spelling(&tokens, i);
        ck_assert_uint_eq(spelling.length, strlen(expected[i]));
        ck_assert_mem_eq(spelling.data, expected[i], spelling.length);
    }
    ck_assert_uint_eq(tokens.places.items[3].begin, 13);
    aligner_tokens_free(&tokens);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        AlignerTokens tokens = {0};
        bool failed = failing_malloc_expect(aligner_tokens_set(&tokens, "It's here.", 10, NULL));
        ck_assert_uint_eq(tokens.places.count, failed ? 0 : 4);
        aligner_tokens_free(&tokens);
    }
}
