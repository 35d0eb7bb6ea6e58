/* Texts in capitals, in title case and with rare characters are translated as sentences, and so are
 * those with names that the model cannot know. The model's weights are random. */

#include "reading/letter_case.h"
#include "support/small_session.h"

static Translation translate(const char *text, const char *prefix)
{
    const SearchOptions search = {.beam = 4, .batch = 3, .length_normalization = 1};
    const TextView given = text_view_of(text), begins = text_view_of(prefix);
    const TranslateOptions options = {.search = search, .n_best = 4, .prefixes = &begins};
    Translation translation;
    assert_ok(session_translate(session, &given, 1, &options, &translation, NULL));
    return translation;
}

// Both texts are read as the same subwords, and the first's renderings are the second's, in the
// first's case.
static void check_read_as(const char *text, const char *sentence)
{
    Translation found = translate(text, ""), expected = translate(sentence, "");
    const Subwords *subwords = &found.source_subwords;
    ck_assert_str_eq(found.source.data, text);
    ck_assert_uint_eq(subwords->count, expected.source_subwords.count);
    ck_assert_mem_eq(subwords->ids, expected.source_subwords.ids,
                     subwords->count * sizeof *subwords->ids);
    ck_assert_uint_eq(subwords->ends[subwords->count - 1], found.source.length);
    ck_assert_uint_eq(found.count, expected.count);
    for (size_t i = 0; i < found.count; i++) {
        Bytes *rendering = &expected.renderings[i].text;
        LetterCase letter_case = letter_case_of(text, strlen(text));
        if (letter_case == CASE_CAPITALS)
            letter_case_to_capitals(rendering->data, rendering->length);
        if (letter_case == CASE_TITLE) letter_case_begin(rendering->data, rendering->length);
        ck_assert_str_eq(found.renderings[i].text.data, rendering->data);
    }
    translation_free(&found);
    translation_free(&expected);
}

TEST(letter_case)
{
    set_up(2);
    open_session(1);
    check_read_as("DIE KATZEN SCHLAFEN IM HAUS", "die Katzen schlafen im Haus");
    check_read_as("Die Katzen Schlafen Im Haus", "die Katzen schlafen im Haus");
    check_read_as("Die Katzen schlafen nicht", "Die Katzen schlafen nicht");
    tear_down();
}

// A character that the vocabulary lacks is read as another, or not at all.
TEST(variants)
{
    set_up(2);
    open_session(1);
    check_read_as("Die\u200b Katzen schlafen\u200b nicht", "Die Katzen schlafen nicht");
    tear_down();
}

// What is given of the translation is not in capitals, and the source is read as it is.
TEST(prefix)
{
    set_up(2);
    open_session(1);
    Translation begun = translate("DIE KATZE", "the"), sentence = translate("die Katze", "the");
    ck_assert_uint_ne(begun.source_subwords.count, sentence.source_subwords.count);
    ck_assert_msg(!strncmp(begun.renderings[0].text.data, "the", 3), "%s",
                  begun.renderings[0].text.data);
    translation_free(&begun);
    translation_free(&sentence);
    tear_down();
}

TEST(forced)
{
    set_up(2);
    open_session(1);
    const TextView source = text_view_of("DIE KATZE"),
                   target = text_view_of("THE CAT"), *const sides[2] = {&source, &target};
    Translation translation, sentence = translate("die Katze", "");
    assert_ok(session_force(session, sides, 1, false, &translation, NULL));
    ck_assert_uint_ne(translation.source_subwords.count, sentence.source_subwords.count);
    translation_free(&translation);
    translation_free(&sentence);
    tear_down();
}

// A name is read as a placeholder, if the model knows them.
TEST(names)
{
    static const char *const sentences[] = {"das ist nicht Ingrid Solberg",
                                            "das ist nicht die Katze"};
    for (int known = 0; known < 2; known++) {
        more_sentences[0] = more_sentences[1] = known ? PLACEHOLDER_SENTENCE : "";
        set_up(2);
        open_session(1);
        for (size_t i = 0; i < 2; i++) {
            Translation translation = translate(sentences[i], "");
            ck_assert_uint_eq(placeholders_read(&translation), known && i == 0);
            if (known && i == 0)
                assert_contains(translation.renderings[0].text.data, "Ingrid Solberg");
            translation_free(&translation);
        }
        tear_down();
    }
}

// Marks alone are not translated by a model that knows placeholders.
TEST(marks)
{
    more_sentences[0] = more_sentences[1] = PLACEHOLDER_SENTENCE;
    set_up(2);
    open_session(1);
    Translation translation = translate("?! \xe2\x80\x8b", ""), empty = translate(" ", "");
    ck_assert_str_eq(translation.renderings[0].text.data, "?! \xe2\x80\x8b");
    ck_assert_uint_eq(empty.count, 0);
    translation_free(&translation);
    translation_free(&empty);
    tear_down();
}
