// Which sense of a word is the answer, and how it is spelt.
#include "translate/dictionary.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

// "room"
static const Senses room = {.items = {{"chambre", 0.5}, {"salle", 0.3}, {"pièce", 0.1}},
                            .count = 3};

static void expect_spelling(const char *sense, const char *word, const char *expected)
{
    Sense given = {.share = 1};
    Bytes spelling = {0};
    strcpy(given.word, sense);
    assert_ok(dictionary_spell(&spelling, &given, text_view_of(word), NULL));
    ck_assert_str_eq(spelling.data, expected);
    bytes_free(&spelling);
}

TEST(spelt_as_the_word)
{
    expect_spelling("école", "school", "école");
    expect_spelling("école", "School", "École");
    expect_spelling("école", "SCHOOL", "ÉCOLE");
    expect_spelling("je", "I", "Je");
    expect_spelling("mot de passe", "Password", "Mot de passe");
    expect_spelling("价格", "Price", "价格");
}

// A text with an end is a sentence.
TEST(sentences)
{
    expect_spelling("bonne chance", "Good luck.", "Bonne chance");
    expect_spelling("bonne chance", "good luck.", "bonne chance");
    expect_spelling("bonne chance", "GOOD LUCK!", "BONNE CHANCE");
    expect_spelling("good luck", "\xE7\xA5\x9D\xE5\xA5\xBD\xE8\xBF\x90\xEF\xBC\x81", "Good luck");
}

/* What training has for the very text stays as it is, but for a capital at its beginning; for that in
 * lower case, it takes the capitals of the source. */
TEST(whole_texts)
{
    Sense lyon = {"vieux lyon", 0.1, SENSE_OF_TEXT, "vieux Lyon"};
    static const char *const expected[] = {"VIEUX LYON", "Vieux Lyon"};
    for (int i = 0; i < 2; i++) {
        Bytes spelling = {0};
        lyon.origin = SENSE_OF_LOWER_TEXT + i;
        assert_ok(dictionary_spell(&spelling, &lyon, text_view_of("OLD LYON"), NULL));
        ck_assert_str_eq(spelling.data, expected[i]);
        bytes_free(&spelling);
    }
}

// 0.5 √e^-1 = 0.30, 0.3 √e^-1 = 0.18; 0.5 √e^-1.5 = 0.24, 0.3 √e^-0.2 = 0.27
TEST(by_share_and_model)
{
    const Senses none = {.count = 0};
    ck_assert_uint_eq(dictionary_choose(&room, (const double[]){-1, -1, -1}), 0);
    ck_assert_uint_eq(dictionary_choose(&room, (const double[]){-1.5, -0.2, 0}), 1);
    ck_assert_uint_eq(dictionary_choose(&none, NULL), 0);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        Bytes spelling = {0};
        failing_malloc_expect(
            dictionary_spell(&spelling, &room.items[0], text_view_of("Room"), NULL));
        bytes_free(&spelling);
    }
}
