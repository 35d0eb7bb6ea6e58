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

// What is chosen of the senses of "room" instead of what was said; "" if that stays.
static void expect_choice(const char *said, double p, const double *log_ps, const char *expected)
{
    size_t best;
    assert_ok(dictionary_choose(&best, &room, log_ps, (Said){text_view_of(said), p}, NULL));
    ck_assert_str_eq(best < room.count ? room.items[best].word : "", expected);
}

static const double even[] = {-1, -1, -1};

TEST(spelt_as_the_word)
{
    expect_spelling("école", "school", "école");
    expect_spelling("école", "School", "École");
    expect_spelling("école", "SCHOOL", "ÉCOLE");
    expect_spelling("je", "I", "Je");
    expect_spelling("mot de passe", "Password", "Mot de passe");
    expect_spelling("价格", "Price", "价格");
}

/* What training has for the very text stays as it is; for that in lower case, it takes the capitals of the
 * source. */
TEST(whole_texts)
{
    Senses back = {.items = {{"vieux lyon", 0.1, SENSE_OF_TEXT, "vieux Lyon"}, {"dos", 0.9}},
                   .count = 2};
    static const char *const expected[] = {"Vieux Lyon", "vieux Lyon"};
    size_t best;
    for (int i = 0; i < 2; i++) {
        Bytes spelling = {0};
        back.items[0].origin = SENSE_OF_LOWER_TEXT + i;
        assert_ok(dictionary_spell(&spelling, &back.items[0], text_view_of("Old Lyons"), NULL));
        ck_assert_str_eq(spelling.data, expected[i]);
        bytes_free(&spelling);
        const double log_ps[] = {-9, -12};
        assert_ok(dictionary_choose(&best, &back, log_ps, (Said){text_view_of("dos"), 0.9}, NULL));
        ck_assert_uint_eq(best, 0);
    }
}

// 0.5 √e^-1.5 = 0.24, 0.3 √e^-0.2 = 0.27; 0.1 is too small a share, and e^-9 too little for the model
TEST(by_share_and_model)
{
    expect_choice("le riz", 0.2, even, "chambre");
    expect_choice("le riz", 0.2, (const double[]){-1.5, -0.2, 0}, "salle");
    expect_choice("le riz", 0.2, (const double[]){-9, -9, 0}, "");
}

TEST(leaves_what_is_better)
{
    expect_choice("Chambre", 0.2, even, "");    // the same
    expect_choice("La chambre", 0.5, even, ""); // with its article, if that is likely
    expect_choice("La chambre", 0.4, even, "chambre");
    expect_choice("une chambre forte", 0.6, even, ""); // and a word more, if that is likely
    expect_choice("une chambre forte", 0.5, even, "chambre");
    expect_choice("c'est une chambre", 0.2, even, "chambre"); // a sentence about it
    expect_choice("chambre chambre", 0.2, even, "chambre");
    expect_choice("bureau", 0.99, even, "chambre");
    expect_choice("bureau", 1.01, even, ""); // the model is surer, twice
    const Senses price = {.items = {{"价", 0.5}}, .count = 1};
    size_t best;
    assert_ok(dictionary_choose(&best, &price, even, (Said){text_view_of("价。"), 0.2}, NULL));
    ck_assert_uint_eq(best, 1);
    assert_ok(dictionary_choose(&best, &price, even, (Said){text_view_of("价格"), 0.2}, NULL));
    ck_assert_uint_eq(best, 0);
}

TEST(nothing_known)
{
    const Senses none = {.count = 0};
    size_t best;
    assert_ok(dictionary_choose(&best, &none, NULL, (Said){text_view_of("riz"), 0.2}, NULL));
    ck_assert_uint_eq(best, 0);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        Bytes spelling = {0};
        size_t best;
        Status status = dictionary_spell(&spelling, &room.items[0], text_view_of("Room"), NULL);
        if (!status)
            status = dictionary_choose(&best, &room, even, (Said){text_view_of("riz"), 0.2}, NULL);
        failing_malloc_expect(status);
        bytes_free(&spelling);
    }
}
