// What a training does with files that exist, are gone, are in use or are another's.
#define _GNU_SOURCE
#include "math/kernels.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/trained_model.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRAIN "train", "--train", corpus, "--model", model, TRAINED_FLAGS

static const char *corpus, *model, *checkpoint;

static void set_up(void)
{
    corpus = scratch_path("corpus");
    model = scratch_path("model");
    checkpoint = trained_checkpoint(model);
    trained_corpus_write(corpus, 200);
}

static void pause_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static void expect_same(const char *path, const Bytes *before)
{
    Bytes now = scratch_read(path);
    ck_assert_uint_eq(now.length, before->length);
    ck_assert_mem_eq(now.data, before->data, now.length);
}

TESTS_EACH(set_up, NULL)

TEST(nothing_is_replaced_unasked)
{
    const char *log = scratch_path("log");
    run_expect_done(RUN("", TRAIN, "--max-epochs", "1", "--log", log));
    Bytes before[] = {scratch_read(model), scratch_read(checkpoint), scratch_read(log)};
    run_expect_failure(RUN("", TRAIN, "--max-epochs", "1"), 2,
                       "model: exists; --resume continues its training, --overwrite");
    run_expect_failure(
        RUN("", "train", "--train", corpus, "--model", scratch_path("other"), "--log", log), 2,
        "log: exists; --overwrite replaces it, --log names another");
    run_expect_failure(RUN("", TRAIN, "--resume", "--overwrite"), 2,
                       "--overwrite replaces it; give one");
    expect_same(model, &before[0]);
    expect_same(checkpoint, &before[1]);
    expect_same(log, &before[2]);
    ck_assert_int_eq(unlink(model), 0);
    run_expect_failure(RUN("", TRAIN, "--max-epochs", "1"), 2,
                       "model.checkpoint: exists; --resume continues");
    run_expect_done(RUN("", TRAIN, "--max-epochs", "1", "--log", log, "--overwrite"));
    ck_assert_uint_eq(scratch_count(), 4);
}

// Not even --overwrite costs a corpus, or makes a log and a checkpoint one file.
TEST(inputs_are_not_outputs)
{
    const char *side = scratch_text("side", "a\n"), *link = scratch_path("link");
    const char *pair = scratch_format("%s,%s", side, side);
    ck_assert_int_eq(symlink(corpus, link), 0);
    Bytes before = scratch_read(corpus);
    static const char message[] = "is both read and written; name another file";
    run_expect_failure(RUN("", "train", "--train", corpus, "--model", link, "--overwrite"), 2,
                       message);
    run_expect_failure(RUN("", "train", "--train", pair, "--valid", corpus, "--model", model,
                           "--log", corpus, "--overwrite"),
                       2, message);
    run_expect_failure(RUN("", "train", "--train", pair, "--model", side, "--overwrite"), 2,
                       message);
    run_expect_failure(
        RUN("", "train", "--train", side, "--guide", corpus, "--model", corpus, "--overwrite"), 2,
        message);
    const char *memory = scratch_text("memory.tmx", "<tmx/>");
    run_expect_failure(RUN("", "train", "--train", scratch_format("%s:en:fr", memory), "--model",
                           memory, "--overwrite"),
                       2, message);
    run_expect_failure(RUN("", TRAIN, "--log", checkpoint), 2, "is written by the training itself");
    expect_same(corpus, &before);
    ck_assert_uint_eq(scratch_count(), 4);
}

// While one run has the name, another is refused, also to resume.
TEST(one_run_at_a_time)
{
    signal(SIGHUP, SIG_DFL); // these tests may run under nohup
    Running running = run_start(
        (const char *const[]){TRAIN, "--max-epochs", "100000", "--patience", "100000", NULL});
    run_wait_for(&running, "validation at step ");
    run_expect_failure(RUN("", TRAIN, "--overwrite"), 1,
                       "model: another program is writing it: process ");
    run_expect_failure(RUN("", TRAIN, "--resume"), 1,
                       "model: another program is writing it: process ");
    kill(running.child, SIGHUP); // a lost connection
    run_expect_said(run_finish(&running), 3, "to continue:  regard train --model ");
    run_expect_done(RUN("", TRAIN, "--resume", "--max-minutes", "0.001"));
    ck_assert_uint_eq(scratch_count(), 3);
}

TEST(foreign_model)
{
    const char *other = scratch_path("other");
    run_expect_done(RUN("", TRAIN, "--max-epochs", "2"));
    run_expect_done(RUN("", "train", "--train", corpus, "--model", other, TRAINED_FLAGS,
                        "--max-epochs", "2", "--seed", "9"));
    Bytes own = scratch_read(model), foreign = scratch_read(other);
    scratch_write(model, foreign.data, foreign.length);
    Run resumed = RUN("", TRAIN, "--max-epochs", "3", "--resume");
    run_expect_said(resumed, 2, "is not the model of ");
    assert_contains(resumed.error.data, "it was trained otherwise; move it away");
    expect_same(model, &foreign);
    scratch_write(model, own.data, own.length / 2);
    run_expect_said(RUN("", TRAIN, "--max-epochs", "3", "--resume"), 1,
                    "move it away, and --resume writes");
    scratch_write(model, own.data, own.length);
    run_expect_done(RUN("", TRAIN, "--max-epochs", "3", "--resume"));
}

TEST(lost_model)
{
    run_expect_done(RUN("", TRAIN, "--max-epochs", "2"));
    ck_assert_int_eq(unlink(model), 0);
    Run resumed = run_expect_done(RUN("", TRAIN, "--max-epochs", "2", "--resume"));
    assert_contains(resumed.error.data, "model is missing; it is written again from");
    run_expect_done(RUN("the red cat .\n", "translate", "--model", model));
}

// A fresh run that is killed before it has saved anything leaves no state of the run before.
TEST(old_checkpoint_retires)
{
    run_expect_done(RUN("", TRAIN, "--max-epochs", "1"));
    trained_corpus_write(corpus, 3888); // so that its first epoch takes a while
    Running running = run_start((const char *const[]){"train", "--train", corpus, "--model", model,
                                                      TRAINED_FLAGS, "--overwrite", NULL});
    run_wait_for(&running, "million parameters");
    while (!access(checkpoint, F_OK)) pause_milliseconds(1);
    kill(running.child, SIGKILL);
    run_finish(&running);
    run_expect_failure(RUN("", TRAIN, "--resume"), 1, "model.checkpoint: no such checkpoint");
}

// Rows of steps that the run repeats go; a torn row goes too.
TEST(log_of_a_resumed_run)
{
    const char *log = scratch_path("log");
    run_expect_done(RUN("", TRAIN, "--max-epochs", "2", "--log", log));
    Bytes before = scratch_read(log), longer = {0};
    assert_ok(bytes_append(&longer, before.data, before.length, NULL));
    assert_ok(bytes_append_string(&longer, "{\"epoch\":3,\"step\":900}\n{\"epoch", NULL));
    scratch_write(log, longer.data, longer.length);
    run_expect_done(RUN("", TRAIN, "--max-epochs", "3", "--resume", "--log", log));
    Bytes after = scratch_read(log);
    ck_assert_uint_gt(after.length, before.length);
    ck_assert_mem_eq(after.data, before.data, before.length);
    ck_assert_ptr_null(strstr(after.data, "900}"));
    ck_assert_ptr_null(strstr(strstr(after.data, "\"options\"") + 1, "\"options\""));
    // another name has a header of its own
    const char *other = scratch_path("other");
    run_expect_done(RUN("", TRAIN, "--max-epochs", "4", "--resume", "--log", other));
    Bytes fresh = scratch_read(other);
    ck_assert_int_eq(strncmp(fresh.data, "{\"program\":\"regard ", 19), 0);
    Run printed = run_expect_done(RUN("", TRAIN, "--max-epochs", "1", "--overwrite", "--log", "-"));
    assert_contains(printed.out.data, "\"validation_bleu\":");
    ck_assert_int_ne(access("-", F_OK), 0);
    bytes_free(&longer);
}

// Found out before the first epoch, not after it.
TEST(checkpoint_that_cannot_be_written)
{
    ck_assert_int_eq(mkdir(checkpoint, 0700), 0);
    run_expect_failure(RUN("", TRAIN, "--max-epochs", "1"), 1,
                       "model.checkpoint: is not a regular file");
    ck_assert_int_eq(rmdir(checkpoint), 0);
    ck_assert_uint_eq(scratch_count(), 1);
}

// A model is given away: it names its corpus, but no folder.
TEST(no_paths)
{
    run_expect_done(RUN("", TRAIN, "--max-epochs", "1"));
    Run info = run_expect_done(RUN("", "info", model));
    assert_contains(info.out.data, "corpus: [\"corpus\"]");
    Bytes file = scratch_read(model);
    ck_assert_ptr_null(memmem(file.data, file.length, scratch_folder(), strlen(scratch_folder())));
}

TEST(other_kernels)
{
    setenv("REGARD_ISA", "plain", 1);
    Run plain = RUN("", TRAIN, "--max-epochs", "1");
    unsetenv("REGARD_ISA");
    run_expect_done(plain);
    bool same = !strcmp(kernels()->name, "plain");
    Run resumed = run_expect_done(RUN("", TRAIN, "--max-epochs", "2", "--resume"));
    bool warned = strstr(resumed.error.data, "warning: kernels were plain and are now ") != NULL;
    ck_assert(warned != same);
}

// What nohup asks for.
TEST(ignored_signal_stays_ignored)
{
    signal(SIGHUP, SIG_IGN);
    Running running =
        run_start((const char *const[]){TRAIN, "--max-epochs", "3", "--patience", "1000", NULL});
    run_wait_for(&running, "million parameters");
    kill(running.child, SIGHUP);
    Run run = run_expect_done(run_finish(&running));
    assert_contains(run.error.data, "done: 3 epochs");
}
