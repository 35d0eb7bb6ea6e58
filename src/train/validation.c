#include "train/validation.h"

#include "base/memory.h"
#include "corpus/batch_plan.h"
#include "model/inference.h"
#include "model/pass.h"

#include <stdatomic.h>
#include <string.h>

/* The loss, batch by batch; each batch's sum has a place of its own, so that their order is fixed. */
typedef struct LossWork {
    const TrainingData *data;
    const Seq2SeqParams *params;
    const ModelConfig *config;
    real smoothing;
    BatchPlan plan;
    double *sums;       // (batches)
    atomic_size_t next; // the first batch that nobody has taken
    Status *statuses;   // (threads)
    Error *errors;      // (threads)
} LossWork;

static Status batch_loss(const LossWork *work, size_t at, Arena arenas[2], double *sum,
                         Error *error)
{
    BatchPairs pairs = {0};
    Batch batch;
    PassActs acts;
    Status status = batch_pairs_set(&pairs, &work->plan, at, &work->data->valid, error);
    if (!status) status = batch_fill(&batch, &arenas[0], pairs.items, pairs.count, true, 1, error);
    if (!status)
        status = pass_begin(&acts, &arenas[1], &batch, work->config, (PassNeeds){0}, error);
    if (!status) *sum = pass_forward(&acts, &batch, work->params, work->smoothing);
    batch_pairs_free(&pairs);
    return status;
}

static void work_losses(void *context, size_t worker)
{
    LossWork *work = context;
    Arena arenas[2] = {{0}, {0}};
    while (!work->statuses[worker]) {
        size_t at = atomic_fetch_add(&work->next, 1);
        if (at >= work->plan.batches) break;
        work->statuses[worker] =
            batch_loss(work, at, arenas, &work->sums[at], &work->errors[worker]);
    }
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
}

static Status validate_loss(double *loss, LossWork *work, size_t batch_tokens, Threads *threads,
                            Error *error)
{
    const TokenCorpus *valid = &work->data->valid;
    Status status = batch_plan_new(&work->plan, valid, batch_tokens, 0, 0, error);
    if (status) return status;
    work->sums = memory_new(work->plan.batches, sizeof *work->sums);
    work->statuses = memory_new(threads_count(threads), sizeof *work->statuses);
    work->errors = memory_new(threads_count(threads), sizeof *work->errors);
    if (work->sums && work->statuses && work->errors) {
        threads_run(threads, work_losses, work);
        for (size_t i = 0; i < threads_count(threads) && !status; i++) {
            status = work->statuses[i];
            if (status && error) *error = work->errors[i];
        }
        double sum = 0, tokens = 0;
        for (size_t i = 0; i < work->plan.batches; i++) sum += work->sums[i];
        for (size_t i = 0; i < valid->count; i++)
            tokens += token_corpus_pair(valid, i).target_length;
        *loss = sum / tokens;
    } else {
        status = error_memory(error, work->plan.batches * sizeof(double), "validation");
    }
    memory_free(work->sums);
    memory_free(work->statuses);
    memory_free(work->errors);
    batch_plan_free(&work->plan);
    return status;
}

static Status count_bleu(BleuCounts *counts, const TrainingData *data, const Hypotheses *results,
                         Error *error)
{
    Bytes text = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < data->valid.count && !status; i++) {
        const Hypothesis *best = &results[i].items[0];
        const char *reference = text_corpus_pair(&data->valid_text, i).target;
        bytes_clear(&text);
        status =
            vocabulary_decode(data->target_vocabulary, best->tokens, best->length, &text, error);
        if (!status)
            status = bleu_add(counts, text.data ? text.data : "", &reference, 1,
                              data->bleu_tokenizer, false, error);
    }
    bytes_free(&text);
    return status;
}

static Status validate_bleu(double *bleu, const TrainingData *data, const Seq2SeqParams *params,
                            const ModelConfig *config, Threads *threads, Error *error)
{
    const SearchOptions greedy = {.beam = 1, .batch = 64};
    size_t count = data->valid.count;
    TokenPair *sources = memory_new(count, sizeof *sources);
    Hypotheses *results = memory_new(count, sizeof *results);
    BatchSearch search = {0};
    BleuCounts counts = {0};
    Status status = sources && results
                        ? inference_batch_search(&search, threads, params, config, NULL, error)
                        : error_memory(error, count * sizeof *sources, "validation");
    if (!status) {
        for (size_t i = 0; i < count; i++) sources[i] = token_corpus_pair(&data->valid, i);
        status = batch_search_run(&search, sources, count, &greedy, results, error);
    }
    if (!status) {
        status = count_bleu(&counts, data, results, error);
        for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    }
    *bleu = bleu_score(&counts);
    batch_search_free(&search);
    memory_free(sources);
    memory_free(results);
    return status;
}

Status validate(ValidationScore *score, const TrainingData *data, const Seq2SeqParams *params,
                const ModelConfig *config, double label_smoothing, size_t batch_tokens,
                Threads *threads, Error *error)
{
    LossWork work = {
        .data = data, .params = params, .config = config, .smoothing = (real)label_smoothing};
    Status status = validate_loss(&score->loss, &work, batch_tokens, threads, error);
    if (status) return status;
    return validate_bleu(&score->bleu, data, params, config, threads, error);
}

bool validation_better(const ValidationScore *score, double bleu, double loss)
{
    return score->bleu > bleu || (score->bleu == bleu && score->loss < loss);
}
