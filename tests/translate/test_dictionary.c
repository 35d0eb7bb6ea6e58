// Texts of one word: what they stand for elsewhere, and when that is the answer.
#include "translate/dictionary.h"

#include "align/senses.h"
#include "support/aligner_pairs.h"
#include "support/suite.h"

#include <string.h>

static Aligner aligner;

static TextView view(const char *text)
{
    return (TextView){text, strlen(text)};
}

static void learn(void)
{
    static const char *const lines[][2] = {{"the room", "la chambre"}, {"my room", "ma chambre"},
                                           {"a room", "une salle"},    {"the cat", "le chat"},
                                           {"my cat", "mon chat"},     {"a dog", "un chien"}};
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
    double share;
    assert_ok(dictionary_find(&answer, &share, &aligner, view(word), view(said), said_p, NULL));
    ck_assert_str_eq(answer.data ? answer.data : "", expected);
    if (answer.length > 0) ck_assert_double_gt(share, said_p);
    bytes_free(&answer);
}

TESTS_SHARE(learn)

TEST(senses_by_share)
{
    Sense senses[MAX_SENSES];
    size_t count;
    assert_ok(senses_find(senses, &count, &aligner, view("Room!"), NULL));
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(strncmp(senses[0].word.data, "chambre", senses[0].word.length), 0);
    ck_assert_int_eq(strncmp(senses[1].word.data, "salle", senses[1].word.length), 0);
    ck_assert_double_gt(senses[0].share, 1.5 * senses[1].share);
    assert_ok(senses_find(senses, &count, &aligner, view("my room"), NULL)); // two words
    ck_assert_uint_eq(count, 0);
    assert_ok(senses_find(senses, &count, &aligner, view("zebra"), NULL));
    ck_assert_uint_eq(count, 0);
}

TEST(answers_in_the_case_of_the_word)
{
    expect_answer("room", "le riz", 0.2, "chambre");
    expect_answer("Room", "le riz", 0.2, "Chambre");
    expect_answer("ROOM", "le riz", 0.2, "CHAMBRE");
}

TEST(leaves_what_is_better)
{
    expect_answer("room", "La chambre", 0.2, "");       // the same, with its article
    expect_answer("room", "pièce", 0.999, "");          // the model is surer
    expect_answer("zebra", "le riz", 0.2, "");          // not known
    expect_answer("the room", "le riz", 0.2, "");       // not one word
    expect_answer("cat", "c'est un chat", 0.2, "chat"); // a sentence about it
}
