#include "train/checkpoint.h"

#include "base/memory.h"
#include "base/string_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(member) JSON_FIELD(TrainCounters, member, FIELD_SIZE, NULL)
#define MEASURE(member) JSON_FIELD(TrainCounters, member, FIELD_MEASURE, NULL)

static const JsonField fields[] = {
    COUNT(epoch),         COUNT(batch),       COUNT(steps),         COUNT(updates),
    COUNT(skipped),       COUNT(validations), COUNT(stale),         COUNT(best_step),
    MEASURE(best_bleu),   MEASURE(best_loss), MEASURE(lowest_loss), MEASURE(loss_sum),
    MEASURE(loss_tokens),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static json_t *counters_to_json(const TrainCounters *counters)
{
    json_t *json = json_object();
    for (size_t i = 0; i < FIELDS; i++)
        json_object_set_new(json, fields[i].name, json_field_value(&fields[i], counters));
    return json;
}

static Status counters_from_json(TrainCounters *counters, const json_t *json, Error *error)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (!json_field_read(&fields[i], counters, json_object_get(json, fields[i].name)))
            return error_set(error, STATUS_FORMAT, "counter \"%s\" is missing or not valid",
                             fields[i].name);
    return STATUS_OK;
}

// The state as text for the metadata.
static Status state_text(char **text, const Checkpoint *checkpoint, Error *error)
{
    const uint64_t init = checkpoint->init_hash;
    json_t *json = json_pack("{s:o, s:o, s:o, s:o*, s:O*, s:O*}",                            //
                             "options", train_options_to_json(&checkpoint->options, false),  //
                             "counters", counters_to_json(&checkpoint->counters),            //
                             "corpus", json_sprintf("%016" PRIx64, checkpoint->corpus_hash), //
                             "init", init ? json_sprintf("%016" PRIx64, init) : NULL,        //
                             "files", checkpoint->files,                                     //
                             "command", checkpoint->command);
    return json_text(text, json, JSON_COMPACT | JSON_REAL_PRECISION(17), error);
}

static Status read_fields(Checkpoint *checkpoint, const json_t *state, Error *error)
{
    const char *hash = json_string_value(json_object_get(state, "corpus"));
    if (!hash || strlen(hash) != 16)
        return error_set(error, STATUS_FORMAT, "its state is incomplete");
    checkpoint->corpus_hash = strtoull(hash, NULL, 16);
    const char *init = json_string_value(json_object_get(state, "init"));
    checkpoint->init_hash = init ? strtoull(init, NULL, 16) : 0;
    checkpoint->files = json_incref(json_object_get(state, "files"));
    checkpoint->command = json_incref(json_object_get(state, "command"));
    TRY(train_options_from_json(&checkpoint->options, json_object_get(state, "options"), error));
    return counters_from_json(&checkpoint->counters, json_object_get(state, "counters"), error);
}

static Status read_state(Checkpoint *checkpoint, const char *text, const char *path, Error *error)
{
    Error inner;
    FREED_BY(json_decref_at) json_t *state = NULL;
    TRY(json_parse(&state, text, strlen(text), path, "its state", error));
    Status status = read_fields(checkpoint, state, &inner);
    if (!status) return STATUS_OK;
    return error_set(error, status,
                     "%s: %s; perhaps another version of regard wrote it: start over without "
                     "--resume",
                     path, inner.text);
}

Status run_name(char name[RUN_NAME_SIZE], const TrainOptions *options, uint64_t read_hash,
                Error *error)
{
    FREED char *text = NULL;
    json_t *json = train_options_to_json(options, false);
    for (const TrainOption *option = train_option_table; option->flag; option++)
        if (option->on_resume == TRAIN_NOTED) (void)json_object_del(json, option->field.name);
    TRY(json_text(&text, json, JSON_COMPACT | JSON_REAL_PRECISION(17), error));
    uint64_t hash = string_hash(text, strlen(text)) * 0x9e3779b97f4a7c15u + read_hash;
    snprintf(name, RUN_NAME_SIZE, "%016" PRIx64, hash);
    return STATUS_OK;
}

// What the names of each block's tensors begin with.
static const char *const prefixes[CHECKPOINT_BLOCKS] = {"", "average.", "adam.first.",
                                                        "adam.second."};

static Status check(const char *path, Error *error)
{
    FREED_BY(checkpoint_close) Checkpoint checkpoint = {0};
    return checkpoint_open(&checkpoint, path, error);
}

Status checkpoint_save(const char *path, const Checkpoint *checkpoint,
                       const CheckpointBlocks *blocks, Error *error)
{
    FREED_BY(safetensors_writer_free_at) SafetensorsWriter *writer = NULL;
    TRY(safetensors_writer_new(&writer, error));
    TRY(model_write_metadata(writer, &checkpoint->config, &checkpoint->texts, error));
    FREED char *state = NULL;
    TRY(state_text(&state, checkpoint, error));
    TRY(safetensors_writer_metadata(writer, "state", state, error));
    for (size_t i = 0; i < CHECKPOINT_BLOCKS; i++)
        TRY(model_write_block(writer, path, blocks->list, blocks->values[i], prefixes[i], error));
    return safetensors_writer_save(writer, path, check, error);
}

static Status read_all(Checkpoint *checkpoint, const char *path, Error *error)
{
    TRY(safetensors_open(&checkpoint->file, path, error));
    TRY(model_read_metadata(checkpoint->file, path, &checkpoint->config, &checkpoint->texts,
                            error));
    const char *text = safetensors_metadata(checkpoint->file, "state");
    if (!text)
        return error_set(error, STATUS_FORMAT,
                         "%s: is a model, not a checkpoint, and cannot be trained further", path);
    return read_state(checkpoint, text, path, error);
}

Status checkpoint_open(Checkpoint *checkpoint, const char *path, Error *error)
{
    *checkpoint = (Checkpoint){.path = path, .options = checkpoint->options};
    Status status = read_all(checkpoint, path, error);
    if (status) checkpoint_close(checkpoint);
    return status;
}

Status checkpoint_read_blocks(const Checkpoint *checkpoint, const CheckpointBlocks *blocks,
                              Error *error)
{
    for (size_t i = 0; i < CHECKPOINT_BLOCKS; i++)
        TRY(model_read_block(checkpoint->file, checkpoint->path, blocks->list, blocks->values[i],
                             prefixes[i], error));
    return STATUS_OK;
}

void checkpoint_close(Checkpoint *checkpoint)
{
    json_decref(checkpoint->files);
    json_decref(checkpoint->command);
    safetensors_close(checkpoint->file);
    *checkpoint = (Checkpoint){0};
}
