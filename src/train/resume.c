#define _POSIX_C_SOURCE 200809L
#include "train/resume.h"

#include <string.h>
#include <unistd.h>

static Status foreign(const char *path, const Checkpoint *checkpoint, const char *why, Error *error)
{
    return error_set(error, STATUS_ARGUMENT,
                     "%s: is not the model of %s: %s; move it away, and --resume writes the model "
                     "again",
                     path, checkpoint->path, why);
}

// Of the run that the checkpoint is of, and no older than what the checkpoint calls the best.
static Status check_training(const Model *model, const char *path, const Checkpoint *checkpoint,
                             Error *error)
{
    char name[RUN_NAME_SIZE];
    json_t *training;
    TRY(run_name(name, &checkpoint->options, checkpoint->corpus_hash ^ checkpoint->init_hash,
                 error));
    TRY(json_parse(&training, model->texts.training, strlen(model->texts.training), path,
                   "the description of its training", error));
    const char *run = json_string_value(json_object_get(training, "run"));
    bool same = run && !strcmp(run, name);
    json_int_t steps = json_integer_value(json_object_get(training, "steps"));
    json_decref(training);
    if (!same) return foreign(path, checkpoint, "it was trained otherwise", error);
    if (steps < (json_int_t)checkpoint->counters.best_step)
        return foreign(path, checkpoint, "it is older", error);
    return STATUS_OK;
}

static Status check_model(const Checkpoint *checkpoint, const char *path, Error *error)
{
    Model model;
    Error inner;
    Status status = model_open(&model, path, &inner);
    if (status == STATUS_MEMORY) return error_set(error, status, "%s", inner.text);
    if (status)
        return error_set(error, status, "%s; move it away, and --resume writes the model again",
                         inner.text);
    status = check_training(&model, path, checkpoint, error);
    model_close(&model);
    return status;
}

static Status other_corpus(const Checkpoint *checkpoint, const TrainingData *data, Error *error)
{
    const char *changed = data_files_changed(&data->files, checkpoint->files);
    if (changed)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is not what it was when %s was written; give the file as it was "
                         "then, whatever its name is now, or start over without --resume",
                         changed, checkpoint->path);
    return error_set(error, STATUS_ARGUMENT,
                     "%s: is from a different corpus%s; give the same files as before, or "
                     "start over without --resume",
                     checkpoint->path, data->guide ? " or --guide" : "");
}

bool resume_model_is_missing(const TrainSetup *setup)
{
    bool leads = ranks_rank(setup->ranks) == 0;
    return ranks_max(setup->ranks, leads && access(setup->model_path, F_OK)) > 0;
}

Status resume_check(const Checkpoint *checkpoint, const TrainSetup *setup,
                    const ModelConfig *config, bool missing, Error *error)
{
    const TrainingData *data = setup->data;
    if (checkpoint->corpus_hash != data->hash) return other_corpus(checkpoint, data, error);
    if (config_difference(&checkpoint->config, config))
        return error_set(error, STATUS_FORMAT, "%s: its sizes do not match its options",
                         checkpoint->path);
    bool saved = checkpoint->counters.validations > 0; // none is before the first
    return missing || !saved || ranks_rank(setup->ranks)
               ? STATUS_OK
               : check_model(checkpoint, setup->model_path, error);
}
