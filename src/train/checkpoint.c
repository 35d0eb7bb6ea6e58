#include "train/checkpoint.h"

#include "train/json_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every counter once, with the name it has in the file. */
typedef struct CounterField {
    const char *name;
    size_t offset;
    bool is_real;
} CounterField;

#define WHOLE_FIELD(name)                                                                          \
    {                                                                                              \
#name, offsetof(TrainCounters, name), false                                                \
    }
#define REAL_FIELD(name)                                                                           \
    {                                                                                              \
#name, offsetof(TrainCounters, name), true                                                 \
    }

static const CounterField fields[] = {
    WHOLE_FIELD(epoch),      WHOLE_FIELD(batch),      WHOLE_FIELD(steps),
    WHOLE_FIELD(updates),    WHOLE_FIELD(skipped),    WHOLE_FIELD(validations),
    WHOLE_FIELD(stale),      WHOLE_FIELD(best_step),  REAL_FIELD(best_bleu),
    REAL_FIELD(best_loss),   REAL_FIELD(lowest_loss), REAL_FIELD(loss_sum),
    REAL_FIELD(loss_tokens),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const char *const block_prefixes[] = {"", "average.", "adam.first.", "adam.second."};
enum { BLOCKS = sizeof block_prefixes / sizeof *block_prefixes };

static void block_list(real *list[BLOCKS], const CheckpointBlocks *blocks)
{
    list[0] = blocks->values;
    list[1] = blocks->average;
    list[2] = blocks->first;
    list[3] = blocks->second;
}

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
        if (!good) return error_set(error, STATUS_FORMAT, "no counter \"%s\"", fields[i].name);
        if (fields[i].is_real)
            *(double *)at = json_is_null(value) ? (double)NAN : json_number_value(value);
        else
            *(uint64_t *)at = (uint64_t)json_integer_value(value);
    }
    return STATUS_OK;
}

/* {"options": …, "counters": …, "corpus": "16 hexadecimal digits"} as text for the metadata; freed by free(). */
static char *state_text(const TrainOptions *options, const TrainCounters *counters,
                        uint64_t corpus_hash)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, corpus_hash);
    json_t *json = json_object();
    bool failed = json_object_set_new(json, "options", train_options_to_json(options)) != 0;
    failed |= json_object_set_new(json, "counters", counters_to_json(counters)) != 0;
    failed |= json_object_set_new(json, "corpus", json_string(hash)) != 0;
    char *text = failed ? NULL : json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(json);
    return text;
}

Status checkpoint_path(Bytes *out, const char *model_path, Error *error)
{
    bytes_clear(out);
    return bytes_append_format(out, error, "%s.checkpoint", model_path);
}

Status checkpoint_save(const char *path, const ModelConfig *config, const ParamList *list,
                       const ModelTexts *texts, const CheckpointBlocks *blocks,
                       const TrainOptions *options, const TrainCounters *counters,
                       uint64_t corpus_hash, Error *error)
{
    real *values[BLOCKS];
    block_list(values, blocks);
    SafetensorsWriter *writer = NULL;
    char *state = state_text(options, counters, corpus_hash);
    Status status = state ? safetensors_writer_new(&writer, error)
                          : error_memory(error, 1, "the checkpoint's state");
    if (!status) status = model_write_metadata(writer, MODEL_FORMAT_PLAIN, config, texts, error);
    if (!status) status = safetensors_writer_metadata(writer, "state", state, error);
    for (size_t i = 0; i < BLOCKS && !status; i++)
        status = model_write_block(writer, path, list, values[i], block_prefixes[i], error);
    if (!status) status = safetensors_writer_save(writer, path, error);
    safetensors_writer_free(writer);
    free(state); // Jansson's
    return status;
}

static Status read_state(Checkpoint *checkpoint, const char *path, Error *error)
{
    const char *text = safetensors_metadata(checkpoint->file, "state");
    if (!text)
        return error_set(error, STATUS_FORMAT,
                         "%s: is a model and not a checkpoint: it cannot be trained further", path);
    json_error_t at;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &at);
    const char *hash = json_string_value(json_object_get(json, "corpus"));
    Error inner = {.text = "its state is not whole"};
    Status status = hash && strlen(hash) == 16 ? STATUS_OK : STATUS_FORMAT;
    if (!status) checkpoint->corpus_hash = strtoull(hash, NULL, 16);
    if (!status)
        status =
            train_options_from_json(&checkpoint->options, json_object_get(json, "options"), &inner);
    if (!status)
        status =
            counters_from_json(&checkpoint->counters, json_object_get(json, "counters"), &inner);
    json_decref(json);
    return status ? error_set(error, STATUS_FORMAT, "%s: %s", path, inner.text) : STATUS_OK;
}

Status checkpoint_open(Checkpoint *checkpoint, const char *path, Error *error)
{
    TrainOptions options = checkpoint->options;
    *checkpoint = (Checkpoint){.options = options};
    Status status = safetensors_open(&checkpoint->file, path, error);
    if (!status)
        status = model_read_metadata(checkpoint->file, path, &checkpoint->config,
                                     &checkpoint->texts, error);
    if (!status) status = read_state(checkpoint, path, error);
    if (status) checkpoint_close(checkpoint);
    return status;
}

Status checkpoint_read_blocks(const Checkpoint *checkpoint, const char *path, const ParamList *list,
                              const CheckpointBlocks *blocks, Error *error)
{
    real *values[BLOCKS];
    block_list(values, blocks);
    for (size_t i = 0; i < BLOCKS; i++) {
        Status status =
            model_read_block(checkpoint->file, path, list, values[i], block_prefixes[i], error);
        if (status) return status;
    }
    return STATUS_OK;
}

void checkpoint_close(Checkpoint *checkpoint)
{
    safetensors_close(checkpoint->file);
    *checkpoint = (Checkpoint){0};
}
