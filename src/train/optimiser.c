#include "train/optimiser.h"

#include "base/memory.h"
#include "math/kernels.h"

#include <math.h>

static const double AVERAGE_ETA = 8;

Status optimiser_new(Optimiser *optimiser, size_t size, const OptimiserConstants *constants,
                     Threads *threads, Ranks *ranks, Error *error)
{
    *optimiser = (Optimiser){.constants = *constants, .threads = threads};
    TRY(slices_new(&optimiser->slices, size, threads, ranks, error));
    TRY(gradient_sum_new(&optimiser->sum, &optimiser->slices, threads, error));
    size_t values = optimiser->slices.end - optimiser->slices.begin;
    optimiser->first = memory_in_large_pages(values, sizeof(real));
    optimiser->second = memory_in_large_pages(values, sizeof(real));
    if (!optimiser->first || !optimiser->second)
        return error_memory(error, 2 * values * sizeof(real), "Adam's moments");
    memset(optimiser->first, 0, values * sizeof(real));
    memset(optimiser->second, 0, values * sizeof(real));
    return STATUS_OK;
}

void optimiser_free(Optimiser *optimiser)
{
    gradient_sum_free(&optimiser->sum);
    slices_free(&optimiser->slices);
    memory_free(optimiser->first);
    memory_free(optimiser->second);
    *optimiser = (Optimiser){0};
}

typedef struct StepWork {
    Optimiser *optimiser;
    real *values;      // of the whole block
    const real *slice; // of the gradients
    OptimiserStep step;
    real average_rate;
} StepWork;

static void step_range(void *context, size_t thread)
{
    StepWork *work = context;
    Optimiser *optimiser = work->optimiser;
    const Slices *slices = &optimiser->slices;
    const Kernels *k = kernels();
    size_t begin, end;
    slices_of_worker(slices, slices->first + thread, &begin, &end);
    for (size_t at = begin; at < end; at += SLICE_GRAIN) {
        size_t n = end - at < SLICE_GRAIN ? end - at : SLICE_GRAIN, within = at - slices->begin;
        (optimiser->constants.adadelta ? k->adadelta : k->adam)(
            work->values + at, optimiser->first + within, optimiser->second + within,
            work->slice + within, &work->step, n);
        if (optimiser->average)
            k->ema(optimiser->average + at, work->average_rate, work->values + at, n);
    }
}

void optimiser_step(Optimiser *optimiser, real *values, const real *slice, double norm,
                    double learning_rate)
{
    const OptimiserConstants *constants = &optimiser->constants;
    double t = (double)++optimiser->steps, scale = 1;
    if (constants->clip_norm > 0) scale = fmin(1, constants->clip_norm / (norm + 1e-6));
    StepWork work = {
        .optimiser = optimiser,
        .values = values,
        .slice = slice,
        .step = {.rate = (real)(learning_rate / (1 - pow(constants->beta1, t))),
                 .beta1 = (real)constants->beta1,
                 .beta2 = (real)constants->beta2,
                 .correction2 = (real)(1 / (1 - pow(constants->beta2, t))),
                 .epsilon = (real)constants->epsilon,
                 .gradient_scale = (real)scale},
        .average_rate = (real)((AVERAGE_ETA + 1) / (t + AVERAGE_ETA)),
    };
    threads_run(optimiser->threads, step_range, &work);
    slices_gather(&optimiser->slices, values + optimiser->slices.begin, values, true);
}

const char *optimiser_find_bad(const Optimiser *optimiser, const ParamList *list, const real *slice)
{
    const Slices *slices = &optimiser->slices;
    size_t found = 0;
    for (; found < list->count; found++) { // the part of a tensor in this rank's slice
        const ParamInfo *info = &list->tensors[found];
        size_t begin = info->offset, end = begin + info->count;
        if (begin < slices->begin) begin = slices->begin;
        if (end > slices->end) end = slices->end;
        if (begin >= end) continue;
        if (!isfinite(kernels()->sum_squares(slice + begin - slices->begin, end - begin))) break;
    }
    size_t left = (size_t)ranks_max(slices->ranks, (double)(list->count - found));
    return left ? list->tensors[list->count - left].name : NULL;
}
