#include "bench/speed/widen.h"
#include "support/suite.h"
#include "text/bpe_learn.h"

#include <string.h>

static const char *const TEXTS[] = {"the cat sat on the mat", "the dog sat on the log",
                                    "thé à la mat"};
enum { TEXT_COUNT = sizeof TEXTS / sizeof *TEXTS };

static Vocabulary *learned(void)
{
    Vocabulary *vocabulary = NULL;
    BpeLearner *learner = NULL;
    assert_ok(bpe_learner_new(&learner, NULL));
    for (size_t i = 0; i < TEXT_COUNT; i++)
        assert_ok(bpe_learner_add(learner, TEXTS[i], strlen(TEXTS[i]), NULL));
    assert_ok(bpe_learner_finish(learner, 300, &vocabulary, NULL));
    bpe_learner_free(learner);
    return vocabulary;
}

TEST(cuts_as_before)
{
    Vocabulary *small = learned(), *wide = NULL;
    Subwords before = {0}, after = {0};
    assert_ok(vocabulary_widen(&wide, small, 5000, NULL));
    ck_assert_uint_eq(vocabulary_size(wide), 5000);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        size_t length = strlen(TEXTS[i]);
        assert_ok(vocabulary_encode(small, TEXTS[i], length, &before, NULL));
        assert_ok(vocabulary_encode(wide, TEXTS[i], length, &after, NULL));
        ck_assert_uint_eq(after.count, before.count);
        ck_assert_uint_lt(after.count, length); // something has been merged
        for (size_t j = 0; j < after.count; j++)
            ck_assert_str_eq(vocabulary_spelling(wide, after.ids[j]),
                             vocabulary_spelling(small, before.ids[j]));
    }
    subwords_free(&before);
    subwords_free(&after);
    vocabulary_free(small);
    vocabulary_free(wide);
}

TEST(wide_enough_already)
{
    Vocabulary *small = learned(), *same = NULL;
    assert_ok(vocabulary_widen(&same, small, 10, NULL));
    ck_assert_uint_eq(vocabulary_size(same), vocabulary_size(small));
    vocabulary_free(small);
    vocabulary_free(same);
}
