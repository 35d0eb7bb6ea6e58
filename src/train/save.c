#include "train/save.h"

#include "base/memory.h"
#include "io/json.h"
#include "train/disk_wait.h"
#include "train/run_name.h"

// The texts of a file; `target` is NULL if the vocabulary is joint.
typedef struct Texts {
    char *source, *target, *training;
    ModelTexts view; // of them
} Texts;

// Adds those that are known, and from where. Nonzero if out of memory.
static int add_languages(json_t *json, const CorpusLanguages *languages)
{
    const char *source = languages->tags[0], *target = languages->tags[1];
    int failed = 0;
    if (!*source && !*target) return 0;
    if (*source) failed |= json_object_set_new(json, "source_language", json_string(source));
    if (*target) failed |= json_object_set_new(json, "target_language", json_string(target));
    return failed | json_object_set_new(json, "languages_from",
                                        json_string(language_source_names[languages->source]));
}

static Status training_text(char **text, const TrainSetup *setup, const TrainCounters *counters,
                            const ValidationScore *score, Error *error)
{
    const TrainingData *data = setup->data;
    const CorpusLanguages *languages = &data->languages;
    char run[RUN_NAME_SIZE];
    TRY(run_name(run, setup->options, data->hash ^ setup->init_hash, error));
    json_t *json = setup->description ? json_copy(setup->description) : json_object();
    json_t *progress = json_pack("{s:s, s:o, s:I, s:I, s:s, s:s, s:s, s:o*, s:o*}",            //
                                 "run", run,                                                   //
                                 "options", train_options_to_json(setup->options),             //
                                 "steps", (json_int_t)counters->steps,                         //
                                 "epoch", (json_int_t)counters->epoch,                         //
                                 "source_units", unit_kind_names[data->units[0]],              //
                                 "target_units", unit_kind_names[data->units[1]],              //
                                 "bleu_tokenizer", bleu_tokenizer_names[data->bleu_tokenizer], //
                                 "validation_bleu", score ? json_number(score->bleu) : NULL,   //
                                 "validation_loss", score ? json_number(score->loss) : NULL);
    bool failed = json_object_update(json, progress) || add_languages(json, languages);
    json_decref(progress);
    if (failed) {
        json_decref(json);
        json = NULL;
    }
    return json_text(text, json, JSON_COMPACT | JSON_REAL_PRECISION(6), error);
}

static void texts_free(Texts *texts)
{
    memory_free(texts->source);
    memory_free(texts->target);
    memory_free(texts->training);
}

static Status texts_make(Texts *texts, const TrainSetup *setup, const TrainCounters *counters,
                         const ValidationScore *score, Error *error)
{
    const TrainingData *data = setup->data;
    *texts = (Texts){0};
    json_t *source = vocabulary_to_json(data->source_vocabulary);
    Status status = json_text(&texts->source, source, JSON_COMPACT, error);
    if (!status && !data->joint)
        status = json_text(&texts->target, vocabulary_to_json(data->target_vocabulary),
                           JSON_COMPACT, error);
    if (!status) status = training_text(&texts->training, setup, counters, score, error);
    if (status) texts_free(texts);
    texts->view =
        (ModelTexts){texts->source, data->joint ? texts->source : texts->target, texts->training};
    return status;
}

Status save_model(const TrainSetup *setup, const Seq2SeqParams *params,
                  const TrainCounters *counters, const ValidationScore *score, Error *error)
{
    Texts texts;
    TRY(texts_make(&texts, setup, counters, score, error));
    DiskWait wait = {.setup = setup, .counters = counters};
    Status status;
    do status = model_save(setup->model_path, params, &texts.view, error);
    while (disk_wait_again(&wait, status, error));
    texts_free(&texts);
    return status;
}

Status save_checkpoint(const TrainSetup *setup, const ModelConfig *config,
                       const CheckpointBlocks *blocks, const TrainCounters *counters, Error *error)
{
    Texts texts;
    Bytes path = {0};
    TRY(texts_make(&texts, setup, counters, NULL, error));
    const Checkpoint checkpoint = {.config = *config,
                                   .texts = texts.view,
                                   .options = *setup->options,
                                   .counters = *counters,
                                   .corpus_hash = setup->data->hash,
                                   .init_hash = setup->init_hash,
                                   .files = data_files_to_json(&setup->data->files),
                                   .command = setup->command};
    DiskWait wait = {.setup = setup, .counters = counters};
    Status status = checkpoint.files ? checkpoint_path(&path, setup->model_path, error)
                                     : error_memory(error, 0, "a checkpoint");
    if (!status) do
            status = checkpoint_save(path.data, &checkpoint, blocks, error);
        while (disk_wait_again(&wait, status, error));
    json_decref(checkpoint.files);
    bytes_free(&path);
    texts_free(&texts);
    return status;
}
