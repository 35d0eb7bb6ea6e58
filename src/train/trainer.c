#include "train/trainer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "corpus/batch_plan.h"
#include "model/initialise.h"
#include "train/gradient.h"
#include "train/optimiser.h"
#include "train/schedule.h"
#include "train/shortlist_learning.h"
#include "train/training_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALIDATION_STEPS = 2000 }; // within a long epoch, validate as often as this
static const double CHECKPOINT_SECONDS = 300;
// Below this BLEU is chance: until it is reached, a lower loss is progress too.
static const double BLEU_BEGINNING = 1;

struct Trainer {
    const TrainingData *data;
    const TrainOptions *options;
    const TrainObserver *observer;
    const char *model_path;
    Bytes checkpoint_path;
    char *description;     // JSON, copied
    char *vocabularies[2]; // JSON: source, target; the second NULL if joint
    ModelConfig config;
    Seq2SeqParams params;
    Seq2SeqParams average; // what is validated and saved; its packed forms are those of params
    Threads *threads;
    GradientTeam *team;
    Optimiser optimiser;
    TrainCounters counters;
    BatchPlan plan;         // of this epoch
    BatchPairs pairs;       // of this step
    double last_checkpoint; // clock_seconds
    bool model_saved;       // by this process
};

const ModelConfig *trainer_config(const Trainer *trainer)
{
    return &trainer->config;
}

const TrainCounters *trainer_counters(const Trainer *trainer)
{
    return &trainer->counters;
}

size_t trainer_parameters(const Trainer *trainer)
{
    return param_list_values(&trainer->params.list);
}

void trainer_free(Trainer *trainer)
{
    if (!trainer) return;
    bytes_free(&trainer->checkpoint_path);
    memory_free(trainer->description);
    free(trainer->vocabularies[0]); // Jansson's
    free(trainer->vocabularies[1]);
    seq2seq_params_free(&trainer->params);
    seq2seq_params_free(&trainer->average);
    gradient_team_free(trainer->team);
    optimiser_free(&trainer->optimiser);
    threads_free(trainer->threads);
    batch_plan_free(&trainer->plan);
    batch_pairs_free(&trainer->pairs);
    memory_free(trainer);
}

static Status vocabulary_text(char **text, const Vocabulary *vocabulary, Error *error)
{
    json_t *json = vocabulary_to_json(vocabulary);
    *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return *text ? STATUS_OK : error_memory(error, 1, "a vocabulary");
}

static Status pack(Trainer *trainer, Error *error)
{
    const ModelConfig *config = &trainer->config;
    GemmPrecision precision = train_options_precision(trainer->options);
    if (!train_options_pack(trainer->options)) return STATUS_OK;
    Status status =
        seq2seq_params_pack(&trainer->params, config, precision, PACKED_TRAINING, error);
    if (status) return status;
    seq2seq_params_share_packed(&trainer->average, config, &trainer->params);
    return gradient_team_pack(trainer->team, precision, error);
}

/* Everything but the values of the parameters and the counters. */
static Status prepare(Trainer *trainer, const char *description, Error *error)
{
    const TrainOptions *options = trainer->options;
    const AdamOptions adam = {
        .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .clip_norm = options->clip_norm};
    gemm_start();
    trainer->config = train_options_config(
        options, vocabulary_size(trainer->data->source_vocabulary),
        vocabulary_size(trainer->data->target_vocabulary), trainer->data->joint);
    trainer->description = memory_copy_string(description, strlen(description));
    if (!trainer->description) return error_memory(error, strlen(description), "training");
    Status status = config_check(&trainer->config, error);
    if (!status) status = checkpoint_path(&trainer->checkpoint_path, trainer->model_path, error);
    if (!status)
        status =
            vocabulary_text(&trainer->vocabularies[0], trainer->data->source_vocabulary, error);
    if (!status && !trainer->data->joint)
        status =
            vocabulary_text(&trainer->vocabularies[1], trainer->data->target_vocabulary, error);
    if (!status) status = seq2seq_params_new(&trainer->params, &trainer->config, error);
    if (!status) status = seq2seq_params_new(&trainer->average, &trainer->config, error);
    if (!status) status = threads_new(&trainer->threads, options->threads, error);
    if (!status)
        status = gradient_team_new(&trainer->team, trainer->threads, &trainer->config,
                                   &trainer->params, error);
    if (!status)
        status = optimiser_new(&trainer->optimiser, trainer->params.list.block_size, &adam,
                               trainer->threads, error);
    if (!status) status = pack(trainer, error);
    trainer->optimiser.average = trainer->average.block;
    return status;
}

static Status allocate(Trainer **out, const TrainingData *data, const TrainOptions *options,
                       const char *model_path, const char *description,
                       const TrainObserver *observer, Error *error)
{
    Trainer *trainer = *out = memory_new(1, sizeof *trainer);
    if (!trainer) return error_memory(error, sizeof *trainer, "training");
    trainer->data = data;
    trainer->options = options;
    trainer->observer = observer;
    trainer->model_path = model_path;
    trainer->counters.best_bleu = -1;
    return prepare(trainer, description, error);
}

Status trainer_new(Trainer **out, const TrainingData *data, const TrainOptions *options,
                   const char *model_path, const char *description, const TrainObserver *observer,
                   Error *error)
{
    Trainer *trainer = NULL;
    Status status = allocate(&trainer, data, options, model_path, description, observer, error);
    if (status) {
        trainer_free(trainer);
        return status;
    }
    seq2seq_initialise(&trainer->params, &trainer->config, options->seed);
    memcpy(trainer->average.block, trainer->params.block,
           trainer->params.list.block_size * sizeof(real));
    *out = trainer;
    return STATUS_OK;
}

static CheckpointBlocks blocks_of(const Trainer *trainer)
{
    return (CheckpointBlocks){&trainer->params.list, trainer->params.block, trainer->average.block,
                              trainer->optimiser.first, trainer->optimiser.second};
}

Status trainer_resume(Trainer **out, const Checkpoint *checkpoint, const TrainingData *data,
                      const TrainOptions *options, const char *model_path, const char *description,
                      const TrainObserver *observer, Error *error)
{
    Trainer *trainer = NULL;
    Status status = allocate(&trainer, data, options, model_path, description, observer, error);
    const char *path = status ? model_path : trainer->checkpoint_path.data;
    if (!status && checkpoint->corpus_hash != data->hash)
        status = error_set(error, STATUS_ARGUMENT,
                           "%s: was made with another corpus%s; give the same files as before, or "
                           "start anew without --resume",
                           path, data->guided ? " or another --guide" : "");
    if (!status && !config_equal(&checkpoint->config, &trainer->config))
        status = error_set(error, STATUS_FORMAT, "%s: its sizes do not fit its options", path);
    if (!status) {
        CheckpointBlocks blocks = blocks_of(trainer);
        trainer->counters = checkpoint->counters;
        trainer->optimiser.steps = checkpoint->counters.updates;
        trainer->model_saved = checkpoint->counters.validations > 0;
        status = checkpoint_read_blocks(checkpoint, path, &blocks, error);
    }
    if (status)
        trainer_free(trainer);
    else
        *out = trainer;
    return status;
}

static ModelTexts texts_of(const Trainer *trainer, const char *training)
{
    const char *source = trainer->vocabularies[0], *target = trainer->vocabularies[1];
    return (ModelTexts){source, target ? target : source, training};
}

static Status save_model(Trainer *trainer, const ValidationScore *score, Error *error)
{
    char *training = training_text(trainer->description, trainer->data, trainer->options,
                                   &trainer->counters, score);
    if (!training) return error_memory(error, 1, "the model's description");
    ModelTexts texts = texts_of(trainer, training);
    Status status =
        model_save(trainer->model_path, &trainer->config, &trainer->average, &texts, error);
    free(training);
    trainer->model_saved |= !status;
    return status;
}

static Status save_checkpoint(Trainer *trainer, Error *error)
{
    char *training = training_text(trainer->description, trainer->data, trainer->options,
                                   &trainer->counters, NULL);
    if (!training) return error_memory(error, 1, "the checkpoint's description");
    const Checkpoint checkpoint = {.config = trainer->config,
                                   .texts = texts_of(trainer, training),
                                   .options = *trainer->options,
                                   .counters = trainer->counters,
                                   .corpus_hash = trainer->data->hash};
    CheckpointBlocks blocks = blocks_of(trainer);
    Status status = checkpoint_save(trainer->checkpoint_path.data, &checkpoint, &blocks, error);
    free(training);
    trainer->last_checkpoint = clock_seconds();
    return status;
}

/* Validates the average, and saves it if it is the best so far or `always`. Counters change only if `counted`: a look at
 * a run that was stopped must not change what its continuation does. */
static Status validate_average(Trainer *trainer, bool counted, bool always, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    ValidationScore score;
    // each thread has a batch of its own: together they need no more memory than one of training
    size_t batch_tokens = trainer->options->batch_tokens / trainer->options->threads;
    gradient_team_rest(trainer->team);
    seq2seq_params_fill_all(&trainer->average, trainer->threads);
    Status status =
        validate(&score, trainer->data, &trainer->average, &trainer->config,
                 trainer->options->label_smoothing, batch_tokens, trainer->threads, error);
    if (status) return status;
    bool best = validation_better(&score, counters->best_bleu, counters->best_loss);
    if (counted) {
        // a chance word makes a BLEU of 0.2 that a small corpus does not reach again for many epochs
        bool lower = counters->validations == 0 || score.loss < counters->lowest_loss;
        if (lower) counters->lowest_loss = score.loss;
        counters->validations++;
        bool begins = lower && counters->best_bleu < BLEU_BEGINNING;
        counters->stale = best || begins ? 0 : counters->stale + 1;
        if (best) {
            counters->best_bleu = score.bleu;
            counters->best_loss = score.loss;
            counters->best_step = counters->steps;
        }
    }
    if (best || always) status = save_model(trainer, &score, error);
    if (status) return status;
    TrainReport report = {.event = TRAIN_VALIDATED,
                          .counters = counters,
                          .batches = trainer->plan.batches,
                          .validation = score,
                          .is_best = best,
                          .config = &trainer->config,
                          .average = &trainer->average};
    trainer->observer->report(trainer->observer->context, &report);
    return STATUS_OK;
}

/* One batch: gradient, clipping, Adam; or nothing, if a number is not finite. */
static Status make_step(Trainer *trainer, Error *error)
{
    double began = clock_seconds();
    TrainCounters *counters = &trainer->counters;
    const TrainOptions *options = trainer->options;
    GradientResult result;
    GradientRequest request = {
        .label_smoothing = (real)options->label_smoothing,
        .guide_weight = (real)options->guide_weight,
        .dropout = {options->seed, (uint32_t)counters->steps, (real)options->dropout}};
    Status status = batch_pairs_set(&trainer->pairs, &trainer->plan, counters->batch,
                                    &trainer->data->train, error);
    request.pairs = trainer->pairs.items;
    request.count = trainer->pairs.count;
    if (!status) status = gradient_team_run(trainer->team, &request, &result, error);
    if (status) return status;
    real *const *blocks = gradient_team_blocks(trainer->team);
    double norm = optimiser_sum(&trainer->optimiser, blocks, threads_count(trainer->threads));
    TrainReport report = {.event = TRAIN_STEP,
                          .counters = counters,
                          .batches = trainer->plan.batches,
                          .target_tokens = result.target_tokens,
                          .loss = result.loss / result.target_tokens,
                          .guide_loss = result.guide_loss / result.target_tokens,
                          .learning_rate = schedule_rate(options->learning_rate, options->warmup,
                                                         counters->updates + 1)};
    counters->steps++;
    counters->batch++;
    if (isfinite(norm) && isfinite(result.loss + result.guide_loss)) {
        optimiser_step(&trainer->optimiser, trainer->params.block, blocks[0], norm,
                       report.learning_rate);
        counters->updates++;
        counters->loss_sum += result.loss;
        counters->loss_tokens += result.target_tokens;
    } else {
        counters->skipped++;
        const char *bad = optimiser_find_bad(&trainer->params.list, blocks[0]);
        report.event = TRAIN_SKIPPED;
        report.bad_tensor = bad ? bad : "the loss";
    }
    report.seconds = clock_seconds() - began;
    trainer->observer->report(trainer->observer->context, &report);
    return STATUS_OK;
}

/* Steps to the end of the epoch, or until told to stop. */
static Status run_epoch(Trainer *trainer, TrainWish *wish, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    batch_plan_free(&trainer->plan);
    Status status =
        batch_plan_new(&trainer->plan, &trainer->data->train, trainer->options->batch_tokens,
                       trainer->options->seed, counters->epoch, error);
    while (!status && counters->batch < trainer->plan.batches) {
        status = make_step(trainer, error);
        if (status) return status;
        size_t left = trainer->plan.batches - counters->batch;
        if (counters->batch % VALIDATION_STEPS == 0 && left > VALIDATION_STEPS / 2) {
            status = validate_average(trainer, true, false, error);
            if (!status) status = save_checkpoint(trainer, error);
        } else if (clock_seconds() - trainer->last_checkpoint > CHECKPOINT_SECONDS) {
            status = save_checkpoint(trainer, error);
        }
        *wish = trainer->observer->wish(trainer->observer->context);
        if (*wish != TRAIN_GO_ON) break;
    }
    return status;
}

static void begin_epoch(TrainCounters *counters)
{
    counters->epoch++;
    counters->batch = 0;
    counters->loss_sum = counters->loss_tokens = 0;
}

/* A run that stops between validations: its state is saved as it is; then the model, if there is none yet, or if this is
 * the end and it is the best. */
static Status stop(Trainer *trainer, TrainWish wish, Error *error)
{
    Status status = save_checkpoint(trainer, error);
    if (status || (wish == TRAIN_PAUSE && trainer->model_saved)) return status;
    return validate_average(trainer, false, !trainer->model_saved, error);
}

static Status run_until_end(Trainer *trainer, TrainEnd *end, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    const TrainOptions *options = trainer->options;
    trainer->last_checkpoint = clock_seconds();
    for (;;) {
        if (options->patience && counters->stale >= options->patience) {
            *end = TRAIN_END_PATIENCE;
            return STATUS_OK;
        }
        if (counters->epoch >= options->max_epochs) {
            *end = TRAIN_END_EPOCHS;
            return STATUS_OK;
        }
        TrainWish wish = TRAIN_GO_ON;
        Status status = run_epoch(trainer, &wish, error);
        if (status) return status;
        if (counters->batch >= trainer->plan.batches) {
            begin_epoch(counters);
            status = validate_average(trainer, true, false, error);
            if (!status) status = save_checkpoint(trainer, error);
        } else if (wish != TRAIN_GO_ON) {
            status = stop(trainer, wish, error);
        }
        if (status) return status;
        if (wish != TRAIN_GO_ON) {
            *end = TRAIN_END_STOPPED;
            return STATUS_OK;
        }
    }
}

Status trainer_run(Trainer *trainer, TrainEnd *end, Error *error)
{
    Status status = run_until_end(trainer, end, error);
    if (status) return status;
    gradient_team_rest(trainer->team);
    return shortlist_add_to_model(trainer->model_path, &trainer->data->train, &trainer->params,
                                  trainer->threads, error);
}
