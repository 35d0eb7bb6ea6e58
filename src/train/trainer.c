#define _POSIX_C_SOURCE 200809L
#include "train/trainer.h"

#include "base/array.h"
#include "base/clock.h"
#include "corpus/batch_plan.h"
#include "train/gradient.h"
#include "train/optimiser.h"
#include "train/save.h"
#include "train/schedule.h"

#include <unistd.h>

enum { VALIDATION_STEPS = 2000 }; // between validations within a long epoch
static const double CHECKPOINT_SECONDS = 300;

struct Trainer {
    TrainSetup setup;
    Seq2SeqParams params;
    Seq2SeqParams average; // validated and saved; shares the packed forms of params
    Threads *threads;
    GradientTeam *team;
    Optimiser optimiser;
    TrainingState state; // these, for a checkpoint
    TrainCounters counters;
    BatchPlan plan;         // of the current epoch
    BatchPairs pairs;       // of this step
    TrainDecision decision; // the last one
    bool begun, in_epoch;   // whether trainer_step has begun the run, and an epoch
    double last_checkpoint; // clock_seconds
    bool model_saved;       // by this run
    bool model_lost;        // the run had saved one, which is no longer there
};

const TrainCounters *trainer_counters(const Trainer *trainer)
{
    return &trainer->counters;
}

const Seq2SeqParams *trainer_params(const Trainer *trainer)
{
    return &trainer->params;
}

const Seq2SeqParams *trainer_average(const Trainer *trainer)
{
    optimiser_gather_average(&trainer->optimiser, true);
    seq2seq_params_fill_all(&trainer->average, trainer->threads);
    return &trainer->average;
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

static const OptimiserConstants optimiser_constants[] = {
    [OPTIMISER_ADAM] = {.beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9},
    [OPTIMISER_ADADELTA] = {.adadelta = true, .beta2 = 0.95, .epsilon = 1e-6},
};

/* Everything but the values of the parameters and the counters. */
static Status prepare(Trainer *trainer, Error *error)
{
    const TrainOptions *options = trainer->setup.options;
    const TrainingData *data = trainer->setup.data;
    OptimiserConstants constants = optimiser_constants[options->optimiser];
    constants.clip_norm = options->clip_norm;
    const Backend *backend;
    Ranks *ranks = trainer->setup.ranks;
    size_t threads = options->threads / ranks_count(ranks); // of this rank
    TRY(backends_start(threads, error));
    const ModelConfig config =
        train_options_config(options, vocabulary_size(data->source_vocabulary),
                             vocabulary_size(data->target_vocabulary), data->joint);
    TRY(config_check(&config, error));
    TRY(seq2seq_params_new(&trainer->params, &config, error));
    TRY(seq2seq_params_new(&trainer->average, &config, error));
    TRY(backend_get(&backend, precision_type(options->precision), seq2seq_is_wide(&config), error));
    TRY(seq2seq_params_pack(&trainer->params, backend, PACKED_TRAINING, error));
    seq2seq_params_share_packed(&trainer->average, &trainer->params);
    TRY(threads_new(&trainer->threads, threads, error));
    TRY(gradient_team_new(&trainer->team, trainer->threads, ranks, &trainer->params, error));
    TRY(optimiser_new(&trainer->optimiser, trainer->params.list.block_size, &constants,
                      trainer->threads, ranks, error));
    trainer->optimiser.average = trainer->average.block;
    trainer->state = (TrainingState){&trainer->params, &trainer->average, &trainer->optimiser};
    return STATUS_OK;
}

// Of a model's values, and of the vocabularies, without which they mean nothing.
static uint64_t hash_of(const Model *model)
{
    const ParamList *list = &model->params.list;
    const ModelTexts *texts = &model->texts;
    uint64_t hash = string_hash(texts->source_vocabulary, strlen(texts->source_vocabulary));
    hash = hash * 31 + string_hash(texts->target_vocabulary, strlen(texts->target_vocabulary));
    for (size_t i = 0; i < list->count; i++)
        hash = hash * 31 + string_hash((const char *)model->params.places[i],
                                       list->tensors[i].count * sizeof(real));
    return hash;
}

static void begin(Trainer *trainer)
{
    const Model *init = trainer->setup.init;
    trainer->setup.init_hash = init ? hash_of(init) : 0;
    if (init)
        model_copy_values(trainer->params.block, init);
    else
        seq2seq_initialise(&trainer->params, trainer->setup.options->seed);
    trainer->setup.init = NULL; // the caller may close it
    memcpy(trainer->average.block, trainer->params.block,
           trainer->params.list.block_size * sizeof(real));
    trainer->counters = (TrainCounters){.best_bleu = -1};
}

// Of the run that the checkpoint is of, and no older than what the checkpoint calls the best.
static Status check_training(const Model *model, const char *path, const Checkpoint *checkpoint,
                             Error *error)
{
    char name[RUN_NAME_SIZE];
    FREED_BY(json_decref_at) json_t *training = NULL;
    TRY(run_name(name, &checkpoint->options, checkpoint->corpus_hash ^ checkpoint->init_hash,
                 error));
    TRY(json_parse(&training, model->texts.training, strlen(model->texts.training), path,
                   "the description of its training", error));
    const char *run = json_string_value(json_object_get(training, "run"));
    bool same = run && !strcmp(run, name);
    json_int_t steps = json_integer_value(json_object_get(training, "steps"));
    if (same && steps >= (json_int_t)checkpoint->counters.best_step) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%s: is not the model of %s: %s; move it away, and --resume writes the model "
                     "again",
                     path, checkpoint->path, same ? "it is older" : "it was trained otherwise");
}

static Status check_model(const Checkpoint *checkpoint, const char *path, Error *error)
{
    FREED_BY(model_close) Model model = {0};
    Error inner;
    Status status = model_open(&model, path, &inner);
    if (status == STATUS_MEMORY) return error_set(error, status, "%s", inner.text);
    if (status)
        return error_set(error, status, "%s; move it away, and --resume writes the model again",
                         inner.text);
    return check_training(&model, path, checkpoint, error);
}

/* Compares a checkpoint with the corpus, the model's config and the model beside it. A model of that run
 * saved after the checkpoint is one that the run will save again; a missing one is no failure. */
static Status check_checkpoint(const Checkpoint *checkpoint, const Trainer *trainer, bool missing,
                               Error *error)
{
    const TrainSetup *setup = &trainer->setup;
    const TrainingData *data = setup->data;
    bool same = checkpoint->corpus_hash == data->hash;
    const char *changed = same ? NULL : data_files_changed(&data->files, checkpoint->files);
    if (changed)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is not what it was when %s was written; give the file as it was "
                         "then, whatever its name is now, or start over without --resume",
                         changed, checkpoint->path);
    if (!same)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is from a different corpus%s; give the same files as before, or "
                         "start over without --resume",
                         checkpoint->path, data->guide ? " or --guide" : "");
    if (config_difference(&checkpoint->config, &trainer->params.config))
        return error_set(error, STATUS_FORMAT, "%s: its sizes do not match its options",
                         checkpoint->path);
    bool saved = checkpoint->counters.validations > 0; // none is before the first
    if (missing || !saved || ranks_rank(setup->ranks) > 0) return STATUS_OK;
    return check_model(checkpoint, setup->model_path, error);
}

static Status resume(Trainer *trainer, const Checkpoint *checkpoint, bool missing, Error *error)
{
    bool saved = checkpoint->counters.validations > 0;
    TRY(check_checkpoint(checkpoint, trainer, missing, error));
    trainer->counters = checkpoint->counters;
    trainer->setup.init_hash = checkpoint->init_hash;
    trainer->optimiser.steps = checkpoint->counters.updates;
    trainer->model_saved = saved && !missing;
    trainer->model_lost = saved && missing;
    return state_read(&trainer->state, checkpoint, error);
}

Status trainer_new(Trainer **out, const TrainSetup *setup, const Checkpoint *checkpoint,
                   Error *error)
{
    FREED_BY(trainer_free_at) Trainer *trainer = NULL;
    // whether there is no model, as rank 0 sees it, which writes it: asked before a rank may fail
    bool leads = ranks_rank(setup->ranks) == 0;
    bool missing = ranks_max(setup->ranks, leads && access(setup->model_path, F_OK)) > 0;
    TRY(array_new(&trainer, 1, "training", error));
    trainer->setup = *setup;
    TRY(prepare(trainer, error));
    if (checkpoint)
        TRY(resume(trainer, checkpoint, missing, error));
    else
        begin(trainer);
    *out = memory_take(&trainer);
    return STATUS_OK;
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
    if (trainer->setup.without_checkpoint) return STATUS_OK;
    gradient_team_rest(trainer->team); // the checkpoint is read again: in memory that is now free
    Status status = state_save(&trainer->setup, &trainer->state, &trainer->counters, error);
    trainer->last_checkpoint = clock_seconds();
    return status;
}

/* Validates the average, and saves it if it is the best so far or `always`. Only a validation that
 * is `counted` changes the counters: the one that ends an interrupted run must not change how the
 * run continues. */
static Status validate_average(Trainer *trainer, bool counted, bool always, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    const TrainSetup *setup = &trainer->setup;
    const TrainOptions *options = setup->options;
    TrainReport validated = {.event = TRAIN_VALIDATED,
                             .validation_sets = setup->data->valid_count,
                             .average = &trainer->average};
    gradient_team_rest(trainer->team);
    Validation validation = {
        .data = setup->data,
        .params = trainer_average(trainer),
        .label_smoothing = options->label_smoothing,
        // each thread has its own batch: together they take no more memory than one of training
        .batch_tokens = options->batch_tokens / options->threads,
        .threads = trainer->threads,
        .ranks = setup->ranks};
    for (size_t i = 0; i < validated.validation_sets; i++) {
        validation.set = &setup->data->valid[i];
        TRY(validate(&validated.validation[i], &validation, error));
    }
    const ValidationScore *score = &validated.validation[0];
    validated.is_best = validation_is_best(counters, score, counted);
    bool saves = validated.is_best || always, leads = ranks_rank(setup->ranks) == 0;
    Status status = STATUS_OK;
    if (leads && saves) status = save_model(setup, &trainer->average, counters, score, error);
    if (leads && counted && !status)
        status = save_kept_model(setup, &trainer->average, counters, score, error);
    TRY(ranks_agree(setup->ranks, status, error));
    trainer->model_saved |= saves;
    report(trainer, &validated);
    return STATUS_OK;
}

/* Sums the shards' gradients and updates the parameters, or skips the step if a number is not
 * finite. */
static void update(Trainer *trainer, const GradientResult *result, TrainReport *step)
{
    TrainCounters *counters = &trainer->counters;
    real *sum;
    double norm = optimiser_sum(&trainer->optimiser, gradient_team_blocks(trainer->team), &sum);
    counters->steps++;
    counters->batch++;
    if (isfinite(norm) && isfinite(result->loss + result->guide_loss)) {
        optimiser_step(&trainer->optimiser, trainer->params.block, sum, norm, step->learning_rate);
        counters->updates++;
        counters->loss_sum += result->loss;
        counters->loss_tokens += result->target_tokens;
    } else {
        const char *tensor = optimiser_find_bad(&trainer->optimiser, &trainer->params.list, sum);
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
    TRY(batch_pairs_set(&trainer->pairs, &trainer->plan, counters->batch,
                        &trainer->setup.data->train, error));
    const GradientRequest request = {
        .pairs = trainer->pairs.items,
        .count = trainer->pairs.count,
        .label_smoothing = (real)options->label_smoothing,
        .guide_weight = (real)schedule_guide(options->guide_weight, options->guide_end_weight,
                                             options->warmup, counters->updates + 1),
        .dropout = {options->seed, (uint32_t)counters->steps, (real)options->dropout},
        .r_drop = (real)options->r_drop};
    TRY(gradient_team_run(trainer->team, &request, &result, error));
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
    TRY(validate_average(trainer, true, false, error));
    return checkpoint_now(trainer, error);
}

// What any rank asks for, all do: a signal may come to one alone.
static TrainDecision decide(const Trainer *trainer)
{
    const TrainSetup *setup = &trainer->setup;
    TrainDecision decision = setup->observer->decide(setup->observer->context);
    return (TrainDecision)ranks_max(setup->ranks, decision);
}

// By the clock of rank 0.
static bool checkpoint_is_due(const Trainer *trainer)
{
    Ranks *ranks = trainer->setup.ranks;
    if (trainer->setup.without_checkpoint) return false;
    double seconds = clock_seconds() - trainer->last_checkpoint;
    return ranks_max(ranks, ranks_rank(ranks) == 0 && seconds > CHECKPOINT_SECONDS) > 0;
}

/* Makes a step of the epoch and what is due after it, which a resumed run may have left nothing of. */
static Status go_on(Trainer *trainer, Error *error)
{
    const size_t *batch = &trainer->counters.batch;
    const BatchPlan *plan = &trainer->plan;
    if (*batch >= plan->batches) return STATUS_OK;
    TRY(make_step(trainer, error));
    size_t left = plan->batches - *batch;
    if (*batch % VALIDATION_STEPS == 0 && left > VALIDATION_STEPS / 2)
        TRY(validate_and_checkpoint(trainer, error));
    else if (checkpoint_is_due(trainer))
        TRY(checkpoint_now(trainer, error));
    trainer->decision = decide(trainer);
    return STATUS_OK;
}

/* Ends a run within an epoch: saves its state as it is; then the model, if there is none yet or if
 * this is the end and it is the best. */
static Status stop(Trainer *trainer, TrainDecision decision, Error *error)
{
    if (trainer->setup.without_checkpoint && decision == TRAIN_PAUSE)
        return error_set(error, STATUS_INTERRUPTED, "cancelled on request");
    Status status = checkpoint_now(trainer, error);
    if (status || (decision == TRAIN_PAUSE && trainer->model_saved)) return status;
    return validate_average(trainer, false, !trainer->model_saved, error);
}

// Whether there is no more to do, and why.
static bool is_done(const Trainer *trainer, TrainEnd *end)
{
    const TrainCounters *counters = &trainer->counters;
    const TrainOptions *options = trainer->setup.options;
    // what is learned during warm-up is slow to show
    bool warm = counters->updates >= options->warmup;
    bool impatient = warm && options->patience && counters->stale >= options->patience;
    *end = impatient ? TRAIN_END_PATIENCE : TRAIN_END_EPOCHS;
    // within an epoch a resumed run goes on to its end, as it would have without the interruption
    return (impatient && counters->batch == 0) || counters->epoch >= options->max_epochs;
}

static Status end_epoch(Trainer *trainer, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    trainer->in_epoch = false;
    if (counters->batch < trainer->plan.batches) return stop(trainer, trainer->decision, error);
    counters->epoch++;
    counters->batch = 0;
    counters->loss_sum = counters->loss_tokens = 0;
    TRY(validate_and_checkpoint(trainer, error));
    if (trainer->decision == TRAIN_CONTINUE) trainer->decision = decide(trainer);
    return STATUS_OK;
}

static Status begin_run(Trainer *trainer, Error *error)
{
    TrainCounters *counters = &trainer->counters;
    bool untaught = trainer->setup.init_hash && counters->steps == 0 && counters->validations == 0;
    trainer->begun = true;
    // the average is saved in the place of a lost model, as the best from here on; and what has not
    // learned yet, so that nothing worse is
    if (trainer->model_lost) counters->best_bleu = -1;
    if (trainer->model_lost || untaught) TRY(validate_and_checkpoint(trainer, error));
    trainer->last_checkpoint = clock_seconds();
    return STATUS_OK;
}

Status trainer_step(Trainer *trainer, bool *more, TrainEnd *end, Error *error)
{
    const TrainSetup *setup = &trainer->setup;
    *more = true;
    if (!trainer->begun) TRY(begin_run(trainer, error));
    if (!trainer->in_epoch) {
        bool done = is_done(trainer, end);
        if (!done) *end = TRAIN_END_STOPPED; // unless it is done later
        *more = !done && trainer->decision == TRAIN_CONTINUE;
        if (!*more) { // the average is not needed any more, and becomes what was saved
            gradient_team_rest(trainer->team);
            return save_additions(setup, &trainer->counters, &trainer->average, trainer->threads,
                                  error);
        }
        batch_plan_free(&trainer->plan);
        TRY(batch_plan_new(&trainer->plan, &setup->data->train, setup->options->batch_tokens,
                           setup->options->seed, trainer->counters.epoch, error));
        trainer->in_epoch = true;
    }
    TRY(go_on(trainer, error));
    bool ends = trainer->counters.batch >= trainer->plan.batches;
    return ends || trainer->decision != TRAIN_CONTINUE ? end_epoch(trainer, error) : STATUS_OK;
}

Status trainer_run(Trainer *trainer, TrainEnd *end, Error *error)
{
    bool more = true;
    while (more) TRY(trainer_step(trainer, &more, end, error));
    return STATUS_OK;
}
