#include "train/optimiser.h"

#include "base/memory.h"
#include "math/kernels.h"

#include <math.h>
#include <string.h>

static const double AVERAGE_ETA = 8;

enum { GRAIN = 4096 }; // values: whole pages, so that two threads never share a cache line

Status optimiser_new(Optimiser *optimiser, size_t size, const AdamOptions *options,
                     Threads *threads, Error *error)
{
    *optimiser = (Optimiser){.options = *options, .size = size, .threads = threads};
    optimiser->first = memory_in_large_pages(size, sizeof(real));
    optimiser->second = memory_in_large_pages(size, sizeof(real));
    optimiser->partial = memory_new(threads_count(threads), sizeof(double));
    if (!optimiser->first || !optimiser->second || !optimiser->partial) {
        optimiser_free(optimiser);
        return error_memory(error, 2 * size * sizeof(real), "Adam's moments");
    }
    memset(optimiser->first, 0, size * sizeof(real));
    memset(optimiser->second, 0, size * sizeof(real));
    return STATUS_OK;
}

void optimiser_free(Optimiser *optimiser)
{
    memory_free(optimiser->first);
    memory_free(optimiser->second);
    memory_free(optimiser->partial);
    *optimiser = (Optimiser){0};
}

typedef struct SumWork {
    Optimiser *optimiser;
    real *const *gradients;
    size_t count;
} SumWork;

static void sum_range(void *context, size_t worker)
{
    SumWork *work = context;
    const Kernels *k = kernels();
    size_t begin, end;
    threads_range(work->optimiser->size, GRAIN, worker, threads_count(work->optimiser->threads),
                  &begin, &end);
    double squares = 0;
    for (size_t at = begin; at < end; at += GRAIN) { // which stays in the cache while it is summed
        size_t n = end - at < GRAIN ? end - at : GRAIN;
        for (size_t i = 1; i < work->count; i++)
            k->add(work->gradients[0] + at, work->gradients[i] + at, n);
        squares += k->sum_squares(work->gradients[0] + at, n);
    }
    work->optimiser->partial[worker] = squares;
}

double optimiser_sum(Optimiser *optimiser, real *const *gradients, size_t count)
{
    SumWork work = {optimiser, gradients, count};
    threads_run(optimiser->threads, sum_range, &work);
    double squares = 0;
    for (size_t i = 0; i < threads_count(optimiser->threads); i++) squares += optimiser->partial[i];
    return sqrt(squares);
}

typedef struct StepWork {
    Optimiser *optimiser;
    real *values;
    const real *gradients;
    AdamStep step;
    real average_rate;
} StepWork;

static void step_range(void *context, size_t worker)
{
    StepWork *work = context;
    Optimiser *optimiser = work->optimiser;
    size_t begin, end;
    threads_range(optimiser->size, GRAIN, worker, threads_count(optimiser->threads), &begin, &end);
    const Kernels *k = kernels();
    for (size_t at = begin; at < end; at += GRAIN) {
        size_t n = end - at < GRAIN ? end - at : GRAIN;
        k->adam(work->values + at, optimiser->first + at, optimiser->second + at,
                work->gradients + at, &work->step, n);
        if (optimiser->average)
            k->ema(optimiser->average + at, work->average_rate, work->values + at, n);
    }
}

void optimiser_step(Optimiser *optimiser, real *values, const real *gradients, double norm,
                    double learning_rate)
{
    const AdamOptions *options = &optimiser->options;
    double t = (double)++optimiser->steps, scale = 1;
    if (options->clip_norm > 0) scale = fmin(1, options->clip_norm / (norm + 1e-6));
    StepWork work = {
        .optimiser = optimiser,
        .values = values,
        .gradients = gradients,
        .step = {.rate = (real)(learning_rate / (1 - pow(options->beta1, t))),
                 .beta1 = (real)options->beta1,
                 .beta2 = (real)options->beta2,
                 .correction2 = (real)(1 / (1 - pow(options->beta2, t))),
                 .epsilon = (real)options->epsilon,
                 .gradient_scale = (real)scale},
        .average_rate = (real)((AVERAGE_ETA + 1) / (t + AVERAGE_ETA)),
    };
    threads_run(optimiser->threads, step_range, &work);
}

const char *optimiser_find_bad(const ParamList *list, const real *block)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (!isfinite(kernels()->sum_squares(block + info->offset, info->count))) return info->name;
    }
    return NULL;
}
