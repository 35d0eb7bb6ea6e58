#include "bench/speed/trial.h"

#include "base/clock.h"
#include "base/memory.h"
#include "model/initialise.h"
#include "train/schedule.h"

#include <math.h>
#include <string.h>

Status trial_new(Trial *trial, const Backend *backend, const ModelConfig *config,
                 const TrainOptions *options, size_t threads, Error *error)
{
    const AdamOptions adam = {
        .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .clip_norm = options->clip_norm};
    *trial = (Trial){.backend = backend, .config = config, .options = options};
    gemm_start();
    Status status = seq2seq_params_new(&trial->params, config, error);
    if (!status) status = seq2seq_params_new(&trial->average, config, error);
    if (!status) status = threads_new(&trial->threads, threads, error);
    if (!status)
        status = gradient_team_new(&trial->team, trial->threads, config, &trial->params, error);
    if (!status)
        status = optimiser_new(&trial->optimiser, trial->params.list.block_size, &adam,
                               trial->threads, error);
    if (!status) status = backend_pack(backend, &trial->params, config, PACKED_TRAINING, error);
    if (!status && backend->packed)
        status = gradient_team_pack(trial->team, backend->precision, error);
    if (status) return status;
    trial->phases = memory_new(threads, sizeof *trial->phases);
    if (!trial->phases) return error_memory(error, threads * sizeof *trial->phases, "phases");
    gradient_team_measure(trial->team, trial->phases);
    trial->optimiser.average = trial->average.block;
    seq2seq_initialise(&trial->params, config, options->seed);
    memcpy(trial->average.block, trial->params.block, trial->params.list.block_size * sizeof(real));
    return STATUS_OK;
}

void trial_free(Trial *trial)
{
    gradient_team_free(trial->team);
    optimiser_free(&trial->optimiser);
    threads_free(trial->threads);
    seq2seq_params_free(&trial->params);
    seq2seq_params_free(&trial->average);
    batch_pairs_free(&trial->pairs);
    memory_free(trial->phases);
    *trial = (Trial){0};
}

/* What all threads do together from now on; the caller's thread is the only one that runs now. */
static void enter(Trial *trial, Phase phase)
{
    for (size_t i = 0; i < threads_count(trial->threads); i++)
        phases_begin(&trial->phases[i], phase);
}

Status trial_step(Trial *trial, const BatchPlan *plan, size_t batch, const TokenCorpus *corpus,
                  TrialStep *step, Error *error)
{
    const TrainOptions *options = trial->options;
    GradientResult result;
    GradientRequest request = {
        .label_smoothing = (real)options->label_smoothing,
        .dropout = {options->seed, (uint32_t)trial->steps, (real)options->dropout}};
    enter(trial, PHASE_WAITING);
    Status status = batch_pairs_set(&trial->pairs, plan, batch, corpus, error);
    request.pairs = trial->pairs.items;
    request.count = trial->pairs.count;
    if (!status) status = gradient_team_run(trial->team, &request, &result, error);
    if (status) return status;
    real *const *blocks = gradient_team_blocks(trial->team);
    enter(trial, PHASE_REDUCTION);
    double norm = optimiser_sum(&trial->optimiser, blocks, threads_count(trial->threads));
    enter(trial, PHASE_OPTIMISER);
    *step = (TrialStep){result.loss / result.target_tokens, norm, result.target_tokens};
    if (!isfinite(norm) || !isfinite(step->loss))
        return error_set(error, STATUS_FORMAT, "%s: step %llu: loss or gradient are not finite",
                         trial->backend->name, (unsigned long long)trial->steps);
    trial->steps++;
    optimiser_step(&trial->optimiser, trial->params.block, blocks[0], norm,
                   schedule_rate(options->learning_rate, options->warmup, trial->steps));
    enter(trial, PHASE_WAITING);
    return STATUS_OK;
}

Status trial_pass(Trial *trial, const BatchPlan *plan, size_t batches, const TokenCorpus *corpus,
                  TrialTime *time, Error *error)
{
    Status status = STATUS_OK;
    *time = (TrialTime){0};
    // the time since the last pass was others'
    for (size_t i = 0; i < threads_count(trial->threads); i++) trial->phases[i].since = 0;
    double began = clock_seconds();
    for (size_t i = 0; i < batches && !status; i++) {
        TrialStep step;
        status = trial_step(trial, plan, i, corpus, &step, error);
        if (!status) time->target_tokens += step.target_tokens;
    }
    time->seconds = clock_seconds() - began;
    return status;
}

void trial_clear(Trial *trial)
{
    memset(trial->phases, 0, threads_count(trial->threads) * sizeof *trial->phases);
}
