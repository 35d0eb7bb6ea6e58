#include "support/trained_model.h"

#include "support/suite.h"

#include <string.h>

enum { WORDS = 6, VERBS = 3 };

/* The pairs are numbered, and the digits of a number choose the words. A step that shares no factor
 * with the number of sentences visits each of them once, in a mixed order. */
void trained_corpus_write(const char *path, size_t pairs)
{
    static const char *const adjectives[][2] = {{"red", "rouge"},   {"blue", "bleu"},
                                                {"big", "grand"},   {"small", "petit"},
                                                {"old", "vieille"}, {"new", "neuf"}};
    static const char *const nouns[][2] = {{"cat", "chat"},   {"dog", "chien"}, {"house", "maison"},
                                           {"tree", "arbre"}, {"car", "auto"},  {"boat", "bateau"}};
    static const char *const verbs[][2] = {{"sees", "voit"}, {"likes", "aime"}, {"takes", "prend"}};
    const size_t sentences = (size_t)WORDS * WORDS * VERBS * WORDS * WORDS, step = 1019;
    Bytes text = {0};
    ck_assert_uint_le(pairs, sentences);
    for (size_t i = 0; i < pairs; i++) {
        size_t number = i * step % sentences;
        const char *const *first = adjectives[number % WORDS];
        const char *const *subject = nouns[number / WORDS % WORDS];
        const char *const *second = adjectives[number / (WORDS * WORDS) % WORDS];
        const char *const *object = nouns[number / (WORDS * WORDS * WORDS) % WORDS];
        const char *const *verb = verbs[number / (WORDS * WORDS * WORDS * WORDS)];
        assert_ok(bytes_append_format(
            &text, NULL, "the %s %s %s the %s %s .\tle %s %s %s le %s %s .\n", first[0], subject[0],
            verb[0], second[0], object[0], subject[1], first[1], verb[1], object[1], second[1]));
    }
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
}

const char *trained_checkpoint(const char *model)
{
    return scratch_format("%s.checkpoint", model);
}

void trained_expect_equal(const char *a, const char *b)
{
    scratch_expect_equal(a, b);
    scratch_expect_equal(trained_checkpoint(a), trained_checkpoint(b));
}

TrainedModel trained_model_make(void)
{
    static unsigned made;
    const char *folder = scratch_subfolder(scratch_format("trained-%u", ++made));
    TrainedModel trained = {.corpus = scratch_path_in(folder, "corpus.tsv"),
                            .model = scratch_path_in(folder, "model.safetensors")};
    trained_corpus_write(trained.corpus, 300);
    run_expect_done(RUN("", "train", "--train", trained.corpus, "--model", trained.model,
                        TRAINED_FLAGS, "--guide", "none", "--max-epochs", "25"));
    return trained;
}
