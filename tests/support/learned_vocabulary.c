#include "support/learned_vocabulary.h"

#include "support/suite.h"
#include "text/bpe_learn.h"

#include <string.h>

Vocabulary *learned_vocabulary(const char *const *texts, size_t count, size_t size)
{
    BpeLearner *learner;
    Vocabulary *vocabulary;
    assert_ok(bpe_learner_new(&learner, NULL));
    for (size_t i = 0; i < 2 * count; i++) {
        const char *text = texts[i / 2];
        assert_ok(bpe_learner_add(learner, text, strlen(text), NULL));
    }
    assert_ok(bpe_learner_finish(learner, size, &vocabulary, NULL));
    bpe_learner_free(learner);
    return vocabulary;
}
