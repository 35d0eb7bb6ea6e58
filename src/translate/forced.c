#include "translate/forced.h"

#include "base/array.h"
#include "model/posterior_attention.h"

enum { BATCH_TOKENS = 2000 };

typedef struct ForcedWork {
    const Forcing *forcing;
    Translation *translations;
    PosteriorAttention *posteriors; // (threads)
} ForcedWork;

/* The weights of the sentence at place b: of one head, or with head 0 the heads' mean and, if there
 * are several, each after it. */
static Status read_alpha(const TeacherForcingActs *acts, size_t b, size_t head,
                         Rendering *rendering, Error *error)
{
    // (T, S): each row is followed by those of the next heads
    Matrix alpha = teacher_forcing_alpha(acts, b, head ? head - 1 : 0);
    size_t T = alpha.rows, S = alpha.columns, heads = head ? 1 : acts->heads;
    size_t matrices = heads > 1 ? heads + 1 : 1;
    FREED real *mean = NULL;
    rendering->matrices = matrices;
    TRY(array_new(&rendering->alpha, matrices * T * S, "an alignment", error));
    TRY(array_new(&mean, S, "an alignment", error));
    for (size_t t = 0; t < T; t++) {
        const real *row = matrix_row(alpha, t); // (heads, S)
        float *to = rendering->alpha + t * S;
        attention_mean_of_heads(mean, row, heads, S);
        for (size_t j = 0; j < S; j++) to[j] = (float)mean[j];
        for (size_t i = 0; i < (matrices - 1) * S; i++)
            to[(1 + i / S) * T * S + i % S] = (float)row[i];
    }
    return STATUS_OK;
}

static Status read_posterior(const ForcedWork *work, const VisitedBatch *visited, size_t b,
                             Rendering *rendering, Error *error)
{
    size_t weights = teacher_forcing_alpha(&visited->acts->decoder, b, 0).columns *
                     visited->batch->target.lengths[b];
    TRY(array_new(&rendering->posterior, weights, "an alignment", error));
    return posterior_attention_set(rendering->posterior, &work->posteriors[visited->worker],
                                   rendering->alpha, visited->acts, visited->batch,
                                   work->forcing->params, b, error);
}

// The probability of each target token of the sentence at place b, and their product.
static Status read_log_p(Rendering *rendering, const VisitedBatch *visited, size_t b, Error *error)
{
    const Ragged *target = &visited->batch->target;
    double sum = 0;
    TRY(array_new(&rendering->log_ps, target->lengths[b], "probabilities", error));
    for (size_t t = 0; t < target->lengths[b]; t++) {
        real log_p = visited->acts->loss.log_p[target->step_begin[t] + b];
        rendering->log_ps[t] = (float)log_p;
        sum += (double)log_p;
    }
    rendering->log_p = rendering->score = sum;
    return STATUS_OK;
}

static Status read_batch(void *context, const VisitedBatch *visited, Error *error)
{
    const ForcedWork *work = context;
    const Ragged *target = &visited->batch->target;
    for (size_t b = 0; b < target->count; b++) {
        size_t pair = visited->pairs[visited->batch->target_pair[b]];
        Rendering *rendering = &work->translations[pair].renderings[0];
        TRY(read_log_p(rendering, visited, b, error));
        if (work->forcing->with_alpha)
            TRY(read_alpha(&visited->acts->decoder, b, work->forcing->head, rendering, error));
        if (work->forcing->with_alpha && work->forcing->with_posterior)
            TRY(read_posterior(work, visited, b, rendering, error));
    }
    work_listener_tell(&work->forcing->listener, target->count);
    return STATUS_OK;
}

Status forced_pass(const Forcing *forcing, const TokenCorpus *pairs, CorpusVisit *visit,
                   void *context, Error *error)
{
    CorpusPass pass = {.corpus = pairs,
                       .params = forcing->params,
                       .batch_tokens = BATCH_TOKENS,
                       .exact = true,
                       .visit = visit,
                       .context = context,
                       .what_if = forcing->what_if ? &forcing->what_if : NULL,
                       .cancel = forcing->cancel};
    return corpus_pass_run(NULL, &pass, forcing->threads, error);
}

Status forced_decode(const Forcing *forcing, const TokenCorpus *pairs, Translation *translations,
                     Error *error)
{
    ForcedWork work = {.forcing = forcing, .translations = translations};
    size_t threads = threads_count(forcing->threads);
    TRY(array_new(&work.posteriors, threads, "decoding", error));
    Status status = forced_pass(forcing, pairs, read_batch, &work, error);
    for (size_t i = 0; i < threads; i++) posterior_attention_free(&work.posteriors[i]);
    memory_free(work.posteriors);
    return status;
}
