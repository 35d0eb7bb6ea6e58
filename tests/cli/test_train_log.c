// The log of regard train: its header, its rows, and a log that cannot be written.

#define _GNU_SOURCE
#include "base/version.h"
#include "cli/train_words.h"
#include "train/options.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The log's first line: what is trained, by names without folders, and every option. Returns where
 * the rows begin. */
static const char *expect_header(const char *text)
{
    json_t *header = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *options = json_object_get(header, "options");
    const char *program, *corpus, *model;
    ck_assert_int_eq(json_unpack(header, "{ss s[s] ss}", "program", &program, "corpus", &corpus,
                                 "model", &model),
                     0);
    ck_assert_str_eq(program, "regard " REGARD_VERSION);
    ck_assert(!strcmp(corpus, "corpus") && !strcmp(model, "model"));
    for (const TrainOption *option = train_option_table; option->flag; option++)
        ck_assert_msg(json_object_get(options, option->field.name), "no %s", option->field.name);
    ck_assert_int_eq(json_integer_value(json_object_get(options, "seed")), 7);
    json_decref(header);
    return strchr(text, '\n') + 1;
}

// Every row of the log has loss, tokens, seconds, speed and rate, and no 50 steps pass without one.
TEST(log)
{
    static const char *const always[] = {"loss", "target_tokens", "seconds",
                                         "target_tokens_per_second", "learning_rate"};
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    const char *log = scratch_path("log");
    trained_corpus_write(corpus, 400);
    run_expect_done(RUN("", "train", "--train", corpus, "--model", model, "--embedding", "16",
                        "--hidden", "16", "--vocab-size", "320", "--batch-tokens", "60",
                        "--max-epochs", "2", "--seed", "7", "--log", log));
    Bytes text = scratch_read(log);
    json_int_t last_step = 0, last_epoch = 0, validations = 0;
    for (const char *line = expect_header(text.data); line < text.data + text.length;
         line = strchr(line, '\n') + 1) {
        json_t *row = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        json_int_t step = json_integer_value(json_object_get(row, "step"));
        json_int_t epoch = json_integer_value(json_object_get(row, "epoch"));
        ck_assert_msg(step > last_step && step <= last_step + 50, "step %d", (int)step);
        ck_assert_int_eq(epoch, 1 + validations);
        for (size_t i = 0; i < sizeof always / sizeof *always; i++)
            ck_assert_msg(json_is_number(json_object_get(row, always[i])), "no %s", always[i]);
        if (json_object_get(row, "validation_bleu")) {
            ck_assert(json_is_real(json_object_get(row, "validation_loss")));
            validations++;
        }
        last_step = step;
        last_epoch = epoch;
        json_decref(row);
    }
    ck_assert_int_eq(validations, 2);
    ck_assert_int_eq(last_epoch, 2);
    ck_assert_int_gt(last_step, 100); // or the limit of 50 was not tried
}

// Without a header nothing is trained; a row that cannot be written stops the run, which is saved.
TEST(full_log)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    const char *pipe = scratch_path("pipe");
    trained_corpus_write(corpus, 100);
    run_expect_said(RUN("", TRAIN(corpus, model), "--log", "/dev/full"), 1,
                    "regard train: /dev/full: cannot be written: No space left");
    ck_assert_uint_eq(scratch_count(), 1);
    char header[4096];
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    Running running = run_start((const char *const[]){TRAIN(corpus, model), "--log", pipe, NULL});
    FILE *reader = fopen(pipe, "r");
    ck_assert_ptr_nonnull(fgets(header, sizeof header, reader));
    fclose(reader);
    run_expect_said(run_finish(&running), 1,
                    "pipe: cannot be written: Broken pipe; stopped at step ");
    expect_loads(model);
}
