#include "train/checkpoint.h"

#include "support/param_checks.h"
#include "support/scratch.h"
#include "support/small_model.h"
#include "support/suite.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const ModelTexts texts = {"{\"s\":1}", "{\"t\":2}", "{\"how\":3}"};
static const TrainOptions options = TRAIN_OPTIONS_DEFAULT;
static const uint64_t corpus = 0xfedcba9876543210u;
static const TrainCounters counters = {.epoch = 3,
                                       .batch = 17,
                                       .steps = 5000000000u,
                                       .updates = 90,
                                       .skipped = 10,
                                       .validations = 4,
                                       .stale = 2,
                                       .best_step = 70,
                                       .best_bleu = 100.0 / 3,
                                       .best_loss = 1e-310,
                                       .loss_sum = 12345.678901234567,
                                       .loss_tokens = 1 / 3.0};

static SmallModel small;
static real *blocks[4];

static void set_up(void)
{
    small_model_new(&small, 15, 20, 1, 1);
    for (uint64_t i = 0; i < 4; i++) {
        blocks[i] = param_block_new(&small.params.list);
        param_block_draw(blocks[i], &small.params.list, i + 1, 1);
    }
}

static void tear_down(void)
{
    for (size_t i = 0; i < 4; i++) memory_free(blocks[i]);
    small_model_free(&small);
}

static const char *save(const TrainCounters *saved)
{
    const char *path = scratch_path("checkpoint");
    CheckpointBlocks all = {&small.params.list, {blocks[0], blocks[1], blocks[2], blocks[3]}};
    const Checkpoint checkpoint = {.config = small.config,
                                   .texts = texts,
                                   .options = options,
                                   .counters = *saved,
                                   .corpus_hash = corpus};
    Error error = {0};
    Status status = checkpoint_save(path, &checkpoint, &all, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return path;
}

static void expect_same_counters(const TrainCounters *a, const TrainCounters *b)
{
    ck_assert_uint_eq(a->epoch, b->epoch);
    ck_assert_uint_eq(a->batch, b->batch);
    ck_assert_uint_eq(a->steps, b->steps);
    ck_assert_uint_eq(a->updates, b->updates);
    ck_assert_uint_eq(a->skipped, b->skipped);
    ck_assert_uint_eq(a->validations, b->validations);
    ck_assert_uint_eq(a->stale, b->stale);
    ck_assert_uint_eq(a->best_step, b->best_step);
    ck_assert(a->best_bleu == b->best_bleu); // bit for bit
    ck_assert(a->best_loss == b->best_loss);
    ck_assert(a->loss_sum == b->loss_sum);
    ck_assert(a->loss_tokens == b->loss_tokens);
}

TESTS_EACH(set_up, tear_down)

TEST(round_trip)
{
    const char *path = save(&counters);
    Checkpoint checkpoint = {.options = {.max_epochs = 77, .patience = 78, .max_minutes = 79}};
    assert_ok(checkpoint_open(&checkpoint, path, NULL));
    ck_assert(!config_difference(&checkpoint.config, &small.config));
    ck_assert_str_eq(checkpoint.texts.source_vocabulary, texts.source_vocabulary);
    ck_assert_str_eq(checkpoint.texts.target_vocabulary, texts.target_vocabulary);
    ck_assert_str_eq(checkpoint.texts.training, texts.training);
    ck_assert(checkpoint.corpus_hash == corpus);
    ck_assert_uint_eq(checkpoint.options.max_epochs, 77);
    ck_assert_uint_eq(checkpoint.options.patience, 78);
    ck_assert_double_eq(checkpoint.options.max_minutes, 79);
    for (const TrainOption *option = train_option_table; option->flag; option++)
        ck_assert(option->on_resume == TRAIN_FREE ||
                  json_field_equal(&option->field, &checkpoint.options, &options));
    expect_same_counters(&checkpoint.counters, &counters);
    real *read[4];
    for (size_t i = 0; i < 4; i++) read[i] = param_block_new(&small.params.list);
    CheckpointBlocks all = {&small.params.list, {read[0], read[1], read[2], read[3]}};
    assert_ok(checkpoint_read_blocks(&checkpoint, &all, NULL));
    for (size_t i = 0; i < 4; i++) {
        const ParamList *list = &small.params.list;
        for (size_t t = 0; t < list->count; t++)
            ck_assert_mem_eq(read[i] + list->tensors[t].offset, blocks[i] + list->tensors[t].offset,
                             list->tensors[t].count * sizeof(real));
        memory_free(read[i]);
    }
    checkpoint_close(&checkpoint);
}

TEST(losses_that_are_not_finite)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        TrainCounters diverged = counters;
        diverged.best_loss = bad[i];
        const char *path = save(&diverged);
        Checkpoint checkpoint = {0};
        assert_ok(checkpoint_open(&checkpoint, path, NULL));
        ck_assert(isnan(checkpoint.counters.best_loss));
        ck_assert(checkpoint.counters.best_bleu == counters.best_bleu);
        checkpoint_close(&checkpoint);
    }
}

static void expect_refusal(const char *path, const char *part)
{
    Checkpoint checkpoint = {0};
    Error error = {0};
    ck_assert_int_eq(checkpoint_open(&checkpoint, path, &error), STATUS_FORMAT);
    assert_contains(error.text, part);
    assert_contains(error.text, path);
    ck_assert_ptr_null(checkpoint.file);
}

// A model with this text as its "state".
static const char *write_state(const char *state)
{
    SafetensorsWriter *writer = NULL;
    const char *path = scratch_path("state");
    assert_ok(safetensors_writer_new(&writer, NULL));
    assert_ok(model_write_metadata(writer, &small.config, &texts, NULL));
    assert_ok(safetensors_writer_metadata(writer, "state", state, NULL));
    assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
    safetensors_writer_free(writer);
    return path;
}

// The state of the file at the path, with `key` of its part set to a value, or taken away.
static const char *change_state(const char *path, const char *part, const char *key, json_t *value)
{
    SafetensorsFile *file = NULL;
    assert_ok(safetensors_open(&file, path, NULL));
    json_t *state = json_loads(safetensors_metadata(file, "state"), 0, NULL);
    json_t *object = part ? json_object_get(state, part) : state;
    if (value)
        json_object_set_new(object, key, value);
    else
        json_object_del(object, key);
    char *text = json_dumps(state, 0);
    const char *changed = write_state(text);
    free(text);
    json_decref(state);
    safetensors_close(file);
    return changed;
}

TEST(wrong_state)
{
    char path[192]; // a copy: many more paths are asked for
    snprintf(path, sizeof path, "%s", save(&counters));
    static const char *const broken[] = {"", "{", "[]", "{}", "{\"corpus\":\"12\"}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_refusal(write_state(broken[i]), i < 2 ? "its state is not JSON" : "is incomplete");
    expect_refusal(change_state(path, NULL, "corpus", NULL), "its state is incomplete");
    expect_refusal(change_state(path, NULL, "corpus", json_integer(5)), "its state is incomplete");
    expect_refusal(change_state(path, NULL, "options", NULL),
                   "option \"vocabulary_size\" is missing");
    expect_refusal(change_state(path, NULL, "counters", NULL), "counter \"epoch\"");
    expect_refusal(change_state(path, "options", "seed", NULL),
                   "option \"seed\" is missing or not valid; perhaps another version");
    expect_refusal(change_state(path, "counters", "batch", NULL), "counter \"batch\" is missing");
    expect_refusal(change_state(path, "counters", "batch", json_integer(-1)), "\"batch\"");
    expect_refusal(change_state(path, "counters", "batch", json_null()), "\"batch\"");
    expect_refusal(change_state(path, "counters", "loss_sum", json_string("")), "\"loss_sum\"");
}

TEST(a_model_is_no_checkpoint)
{
    const char *path = scratch_path("model");
    assert_ok(model_save(path, &small.params, &texts, NULL, NULL));
    expect_refusal(path, "is a model, not a checkpoint");
    path = save(&counters); // and the other way round
    Model model;
    ck_assert_int_eq(model_open(&model, path, NULL), STATUS_FORMAT);
}

TEST(missing_blocks)
{
    const char *path = change_state(save(&counters), "counters", "batch", json_integer(0));
    Checkpoint checkpoint = {0};
    Error error = {0};
    CheckpointBlocks all = {&small.params.list, {blocks[0], blocks[1], blocks[2], blocks[3]}};
    assert_ok(checkpoint_open(&checkpoint, path, NULL));
    ck_assert_int_eq(checkpoint_read_blocks(&checkpoint, &all, &error), STATUS_FORMAT);
    assert_contains(error.text, "is missing");
    checkpoint_close(&checkpoint);
    ck_assert_int_eq(checkpoint_open(&checkpoint, scratch_path("none"), &error), STATUS_IO);
}
