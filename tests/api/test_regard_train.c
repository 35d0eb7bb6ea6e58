// include/regard.h: training from pairs in memory.

#include "regard.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/suite.h"

enum { PAIRS = 60 };

#define SMALL                                                                                      \
    "\"hidden\": 8, \"embedding\": 8, \"vocab_size\": 300, \"threads\": 1, \"precision\": "        \
    "\"float32\""

static const char *path;
static RegardError error;
static char bytes[2][PAIRS][64];
static RegardText sides[2][PAIRS];
static RegardTraining training;

// Numbers and their words in another order.
static void make_pairs(void)
{
    static const char *const words[][2] = {
        {"one", "un"}, {"two", "deux"}, {"three", "trois"}, {"four", "quatre"}, {"five", "cinq"}};
    for (size_t i = 0; i < PAIRS; i++) {
        const char *const *a = words[i % 5], *const *b = words[i / 5 % 5];
        snprintf(bytes[0][i], sizeof bytes[0][i], "%s and %s of %zu", a[0], b[0], i % 7);
        snprintf(bytes[1][i], sizeof bytes[1][i], "%zu de %s et %s", i % 7, b[1], a[1]);
        for (int s = 0; s < 2; s++) sides[s][i] = (RegardText){bytes[s][i], strlen(bytes[s][i])};
    }
    training =
        (RegardTraining){.size = sizeof training, .options = "{" SMALL ", \"max_epochs\": 3}"};
}

static RegardStatus train(const char *name)
{
    path = scratch_path(name);
    return regard_train(path, sides[0], sides[1], PAIRS, &training, &error);
}

typedef struct Seen {
    size_t steps, validations, drawn;
    size_t stop_at; // the step at which it has seen enough; 0: none
} Seen;

static bool see(void *context, const RegardProgress *progress)
{
    Seen *seen = context;
    const RegardTranslation *watched = progress->watched;
    seen->steps += !progress->validated;
    seen->validations += progress->validated;
    ck_assert_uint_eq(progress->step, seen->steps);
    ck_assert_uint_eq(progress->max_epochs, 3);
    ck_assert_uint_ge(progress->batches, progress->batch);
    if (!progress->validated) {
        ck_assert(progress->loss > 0 && progress->target_tokens > 0 && progress->learning_rate > 0);
        ck_assert_ptr_null(watched);
    } else if (watched && watched->alignment) {
        ck_assert_uint_eq(watched->alignment->source_count, 5);
        seen->drawn++;
    }
    return seen->steps != seen->stop_at;
}

TEST(trains, .seconds = 60)
{
    Seen seen = {0};
    make_pairs();
    training.progress = see;
    training.context = &seen;
    training.watch = (RegardText){"two and three of 4", 18};
    assert_ok(train("a.safetensors"));
    ck_assert_uint_eq(seen.validations, 3);
    ck_assert_uint_gt(seen.steps, 3);
    ck_assert_uint_gt(seen.drawn, 0);
    training.progress = NULL;
    assert_ok(train("b.safetensors"));
    scratch_expect_equal(scratch_path("a.safetensors"), path);
    ck_assert_uint_eq(scratch_count(), 2); // no checkpoint
    RegardModel *model;
    RegardResult *result;
    assert_ok(regard_open(&model, path, &error));
    assert_ok(regard_translate(model, sides[0], 2, NULL, &result, &error));
    regard_result_free(result);
    regard_close(model);
}

TEST(ends_when_it_is_enough, .seconds = 60)
{
    Seen seen = {.stop_at = 2};
    make_pairs();
    training.progress = see;
    training.context = &seen;
    assert_ok(train("m.safetensors"));
    ck_assert_uint_eq(seen.steps, 2);
    ck_assert_uint_eq(seen.validations, 1);
    RegardModel *model;
    assert_ok(regard_open(&model, path, &error));
    regard_close(model);
}

static bool count_down(void *context)
{
    return atomic_fetch_sub((atomic_int *)context, 1) <= 0;
}

// While pairs are read, the aligner learns, at steps and between epochs.
TEST(is_cancelled, .seconds = 100)
{
    RegardStatus status = REGARD_CANCELLED;
    make_pairs();
    training.cancelled = count_down;
    for (int n = 0; status; n = n + 1 + n / 2) {
        atomic_int left = n;
        training.context = &left;
        status = train("m.safetensors");
        if (!status) break;
        ck_assert_int_eq(status, REGARD_CANCELLED);
        ck_assert_str_eq(error.text, "cancelled on request");
        if (n < PAIRS) ck_assert_int_ne(access(path, F_OK), 0);
    }
}

TEST(takes_validation_pairs, .seconds = 60)
{
    make_pairs();
    training.valid_sources = sides[0];
    training.valid_targets = sides[1];
    training.valid_count = 7;
    training.source_language = "en";
    training.target_language = "fr-CA";
    assert_ok(train("m.safetensors"));
    RegardModel *model;
    assert_ok(regard_open(&model, path, &error));
    ck_assert_str_eq(regard_model_language(model, REGARD_TARGET), "fr-CA");
    regard_close(model);
}

static void refused(RegardStatus status, const char *message)
{
    ck_assert_int_eq(train("m.safetensors"), status);
    if (!strstr(error.text, message)) ck_abort_msg("%s", error.text);
    ck_assert_uint_eq(scratch_count(), 0);
}

TEST(refuses)
{
    static const char *const wrong[][2] = {
        {"{", "training.options: the text is not JSON"},
        {"{\"heads\": 0}", "\"heads\" must be a whole number from 1 to"},
        {"{\"dropout\": 2}", "\"dropout\" must be a number from 0 to 0.95"},
        {"{\"dropout\": \"x\"}", "\"dropout\" must be a number"},
        {"{\"deduplicate\": 1}", "\"deduplicate\" has no such value"},
        {"{\"vocabsize\": 300}", "\"vocabsize\" is not known"},
        {"{\"vocab\": 300}", "\"vocab\" is not known"},
        {"{\"guide\": 1}", "\"guide\" must be"},
        {"{\"joint_vocab\": true, \"separate_vocab\": true}", "conflict"},
        {"[1]", "training.options must be an object"},
    };
    make_pairs();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        training.options = wrong[i][0];
        refused(REGARD_ARGUMENT, wrong[i][1]);
    }
    training.options = "{" SMALL "}";
    training.size = 3;
    refused(REGARD_ARGUMENT, "training.size is 3");
    training.size = sizeof training;
    training.valid_count = 1;
    refused(REGARD_ARGUMENT, "training.valid_sources is NULL");
    training.valid_count = 0;
    ck_assert_int_eq(regard_train(NULL, sides[0], sides[1], PAIRS, NULL, &error), REGARD_ARGUMENT);
    ck_assert_int_eq(regard_train("x", sides[0], NULL, PAIRS, NULL, &error), REGARD_ARGUMENT);
    ck_assert_int_eq(regard_train("x", NULL, NULL, 0, NULL, &error), REGARD_ARGUMENT);
    ck_assert_str_eq(error.text,
                     "there are no pairs to train on: give some with a text on both sides");
    static const RegardText nothing;
    training.valid_sources = sides[0];
    training.valid_targets = &nothing;
    training.valid_count = 1;
    refused(REGARD_ARGUMENT,
            "there are no pairs to validate with: give some with a text on both sides");
    training.valid_count = 0;
    Seen seen = {0};
    training.progress = see;
    training.context = &seen;
    ck_assert_int_eq(regard_train("/none/x", sides[0], sides[1], PAIRS, &training, &error),
                     REGARD_IO);
    if (!strstr(error.text, "/none/x: cannot be created")) ck_abort_msg("%s", error.text);
    ck_assert_uint_eq(seen.steps, 0); // found out before, not after an epoch
    // one source alone leaves nothing to validate on
    ck_assert_int_eq(regard_train("x", sides[0], sides[1], 1, &training, &error), REGARD_ARGUMENT);
}
