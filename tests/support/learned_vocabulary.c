#include "support/learned_vocabulary.h"

#include "support/suite.h"
#include "text/bpe_learn.h"

#include <string.h>

Vocabulary *learned_vocabulary(const char *const *texts, size_t count, size_t size)
{
    BpeLearner *learner;
    Vocabulary *vocabulary;
    ck_assert_int_eq(bpe_learner_new(&learner, NULL), STATUS_OK);
    for (size_t i = 0; i < 2 * count; i++) {
        const char *text = texts[i / 2];
        ck_assert_int_eq(bpe_learner_add(learner, text, strlen(text), NULL), STATUS_OK);
    }
    ck_assert_int_eq(bpe_learner_finish(learner, size, &vocabulary, NULL), STATUS_OK);
    bpe_learner_free(learner);
    return vocabulary;
}
