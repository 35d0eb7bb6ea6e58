#include "translate/forced.h"

#include "base/memory.h"
#include "corpus/batch_plan.h"
#include "model/pass.h"

#include <stdatomic.h>

enum { BATCH_TOKENS = 2000 };

typedef struct Work {
    const Model *model;
    const Seq2SeqParams *params;
    size_t row_multiple; // rows of products are rounded up to it
    const TokenCorpus *pairs;
    bool with_alpha;
    size_t head; // from 1; 0 is the mean
    Translation *translations;
    const BatchPlan *plan;
    atomic_size_t next; // the first batch that nobody has taken
    Status *statuses;   // (threads)
    Error *errors;      // (threads)
} Work;

/* The weights of the sentence at place b: of one head, or with head 0 the heads' mean and, if there are several, each after
 * it. */
static Status read_alpha(const TeacherForcingActs *acts, const Ragged *target, size_t b,
                         size_t head, Rendering *rendering, Error *error)
{
    // (T, S), of which a row begins all heads, or those that are left
    Matrix alpha = teacher_forcing_alpha(acts, target, b, head ? head - 1 : 0);
    size_t T = alpha.rows, S = alpha.columns, heads = head ? 1 : acts->heads;
    size_t matrices = heads > 1 ? heads + 1 : 1;
    real *mean = memory_new(S, sizeof *mean);
    rendering->alpha = memory_new(matrices * T * S, sizeof *rendering->alpha);
    rendering->matrices = matrices;
    Status status = STATUS_OK;
    if (!mean || !rendering->alpha)
        status = error_memory(error, matrices * T * S * sizeof(float), "an alignment");
    for (size_t t = 0; t < T && !status; t++) {
        const real *row = matrix_row(alpha, t); // (heads, S)
        float *to = rendering->alpha + t * S;
        attention_mean_of_heads(mean, row, heads, S);
        for (size_t j = 0; j < S; j++) to[j] = (float)mean[j];
        for (size_t i = 0; i < (matrices - 1) * S; i++)
            to[(1 + i / S) * T * S + i % S] = (float)row[i];
    }
    memory_free(mean);
    return status;
}

/* What a pass says about the sentence at place b of the decoder's order. */
static Status read_result(const PassActs *acts, const Batch *batch, size_t b, const Work *work,
                          Rendering *rendering, Error *error)
{
    const Ragged *target = &batch->target;
    double log_p = 0;
    for (size_t t = 0; t < target->lengths[b]; t++)
        log_p += (double)acts->loss.log_p[target->step_begin[t] + b];
    rendering->log_p = rendering->score = log_p;
    if (!work->with_alpha) return STATUS_OK;
    return read_alpha(&acts->decoder, target, b, work->head, rendering, error);
}

static Status force_batch(const Work *work, size_t at, Arena arenas[2], Error *error)
{
    const uint32_t *members = work->plan->pairs + work->plan->begin[at];
    size_t count = work->plan->begin[at + 1] - work->plan->begin[at];
    TokenPair *pairs = memory_new(count, sizeof *pairs);
    if (!pairs) return error_memory(error, count * sizeof *pairs, "forced decoding");
    for (size_t i = 0; i < count; i++) pairs[i] = token_corpus_pair(work->pairs, members[i]);
    Batch batch;
    PassActs acts;
    Status status = batch_fill(&batch, &arenas[0], pairs, count, true, work->row_multiple, error);
    if (!status)
        status = pass_begin(&acts, &arenas[1], &batch, &work->model->config, (PassNeeds){0}, error);
    if (!status) (void)pass_forward(&acts, &batch, work->params, 0);
    for (size_t b = 0; b < count && !status; b++) {
        Translation *translation = &work->translations[members[batch.target_pair[b]]];
        status = read_result(&acts, &batch, b, work, &translation->renderings[0], error);
    }
    memory_free(pairs);
    return status;
}

static void work_batches(void *context, size_t worker)
{
    Work *work = context;
    Arena arenas[2] = {{0}, {0}};
    while (!work->statuses[worker]) {
        size_t at = atomic_fetch_add(&work->next, 1);
        if (at >= work->plan->batches) break;
        work->statuses[worker] = force_batch(work, at, arenas, &work->errors[worker]);
    }
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
}

/* The logits are multiplied by blocks of outputs, which need not all be packed (layers/loss.h): so many rows do for
 * OpenBLAS, too. */
static size_t row_multiple_of(const Seq2SeqParams *params)
{
    size_t row_multiple = seq2seq_row_multiple(params);
    return row_multiple % gemm_row_multiple() ? row_multiple * 3 : row_multiple; // 8 and 16, and 24
}

Status forced_decode(Threads *threads, const Model *model, const Seq2SeqParams *params,
                     const TokenCorpus *pairs, bool with_alpha, size_t head,
                     Translation *translations, Error *error)
{
    BatchPlan plan;
    size_t count = threads_count(threads);
    Status status = batch_plan_new(&plan, pairs, BATCH_TOKENS, 0, 0, error);
    if (status) return status;
    Work work = {.model = model,
                 .params = params,
                 .row_multiple = row_multiple_of(params),
                 .pairs = pairs,
                 .with_alpha = with_alpha,
                 .head = head,
                 .translations = translations,
                 .plan = &plan,
                 .statuses = memory_new(count, sizeof *work.statuses),
                 .errors = memory_new(count, sizeof *work.errors)};
    if (work.statuses && work.errors)
        threads_run(threads, work_batches, &work);
    else
        status = error_memory(error, count * sizeof *work.errors, "forced decoding");
    for (size_t i = 0; i < count && !status; i++) {
        status = work.statuses[i];
        if (status && error) *error = work.errors[i];
    }
    memory_free(work.statuses);
    memory_free(work.errors);
    batch_plan_free(&plan);
    return status;
}
