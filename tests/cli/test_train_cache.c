// regard train --cache: the model of a corpus kept in files is that of one kept in memory.

#include "support/suite.h"
#include "support/trained_model.h"

#include <string.h>

enum { PAIRS = 100, MOST_WORDS = 40 };

static const char *cache; // a folder
static const char *corpus, *old, *guide, *model, *whole;

static void set_up(void)
{
    Bytes links = {0};
    cache = scratch_subfolder("cache");
    corpus = scratch_path("corpus");
    old = scratch_path("old");
    model = scratch_path("model");
    whole = scratch_path("whole");
    trained_corpus_write(corpus, PAIRS);
    trained_corpus_write(old, 40);
    for (unsigned i = 0; i < PAIRS; i++)
        assert_ok(bytes_append_format(&links, NULL, "0-0 %u-1 2-2\n", i % 4));
    guide = scratch_text("guide", links.data);
    bytes_free(&links);
}

static void tear_down(void)
{
    ck_assert_uint_eq(scratch_count_in(cache), 0);
}

// Appends words up to a NULL.
static size_t put_words(const char **words, size_t count, const char *const *more)
{
    for (; *more; more++) words[count++] = *more;
    ck_assert_uint_lt(count, MOST_WORDS);
    return count;
}

// Trains with these words besides, in memory if `folder` is NULL. Only there --guide is auto by
// default.
static void train(const char *path, const char *folder, const char *input, const char *const *more)
{
    const char *words[MOST_WORDS + 1] = {"train", "--model", path, "--overwrite", "--cache"};
    static const char *const flags[] = {
        "--embedding", "16",       "--hidden", "16",        "--vocab-size", "320", "--batch-tokens",
        "400",         "--warmup", "40",       "--dropout", "0.1",          NULL};
    size_t count =
        put_words(words, folder ? 5 : 4,
                  folder ? (const char *const[]){folder, NULL} : (const char *const[]){NULL});
    count = put_words(words, count, flags);
    words[put_words(words, count, more)] = NULL;
    run_expect_done(run_program(words, input, strlen(input), RUN_CAPTURED));
}

#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

TESTS_EACH(set_up, tear_down)

TEST(same_models)
{
    const char *mix = scratch_format("%s:0.5", old);
    const char *const *const cases[] = {
        WORDS("--threads", "1", "--valid", old, "--guide", "none"),
        WORDS("--threads", "2", "--deduplicate", "--mix", mix, "--guide", guide),
        WORDS("--threads", "2", "--mix", mix, "--guide", "auto"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[MOST_WORDS + 1] = {"--train", corpus, "--max-epochs", "1"};
        words[put_words(words, 4, cases[i])] = NULL;
        train(whole, NULL, "", words);
        train(model, cache, "", words);
        scratch_expect_equal(whole, model);
    }
}

TEST(standard_input)
{
    Bytes pairs = scratch_read(corpus);
    const char *const *words =
        WORDS("--train", "-", "--threads", "2", "--max-epochs", "1", "--guide", "none");
    train(whole, NULL, pairs.data, words);
    train(model, cache, pairs.data, words);
    scratch_expect_equal(whole, model);
}

// A resumed run keeps the corpus where it was kept, or where it is told to.
TEST(resumed)
{
#define FOR(epochs) WORDS("--train", corpus, "--threads", "2", "--max-epochs", epochs)
    train(whole, cache, "", FOR("3"));
    train(model, cache, "", FOR("1"));
    run_expect_done(RUN("", "train", "--model", model, "--resume", "--max-epochs", "2"));
    run_expect_said(RUN("", "train", "--model", model, "--resume", "--cache", "/nonexistent"), 1,
                    "/nonexistent: the corpus cannot be kept there");
    run_expect_done(RUN("", "train", "--model", model, "--resume", "--max-epochs", "3", "--cache",
                        scratch_folder()));
    scratch_expect_equal(whole, model);
}

TEST(no_folder)
{
    run_expect_failure(
        RUN("", "train", "--train", corpus, "--model", model, "--cache", "/nonexistent"), 1,
        "/nonexistent: the corpus cannot be kept there: No such file or directory; "
        "name another folder with --cache");
}
