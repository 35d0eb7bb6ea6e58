#include "train/checkpoint.h"

#include "train/json_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A counter: a uint64_t or a double.
typedef struct CounterField {
    const char *name;
    size_t offset;
    bool is_real;
} CounterField;

#define WHOLE(name)                                                                                \
    {                                                                                              \
#name, offsetof(TrainCounters, name), false                                                \
    }
#define REAL(name)                                                                                 \
    {                                                                                              \
#name, offsetof(TrainCounters, name), true                                                 \
    }

static const CounterField fields[] = {
    WHOLE(epoch),       WHOLE(batch),   WHOLE(steps),      WHOLE(updates),  WHOLE(skipped),
    WHOLE(validations), WHOLE(stale),   WHOLE(best_step),  REAL(best_bleu), REAL(best_loss),
    REAL(lowest_loss),  REAL(loss_sum), REAL(loss_tokens),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static json_t *counters_to_json(const TrainCounters *counters)
{
    json_t *json = json_object();
    bool failed = !json;
    for (size_t i = 0; i < FIELDS; i++) {
        const void *at = (const char *)counters + fields[i].offset;
        json_t *value = fields[i].is_real ? json_number(*(const double *)at)
                                          : json_integer((json_int_t) * (const uint64_t *)at);
        failed |= json_object_set_new(json, fields[i].name, value) != 0;
    }
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

static Status counters_from_json(TrainCounters *counters, const json_t *json, Error *error)
{
    for (size_t i = 0; i < FIELDS; i++) {
        void *at = (char *)counters + fields[i].offset;
        const json_t *value = json_object_get(json, fields[i].name);
        bool good = fields[i].is_real ? json_is_number(value) || json_is_null(value)
                                      : json_is_integer(value) && json_integer_value(value) >= 0;
        if (!good)
            return error_set(error, STATUS_FORMAT, "counter \"%s\" is missing or not valid",
                             fields[i].name);
        if (fields[i].is_real)
            *(double *)at = json_is_null(value) ? (double)NAN : json_number_value(value);
        else
            *(uint64_t *)at = (uint64_t)json_integer_value(value);
    }
    return STATUS_OK;
}

// The state as text for the metadata; freed by free(), NULL if out of memory.
static char *state_text(const Checkpoint *checkpoint)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, checkpoint->corpus_hash);
    json_t *json = json_pack("{s:o, s:o, s:s}",                                      //
                             "options", train_options_to_json(&checkpoint->options), //
                             "counters", counters_to_json(&checkpoint->counters), "corpus", hash);
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(json);
    return text;
}

static Status read_state(Checkpoint *checkpoint, const json_t *state, Error *error)
{
    const char *hash = json_string_value(json_object_get(state, "corpus"));
    if (!hash || strlen(hash) != 16)
        return error_set(error, STATUS_FORMAT, "its state is incomplete");
    checkpoint->corpus_hash = strtoull(hash, NULL, 16);
    Status status =
        train_options_from_json(&checkpoint->options, json_object_get(state, "options"), error);
    if (status) return status;
    return counters_from_json(&checkpoint->counters, json_object_get(state, "counters"), error);
}

Status checkpoint_path(Bytes *out, const char *model_path, Error *error)
{
    bytes_clear(out);
    return bytes_append_format(out, error, "%s.checkpoint", model_path);
}

// A block and what the names of its tensors begin with.
typedef struct NamedBlock {
    const char *prefix;
    real *values;
} NamedBlock;
enum { BLOCKS = 4 };

static void name_blocks(NamedBlock named[BLOCKS], const CheckpointBlocks *blocks)
{
    named[0] = (NamedBlock){"", blocks->values};
    named[1] = (NamedBlock){"average.", blocks->average};
    named[2] = (NamedBlock){"adam.first.", blocks->first};
    named[3] = (NamedBlock){"adam.second.", blocks->second};
}

Status checkpoint_save(const char *path, const Checkpoint *checkpoint,
                       const CheckpointBlocks *blocks, Error *error)
{
    NamedBlock named[BLOCKS];
    SafetensorsWriter *writer = NULL;
    char *state = state_text(checkpoint);
    name_blocks(named, blocks);
    Status status = state ? safetensors_writer_new(&writer, error)
                          : error_memory(error, 1, "the checkpoint's state");
    if (!status)
        status = model_write_metadata(writer, &checkpoint->config, &checkpoint->texts, error);
    if (!status) status = safetensors_writer_metadata(writer, "state", state, error);
    for (size_t i = 0; i < BLOCKS && !status; i++)
        status =
            model_write_block(writer, path, blocks->list, named[i].values, named[i].prefix, error);
    if (!status) status = safetensors_writer_save(writer, path, error);
    safetensors_writer_free(writer);
    free(state); // Jansson's
    return status;
}

Status checkpoint_open(Checkpoint *checkpoint, const char *path, Error *error)
{
    *checkpoint = (Checkpoint){.path = path, .options = checkpoint->options};
    Status status = safetensors_open(&checkpoint->file, path, error);
    if (!status)
        status = model_read_metadata(checkpoint->file, path, &checkpoint->config,
                                     &checkpoint->texts, error);
    const char *text = status ? NULL : safetensors_metadata(checkpoint->file, "state");
    if (!status && !text)
        status = error_set(error, STATUS_FORMAT,
                           "%s: is a model, not a checkpoint, and cannot be trained further", path);
    if (!status) {
        Error inner;
        json_t *state = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        status = read_state(checkpoint, state, &inner);
        if (status)
            error_set(error, status,
                      "%s: %s; perhaps another version of regard wrote it: start over without "
                      "--resume",
                      path, inner.text);
        json_decref(state);
    }
    if (status) checkpoint_close(checkpoint);
    return status;
}

Status checkpoint_read_blocks(const Checkpoint *checkpoint, const CheckpointBlocks *blocks,
                              Error *error)
{
    NamedBlock named[BLOCKS];
    Status status = STATUS_OK;
    name_blocks(named, blocks);
    for (size_t i = 0; i < BLOCKS && !status; i++)
        status = model_read_block(checkpoint->file, checkpoint->path, blocks->list, named[i].values,
                                  named[i].prefix, error);
    return status;
}

void checkpoint_close(Checkpoint *checkpoint)
{
    safetensors_close(checkpoint->file);
    *checkpoint = (Checkpoint){0};
}
