#include "search/decode.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct Decoder {
    Threads *threads;
    Inference **inferences; // (threads)
    size_t count;
};

Status decoder_new(Decoder **out, Threads *threads, const Seq2SeqParams *params,
                   const ModelConfig *config, Error *error)
{
    Decoder *decoder = memory_new(1, sizeof *decoder);
    if (!decoder) return error_memory(error, sizeof *decoder, "decoding");
    decoder->threads = threads;
    decoder->inferences = memory_new(threads_count(threads), sizeof *decoder->inferences);
    Status status = decoder->inferences ? STATUS_OK : error_memory(error, 1, "decoding");
    while (!status && decoder->count < threads_count(threads)) {
        status = inference_new(&decoder->inferences[decoder->count], params, config, error);
        if (!status) decoder->count++;
    }
    if (status)
        decoder_free(decoder);
    else
        *out = decoder;
    return status;
}

void decoder_free(Decoder *decoder)
{
    if (!decoder) return;
    for (size_t i = 0; i < decoder->count; i++) inference_free(decoder->inferences[i]);
    memory_free(decoder->inferences);
    memory_free(decoder);
}

/* One run's work: sorted sources and their results, which threads take batch by batch. */
typedef struct Work {
    Decoder *decoder;
    const SearchOptions *options;
    TokenPair *sorted;   // (count)
    Hypotheses *results; // (count) in the sorted order
    size_t count, batch;
    atomic_size_t next; // the first source that nobody has taken
    Status *statuses;   // (threads)
    Error *errors;      // (threads)
} Work;

static void work_batches(void *context, size_t worker)
{
    Work *work = context;
    while (!work->statuses[worker]) {
        size_t first = atomic_fetch_add(&work->next, work->batch);
        if (first >= work->count) break;
        size_t count = work->count - first < work->batch ? work->count - first : work->batch;
        work->statuses[worker] =
            beam_search(work->decoder->inferences[worker], work->sorted + first, count,
                        work->options, work->results + first, &work->errors[worker]);
    }
}

// Longest first, so that the last batch a thread takes is a short one; `number` keeps the order total.
static int compare_lengths(const void *a, const void *b)
{
    const TokenPair *x = a, *y = b;
    if (x->source_length != y->source_length) return x->source_length > y->source_length ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static Status run(Work *work, const TokenPair *sources, Hypotheses *results, Error *error)
{
    size_t threads = work->decoder->count;
    for (size_t i = 0; i < work->count; i++) {
        work->sorted[i] = sources[i];
        work->sorted[i].number = (uint32_t)i;
    }
    qsort(work->sorted, work->count, sizeof *work->sorted, compare_lengths);
    threads_run(work->decoder->threads, work_batches, work);
    Status status = STATUS_OK;
    for (size_t i = 0; i < threads && !status; i++) {
        status = work->statuses[i];
        if (status && error) *error = work->errors[i];
    }
    for (size_t i = 0; i < work->count; i++) {
        if (status)
            hypotheses_free(&work->results[i]);
        else
            results[work->sorted[i].number] = work->results[i];
    }
    return status;
}

enum { MIN_BATCH = 16 }; // smaller ones cost more than an idle thread

/* Few sources are dealt out, so that no thread waits long for the last: two batches for each, if they are not
 * too small. */
static size_t batch_of_few(size_t count, size_t batch, size_t threads)
{
    if (threads == 1 || count >= 2 * threads * batch || batch <= MIN_BATCH) return batch;
    size_t share = (count + 2 * threads - 1) / (2 * threads);
    if (share < MIN_BATCH) share = MIN_BATCH;
    return share < batch ? share : batch;
}

Status decoder_run(Decoder *decoder, const TokenPair *sources, size_t count, size_t batch,
                   const SearchOptions *options, Hypotheses *results, Error *error)
{
    memset(results, 0, count * sizeof *results);
    Work work = {.decoder = decoder,
                 .options = options,
                 .count = count,
                 .batch = batch_of_few(count, batch, decoder->count)};
    work.sorted = memory_new(count, sizeof *work.sorted);
    work.results = memory_new(count, sizeof *work.results);
    work.statuses = memory_new(decoder->count, sizeof *work.statuses);
    work.errors = memory_new(decoder->count, sizeof *work.errors);
    Status status = work.sorted && work.results && work.statuses && work.errors
                        ? run(&work, sources, results, error)
                        : error_memory(error, count * sizeof *work.sorted, "decoding");
    memory_free(work.sorted);
    memory_free(work.results);
    memory_free(work.statuses);
    memory_free(work.errors);
    return status;
}
