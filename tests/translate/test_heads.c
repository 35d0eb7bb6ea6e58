// The attention of a model with several heads: all matrices of a rendering, found or given.

#include "base/memory.h"
#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"
#include "translate/forced.h"
#include "translate/session.h"

#include <string.h>

enum { HEADS = 2 };

static Translator translator;
static Session *session;

static void set_up(double eos_bias)
{
    SmallTranslator small;
    small_translator_new(&small, 1, 1);
    ModelConfig config = small.model.config;
    strcpy(config.attention, "multi-head");
    config.heads = HEADS;
    config.hidden = 6;
    small_model_free(&small.model);
    small_model_make(&small.model, &config, 2, 3);
    small.model.params.output.bias[TOKEN_EOS] = (real)eos_bias;
    const char *path = scratch_path("model");
    small_translator_save(&small, path, "{}");
    small_translator_free(&small);
    assert_ok(translator_open(&translator, path, NULL));
    assert_ok(session_new(&session, &translator, 2, PRECISION_FLOAT32, NULL));
}

static void tear_down(void)
{
    session_free(session);
    translator_close(&translator);
}

// The first matrix is the mean of those behind it, and all are distributions.
static void expect_mean(const Rendering *rendering, size_t rows, size_t columns)
{
    size_t size = rows * columns;
    ck_assert_uint_eq(rendering->matrices, 1 + HEADS);
    bool differ = false;
    for (size_t i = 0; i < size; i++) {
        const float *alpha = rendering->alpha + i;
        ck_assert_double_eq_tol((double)alpha[0], (double)(alpha[size] + alpha[2 * size]) / HEADS,
                                1e-6);
        differ = differ || alpha[size] != alpha[2 * size];
    }
    ck_assert(differ);
    for (size_t row = 0; row < rendering->matrices * rows; row++) {
        double sum = 0;
        for (size_t j = 0; j < columns; j++) sum += (double)rendering->alpha[row * columns + j];
        if (row % rows + 1 < rows || sum > 0) ck_assert_double_eq_tol(sum, 1, 1e-4);
    }
}

/* What search finds has in each matrix the weights that the same subwords have when they are given,
 * whether the hypothesis ended or was cut off. */
TEST(found_and_given)
{
    static const char *const sentences[] = {"das Haus ist klein", "die Katze", "x"};
    enum { SENTENCES = sizeof sentences / sizeof *sentences };
    static const double biases[] = {-20, 3}; // never ends, ends soon
    for (size_t b = 0; b < 2; b++) {
        set_up(biases[b]);
        for (size_t i = 0; i < SENTENCES; i++) {
            TextView text = text_view_of(sentences[i]);
            TranslateOptions options = {
                .search = {.beam = 3, .batch = 4, .length_normalization = 1, .with_alpha = true},
                .n_best = 1};
            Translation translation;
            assert_ok(session_translate(session, &text, 1, &options, &translation, NULL));
            const Rendering *found = &translation.renderings[0];
            const Subwords *source = &translation.source_subwords, *target = &found->subwords;
            size_t rows = target->count + 1, columns = source->count + 1;
            expect_mean(found, rows, columns);

            bool ended = found->alpha[(rows - 1) * columns] > 0; // else there is no </s>

            TokenCorpus pairs = {0};
            Rendering rendering = {0};
            Translation given = {.renderings = &rendering, .count = 1};
            Threads *threads = NULL;
            assert_ok(token_corpus_add(&pairs, source->ids, source->count, target->ids,
                                       target->count, NULL));
            assert_ok(threads_new(&threads, 1, NULL));
            const Forcing forcing = {
                .threads = threads, .params = &translator.model.params, .with_alpha = true};
            assert_ok(forced_decode(&forcing, &pairs, &given, NULL));
            expect_mean(&rendering, rows, columns);
            for (size_t at = 0; at < rendering.matrices * rows * columns; at++)
                if (ended || at / columns % rows < target->count)
                    ck_assert_double_eq_tol((double)found->alpha[at], (double)rendering.alpha[at],
                                            1e-5);
            memory_free(rendering.alpha);
            memory_free(rendering.log_ps);
            threads_free(threads);
            token_corpus_free(&pairs);
            translation_free(&translation);
        }
        tear_down();
    }
}

// One head alone is one matrix.
TEST(one_head)
{
    set_up(0);
    TextView source = {"das Haus", 8}, target = {"the house", 9};
    const TextView *const sides[2] = {&source, &target};
    Translation all, one;
    assert_ok(session_force(session, sides, 1, true, &all, NULL));
    assert_ok(session_show_head(session, 2, NULL));
    assert_ok(session_force(session, sides, 1, true, &one, NULL));
    const Rendering *heads = &all.renderings[0], *head = &one.renderings[0];
    size_t size = (heads->subwords.count + 1) * (all.source_subwords.count + 1);
    ck_assert_uint_eq(head->matrices, 1);
    ck_assert_mem_eq(head->alpha, heads->alpha + 2 * size, size * sizeof *head->alpha);
    translation_free(&all);
    translation_free(&one);
    tear_down();
}
