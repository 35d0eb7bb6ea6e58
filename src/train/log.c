#include "train/log.h"

#include "train/json_number.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* {"epoch": …, "step": …, …}: numbers of the steps since the last row, and of a validation if this is one. */
static json_t *row_of(const TrainLog *log, const TrainReport *report)
{
    const TrainCounters *counters = report->counters;
    json_t *row = json_object();
    // counted from 1; the validation behind an epoch's last batch belongs to it and not to the next
    json_int_t epoch = (json_int_t)counters->epoch + (counters->batch > 0);
    bool failed = json_object_set_new(row, "epoch", json_integer(epoch)) != 0;
    failed |= json_object_set_new(row, "step", json_integer((json_int_t)counters->steps)) != 0;
    if (log->target_tokens > 0) {
        double rate = log->seconds > 0 ? log->target_tokens / log->seconds : 0;
        failed |=
            json_object_set_new(row, "loss", json_real(log->loss_sum / log->target_tokens)) != 0;
        if (log->guided)
            failed |= json_object_set_new(row, "guide_loss",
                                          json_number(log->guide_sum / log->target_tokens)) != 0;
        failed |= json_object_set_new(row, "target_tokens",
                                      json_integer((json_int_t)log->target_tokens)) != 0;
        failed |= json_object_set_new(row, "seconds", json_real(log->seconds)) != 0;
        failed |= json_object_set_new(row, "target_tokens_per_second", json_real(rate)) != 0;
        failed |= json_object_set_new(row, "learning_rate", json_real(log->learning_rate)) != 0;
    }
    if (counters->skipped)
        failed |= json_object_set_new(row, "skipped_steps",
                                      json_integer((json_int_t)counters->skipped)) != 0;
    if (report->event == TRAIN_VALIDATED) {
        failed |=
            json_object_set_new(row, "validation_loss", json_number(report->validation.loss)) != 0;
        failed |=
            json_object_set_new(row, "validation_bleu", json_number(report->validation.bleu)) != 0;
    }
    if (!failed) return row;
    json_decref(row);
    return NULL;
}

static Status write_row(TrainLog *log, const TrainReport *report, Error *error)
{
    json_t *row = row_of(log, report);
    char *text = row ? json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(8)) : NULL;
    json_decref(row);
    log->loss_sum = log->guide_sum = log->target_tokens = log->seconds = 0;
    log->steps = 0;
    if (!text) return error_memory(error, 1, "a row of the log");
    bool written = fprintf(log->file, "%s\n", text) > 0 && fflush(log->file) == 0;
    free(text); // Jansson's
    if (written) return STATUS_OK;
    return error_set(error, STATUS_IO, "cannot be written: %s", strerror(errno));
}

Status train_log_add(TrainLog *log, const TrainReport *report, Error *error)
{
    if (report->event == TRAIN_STEP) {
        log->loss_sum += report->loss * report->target_tokens;
        log->guide_sum += report->guide_loss * report->target_tokens;
        log->target_tokens += report->target_tokens;
        log->learning_rate = report->learning_rate;
    }
    if (report->event != TRAIN_VALIDATED) {
        log->seconds += report->seconds;
        log->steps++;
    }
    if (!log->file) return STATUS_OK;
    if (report->event == TRAIN_VALIDATED || log->steps >= LOG_STEPS)
        return write_row(log, report, error);
    return STATUS_OK;
}
