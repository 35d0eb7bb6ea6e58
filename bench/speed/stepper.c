#include "bench/speed/stepper.h"

#include "base/clock.h"
#include "model/seq2seq.h"
#include "train/schedule.h"

#include <math.h>
#include <string.h>

Status stepper_new(Stepper *stepper, const Backend *backend, const ModelConfig *config,
                   const TrainOptions *options, size_t threads, Error *error)
{
    const OptimiserConstants adam = {
        .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .clip_norm = options->clip_norm};
    *stepper = (Stepper){.backend = backend, .config = config, .options = options};
    Status status = backends_start(threads, error);
    if (!status) status = seq2seq_params_new(&stepper->params, config, error);
    if (!status) status = seq2seq_params_new(&stepper->average, config, error);
    if (!status) status = seq2seq_params_pack(&stepper->params, backend, PACKED_TRAINING, error);
    if (!status) status = threads_new(&stepper->threads, threads, error);
    if (!status)
        status = gradient_team_new(&stepper->team, stepper->threads, NULL, &stepper->params, error);
    if (!status)
        status = optimiser_new(&stepper->optimiser, stepper->params.list.block_size, &adam,
                               stepper->threads, NULL, error);
    if (status) return status;
    stepper->optimiser.average = stepper->average.block;
    seq2seq_initialise(&stepper->params, options->seed);
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
    *stepper = (Stepper){0};
}

Status stepper_step(Stepper *stepper, const BatchPlan *plan, size_t batch,
                    const TokenCorpus *corpus, StepResult *step, Error *error)
{
    const TrainOptions *options = stepper->options;
    GradientResult result;
    GradientRequest request = {
        .label_smoothing = (real)options->label_smoothing,
        .dropout = {options->seed, (uint32_t)stepper->steps, (real)options->dropout}};
    Status status = batch_pairs_set(&stepper->pairs, plan, batch, corpus, error);
    request.pairs = stepper->pairs.items;
    request.count = stepper->pairs.count;
    if (!status) status = gradient_team_run(stepper->team, &request, &result, error);
    if (status) return status;
    real *sum;
    double norm = optimiser_sum(&stepper->optimiser, gradient_team_blocks(stepper->team), &sum);
    *step = (StepResult){result.loss / result.target_tokens, norm, result.target_tokens};
    if (!isfinite(norm) || !isfinite(step->loss))
        return error_set(error, STATUS_FORMAT, "%s: step %llu: loss or gradient are not finite",
                         stepper->backend->title, (unsigned long long)stepper->steps);
    stepper->steps++;
    optimiser_step(&stepper->optimiser, stepper->params.block, sum, norm,
                   schedule_rate(options->learning_rate, options->warmup, stepper->steps));
    return STATUS_OK;
}

Status stepper_pass(Stepper *stepper, const BatchPlan *plan, size_t batches,
                    const TokenCorpus *corpus, PassTime *time, Error *error)
{
    Status status = STATUS_OK;
    *time = (PassTime){0};
    double began = clock_seconds();
    for (size_t i = 0; i < batches && !status; i++) {
        StepResult step;
        status = stepper_step(stepper, plan, i, corpus, &step, error);
        if (!status) time->target_tokens += step.target_tokens;
    }
    time->seconds = clock_seconds() - began;
    return status;
}
