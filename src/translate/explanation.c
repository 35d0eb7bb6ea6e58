#include "translate/explanation.h"

#include "base/array.h"
#include "base/memory.h"

// What a pass reads into: the explanation of one step of its only pair.
typedef struct StepToExplain {
    Explanation *explanation;
    const Forcing *forcing;
    size_t step;
} StepToExplain;

static void copy(float *to, const real *from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
}

/* Room for all five vectors in one block, which `state` owns. */
static Status reserve(Explanation *explanation, const Seq2SeqParams *params, size_t positions,
                      Error *error)
{
    const AttentionWidths widths = params->decoder.attention.widths;
    size_t D = params->config.decoder_hidden, width = config_annotation_width(&params->config);
    size_t weights = widths.heads * positions;
    size_t total = D + widths.query + width + 2 * weights;
    TRY(array_new(&explanation->state, total, "an explanation", error));
    explanation->state_size = D;
    explanation->query_size = widths.query;
    explanation->heads = widths.heads;
    explanation->positions = positions;
    explanation->context_size = width;
    explanation->query = explanation->state + D;
    explanation->energies =
        params->decoder.scorer->energies ? explanation->query + widths.query : NULL;
    explanation->weights = explanation->query + widths.query + weights;
    explanation->context = explanation->weights + weights;
    return STATUS_OK;
}

/* Of a batch of one pair, row t of the decoder's matrices is step t. */
static Status read_step(void *context, const VisitedBatch *visited, Error *error)
{
    const StepToExplain *wanted = context;
    Explanation *explanation = wanted->explanation;
    const DecoderParams *params = &wanted->forcing->params->decoder;
    const TeacherForcingActs *decoder = &visited->acts->decoder;
    size_t t = wanted->step;
    TRY(reserve(explanation, wanted->forcing->params, visited->batch->source.steps, error));
    size_t weights = explanation->heads * explanation->positions;
    const real *query = matrix_row(decoder->all.attention.query, t);
    Matrix context_rows = decoder_context_of(decoder->all.concat, params);
    Matrix alpha = teacher_forcing_alpha(decoder, 0, 0); // each row's heads follow it
    explanation->conditional = params->conditional;
    copy(explanation->state, matrix_row(decoder_query_state(&decoder->all, params), t),
         explanation->state_size);
    copy(explanation->query, query, explanation->query_size);
    if (explanation->energies) {
        real *energies; // (heads, S)
        TRY(array_new(&energies, weights, "an explanation", error));
        attention_energies(energies, query, &visited->acts->source.memory, 0, &params->attention);
        copy(explanation->energies, energies, weights);
        memory_free(energies);
    }
    copy(explanation->weights, matrix_row(alpha, t), weights);
    copy(explanation->context, matrix_row(context_rows, t), explanation->context_size);
    explanation->log_p = (double)visited->acts->loss.log_p[t];
    return STATUS_OK;
}

Status explanation_set(Explanation *explanation, const Forcing *forcing, const Subwords *source,
                       const Subwords *target, size_t step, Error *error)
{
    explanation_free(explanation);
    if (step > target->count)
        return error_set(error, STATUS_ARGUMENT,
                         "there is no target subword %zu: the last, </s>, is number %zu", step,
                         target->count);
    TokenCorpus pair = {0};
    StepToExplain wanted = {explanation, forcing, step};
    Status status =
        token_corpus_add(&pair, source->ids, source->count, target->ids, target->count, error);
    if (!status) status = forced_pass(forcing, &pair, read_step, &wanted, error);
    if (status) explanation_free(explanation);
    token_corpus_free(&pair);
    return status;
}

void explanation_free(Explanation *explanation)
{
    memory_free(explanation->state);
    *explanation = (Explanation){0};
}
