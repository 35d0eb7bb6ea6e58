#include "train/save.h"

#include "train/json_number.h"

#include <stdlib.h>

// The texts of a file, each freed by free(); `target` is NULL if the vocabulary is joint.
typedef struct Texts {
    char *source, *target, *training;
} Texts;

static char *vocabulary_text(const Vocabulary *vocabulary)
{
    json_t *json = vocabulary_to_json(vocabulary);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

static char *training_text(const TrainSetup *setup, const TrainCounters *counters,
                           const ValidationScore *score)
{
    const TrainingData *data = setup->data;
    json_t *json = setup->description ? json_copy(setup->description) : json_object();
    json_t *progress = json_pack("{s:o, s:I, s:I, s:s, s:s, s:s, s:o*, s:o*}",                //
                                 "options", train_options_to_json(setup->options),            //
                                 "steps", (json_int_t)counters->steps,                        //
                                 "epoch", (json_int_t)counters->epoch,                        //
                                 "source_units", units_kind_name(data->units[0]),             //
                                 "target_units", units_kind_name(data->units[1]),             //
                                 "bleu_tokenizer", bleu_tokenizer_name(data->bleu_tokenizer), //
                                 "validation_bleu", score ? json_number(score->bleu) : NULL,  //
                                 "validation_loss", score ? json_number(score->loss) : NULL);
    char *text = json_object_update(json, progress) == 0
                     ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6))
                     : NULL;
    json_decref(json);
    json_decref(progress);
    return text;
}

static void texts_free(Texts *texts)
{
    free(texts->source); // Jansson's
    free(texts->target);
    free(texts->training);
}

static Status texts_make(Texts *texts, const TrainSetup *setup, const TrainCounters *counters,
                         const ValidationScore *score, Error *error)
{
    const TrainingData *data = setup->data;
    *texts = (Texts){.source = vocabulary_text(data->source_vocabulary),
                     .target = data->joint ? NULL : vocabulary_text(data->target_vocabulary),
                     .training = training_text(setup, counters, score)};
    if (texts->source && (texts->target || data->joint) && texts->training) return STATUS_OK;
    texts_free(texts);
    return error_memory(error, 1, "the texts of a model");
}

static ModelTexts texts_view(const Texts *texts)
{
    return (ModelTexts){texts->source, texts->target ? texts->target : texts->source,
                        texts->training};
}

Status save_model(const TrainSetup *setup, const ModelConfig *config, const Seq2SeqParams *params,
                  const TrainCounters *counters, const ValidationScore *score, Error *error)
{
    Texts texts;
    Status status = texts_make(&texts, setup, counters, score, error);
    if (status) return status;
    const ModelTexts view = texts_view(&texts);
    status = model_save(setup->model_path, config, params, &view, error);
    texts_free(&texts);
    return status;
}

Status save_checkpoint(const TrainSetup *setup, const ModelConfig *config,
                       const CheckpointBlocks *blocks, const TrainCounters *counters, Error *error)
{
    Texts texts;
    Bytes path = {0};
    Status status = texts_make(&texts, setup, counters, NULL, error);
    if (status) return status;
    const Checkpoint checkpoint = {.config = *config,
                                   .texts = texts_view(&texts),
                                   .options = *setup->options,
                                   .counters = *counters,
                                   .corpus_hash = setup->data->hash};
    status = checkpoint_path(&path, setup->model_path, error);
    if (!status) status = checkpoint_save(path.data, &checkpoint, blocks, error);
    bytes_free(&path);
    texts_free(&texts);
    return status;
}
