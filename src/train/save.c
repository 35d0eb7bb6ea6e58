#define _POSIX_C_SOURCE 200809L
#include "train/save.h"

#include "align/aligner_file.h"
#include "base/clock.h"
#include "base/memory.h"
#include "train/lexicon_learning.h"
#include "train/shortlist_learning.h"

#include <time.h>

bool disk_wait_again(DiskWait *wait, Status status, const Error *error)
{
    const TrainObserver *observer = wait->setup->observer;
    if (status != STATUS_FULL) return false;
    double now = clock_seconds(), longest = 60 * wait->setup->options->disk_wait;
    if (wait->began == 0) {
        wait->began = now;
        if (longest > 0)
            observer->report(observer->context, &(TrainReport){.event = TRAIN_WAITING,
                                                               .counters = wait->counters,
                                                               .reason = error ? error->text : ""});
    }
    if (now - wait->began >= longest) return false;
    if (observer->decide(observer->context) != TRAIN_CONTINUE) return false;
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    return true;
}

// The texts of a file; `target` is NULL if the vocabulary is joint.
typedef struct SavedTexts {
    char *source, *target, *training;
    ModelTexts view; // of them
} SavedTexts;

static Status training_text(char **text, const TrainSetup *setup, const TrainCounters *counters,
                            const ValidationScore *score, Error *error)
{
    const TrainingData *data = setup->data;
    const char *source = data->languages.tags[0], *target = data->languages.tags[1];
    char run[RUN_NAME_SIZE];
    TRY(run_name(run, setup->options, data->hash ^ setup->init_hash, error));
    json_t *json = setup->description ? json_copy(setup->description) : json_object();
    FREED_BY(json_decref_at)
    json_t *progress = json_pack("{s:s, s:o, s:I, s:I, s:s, s:s, s:s, s:o*, s:o*}",            //
                                 "run", run,                                                   //
                                 "options", train_options_to_json(setup->options, false),      //
                                 "steps", (json_int_t)counters->steps,                         //
                                 "epoch", (json_int_t)counters->epoch,                         //
                                 "source_units", unit_kind_names[data->units[0]],              //
                                 "target_units", unit_kind_names[data->units[1]],              //
                                 "bleu_tokenizer", bleu_tokenizer_names[data->bleu_tokenizer], //
                                 "validation_bleu", score ? json_number(score->bleu) : NULL,   //
                                 "validation_loss", score ? json_number(score->loss) : NULL);
    json_object_update(json, progress);
    if (*source) json_object_set_new(json, "source_language", json_string(source));
    if (*target) json_object_set_new(json, "target_language", json_string(target));
    if (*source || *target)
        json_object_set_new(json, "languages_from",
                            json_string(language_source_names[data->languages.source]));
    return json_text(text, json, JSON_COMPACT | JSON_REAL_PRECISION(6), error);
}

static void texts_free(SavedTexts *texts)
{
    memory_free(texts->source);
    memory_free(texts->target);
    memory_free(texts->training);
}

static Status texts_make(SavedTexts *texts, const TrainSetup *setup, const TrainCounters *counters,
                         const ValidationScore *score, Error *error)
{
    const TrainingData *data = setup->data;
    json_t *source = vocabulary_to_json(data->source_vocabulary);
    TRY(json_text(&texts->source, source, JSON_COMPACT, error));
    if (!data->joint)
        TRY(json_text(&texts->target, vocabulary_to_json(data->target_vocabulary), JSON_COMPACT,
                      error));
    TRY(training_text(&texts->training, setup, counters, score, error));
    texts->view =
        (ModelTexts){texts->source, data->joint ? texts->source : texts->target, texts->training};
    return STATUS_OK;
}

Status save_model(const TrainSetup *setup, const Seq2SeqParams *params,
                  const TrainCounters *counters, const ValidationScore *score, Error *error)
{
    FREED_BY(texts_free) SavedTexts texts = {0};
    TRY(texts_make(&texts, setup, counters, score, error));
    DiskWait wait = {.setup = setup, .counters = counters};
    Status status;
    do status = model_save(setup->model_path, params, &texts.view, NULL, error);
    while (disk_wait_again(&wait, status, error));
    return status;
}

Status save_kept_model(const TrainSetup *setup, const Seq2SeqParams *params,
                       const TrainCounters *counters, const ValidationScore *score, Error *error)
{
    TrainSetup kept = *setup;
    FREED_BY(bytes_free) Bytes path = {0};
    size_t keep = setup->options->keep;
    if (keep == 0) return STATUS_OK;
    TRY(kept_path(&path, setup->model_path, (counters->validations - 1) % keep + 1, error));
    kept.model_path = path.data;
    return save_model(&kept, params, counters, score, error);
}

Status save_checkpoint(const TrainSetup *setup, const ModelConfig *config,
                       const CheckpointBlocks *blocks, const TrainCounters *counters, Error *error)
{
    FREED_BY(texts_free) SavedTexts texts = {0};
    FREED_BY(bytes_free) Bytes path = {0};
    TRY(texts_make(&texts, setup, counters, NULL, error));
    TRY(checkpoint_path(&path, setup->model_path, error));
    FREED_BY(json_decref_at) json_t *files = data_files_to_json(&setup->data->files);
    const Checkpoint checkpoint = {.config = *config,
                                   .texts = texts.view,
                                   .options = *setup->options,
                                   .counters = *counters,
                                   .corpus_hash = setup->data->hash,
                                   .init_hash = setup->init_hash,
                                   .files = files,
                                   .command = setup->command};
    DiskWait wait = {.setup = setup, .counters = counters};
    Status status;
    do status = checkpoint_save(path.data, &checkpoint, blocks, error);
    while (disk_wait_again(&wait, status, error));
    return status;
}

/* The blocks of a checkpoint. *moments is memory for Adam's, to be freed, or NULL where the optimiser
 * has more than a slice of them. */
static Status whole_state(CheckpointBlocks *blocks, real **moments, const TrainingState *state,
                          Error *error)
{
    const Optimiser *optimiser = state->optimiser;
    size_t size = optimiser->slices.size;
    *moments = NULL;
    *blocks = (CheckpointBlocks){
        &state->params->list,
        {state->params->block, state->average->block, optimiser->first, optimiser->second}};
    if (ranks_count(optimiser->slices.ranks) == 1) return STATUS_OK;
    *moments = memory_in_large_pages(2 * size, sizeof(real));
    if (!*moments) return error_memory(error, 2 * size * sizeof(real), "a checkpoint");
    blocks->values[2] = *moments;
    blocks->values[3] = *moments + size;
    return STATUS_OK;
}

Status state_save(const TrainSetup *setup, const TrainingState *state,
                  const TrainCounters *counters, Error *error)
{
    CheckpointBlocks blocks = {0};
    FREED real *moments = NULL;
    const Optimiser *optimiser = state->optimiser;
    const Slices *slices = &optimiser->slices;
    bool leads = ranks_rank(setup->ranks) == 0;
    Status status = STATUS_OK;
    if (leads) TRY(whole_state(&blocks, &moments, state, error));
    optimiser_gather_average(optimiser, false);
    slices_gather(slices, optimiser->first, blocks.values[2], false);
    slices_gather(slices, optimiser->second, blocks.values[3], false);
    if (leads) status = save_checkpoint(setup, &state->params->config, &blocks, counters, error);
    return ranks_agree(setup->ranks, status, error);
}

Status state_read(const TrainingState *state, const Checkpoint *checkpoint, Error *error)
{
    CheckpointBlocks blocks;
    FREED real *moments = NULL;
    const Optimiser *optimiser = state->optimiser;
    size_t begin = optimiser->slices.begin;
    size_t bytes = (optimiser->slices.end - begin) * sizeof(real);
    TRY(whole_state(&blocks, &moments, state, error));
    TRY(checkpoint_read_blocks(checkpoint, &blocks, error));
    if (moments) {
        memcpy(optimiser->first, blocks.values[2] + begin, bytes);
        memcpy(optimiser->second, blocks.values[3] + begin, bytes);
    }
    return STATUS_OK;
}

static Status learn_and_add(const TrainSetup *setup, const TrainCounters *counters,
                            Seq2SeqParams *params, Threads *threads, Error *error)
{
    FREED_BY(model_close) Model model = {0};
    FREED_BY(shortlist_free) Shortlist shortlist = {0};
    FREED_BY(lexicon_free) Lexicon lexicon = {0};
    DiskWait wait = {.setup = setup, .counters = counters};
    TRY(model_open(&model, setup->model_path, error));
    const AttentionScorer *scorer = attention_scorer_named(model.params.config.attention);
    bool learns = model.shortlist.always_count == 0 && scorer->energies;
    bool aligns = setup->data->guide == GUIDE_AUTO && !aligner_is_in(model.file);
    bool counts = setup->data->guide != GUIDE_NONE && model.lexicon.count == 0;
    if (!learns && !aligns && !counts) return STATUS_OK;
    if (learns) {
        model_copy_values(params->block, &model);
        seq2seq_params_fill_all(params, threads);
        TRY(shortlist_learn(&shortlist, &setup->data->train, params, threads, error));
    }
    const Vocabulary *const vocabularies[2] = {setup->data->source_vocabulary,
                                               setup->data->target_vocabulary};
    if (counts) TRY(lexicon_learn(&lexicon, &setup->data->train, vocabularies, error));
    Status status;
    do {
        FREED_BY(aligner_tensors_free)
        AlignerTensors aligner = {.aligner = &setup->data->aligner, .form = ALIGNER_EXACT};
        const ModelAddition addition = {aligner_write, &aligner};
        status = model_save_additions(
            setup->model_path, &model, learns ? &shortlist : &model.shortlist,
            counts ? &lexicon : &model.lexicon, aligns ? &addition : NULL, error);
    } while (disk_wait_again(&wait, status, error));
    return status;
}

Status save_additions(const TrainSetup *setup, const TrainCounters *counters, Seq2SeqParams *params,
                      Threads *threads, Error *error)
{
    Status status = STATUS_OK;
    if (ranks_rank(setup->ranks) == 0)
        status = learn_and_add(setup, counters, params, threads, error);
    return ranks_agree(setup->ranks, status, error);
}
