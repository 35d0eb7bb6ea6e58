#include "reading/translation.h"

#include "base/memory.h"
#include "support/small_translator.h"
#include "support/suite.h"

#include <string.h>

static SmallTranslator small;
static Translation translation;
static ReadingContext context;

static void set_up(const char *source)
{
    small_translator_new(&small, 1, 1);
    translation = (Translation){0};
    context = (ReadingContext){.target = small.target_vocabulary};
    assert_ok(translation_set_given_source(&translation, small.source_vocabulary,
                                           text_view_of(source), NULL));
}

static void tear_down(void)
{
    translation_free(&translation);
    small_translator_free(&small);
}

static int32_t id_of(const char *spelling)
{
    int32_t id = vocabulary_find(small.target_vocabulary, spelling, strlen(spelling));
    ck_assert_msg(id >= 0, "no subword %s", spelling);
    return id;
}

/* A hypothesis that says subwords spelt like this, with attention to `positions` source tokens whose
 * weights in row t are all t + 1; freed by translation_add_found's caller. */
static Hypothesis say(const char *const *spellings, size_t count, bool ended, size_t positions)
{
    Hypothesis hypothesis = {.length = count + ended, .ended = ended, .log_p = -2, .score = -1};
    hypothesis.tokens = memory_new(hypothesis.length, sizeof *hypothesis.tokens);
    hypothesis.matrices = 1;
    hypothesis.alpha = memory_new(hypothesis.length * positions, sizeof *hypothesis.alpha);
    hypothesis.positions = positions;
    for (size_t i = 0; i < count; i++) hypothesis.tokens[i] = id_of(spellings[i]);
    if (ended) hypothesis.tokens[count] = TOKEN_EOS;
    for (size_t i = 0; i < hypothesis.length * positions; i++)
        hypothesis.alpha[i] = (float)(i / positions + 1);
    return hypothesis;
}

static void add_found(Hypothesis *items, size_t count, size_t n_best)
{
    Hypotheses hypotheses = {.items = memory_new(count, sizeof *items), .count = count};
    memcpy(hypotheses.items, items, count * sizeof *items);
    const Reading as_it_stands = {.context = &context};
    assert_ok(translation_add_found(&translation, &as_it_stands, &hypotheses, n_best, true, NULL));
    hypotheses_free(&hypotheses);
}

// One hypothesis of these subwords gives this text, its subwords ending there.
static void expect_text(const char *const *spellings, size_t count, const char *text,
                        const uint32_t *ends)
{
    set_up("das Haus");
    Hypothesis hypothesis = say(spellings, count, true, 3);
    add_found(&hypothesis, 1, 1);
    ck_assert_uint_eq(translation.count, 1);
    const Rendering *rendering = &translation.renderings[0];
    ck_assert_str_eq(rendering->text.data, text);
    ck_assert_uint_eq(rendering->subwords.count, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(rendering->subwords.ends[i] == ends[i],
                      "\"%s\": subword %zu ends at %u, not %u", text, i,
                      rendering->subwords.ends[i], ends[i]);
    tear_down();
}

#define SPACE "\xe2\x96\x81"
#define REPLACED "\xef\xbf\xbd" // U+FFFD

TEST(ends)
{
    expect_text((const char *[]){"a", "<0x62>"}, 2, "ab", (uint32_t[]){1, 2});
    // the space before a text's first word is not in the text
    expect_text((const char *[]){SPACE, "a", SPACE, "t"}, 4, "a t", (uint32_t[]){0, 1, 2, 3});
    // a character that is spelt in bytes
    expect_text((const char *[]){"a", "<0xC8>", "<0xA9>", "t"}, 4, "a\xc8\xa9t",
                (uint32_t[]){1, 2, 3, 4});
}

// Where the text is not simply the subwords one after another.
TEST(ends_after_normalising)
{
    expect_text((const char *[]){"a", "<0xE2>", "t"}, 3, "at", (uint32_t[]){1, 1, 2});
    expect_text((const char *[]){"a", SPACE, SPACE, "t"}, 4, "a t", (uint32_t[]){1, 1, 1, 3});
    expect_text((const char *[]){"a", SPACE}, 2, "a", (uint32_t[]){1, 1});
    expect_text((const char *[]){"a", "<0x0A>", "t"}, 3, "a t", (uint32_t[]){1, 1, 3});
    // e and U+0301 become one character of two bytes
    expect_text((const char *[]){"e", "<0xCC>", "<0x81>"}, 3, "\xc3\xa9", (uint32_t[]){0, 0, 2});
}

// The same text of other subwords is the same translation, but another sample.
TEST(distinct_texts)
{
    static const char *const letter[] = {"a", "t"}, *const byte[] = {"<0x61>", "t"};
    set_up("das Haus");
    Hypothesis items[] = {say(letter, 2, true, 3), say(byte, 2, true, 3), say(letter, 1, true, 3)};
    add_found(items, 3, 3);
    ck_assert_uint_eq(translation.count, 2);
    ck_assert_str_eq(translation.renderings[1].text.data, "a");
    tear_down();
}

static void expect_source_stands_in(Hypothesis *items, size_t count)
{
    add_found(items, count, count);
    ck_assert_uint_eq(translation.count, 1);
    ck_assert_str_eq(translation.renderings[0].text.data, "das Haus");
    ck_assert_uint_eq(translation.renderings[0].subwords.count, 0);
    ck_assert_ptr_null(translation.renderings[0].alpha);
    ck_assert_double_eq(translation.renderings[0].log_p, -2);
    ck_assert_double_eq(translation.renderings[0].score, -1);
    tear_down();
}

TEST(nothing_visible)
{
    static const char *const spaces[] = {SPACE, SPACE, "<0x0A>"};
    for (size_t length = 0; length <= 3; length++) { // 0: </s> alone, of weights beyond all measure
        set_up("das Haus");
        Hypothesis items[2] = {say(spaces, length, true, 3), say(spaces, 1, false, 3)};
        expect_source_stands_in(items, 2);
    }
}

TEST(invisible_ones_are_passed_over)
{
    set_up("das Haus");
    Hypothesis items[4] = {
        say((const char *[]){SPACE}, 1, true, 3), say((const char *[]){"a"}, 1, true, 3),
        say((const char *[]){SPACE}, 1, true, 3), say((const char *[]){"t"}, 1, true, 3)};
    add_found(items, 4, 2);
    ck_assert_uint_eq(translation.count, 2);
    ck_assert_str_eq(translation.renderings[0].text.data, "a");
    ck_assert_str_eq(translation.renderings[1].text.data, "t");
    tear_down();
}

TEST(n_best)
{
    set_up("das Haus");
    Hypothesis items[3] = {say((const char *[]){"a"}, 1, true, 3),
                           say((const char *[]){"t"}, 1, true, 3),
                           say((const char *[]){"e"}, 1, true, 3)};
    add_found(items, 3, 2);
    ck_assert_uint_eq(translation.count, 2);
    tear_down();
}

// One that was cut off has no </s>, but a row for it: zeros.
TEST(attention)
{
    for (int ended = 0; ended < 2; ended++) {
        set_up("das Haus");
        Hypothesis hypothesis = say((const char *[]){"a", "t"}, 2, ended, 3);
        add_found(&hypothesis, 1, 1);
        const float *alpha = translation.renderings[0].alpha;
        for (size_t j = 0; j < 3; j++) {
            ck_assert(alpha[j] == 1);
            ck_assert(alpha[3 + j] == 2);
            ck_assert(alpha[6 + j] == (ended ? 3 : 0));
        }
        tear_down();
    }
}

// The mark of a line is written as the target writes it.
TEST(mark_of_line)
{
    static const char *const cases[][3] = {
        {"2、", "en", "2."}, {"2、", "zh", "2、"}, {"a)", "en", "a)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up("");
        translation_free(&translation);
        context.source = small.source_vocabulary;
        context.languages[1] = language_of(cases[i][1]);
        assert_ok(translation_set_unchanged(&translation, &context, text_view_of(cases[i][0]), 1, 1,
                                            NULL));
        ck_assert_str_eq(translation.source.data, cases[i][0]);
        ck_assert_str_eq(translation.renderings[0].text.data, cases[i][2]);
        tear_down();
    }
}

TEST(given)
{
    set_up("  das\tHaus\xff");
    ck_assert_str_eq(translation.source.data, "das Haus" REPLACED);
    ck_assert_uint_eq(translation.invalid, 1);
    assert_ok(translation_add_given(&translation, small.target_vocabulary,
                                    (TextView){"\xfe the ", 6}, NULL));
    ck_assert_uint_eq(translation.invalid, 2);
    ck_assert_uint_eq(translation.count, 1);
    const Rendering *given = &translation.renderings[0];
    ck_assert_str_eq(given->text.data, REPLACED " the");
    ck_assert_uint_eq(given->subwords.ends[given->subwords.count - 1], given->text.length);
    ck_assert_ptr_null(given->alpha);
    ck_assert(!translation.cut);
    tear_down();
}
