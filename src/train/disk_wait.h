// Waits for space where a full disk keeps a run from saving.
#ifndef REGARD_TRAIN_DISK_WAIT_H
#define REGARD_TRAIN_DISK_WAIT_H

#include "train/trainer.h"

#include <stdbool.h>

// Of one file. Start with the setup and the counters alone.
typedef struct DiskWait {
    const TrainSetup *setup;
    const TrainCounters *counters;
    double began; // clock_seconds at the first failure; 0 before it
} DiskWait;

/* Whether to try again after a save that ended with this status and message: waits a second if it
 * is STATUS_FULL, --disk-wait is not over and the observer wants to go on. It is told once.
 *
 *     do
 *         status = save(…, error);
 *     while (disk_wait_again(&wait, status, error)); */
bool disk_wait_again(DiskWait *wait, Status status, const Error *error);

#endif
