#include "translate/forced.h"

#include "base/memory.h"
#include "model/corpus_pass.h"

enum { BATCH_TOKENS = 2000 };

typedef struct Work {
    const Forcing *forcing;
    Translation *translations;
} Work;

/* The weights of the sentence at place b: of one head, or with head 0 the heads' mean and, if there
 * are several, each after it. */
static Status read_alpha(const TeacherForcingActs *acts, size_t b, size_t head,
                         Rendering *rendering, Error *error)
{
    // (T, S): each row is followed by those of the next heads
    Matrix alpha = teacher_forcing_alpha(acts, b, head ? head - 1 : 0);
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

static Status read_batch(void *context, const VisitedBatch *visited, Error *error)
{
    const Work *work = context;
    const Ragged *target = &visited->batch->target;
    Status status = STATUS_OK;
    for (size_t b = 0; b < target->count && !status; b++) {
        size_t pair = visited->pairs[visited->batch->target_pair[b]];
        Rendering *rendering = &work->translations[pair].renderings[0];
        double log_p = 0;
        for (size_t t = 0; t < target->lengths[b]; t++)
            log_p += (double)visited->acts->loss.log_p[target->step_begin[t] + b];
        rendering->log_p = rendering->score = log_p;
        if (work->forcing->with_alpha)
            status = read_alpha(&visited->acts->decoder, b, work->forcing->head, rendering, error);
    }
    return status;
}

Status forced_decode(const Forcing *forcing, const TokenCorpus *pairs, Translation *translations,
                     Error *error)
{
    Work work = {.forcing = forcing, .translations = translations};
    CorpusPass pass = {.corpus = pairs,
                       .params = forcing->params,
                       .config = forcing->config,
                       .batch_tokens = BATCH_TOKENS,
                       .row_multiple = pass_row_multiple(forcing->params),
                       .visit = read_batch,
                       .context = &work};
    return corpus_pass_run(NULL, &pass, forcing->threads, error);
}
