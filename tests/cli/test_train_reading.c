// regard train, stopped by a signal while it is still reading the corpus.

#define _GNU_SOURCE
#include "cli/train_words.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *corpus, *model, *fifo;

static void set_up(void)
{
    corpus = scratch_path("corpus");
    model = scratch_path("model");
    fifo = scratch_path("pipe");
    trained_corpus_write(corpus, 100);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
}

// Trains from a pipe that says nothing, and sends a signal while it waits.
static void expect_stopped_at_once(int signal_number, const char *resume)
{
    Running running =
        run_start((const char *const[]){TRAIN(fifo, model), "--valid", corpus, resume, NULL});
    int end = open(fifo, O_WRONLY); // returns when the other end is being read
    ck_assert_int_ge(end, 0);
    kill(running.child, signal_number);
    Run run = run_finish(&running);
    close(end); // only now: had it waited for the corpus, it would not have ended
    ck_assert_int_eq(run.status, 128 + signal_number);
    ck_assert_str_eq(run.out.data, "");
    ck_assert_str_eq(run.error.data,
                     "regard train: stopped while reading the corpus: nothing is saved, and an "
                     "existing model is kept\n");
}

TEST(new_run)
{
    set_up();
    expect_stopped_at_once(SIGINT, NULL);
    expect_stopped_at_once(SIGTERM, NULL);
    ck_assert_uint_eq(scratch_count(), 2); // the corpus and the pipe
}

TEST(resumed_run)
{
    set_up();
    const char *checkpoint = trained_checkpoint(model);
    run_expect_done(RUN("", TRAIN(corpus, model), "--valid", corpus, "--max-epochs", "1"));
    Bytes before[] = {scratch_read(model), scratch_read(checkpoint)};
    expect_stopped_at_once(SIGINT, "--resume");
    expect_stopped_at_once(SIGTERM, "--resume");
    Bytes after[] = {scratch_read(model), scratch_read(checkpoint)};
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(after[i].length, before[i].length);
        ck_assert_mem_eq(after[i].data, before[i].data, before[i].length);
    }
    ck_assert_uint_eq(scratch_count(), 4);
}
