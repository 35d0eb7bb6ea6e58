#include "render/run_log.h"

#include "base/array.h"
#include "io/line_reader.h"

#include <math.h>

static const char *const keys[RUN_OTHER_BLEU] = {
    [RUN_LOSS] = "loss",
    [RUN_VALIDATION_LOSS] = "validation_loss",
    [RUN_BLEU] = "validation_bleu",
    [RUN_LEARNING_RATE] = "learning_rate",
    [RUN_SPEED] = "target_tokens_per_second",
};

static double number_in(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static Status take_header(RunLog *log, json_t *header, Error *error)
{
    static const char *const differ[] = {"options", "model", "samples", "seed"};
    log->header = json_incref(header);
    log->command = json_copy(header);
    if (json_object_update(log->command, json_object_get(header, "options")) ||
        json_memory_was_short()) // json_copy does not tell
        return error_memory(error, 1, "a log");
    for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
        json_object_del(log->command, differ[i]);
    return STATUS_OK;
}

static Status add_line(RunLog *log, json_t *row, size_t line, Error *error)
{
    if (line == 1 && json_is_object(json_object_get(row, "options")))
        return take_header(log, row, error);
    RunPoint point = {.step = number_in(row, "step")};
    double seconds = number_in(row, "seconds");
    if (!log->header || !isfinite(point.step))
        return error_set(error, STATUS_FORMAT,
                         "%s:%zu: is not a line of a log that regard train --log writes", log->path,
                         line);
    bool pictures = json_object_get(row, "watched") || json_object_get(row, "translations");
    if (pictures && json_array_append(log->pictures, row)) return error_memory(error, 1, "a log");
    if (log->count) point.minutes = log->points[log->count - 1].minutes;
    if (isfinite(seconds)) point.minutes += seconds / 60;
    const json_t *others = json_object_get(row, "other_validations");
    for (int i = 0; i < RUN_OTHER_BLEU; i++) point.values[i] = number_in(row, keys[i]);
    for (int i = RUN_OTHER_BLEU; i < RUN_MEASURES; i++)
        point.values[i] = number_in(json_array_get(others, (size_t)(i - RUN_OTHER_BLEU)), "bleu");
    return array_add(&log->points, &log->count, &log->capacity, "a log", error, point);
}

static Status read_lines(RunLog *log, LineReader *reader, Error *error)
{
    Error wrong;
    Status cut = STATUS_OK; // of the line before
    Line line;
    bool more;
    Status status;
    while (!(status = line_reader_next(reader, &line, &more, error)) && more && !cut) {
        json_t *row;
        cut = json_parse(&row, line.text, line.length, log->path, "a row", &wrong);
        if (cut == STATUS_MEMORY) return error_set(error, cut, "%s", wrong.text);
        if (cut) continue;
        status = add_line(log, row, line.number, error);
        json_decref(row);
        if (status) return status;
    }
    if (status || (log->header && !(cut && more))) return status;
    return error_set(error, STATUS_FORMAT, "%s: is not the log of a training%s%s", log->path,
                     cut ? ": " : "", cut ? wrong.text : "");
}

Status run_log_read(RunLog *log, const char *path, Error *error)
{
    FREED_BY(line_reader_close_at) LineReader *reader = NULL;
    *log = (RunLog){.path = path, .pictures = json_array()};
    if (!log->pictures) return error_memory(error, 1, "a log");
    Status status = line_reader_open(&reader, path, error);
    if (!status) status = read_lines(log, reader, error);
    if (status) run_log_free(log);
    return status;
}

void run_log_free(RunLog *log)
{
    json_decref(log->header);
    json_decref(log->command);
    json_decref(log->pictures);
    memory_free(log->points);
    *log = (RunLog){0};
}
