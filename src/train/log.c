#define _POSIX_C_SOURCE 200809L
#include "train/log.h"

#include "base/memory.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

// Those of the sets that do not decide; NULL if there are none.
static json_t *other_validations(const LogRow *row)
{
    json_t *list = row->validation_sets > 1 ? json_array() : NULL;
    for (size_t i = 1; i < row->validation_sets; i++)
        json_append(&list, json_pack("{s:o, s:o}", "loss", json_number(row->validation[i].loss),
                                     "bleu", json_number(row->validation[i].bleu)));
    return list;
}

static json_t *row_json(const LogRow *row, bool guided)
{
    double tokens = row->target_tokens;
    bool steps = tokens > 0;
    json_t *json = json_pack(
        "{s:I, s:I, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}",        //
        "epoch", (json_int_t)row->epoch,                                                 //
        "step", (json_int_t)row->step,                                                   //
        "loss", steps ? json_number(row->loss_sum / tokens) : NULL,                      //
        "guide_loss", steps && guided ? json_number(row->guide_sum / tokens) : NULL,     //
        "target_tokens", steps ? json_integer((json_int_t)tokens) : NULL,                //
        "seconds", steps ? json_real(row->seconds) : NULL,                               //
        "target_tokens_per_second",                                                      //
        steps ? json_real(row->seconds > 0 ? tokens / row->seconds : 0) : NULL,          //
        "learning_rate", steps ? json_real(row->learning_rate) : NULL,                   //
        "skipped_steps", row->skipped ? json_integer((json_int_t)row->skipped) : NULL,   //
        "validation_loss", row->validated ? json_number(row->validation[0].loss) : NULL, //
        "validation_bleu", row->validated ? json_number(row->validation[0].bleu) : NULL, //
        "other_validations", other_validations(row));
    if (row->film) json_object_update(json, row->film);
    return json;
}

Status train_log_write(const TrainLog *log, json_t *object, Error *error)
{
    FREED char *text = NULL;
    struct stat before;
    bool regular = !fstat(fileno(log->file), &before) && S_ISREG(before.st_mode);
    TRY(json_text(&text, object, JSON_COMPACT | JSON_REAL_PRECISION(8), error));
    bool written = fprintf(log->file, "%s\n", text) > 0 && fflush(log->file) == 0;
    int reason = errno;
    if (written) return STATUS_OK;
    // what was written in part is cut off again, here or by --resume, so that the next row begins
    // a line
    if (regular && !ftruncate(fileno(log->file), before.st_size))
        (void)fseeko(log->file, before.st_size, SEEK_SET);
    return error_set(error, STATUS_IO, "cannot be written: %s", strerror(reason));
}

Status train_log_flush(TrainLog *log, Error *error)
{
    Status status = STATUS_OK;
    size_t written = 0;
    while (log->file && written < log->unwritten_count && !status) {
        status = train_log_write(log, row_json(&log->unwritten[written], log->guided), error);
        if (!status) json_decref(log->unwritten[written++].film);
    }
    log->unwritten_count -= written;
    memmove(log->unwritten, log->unwritten + written,
            log->unwritten_count * sizeof *log->unwritten);
    return status;
}

Status train_log_add(TrainLog *log, const TrainReport *report, Error *error)
{
    const TrainCounters *counters = report->counters;
    LogRow *row = &log->row;
    if (report->event == TRAIN_WAITING || !log->file) return STATUS_OK;
    row->validated = report->event == TRAIN_VALIDATED;
    if (report->event == TRAIN_STEP) {
        row->loss_sum += report->loss * report->target_tokens;
        row->guide_sum += report->guide_loss * report->target_tokens;
        row->target_tokens += report->target_tokens;
        row->learning_rate = report->learning_rate;
    }
    if (!row->validated) {
        row->seconds += report->seconds;
        if (++row->steps < LOG_STEPS) return STATUS_OK;
    }
    // counted from 1; the validation that follows an epoch's last batch belongs to that epoch
    row->epoch = counters->epoch + (counters->batch > 0);
    row->step = counters->steps;
    row->skipped = counters->skipped;
    memcpy(row->validation, report->validation, sizeof row->validation);
    row->validation_sets = report->validation_sets;
    if (log->unwritten_count < LOG_UNWRITTEN)
        log->unwritten[log->unwritten_count++] = *row;
    else
        json_decref(row->film);
    *row = (LogRow){0};
    return train_log_flush(log, error);
}

void train_log_free(TrainLog *log)
{
    for (size_t i = 0; i < log->unwritten_count; i++) json_decref(log->unwritten[i].film);
    json_decref(log->row.film);
    *log = (TrainLog){.file = NULL};
}
