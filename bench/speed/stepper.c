#include "bench/speed/stepper.h"

#include "base/clock.h"
#include "base/memory.h"
#include "model/initialise.h"
#include "train/schedule.h"

#include <math.h>
#include <string.h>

Status stepper_new(Stepper *stepper, const Backend *backend, const ModelConfig *config,
                   const TrainOptions *options, size_t threads, Error *error)
{
    const AdamOptions adam = {
        .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .clip_norm = options->clip_norm};
    *stepper = (Stepper){.backend = backend, .config = config, .options = options};
    backends_start();
    Status status = seq2seq_params_new(&stepper->params, config, error);
    if (!status) status = seq2seq_params_new(&stepper->average, config, error);
    if (!status)
        status = seq2seq_params_pack(&stepper->params, config, backend, PACKED_TRAINING, error);
    if (!status) status = threads_new(&stepper->threads, threads, error);
    if (!status)
        status =
            gradient_team_new(&stepper->team, stepper->threads, config, &stepper->params, error);
    if (!status)
        status = optimiser_new(&stepper->optimiser, stepper->params.list.block_size, &adam,
                               stepper->threads, error);
    if (status) return status;
    stepper->phases = memory_new(threads, sizeof *stepper->phases);
    if (!stepper->phases) return error_memory(error, threads * sizeof *stepper->phases, "phases");
    gradient_team_measure(stepper->team, stepper->phases);
    stepper->optimiser.average = stepper->average.block;
    seq2seq_initialise(&stepper->params, config, options->seed);
    memcpy(stepper->average.block, stepper->params.block,
           stepper->params.list.block_size * sizeof(real));
    return STATUS_OK;
}

void stepper_free(Stepper *stepper)
{
    gradient_team_free(stepper->team);
    optimiser_free(&stepper->optimiser);
    threads_free(stepper->threads);
    seq2seq_params_free(&stepper->params);
    seq2seq_params_free(&stepper->average);
    batch_pairs_free(&stepper->pairs);
    memory_free(stepper->phases);
    *stepper = (Stepper){0};
}

/* What all threads do together from now on; the caller's thread is the only one that runs now. */
static void enter(Stepper *stepper, Phase phase)
{
    for (size_t i = 0; i < threads_count(stepper->threads); i++)
        phases_begin(&stepper->phases[i], phase);
}

Status stepper_step(Stepper *stepper, const BatchPlan *plan, size_t batch,
                    const TokenCorpus *corpus, StepResult *step, Error *error)
{
    const TrainOptions *options = stepper->options;
    GradientResult result;
    GradientRequest request = {
        .label_smoothing = (real)options->label_smoothing,
        .dropout = {options->seed, (uint32_t)stepper->steps, (real)options->dropout}};
    enter(stepper, PHASE_WAITING);
    Status status = batch_pairs_set(&stepper->pairs, plan, batch, corpus, error);
    request.pairs = stepper->pairs.items;
    request.count = stepper->pairs.count;
    if (!status) status = gradient_team_run(stepper->team, &request, &result, error);
    if (status) return status;
    real *const *blocks = gradient_team_blocks(stepper->team);
    enter(stepper, PHASE_REDUCTION);
    double norm = optimiser_sum(&stepper->optimiser, blocks, threads_count(stepper->threads));
    enter(stepper, PHASE_OPTIMISER);
    *step = (StepResult){result.loss / result.target_tokens, norm, result.target_tokens};
    if (!isfinite(norm) || !isfinite(step->loss))
        return error_set(error, STATUS_FORMAT, "%s: step %llu: loss or gradient are not finite",
                         stepper->backend->title, (unsigned long long)stepper->steps);
    stepper->steps++;
    optimiser_step(&stepper->optimiser, stepper->params.block, blocks[0], norm,
                   schedule_rate(options->learning_rate, options->warmup, stepper->steps));
    enter(stepper, PHASE_WAITING);
    return STATUS_OK;
}

Status stepper_pass(Stepper *stepper, const BatchPlan *plan, size_t batches,
                    const TokenCorpus *corpus, PassTime *time, Error *error)
{
    Status status = STATUS_OK;
    *time = (PassTime){0};
    // the time since the last pass was others'
    for (size_t i = 0; i < threads_count(stepper->threads); i++) stepper->phases[i].since = 0;
    double began = clock_seconds();
    for (size_t i = 0; i < batches && !status; i++) {
        StepResult step;
        status = stepper_step(stepper, plan, i, corpus, &step, error);
        if (!status) time->target_tokens += step.target_tokens;
    }
    time->seconds = clock_seconds() - began;
    return status;
}

void stepper_clear(Stepper *stepper)
{
    memset(stepper->phases, 0, threads_count(stepper->threads) * sizeof *stepper->phases);
}
