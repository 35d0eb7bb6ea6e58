#include "train/trainer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "corpus/batch_plan.h"
#include "model/initialise.h"
#include "train/gradient.h"
#include "train/optimiser.h"
#include "train/save.h"
#include "train/schedule.h"
#include "train/shortlist_learning.h"

#include <math.h>
#include <string.h>

enum { VALIDATION_STEPS = 2000 }; // between validations within a long epoch
static const double CHECKPOINT_SECONDS = 300;
static const double CHANCE_BLEU = 1; // until it is reached, a lower loss is progress too

struct Trainer {
    TrainSetup setup;
    ModelConfig config;
    Seq2SeqParams params;
    Seq2SeqParams average; // validated and saved; shares the packed forms of params
    Threads *threads;
    GradientTeam *team;
    Optimiser optimiser;
    TrainCounters counters;
    BatchPlan plan;         // of this epoch
    BatchPairs pairs;       // of this step
    double last_checkpoint; // clock_seconds
    bool model_saved;       // by this run
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
    seq2seq_params_free(&trainer->params);
    seq2seq_params_free(&trainer->average);
    gradient_team_free(trainer->team);
    optimiser_free(&trainer->optimiser);
    threads_free(trainer->threads);
    batch_plan_free(&trainer->plan);
    batch_pairs_free(&trainer->pairs);
    memory_free(trainer);
}

static Status pack(Trainer *trainer, Error *error)
{
    const ModelConfig *config = &trainer->config;
    const Backend *backend;
    Status status = backend_get(&backend, precision_type(trainer->setup.options->precision),
                                seq2seq_is_wide(config), error);
    if (!status)
        status = seq2seq_params_pack(&trainer->params, config, backend, PACKED_TRAINING, error);
    if (!status) seq2seq_params_share_packed(&trainer->average, config, &trainer->params);
    return status;
}

/* Everything but the values of the parameters and the counters. */
static Status prepare(Trainer *trainer, Error *error)
{
    const TrainOptions *options = trainer->setup.options;
    const TrainingData *data = trainer->setup.data;
    const AdamOptions adam = {
        .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .clip_norm = options->clip_norm};
    backends_start();
    trainer->config = train_options_config(options, vocabulary_size(data->source_vocabulary),
                                           vocabulary_size(data->target_vocabulary), data->joint);
    Status status = config_check(&trainer->config, error);
    if (!status) status = seq2seq_params_new(&trainer->params, &trainer->config, error);
    if (!status) status = seq2seq_params_new(&trainer->average, &trainer->config, error);
    if (!status) status = pack(trainer, error);
    if (!status) status = threads_new(&trainer->threads, options->threads, error);
    if (!status)
        status = gradient_team_new(&trainer->team, trainer->threads, &trainer->config,
                                   &trainer->params, error);
    if (!status)
        status = optimiser_new(&trainer->optimiser, trainer->params.list.block_size, &adam,
                               trainer->threads, error);
    trainer->optimiser.average = trainer->average.block;
    return status;
}

static CheckpointBlocks blocks_of(const Trainer *trainer)
{
    return (CheckpointBlocks){.list = &trainer->params.list,
                              .values = trainer->params.block,
                              .average = trainer->average.block,
                              .first = trainer->optimiser.first,
                              .second = trainer->optimiser.second};
}

static void begin(Trainer *trainer)
{
    seq2seq_initialise(&trainer->params, &trainer->config, trainer->setup.options->seed);
    memcpy(trainer->average.block, trainer->params.block,
           trainer->params.list.block_size * sizeof(real));
    trainer->counters = (TrainCounters){.best_bleu = -1};
}

static Status resume(Trainer *trainer, const Checkpoint *checkpoint, Error *error)
{
    const TrainingData *data = trainer->setup.data;
    const CheckpointBlocks blocks = blocks_of(trainer);
    if (checkpoint->corpus_hash != data->hash)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: was made with another corpus%s; give the same files as before, or "
                         "start over without --resume",
                         checkpoint->path, data->guided ? " or another --guide" : "");
    if (!config_equal(&checkpoint->config, &trainer->config))
        return error_set(error, STATUS_FORMAT, "%s: its sizes do not match its options",
                         checkpoint->path);
    trainer->counters = checkpoint->counters;
    trainer->optimiser.steps = checkpoint->counters.updates;
    trainer->model_saved = checkpoint->counters.validations > 0;
    return checkpoint_read_blocks(checkpoint, &blocks, error);
}

Status trainer_new(Trainer **out, const TrainSetup *setup, const Checkpoint *checkpoint,
                   Error *error)
{
    Trainer *trainer = memory_new(1, sizeof *trainer);
    if (!trainer) return error_memory(error, sizeof *trainer, "training");
    trainer->setup = *setup;
    Status status = prepare(trainer, error);
    if (!status && checkpoint) status = resume(trainer, checkpoint, error);
    if (!status && !checkpoint) begin(trainer);
    if (status)
        trainer_free(trainer);
    else
        *out = trainer;
    return status;
}

static void report(const Trainer *trainer, TrainReport *report)
{
    const TrainObserver *observer = trainer->setup.observer;
    report->counters = &trainer->counters;
    report->batches = trainer->plan.batches;
    observer->report(observer->context, report);
}

static Status checkpoint_now(Trainer *trainer, Error *error)
{
    const CheckpointBlocks blocks = blocks_of(trainer);
    Status status =
        save_checkpoint(&trainer->setup, &trainer->config, &blocks, &trainer->counters, error);
    trainer->last_checkpoint = clock_seconds();
    return status;
}

// Counts a validation, and whether it was an improvement.
static void count_validation(TrainCounters *counters, const ValidationScore *score, bool is_best)
{
    bool lower = counters->validations == 0 || score->loss < counters->lowest_loss;
    // One lucky word gives a BLEU of 0.2, which a small corpus may not reach again for many epochs.
    bool improved = is_best || (lower && counters->best_bleu < CHANCE_BLEU);
    if (lower) counters->lowest_loss = score->loss;
    counters->validations++;
    counters->stale = improved ? 0 : counters->stale + 1;
    if (!is_best) return;
    counters->best_bleu = score->bleu;
    counters->best_loss = score->loss;
    counters->best_step = counters->steps;
}

/* Validates the average, and saves it if it is the best so far or `always`. Only a validation that
 * is `counted` changes the counters: the one that ends an interrupted run must not change how the
 * run continues. */
static Status validate_average(Trainer *trainer, bool counted, bool always, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    const TrainOptions *options = trainer->setup.options;
    ValidationScore score;
    gradient_team_rest(trainer->team);
    seq2seq_params_fill_all(&trainer->average, trainer->threads);
    const Validation validation = {
        .data = trainer->setup.data,
        .params = &trainer->average,
        .config = &trainer->config,
        .label_smoothing = options->label_smoothing,
        // each thread has its own batch: together they take no more memory than one of training
        .batch_tokens = options->batch_tokens / options->threads,
        .threads = trainer->threads};
    Status status = validate(&score, &validation, error);
    if (status) return status;
    bool is_best = validation_better(&score, counters->best_bleu, counters->best_loss);
    if (counted) count_validation(counters, &score, is_best);
    if (is_best || always) {
        status = save_model(&trainer->setup, &trainer->config, &trainer->average, counters, &score,
                            error);
        if (status) return status;
        trainer->model_saved = true;
    }
    report(trainer, &(TrainReport){.event = TRAIN_VALIDATED,
                                   .validation = score,
                                   .is_best = is_best,
                                   .config = &trainer->config,
                                   .average = &trainer->average});
    return STATUS_OK;
}

/* Sums the shards' gradients and updates the parameters, or skips the step if a number is not
 * finite. */
static void update(Trainer *trainer, const GradientResult *result, TrainReport *step)
{
    TrainCounters *counters = &trainer->counters;
    real *const *blocks = gradient_team_blocks(trainer->team);
    double norm = optimiser_sum(&trainer->optimiser, blocks, threads_count(trainer->threads));
    counters->steps++;
    counters->batch++;
    if (isfinite(norm) && isfinite(result->loss + result->guide_loss)) {
        optimiser_step(&trainer->optimiser, trainer->params.block, blocks[0], norm,
                       step->learning_rate);
        counters->updates++;
        counters->loss_sum += result->loss;
        counters->loss_tokens += result->target_tokens;
    } else {
        const char *tensor = optimiser_find_bad(&trainer->params.list, blocks[0]);
        counters->skipped++;
        step->event = TRAIN_SKIPPED;
        step->bad_tensor = tensor ? tensor : "the loss";
    }
}

static Status make_step(Trainer *trainer, Error *error)
{
    double began = clock_seconds();
    const TrainCounters *counters = &trainer->counters;
    const TrainOptions *options = trainer->setup.options;
    GradientResult result;
    Status status = batch_pairs_set(&trainer->pairs, &trainer->plan, counters->batch,
                                    &trainer->setup.data->train, error);
    if (status) return status;
    const GradientRequest request = {
        .pairs = trainer->pairs.items,
        .count = trainer->pairs.count,
        .label_smoothing = (real)options->label_smoothing,
        .guide_weight = (real)options->guide_weight,
        .dropout = {options->seed, (uint32_t)counters->steps, (real)options->dropout}};
    status = gradient_team_run(trainer->team, &request, &result, error);
    if (status) return status;
    TrainReport step = {.event = TRAIN_STEP,
                        .loss = result.loss / result.target_tokens,
                        .guide_loss = result.guide_loss / result.target_tokens,
                        .target_tokens = result.target_tokens,
                        .learning_rate = schedule_rate(options->learning_rate, options->warmup,
                                                       counters->updates + 1)};
    update(trainer, &result, &step);
    step.seconds = clock_seconds() - began;
    report(trainer, &step);
    return STATUS_OK;
}

/* Validates (counted) and then writes a checkpoint. */
static Status validate_and_checkpoint(Trainer *trainer, Error *error)
{
    Status status = validate_average(trainer, true, false, error);
    return status ? status : checkpoint_now(trainer, error);
}

/* Steps to the end of the epoch, or until the observer decides to stop. */
static Status run_epoch(Trainer *trainer, TrainDecision *decision, Error *error)
{
    const TrainSetup *setup = &trainer->setup;
    const uint64_t *batch = &trainer->counters.batch;
    batch_plan_free(&trainer->plan);
    Status status =
        batch_plan_new(&trainer->plan, &setup->data->train, setup->options->batch_tokens,
                       setup->options->seed, trainer->counters.epoch, error);
    while (!status && *batch < trainer->plan.batches && *decision == TRAIN_CONTINUE) {
        status = make_step(trainer, error);
        if (status) return status;
        size_t left = trainer->plan.batches - *batch;
        if (*batch % VALIDATION_STEPS == 0 && left > VALIDATION_STEPS / 2)
            status = validate_and_checkpoint(trainer, error);
        else if (clock_seconds() - trainer->last_checkpoint > CHECKPOINT_SECONDS)
            status = checkpoint_now(trainer, error);
        *decision = setup->observer->decide(setup->observer->context);
    }
    return status;
}

static Status end_epoch(Trainer *trainer, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    counters->epoch++;
    counters->batch = 0;
    counters->loss_sum = counters->loss_tokens = 0;
    return validate_and_checkpoint(trainer, error);
}

/* Ends a run within an epoch: saves its state as it is; then the model, if there is none yet or if
 * this is the end and it is the best. */
static Status stop(Trainer *trainer, TrainDecision decision, Error *error)
{
    Status status = checkpoint_now(trainer, error);
    if (status || (decision == TRAIN_PAUSE && trainer->model_saved)) return status;
    return validate_average(trainer, false, !trainer->model_saved, error);
}

static Status run_until_end(Trainer *trainer, TrainEnd *end, Error *error)
{
    const TrainCounters *counters = &trainer->counters;
    const TrainOptions *options = trainer->setup.options;
    TrainDecision decision = TRAIN_CONTINUE;
    Status status = STATUS_OK;
    trainer->last_checkpoint = clock_seconds();
    while (!status && decision == TRAIN_CONTINUE) {
        if (options->patience && counters->stale >= options->patience) {
            *end = TRAIN_END_PATIENCE;
            return STATUS_OK;
        }
        if (counters->epoch >= options->max_epochs) {
            *end = TRAIN_END_EPOCHS;
            return STATUS_OK;
        }
        status = run_epoch(trainer, &decision, error);
        if (status) return status;
        status = counters->batch >= trainer->plan.batches ? end_epoch(trainer, error)
                                                          : stop(trainer, decision, error);
    }
    *end = TRAIN_END_STOPPED;
    return status;
}

Status trainer_run(Trainer *trainer, TrainEnd *end, Error *error)
{
    Status status = run_until_end(trainer, end, error);
    if (status) return status;
    gradient_team_rest(trainer->team);
    return shortlist_add_to_model(trainer->setup.model_path, &trainer->setup.data->train,
                                  &trainer->params, trainer->threads, error);
}
