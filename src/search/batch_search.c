#include "search/batch_search.h"

#include "base/array.h"

#include <stdlib.h>

Status batch_search_new(BatchSearch *search, Threads *threads, Error *error)
{
    size_t count = threads_count(threads);
    *search = (BatchSearch){.threads = threads};
    return array_new(&search->models, count, "searching", error);
}

void batch_search_free(BatchSearch *search)
{
    for (size_t i = 0; search->models && i < threads_count(search->threads); i++)
        if (search->models[i]) search->models[i]->free(search->models[i]);
    memory_free(search->models);
    *search = (BatchSearch){0};
}

// A source and its place among those given.
typedef struct SourcePlace {
    uint32_t length, index;
} SourcePlace;

/* The sources of one run, sorted, and their results, which threads take batch by batch. */
typedef struct SortedSources {
    const BatchSearch *search;
    const SearchOptions *options;
    SourcePlace *places; // (count) in the sorted order
    TokenPair *sorted;   // (count)
    Hypotheses *results; // (count) in the sorted order
    size_t count, batch;
} SortedSources;

static Status search_batch(void *context, size_t worker, size_t item, Error *error)
{
    const SortedSources *work = context;
    size_t first = item * work->batch, left = work->count - first;
    size_t count = left < work->batch ? left : work->batch;
    TRY(beam_search(work->search->models[worker], work->sorted + first, count, work->options,
                    work->results + first, error));
    work_listener_tell(&work->search->listener, count);
    return STATUS_OK;
}

// Longest first, so that the last batch a thread takes is a short one; the index keeps the order
// total.
static int compare_lengths(const void *a, const void *b)
{
    const SourcePlace *x = a, *y = b;
    if (x->length != y->length) return x->length > y->length ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static Status run(SortedSources *work, const TokenPair *sources, Hypotheses *results, Error *error)
{
    for (size_t i = 0; i < work->count; i++)
        work->places[i] = (SourcePlace){sources[i].source_length, (uint32_t)i};
    qsort(work->places, work->count, sizeof *work->places, compare_lengths);
    for (size_t i = 0; i < work->count; i++) work->sorted[i] = sources[work->places[i].index];
    size_t batches = (work->count + work->batch - 1) / work->batch;
    Status status = parallel_for_share(work->search->threads, work->search->share, batches,
                                       search_batch, work, error);
    for (size_t i = 0; i < work->count; i++) {
        if (status)
            hypotheses_free(&work->results[i]);
        else
            results[work->places[i].index] = work->results[i];
    }
    return status;
}

enum { MIN_BATCH = 16 }; // smaller ones cost more than an idle thread

/* With few sources, two batches for each thread if they are not too small, so that no thread waits
 * long for the last. */
static size_t batch_of_few(size_t count, size_t batch, size_t threads)
{
    if (threads == 1 || count >= 2 * threads * batch || batch <= MIN_BATCH) return batch;
    size_t share = (count + 2 * threads - 1) / (2 * threads);
    if (share < MIN_BATCH) share = MIN_BATCH;
    return share < batch ? share : batch;
}

Status batch_search_run(const BatchSearch *search, const TokenPair *sources, size_t count,
                        const SearchOptions *options, Hypotheses *results, Error *error)
{
    assert(options->batch >= 1);
    memset(results, 0, count * sizeof *results);
    size_t parts = search->share.parts ? search->share.parts : 1;
    FREED SourcePlace *places = NULL;
    FREED TokenPair *sorted = NULL;
    FREED Hypotheses *found = NULL;
    TRY(array_new(&places, count, "searching", error));
    TRY(array_new(&sorted, count, "searching", error));
    TRY(array_new(&found, count, "searching", error));
    const size_t batch =
        batch_of_few(count, options->batch, parts * threads_count(search->threads));
    SortedSources work = {search, options, places, sorted, found, count, batch};
    return run(&work, sources, results, error);
}
