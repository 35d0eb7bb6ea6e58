// regard train, interrupted, resumed and limited.

#define _GNU_SOURCE
#include "cli/train_words.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void pause_milliseconds(long milliseconds)
{
    struct timespec length = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&length, NULL);
}

TEST(same_seed_same_bytes)
{
    const char *corpus = scratch_path("corpus"), *models[3];
    const char *const seeds[] = {"1", "1", "2"}, *const names[] = {"a", "b", "c"};
    trained_corpus_write(corpus, 200);
    Running running[2];
    for (size_t i = 0; i < 3; i++) {
        models[i] = scratch_path(names[i]);
    }
    // the first two at the same time, which must not disturb each other
    for (size_t i = 0; i < 2; i++)
        running[i] = run_start((const char *const[]){TRAIN(corpus, models[i]), "--max-epochs", "5",
                                                     "--seed", seeds[i], NULL});
    for (size_t i = 0; i < 2; i++) {
        run_expect_done(run_finish(&running[i]));
    }
    run_expect_done(RUN("", TRAIN(corpus, models[2]), "--max-epochs", "5", "--seed", seeds[2]));
    trained_expect_equal(models[0], models[1]);
    Bytes one = scratch_read(trained_checkpoint(models[0]));
    Bytes two = scratch_read(trained_checkpoint(models[2]));
    ck_assert(one.length != two.length || memcmp(one.data, two.data, one.length) != 0);
}

/* Rates so high that BLEU goes up and down and its best is not the last: had a cut run
 * saved what it was then, it would have ended with another model than the uncut one. */
#define UNEVEN(corpus, model)                                                                      \
    "train", "--train", corpus, "--model", model, "--embedding", "16", "--hidden", "16",           \
        "--vocab-size", "320", "--batch-tokens", "400", "--warmup", "10", "--learning-rate",       \
        "0.08", "--dropout", "0.3", "--threads", "2", "--max-epochs", "20", "--patience", "1000"

/* One interruption: exit status 3, a state and a validated model, and the way to go on is told. */
static bool cut(const char *corpus, const char *model, bool resume, int signal_number, long after)
{
    Running running =
        resume ? run_start((const char *const[]){"train", "--model", model, "--resume", NULL})
               : run_start((const char *const[]){UNEVEN(corpus, model), NULL});
    if (!resume) run_wait_for(&running, "epoch 1/");
    pause_milliseconds(after);
    kill(running.child, signal_number);
    Run run = run_finish(&running);
    bool early = run.status == 128 + signal_number; // while it was still reading the corpus
    bool done = strstr(run.error.data, "done: 20 epochs") != NULL;
    if (done) run_expect_done(run);
    ck_assert_msg(early || done || run.status == 3, "status %d: %s", run.status, run.error.data);
    if (!early && !done)
        ck_assert_msg(strstr(run.error.data, "stopping; press Ctrl-C again") &&
                          (resume || strstr(run.error.data, "validation at step ")) &&
                          strstr(run.error.data, "to continue:  regard train --model "),
                      "%s", run.error.data);
    ck_assert_str_eq(run.out.data, "");
    expect_loads(model);
    return done;
}

TEST(cut_run_equals_uncut, .seconds = 120)
{
    const char *corpus = scratch_path("corpus");
    const char *whole = scratch_path("whole"), *subwords = scratch_path("subwords");
    trained_corpus_write(corpus, 300);
    run_expect_done(RUN("", UNEVEN(corpus, whole)));

    srand((unsigned)getpid());
    bool done = false;
    for (int i = 0; i < 4 && !done; i++)
        done = cut(corpus, subwords, i > 0, i % 2 ? SIGTERM : SIGINT, rand() % 300);
    run_expect_done(RUN("", "train", "--model", subwords, "--resume"));
    trained_expect_equal(whole, subwords);
    ck_assert_uint_eq(scratch_count(), 5);
}

// The impatient: the second signal ends it at once; what was saved before is whole.
TEST(second_signal)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    trained_corpus_write(corpus, 300);
    Running running = run_start((const char *const[]){TRAIN(corpus, model), "--max-epochs", "1000",
                                                      "--patience", "1000", NULL});
    run_wait_for(&running, "validation at step ");
    run_wait_for(&running, "validation at step "); // behind the first one a checkpoint was saved
    kill(running.child, SIGINT);
    kill(running.child, SIGINT);
    pause_milliseconds(1);
    kill(running.child, SIGINT);
    Run run = run_finish(&running);
    ck_assert_msg(run.status == 3 || run.status == 128 + SIGINT, "status %d", run.status);
    expect_loads(model);
    run_expect_done(RUN("", TRAIN(corpus, model), "--max-minutes", "0.001", "--resume"));
}

TEST(limits, .seconds = 60)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    trained_corpus_write(corpus, 300);
    double began = (double)time(NULL);
    Run minutes = run_expect_done(RUN("", TRAIN(corpus, model), "--max-epochs", "100000",
                                      "--patience", "100000", "--max-minutes", "0.02"));
    ck_assert_double_lt((double)time(NULL) - began, 6);
    assert_contains(minutes.error.data,
                    ": --max-minutes reached; to continue:  regard train --model ");
    assert_contains(minutes.error.data, "validation at step ");
    expect_loads(model);

    // time that is used up does not end the run again
    run_expect_done(RUN("", TRAIN(corpus, model), "--max-epochs", "2", "--max-minutes", "0.001",
                        "--overwrite"));
    Run rest = run_expect_done(RUN("", "train", "--model", model, "--resume"));
    assert_contains(rest.error.data, "done: 2 epochs\n");
    // what is to be typed begins with the program as it was called
    const char *given = getenv("REGARD_PROGRAM"), *program = given ? given : "build/release/regard";
    ck_assert_int_eq(system(scratch_format("'%s' train --model '%s' --resume 2>&1 | "
                                           "grep -qF '; try:  %s translate '",
                                           program, model, program)),
                     0);

    Run epochs = run_expect_done(RUN("", TRAIN(corpus, model), "--max-epochs", "1", "--overwrite"));
    assert_contains(epochs.error.data, "done: 1 epoch\n");
    Run more = run_expect_done(RUN("", TRAIN(corpus, model), "--max-epochs", "3", "--resume"));
    assert_contains(more.error.data, "(epoch 3.0, ");
    ck_assert_ptr_null(strstr(more.error.data, "(epoch 1.0, "));

    // nothing is learned at such a rate, so the first model stays the best
    Run patience =
        run_expect_done(RUN("", "train", "--train", corpus, "--model", model, "--embedding", "16",
                            "--hidden", "16", "--vocab-size", "320", "--learning-rate", "1e-9",
                            "--patience", "2", "--warmup", "1", "--overwrite"));
    assert_contains(patience.error.data,
                    "for 300 pairs: batches of 400 tokens, at most 190 epochs, patience 2\n");
    assert_contains(patience.error.data, "done: 2 validations without a better BLEU");
    assert_contains(patience.error.data, "\n300 pairs are few: ");
}

TEST(resume_refuses)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    const char *checkpoint = trained_checkpoint(model);
    const char *other = scratch_path("other");
    trained_corpus_write(corpus, 100);
    trained_corpus_write(other, 101);
    run_expect_failure(RUN("", TRAIN(corpus, model), "--resume"), 1,
                       "model.checkpoint: no such checkpoint");
    run_expect_done(RUN("", TRAIN(corpus, model), "--max-epochs", "1"));

    run_expect_failure(
        RUN("", "train", "--train", corpus, "--model", model, "--resume", "--hidden", "17"), 2,
        "--hidden is 17, and was 16 when the run began; leave it out to continue");
    run_expect_failure(
        RUN("", "train", "--train", corpus, "--model", model, "--resume", "--seed", "9"), 2,
        "--seed is 9, and was 1 when the run began");
    run_expect_said(RUN("", TRAIN(other, model), "--resume", "--max-epochs", "2"), 2,
                    "other: is not what it was when ");

    Bytes whole = scratch_read(checkpoint), of_model = scratch_read(model);
    scratch_write(checkpoint, of_model.data, of_model.length);
    run_expect_failure(RUN("", TRAIN(corpus, model), "--resume"), 1,
                       "is a model, not a checkpoint");
    for (size_t i = 0; i < 6; i++) {
        scratch_write(checkpoint, whole.data, whole.length * i / 6);
        run_expect_failure(RUN("", TRAIN(corpus, model), "--resume"), 1, "model.checkpoint: ");
    }
    whole.data[whole.length / 2] ^= 1;
    scratch_write(checkpoint, whole.data, whole.length);
    run_expect_failure(RUN("", TRAIN(corpus, model), "--resume"), 1, "its checksum should be");
    expect_loads(model);
}

// A disk that fills up while a better model is saved: the old one stays.
TEST(full_disk)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    const char *checkpoint = trained_checkpoint(model);
    const char *kept = scratch_path("kept"), *kept_state = scratch_path("kept-state");
    trained_corpus_write(corpus, 100);
    run_expect_done(RUN("", TRAIN(corpus, model), "--max-epochs", "2"));
    Bytes before = scratch_read(model), state = scratch_read(checkpoint);
    scratch_write(kept, before.data, before.length);
    scratch_write(kept_state, state.data, state.length);
    for (size_t share = 0; share < 2;
         share++) { // not room for the model; for it, but not for the checkpoint
        size_t room = share ? before.length + before.length / 2 : before.length / 2;
        scratch_limit_file_size(room);
        Run full = RUN("", TRAIN(corpus, model), "--max-epochs", "4", "--resume");
        scratch_limit_file_size(SIZE_MAX);
        run_expect_said(full, 1,
                        "cannot be written: File too large; the previous file "
                        "is kept");
        if (share == 0) scratch_expect_equal(model, kept);
        scratch_expect_equal(checkpoint, kept_state);
        expect_loads(model);
    }
    ck_assert_uint_eq(scratch_count(), 5);
}
