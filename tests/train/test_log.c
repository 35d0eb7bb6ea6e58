#include "train/log.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const char *path;
static TrainCounters counters;
static TrainLog train_log;

static void set_up(void)
{
    path = scratch_path("log.jsonl");
    counters = (TrainCounters){.epoch = 2, .batch = 7, .steps = 100};
    train_log = (TrainLog){.file = fopen(path, "wb")};
    ck_assert_ptr_nonnull(train_log.file);
}

static void tear_down(void)
{
    fclose(train_log.file);
}

static void add_step(TrainEvent event, double loss, double tokens)
{
    counters.steps++;
    const TrainReport report = {.event = event,
                                .counters = &counters,
                                .loss = loss,
                                .target_tokens = tokens,
                                .seconds = 0.25,
                                .learning_rate = 0.001};
    assert_ok(train_log_add(&train_log, &report, NULL));
}

static void add_validation(double loss, double bleu)
{
    const TrainReport report = {
        .event = TRAIN_VALIDATED, .counters = &counters, .validation = {{loss, bleu}}};
    assert_ok(train_log_add(&train_log, &report, NULL));
}

// The rows written so far, as an array of objects.
static json_t *rows(void)
{
    json_t *array = json_array();
    Bytes text = scratch_read(path);
    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.data + at, '\n', text.length - at);
        ck_assert_ptr_nonnull(end);
        json_t *row = json_loadb(text.data + at, (size_t)(end - text.data) - at,
                                 JSON_REJECT_DUPLICATES, NULL);
        ck_assert(json_is_object(row));
        json_array_append_new(array, row);
        at = (size_t)(end - text.data) + 1;
    }
    return array;
}

static void expect_number(const json_t *row, const char *key, double expected)
{
    const json_t *value = json_object_get(row, key);
    ck_assert_msg(json_is_number(value), "no number %s", key);
    ck_assert_double_eq_tol(json_number_value(value), expected, 1e-6 * (1 + fabs(expected)));
}

TESTS_EACH(set_up, tear_down)

TEST(header)
{
    json_t *header = json_pack("{s:s, s:{s:f}}", "program", "regard", "options", "dropout", 0.3);
    assert_ok(train_log_write(&train_log, header, NULL));
    add_validation(9, 1);
    Bytes text = scratch_read(path);
    const char *expected = "{\"program\":\"regard\",\"options\":{\"dropout\":0.3}}\n{\"epoch\":3,";
    ck_assert_int_eq(strncmp(text.data, expected, strlen(expected)), 0);
}

TEST(rows)
{
    for (int i = 0; i < LOG_STEPS; i++) add_step(TRAIN_STEP, i < 10 ? 6 : 2, i < 10 ? 400 : 100);
    add_step(TRAIN_STEP, 1, 50);
    json_t *array = rows();
    ck_assert_uint_eq(json_array_size(array), 1);
    const json_t *row = json_array_get(array, 0);
    expect_number(row, "epoch", 3); // counted from 1
    expect_number(row, "step", 150);
    expect_number(row, "loss", 4); // by tokens: (6 · 4000 + 2 · 4000) / 8000
    expect_number(row, "target_tokens", 8000);
    expect_number(row, "seconds", 12.5);
    expect_number(row, "target_tokens_per_second", 640);
    expect_number(row, "learning_rate", 0.001);
    ck_assert_ptr_null(json_object_get(row, "validation_loss"));
    ck_assert_ptr_null(json_object_get(row, "skipped_steps"));
    json_decref(array);
}

TEST(validation)
{
    add_validation(9, 1); // before any step
    add_step(TRAIN_STEP, 5, 70);
    add_validation(3.5, 12.25);
    json_t *array = rows();
    ck_assert_uint_eq(json_array_size(array), 2);
    ck_assert_ptr_null(json_object_get(json_array_get(array, 0), "loss"));
    const json_t *row = json_array_get(array, 1);
    expect_number(row, "loss", 5); // sums began again at the row before
    expect_number(row, "target_tokens", 70);
    expect_number(row, "validation_loss", 3.5);
    expect_number(row, "validation_bleu", 12.25);
    json_decref(array);
}

TEST(several_validation_sets)
{
    const TrainReport report = {.event = TRAIN_VALIDATED,
                                .counters = &counters,
                                .validation = {{3.5, 12.25}, {(double)NAN, 8.5}, {2, 30}},
                                .validation_sets = 3};
    assert_ok(train_log_add(&train_log, &report, NULL));
    json_t *array = rows();
    const json_t *row = json_array_get(array, 0);
    const json_t *others = json_object_get(row, "other_validations");
    expect_number(row, "validation_bleu", 12.25);
    ck_assert_uint_eq(json_array_size(others), 2);
    ck_assert(json_is_null(json_object_get(json_array_get(others, 0), "loss")));
    expect_number(json_array_get(others, 0), "bleu", 8.5);
    expect_number(json_array_get(others, 1), "loss", 2);
    json_decref(array);
}

TEST(skipped_steps)
{
    for (int i = 0; i < LOG_STEPS; i++) {
        if (i % 2) counters.skipped++;
        add_step(i % 2 ? TRAIN_SKIPPED : TRAIN_STEP, i % 2 ? (double)NAN : 3, 10);
    }
    json_t *array = rows();
    ck_assert_uint_eq(json_array_size(array), 1);
    expect_number(json_array_get(array, 0), "skipped_steps", LOG_STEPS / 2);
    expect_number(json_array_get(array, 0), "loss", 3);
    expect_number(json_array_get(array, 0), "target_tokens", 10 * LOG_STEPS / 2);
    json_decref(array);
}

// JSON has no NaN: null stands for it, and the run goes on.
TEST(validation_that_is_not_finite)
{
    add_validation((double)NAN, 0);
    add_validation((double)INFINITY, 0);
    json_t *array = rows();
    ck_assert_uint_eq(json_array_size(array), 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(json_is_null(json_object_get(json_array_get(array, i), "validation_loss")));
        expect_number(json_array_get(array, i), "validation_bleu", 0);
    }
    json_decref(array);
}

TEST(without_a_file)
{
    FILE *file = train_log.file;
    train_log.file = NULL;
    for (int i = 0; i < 3 * LOG_STEPS; i++) add_step(TRAIN_STEP, 1, 1);
    add_validation(1, 1);
    train_log.file = file;
    ck_assert_uint_eq(scratch_count(), 1);
}

TEST(full_disk)
{
    TrainLog full = {.file = fopen("/dev/full", "wb")};
    const TrainReport report = {.event = TRAIN_VALIDATED, .counters = &counters};
    Error error = {0};
    ck_assert_int_eq(train_log_add(&full, &report, &error), STATUS_IO);
    assert_contains(error.text, "cannot be written: No space left");
    fclose(full.file);
}

// A row that could not be written is whole or not there, and written before the run ends.
TEST(unwritten_rows)
{
    setvbuf(train_log.file, NULL, _IONBF, 0);
    add_validation(9, 1);
    Bytes before = scratch_read(path);
    const TrainReport report = {
        .event = TRAIN_VALIDATED, .counters = &counters, .validation = {{3.5, 12.25}}};
    add_step(TRAIN_STEP, 5, 70);
    Error error = {0};
    scratch_limit_file_size(before.length + 20);
    Status full = train_log_add(&train_log, &report, &error);
    scratch_limit_file_size(SIZE_MAX);
    ck_assert_int_eq(full, STATUS_IO);
    Bytes after = scratch_read(path);
    ck_assert_uint_eq(after.length, before.length);
    counters.epoch = 9; // whatever the run is at when it ends
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(train_log_flush(&train_log, &error)));
    ck_assert_ptr_null(strstr(error.text, " 0 bytes"));
    add_validation(2, 20); // writes both
    assert_ok(train_log_flush(&train_log, &error));
    json_t *array = rows();
    ck_assert_uint_eq(json_array_size(array), 3);
    const json_t *row = json_array_get(array, 1);
    expect_number(row, "epoch", 3);
    expect_number(row, "loss", 5);
    expect_number(row, "validation_bleu", 12.25);
    expect_number(json_array_get(array, 2), "validation_bleu", 20);
    ck_assert_ptr_null(json_object_get(json_array_get(array, 2), "loss"));
    json_decref(array);
}
