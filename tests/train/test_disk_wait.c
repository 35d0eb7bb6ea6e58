// A full disk, made by failing writes: this program's write(2) takes the place of the library's.
#define _GNU_SOURCE
#include "support/suite.h"
#include "support/trial.h"
#include "train/save.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failing; // writes to files that fail from now on

ssize_t write(int descriptor, const void *data, size_t bytes)
{
    if (descriptor > STDERR_FILENO && failing > 0) {
        failing--;
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, descriptor, data, bytes);
}

static size_t waits;
static TrainDecision decision;

static void report(void *context, const TrainReport *report)
{
    (void)context;
    ck_assert_int_eq(report->event, TRAIN_WAITING);
    assert_contains(report->reason, "No space left on device");
    waits++;
}

static TrainDecision decide(void *context)
{
    (void)context;
    return decision;
}

static Status full(Error *error)
{
    return error_set(error, STATUS_FULL, "x: cannot be written: No space left on device");
}

TEST(by_hand)
{
    TrainOptions options = {.disk_wait = 0.025};
    TrainCounters counters = {0};
    TrainObserver observer = {NULL, report, decide};
    TrainSetup setup = {.options = &options, .observer = &observer};
    DiskWait wait = {.setup = &setup, .counters = &counters};
    Error error;
    ck_assert(!disk_wait_again(&wait, STATUS_OK, NULL));
    ck_assert(!disk_wait_again(&wait, STATUS_IO, &error));
    ck_assert_uint_eq(waits, 0);
    ck_assert(disk_wait_again(&wait, full(&error), &error)); // and a second later
    ck_assert(disk_wait_again(&wait, full(&error), &error));
    ck_assert(!disk_wait_again(&wait, full(&error), &error)); // 1.5 seconds are over
    ck_assert_uint_eq(waits, 1);
    wait.began = 0;
    options.disk_wait = 0;
    ck_assert(!disk_wait_again(&wait, full(&error), &error));
    ck_assert_uint_eq(waits, 1);
    options.disk_wait = 10;
    decision = TRAIN_PAUSE; // a signal
    ck_assert(!disk_wait_again(&wait, full(&error), &error));
}

TEST(training_goes_on)
{
    Trial trial;
    trial_begin(&trial, 60, 4);
    trial.options.max_epochs = 1;
    Trainer *trainer = trial_new(&trial, scratch_path("model"));
    failing = 1;
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    ck_assert_int_eq(failing, 0);
    trainer_free(trainer);
    json_decref(trial_expect_model(scratch_path("model")));
    trial_end(&trial);
}
