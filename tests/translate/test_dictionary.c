// Texts of one word: what they stand for elsewhere, and when that is the answer.
#include "translate/dictionary.h"

#include "align/senses.h"
#include "support/aligner_pairs.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static Aligner aligner;

static TextView view(const char *text)
{
    return (TextView){text, strlen(text)};
}

static void learn(void)
{
    static const char *const lines[][2] = {{"the room", "la chambre"},  {"my room", "ma chambre"},
                                           {"a room", "une salle"},     {"the cat", "le chat"},
                                           {"our room", "notre pièce"}, {"my cat", "mon chat"},
                                           {"a dog", "un chien"}};
    AlignerCorpus corpus = {0};
    Threads *threads;
    for (size_t times = 0; times < 8; times++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            aligner_pairs_add_text(&corpus, lines[i][0], lines[i][1]);
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL));
    threads_free(threads);
}

static void expect_answer(const char *word, const char *said, double said_p, const char *expected)
{
    Bytes answer = {0};
    Senses senses;
    assert_ok(senses_find(&senses, &aligner, view(word), NULL));
    assert_ok(dictionary_choose(&answer, &senses, view(word), view(said), said_p, NULL));
    ck_assert_str_eq(answer.data ? answer.data : "", expected);
    bytes_free(&answer);
}

// The senses as text: their words with shares in percent.
static void expect_senses(const Senses *senses, const char *expected)
{
    char text[400] = "";
    for (size_t i = 0; i < senses->count; i++)
        (void)sprintf(text + strlen(text), "%s %.0f ", senses->items[i].word,
                      100 * senses->items[i].share);
    ck_assert_str_eq(text, expected);
}

// For what of two characters is in this list, the model has a better opinion than of anything else.
static const char *likely;

static Status score_by_list(void *context, double *log_ps, const TextView *words, size_t count,
                            Error *error)
{
    (void)error;
    *(size_t *)context += 1;
    for (size_t i = 0; i < count; i++) {
        char word[MAX_SENSE_BYTES + 2];
        (void)sprintf(word, " %.*s ", (int)words[i].length, words[i].data);
        log_ps[i] = strstr(likely, word) ? -1 : -5;
    }
    return STATUS_OK;
}

static Senses characters_of(const char *const *characters, const double *links, size_t count)
{
    Senses senses = {.character_count = count};
    for (size_t i = 0; i < count; i++) {
        strcpy(senses.characters[i].word, characters[i]);
        senses.characters[i].share = links[i];
    }
    return senses;
}

TESTS_SHARE(learn)

TEST(senses_by_share)
{
    Senses senses;
    assert_ok(senses_find(&senses, &aligner, view("Room!"), NULL));
    ck_assert_uint_ge(senses.count, 3);
    ck_assert_str_eq(senses.items[0].word, "chambre");
    ck_assert_double_gt(senses.items[0].share, 1.5 * senses.items[1].share);
    assert_ok(senses_find(&senses, &aligner, view("my room"), NULL)); // two words
    ck_assert_uint_eq(senses.count, 0);
    assert_ok(senses_find(&senses, &aligner, view("zebra"), NULL));
    ck_assert_uint_eq(senses.count, 0);
}

TEST(words_made_of_characters)
{
    static const char *const price[] = {"价", "格", "钱", "少"},
                             *const father[] = {"爸", "父", "亲"},
                             *const library[] = {"书", "图", "馆"};
    size_t calls = 0;
    Senses senses = characters_of(price, (const double[]){25, 18, 6, 1}, 4);
    likely = " 价格 价钱 ";
    assert_ok(dictionary_make_words(&senses, score_by_list, &calls, NULL));
    // 18 of 25 + 18 + 6 + 1 − 18 − 6, then 6; of 价 one link is left
    expect_senses(&senses, "价格 69 价钱 23 ");
    ck_assert_uint_eq(calls, 2);
    ck_assert_uint_eq(senses.character_count, 0);
    senses = characters_of(father, (const double[]){40, 10, 10}, 3);
    likely = " 爸爸 父亲 ";
    assert_ok(dictionary_make_words(&senses, score_by_list, &calls, NULL));
    expect_senses(&senses, "爸爸 67 父亲 33 ");
    senses = characters_of(library, (const double[]){10, 9, 8}, 3);
    likely = " 图书馆 ";
    assert_ok(dictionary_make_words(&senses, score_by_list, &calls, NULL));
    expect_senses(&senses, "图书馆 73 书 18 ");
    senses = characters_of(library, (const double[]){1, 1, 1}, 1); // too rare to tell
    assert_ok(dictionary_make_words(&senses, score_by_list, &calls, NULL));
    ck_assert_uint_eq(senses.count, 0);
}

TEST(han_on_either_side)
{
    static const char *const lines[][2] = {{"price", "价格"}, {"shape", "表格"}, {"value", "价值"},
                                           {"pay", "工钱"},   {"work", "工作"},  {"duty", "值班"}};
    AlignerCorpus corpus = {0};
    Aligner other;
    Senses senses;
    Threads *threads;
    for (size_t turned = 0; turned < 2; turned++) {
        corpus = (AlignerCorpus){0};
        for (size_t times = 0; times < 8; times++)
            for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
                aligner_pairs_add_text(&corpus, lines[i][turned], lines[i][!turned]);
        assert_ok(threads_new(&threads, 1, NULL));
        assert_ok(aligner_learn(&other, &corpus, aligner_options_default(), threads, NULL));
        threads_free(threads);
        assert_ok(senses_find(&senses, &other, view(turned ? "价格" : "price"), NULL));
        if (turned) {
            ck_assert_uint_ge(senses.count, 1);
            ck_assert_str_eq(senses.items[0].word, "price");
            assert_ok(senses_find(&senses, &other, view("价格价格价"), NULL)); // no word
            ck_assert_uint_eq(senses.count, 0);
        } else {
            ck_assert_uint_eq(senses.count, 0);
            ck_assert_uint_ge(senses.character_count, 1);
        }
        aligner_free(&other);
    }
}

TEST(looks_up_words_alone)
{
    const Senses price = {.items = {{"price", 1}}, .count = 1};
    Bytes answer = {0};
    assert_ok(dictionary_choose(&answer, &price, view("价格价格价"), view("cost"), 0.2, NULL));
    ck_assert_uint_eq(answer.length, 0);
    assert_ok(dictionary_choose(&answer, &price, view("价格"), view("cost"), 0.2, NULL));
    ck_assert_str_eq(answer.data, "price");
    bytes_free(&answer);
}

TEST(answers_in_the_case_of_the_word)
{
    expect_answer("room", "le riz", 0.2, "chambre");
    expect_answer("Room", "le riz", 0.2, "Chambre");
    expect_answer("ROOM", "le riz", 0.2, "CHAMBRE");
}

TEST(leaves_what_is_better)
{
    expect_answer("room", "La chambre", 0.2, "");        // the same, with its article
    expect_answer("room", "une chambre forte", 0.6, ""); // and a word more, if that is likely
    expect_answer("room", "une chambre forte", 0.5, "chambre");
    expect_answer("room", "pièce", 1.4, "");            // the model is surer, twice
    expect_answer("zebra", "le riz", 0.2, "");          // not known
    expect_answer("the room", "le riz", 0.2, "");       // not one word
    expect_answer("cat", "c'est un chat", 0.2, "chat"); // a sentence about it
}
