#include "train/log.h"

#include "base/memory.h"
#include "io/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A row: the steps since the last one, if any, and the validation, if this is one. */
static json_t *row_of(const TrainLog *log, const TrainReport *report)
{
    const TrainCounters *counters = report->counters;
    double tokens = log->target_tokens;
    bool steps = tokens > 0, guided = steps && log->guided;
    bool validated = report->event == TRAIN_VALIDATED;
    // counted from 1; the validation that follows an epoch's last batch belongs to that epoch
    json_int_t epoch = (json_int_t)counters->epoch + (counters->batch > 0);
    return json_pack("{s:I, s:I, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}",     //
                     "epoch", epoch,                                                         //
                     "step", (json_int_t)counters->steps,                                    //
                     "loss", steps ? json_number(log->loss_sum / tokens) : NULL,             //
                     "guide_loss", guided ? json_number(log->guide_sum / tokens) : NULL,     //
                     "target_tokens", steps ? json_integer((json_int_t)tokens) : NULL,       //
                     "seconds", steps ? json_real(log->seconds) : NULL,                      //
                     "target_tokens_per_second",                                             //
                     steps ? json_real(log->seconds > 0 ? tokens / log->seconds : 0) : NULL, //
                     "learning_rate", steps ? json_real(log->learning_rate) : NULL,          //
                     "skipped_steps",
                     counters->skipped ? json_integer((json_int_t)counters->skipped) : NULL, //
                     "validation_loss", validated ? json_number(report->validation.loss) : NULL,
                     "validation_bleu", validated ? json_number(report->validation.bleu) : NULL);
}

static Status write_row(TrainLog *log, const TrainReport *report, Error *error)
{
    json_t *row = row_of(log, report);
    char *text;
    *log = (TrainLog){.file = log->file, .guided = log->guided};
    TRY(json_text(&text, row, JSON_COMPACT | JSON_REAL_PRECISION(8), error));
    bool written = fprintf(log->file, "%s\n", text) > 0 && fflush(log->file) == 0;
    memory_free(text);
    if (written) return STATUS_OK;
    return error_set(error, STATUS_IO, "cannot be written: %s", strerror(errno));
}

Status train_log_add(TrainLog *log, const TrainReport *report, Error *error)
{
    if (report->event == TRAIN_WAITING) return STATUS_OK;
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
