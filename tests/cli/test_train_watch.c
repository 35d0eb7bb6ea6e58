// `regard train --watch`: into a file, and in place on what passes for a terminal.
#define _POSIX_C_SOURCE 200809L // setenv

#include "cli/train/report.h"

#include "model/seq2seq.h"
#include "support/failing_malloc.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A corpus read, and parameters that have learned nothing yet.
typedef struct Subject {
    TrainingData data;
    ModelConfig config;
    Seq2SeqParams params;
    TrainReport report;
    TrainWatch watch;
    const char *path; // of what is drawn
} Subject;

static void begin(Subject *subject, const char *sentence)
{
    Error error = {0};
    *subject = (Subject){.path = scratch_path("picture")};
    const char *corpus = scratch_path("corpus.tsv");
    TrainOptions options = TRAIN_OPTIONS_DEFAULT;
    options.vocabulary_size = 300;
    tiny_corpus_write(corpus);
    const TrainingFiles files = {.readers = &training_file_readers, .train = &corpus, .count = 1};
    Status status = training_data_read(&subject->data, &files, &options, NULL, NULL, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    subject->config = (ModelConfig){
        .source_vocabulary = vocabulary_size(subject->data.source_vocabulary),
        .target_vocabulary = vocabulary_size(subject->data.target_vocabulary),
        .embedding = 4,
        .hidden = 4,
        .decoder_hidden = 4,
        .attention_size = 4,
        .joint = subject->data.joint,
        .tied = true,
        .attention = "additive",
        .heads = 1,
    };
    assert_ok(seq2seq_params_new(&subject->params, &subject->config, NULL));
    seq2seq_initialise(&subject->params, 1);
    subject->report = (TrainReport){.event = TRAIN_VALIDATED, .average = &subject->params};
    FILE *stream = fopen(subject->path, "w");
    ck_assert_ptr_nonnull(stream);
    status = train_watch_start(&subject->watch, sentence, stream, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    subject->watch.data = &subject->data;
}

static void end(Subject *subject)
{
    if (subject->watch.stream) fclose(subject->watch.stream);
    seq2seq_params_free(&subject->params);
    training_data_free(&subject->data);
}

static size_t count_of(const Bytes *text, char wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++) count += text->data[i] == wanted;
    return count;
}

TEST(nothing_is_watched)
{
    Subject subject;
    begin(&subject, NULL);
    train_watch_erase(&subject.watch);
    assert_ok(train_watch_draw(&subject.watch, &subject.report, NULL));
    Bytes drawn = scratch_read(subject.path);
    ck_assert_uint_eq(drawn.length, 0);
    end(&subject);
}

// Into a file one picture follows the other, without escape sequences.
TEST(pictures_in_a_file)
{
    Subject subject;
    begin(&subject, "one two");
    ck_assert(!subject.watch.in_place);
    for (int i = 0; i < 2; i++) {
        train_watch_erase(&subject.watch);
        assert_ok(train_watch_draw(&subject.watch, &subject.report, NULL));
        ck_assert_uint_eq(subject.watch.standing, 0);
    }
    Bytes drawn = scratch_read(subject.path);
    ck_assert_uint_gt(drawn.length, 0);
    ck_assert_uint_eq(drawn.length % 2, 0);
    ck_assert_int_eq(memcmp(drawn.data, drawn.data + drawn.length / 2, drawn.length / 2), 0);
    ck_assert_uint_eq(count_of(&drawn, '\033'), 0);
    end(&subject);
}

// On a terminal the cursor first goes up as many lines as the picture has.
TEST(picture_in_place)
{
    Subject subject;
    char erase[32];
    begin(&subject, "one two");
    subject.watch.in_place = true;
    ck_assert_int_eq(setenv("LINES", "1000", 1), 0);
    assert_ok(train_watch_draw(&subject.watch, &subject.report, NULL));
    Bytes drawn = scratch_read(subject.path);
    ck_assert_uint_gt(subject.watch.standing, 1);
    ck_assert_uint_eq(subject.watch.standing, count_of(&drawn, '\n'));
    snprintf(erase, sizeof erase, "\033[%zuA\033[J", subject.watch.standing);
    train_watch_erase(&subject.watch);
    fflush(subject.watch.stream);
    Bytes erased = scratch_read(subject.path);
    ck_assert_str_eq(erased.data + drawn.length, erase);
    train_watch_erase(&subject.watch); // what is gone is not erased again
    fflush(subject.watch.stream);
    Bytes again = scratch_read(subject.path);
    ck_assert_uint_eq(again.length, erased.length);

    // a picture as high as the terminal has left its first line behind
    ck_assert_int_eq(setenv("LINES", "2", 1), 0);
    assert_ok(train_watch_draw(&subject.watch, &subject.report, NULL));
    ck_assert_uint_eq(subject.watch.standing, 0);
    end(&subject);
}

TEST(out_of_memory)
{
    Subject subject;
    begin(&subject, "one two");
    while (failing_malloc_next())
        failing_malloc_expect(train_watch_draw(&subject.watch, &subject.report, NULL));
    end(&subject);
}

TEST(verb)
{
    const char *corpus = scratch_path("corpus.tsv"), *model = scratch_path("model");
    tiny_corpus_write(corpus);
    Run train = RUN("", "train", "--train", corpus, "--model", model, "--max-epochs", "3",
                    "--watch", "one two", TINY_TRAINING);
    ck_assert_msg(train.status == 0 && train.out.length == 0, "%s", train.error.data);
    const char *at = train.error.data;
    for (int i = 0; i < 3; i++) { // the picture follows the line of each validation
        at = strstr(at, "validation at step ");
        ck_assert_msg(at != NULL, "%s", train.error.data);
        at = strchr(at, '\n') + 1;
        ck_assert_msg(*at == ' ' && strstr(at, "│\n"), "%s", train.error.data);
    }
    run_expect_failure(RUN("", "train", "--train", corpus, "--model", model, "--watch", " \t "), 2,
                       "--watch: the sentence is empty");
}
