#include "translate/explanation.h"

#include "base/memory.h"
#include "corpus/token_corpus.h"
#include "model/pass.h"

static void copy(float *to, const real *from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
}

/* Room for all five vectors in one block, which `state` owns. */
static Status reserve(Explanation *explanation, const ModelConfig *config, size_t positions,
                      Error *error)
{
    DecoderSizes sizes = seq2seq_decoder_sizes(config);
    AttentionWidths widths = attention_widths(sizes.scorer, &sizes.attention);
    size_t D = config->decoder_hidden, width = 2 * config->hidden;
    size_t weights = widths.heads * positions;
    size_t total = D + widths.query + width + 2 * weights;
    explanation->state = memory_new(total, sizeof *explanation->state);
    if (!explanation->state) return error_memory(error, total * sizeof(float), "an explanation");
    explanation->state_size = D;
    explanation->query_size = widths.query;
    explanation->heads = widths.heads;
    explanation->positions = positions;
    explanation->context_size = width;
    explanation->query = explanation->state + D;
    explanation->energies = sizes.scorer->energies ? explanation->query + widths.query : NULL;
    explanation->weights = explanation->query + widths.query + weights;
    explanation->context = explanation->weights + weights;
    return STATUS_OK;
}

/* From a pass over one pair, of which step t is row t. `energies` (heads, S) is scratch. */
static void read_step(Explanation *explanation, const PassActs *acts, const DecoderParams *params,
                      size_t t, real *energies)
{
    const TeacherForcingActs *decoder = &acts->decoder;
    const real *query = matrix_row(decoder->query, t);
    Matrix context = decoder_context_of(decoder->concat, params);
    Matrix alpha = teacher_forcing_alpha(decoder, 0, 0); // each row's heads follow it
    size_t weights = explanation->heads * explanation->positions;
    copy(explanation->state, matrix_row(decoder->s_before, t), explanation->state_size);
    copy(explanation->query, query, explanation->query_size);
    if (explanation->energies) {
        attention_energies(energies, query, &acts->source.memory, 0, &params->attention);
        copy(explanation->energies, energies, weights);
    }
    copy(explanation->weights, matrix_row(alpha, t), weights);
    copy(explanation->context, matrix_row(context, t), explanation->context_size);
    explanation->log_p = (double)acts->loss.log_p[t];
}

/* Forced decoding of one pair as translate/forced.h does it, rows rounded alike, so that its
 * numbers are the same. */
static Status force(Explanation *explanation, const Forcing *forcing, const TokenPair *pair,
                    size_t step, Arena arenas[2], Error *error)
{
    const Seq2SeqParams *params = forcing->params;
    Batch batch;
    PassActs acts;
    size_t positions = pair->source_length;
    Status status = batch_fill(&batch, &arenas[0], pair, 1,
                               (BatchForm){true, pass_row_multiple(params)}, error);
    if (!status)
        status = pass_begin(&acts, &arenas[1], &batch, forcing->config, (PassNeeds){0}, error);
    if (!status) status = reserve(explanation, forcing->config, positions, error);
    if (status) return status;
    size_t count = explanation->heads * positions;
    real *energies = memory_new(count, sizeof *energies);
    if (!energies) return error_memory(error, count * sizeof *energies, "an explanation");
    (void)pass_forward(&acts, &batch, params, 0);
    read_step(explanation, &acts, &params->decoder, step, energies);
    memory_free(energies);
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
    TokenCorpus tokens = {0};
    Arena arenas[2] = {{0}, {0}};
    Status status =
        token_corpus_add(&tokens, source->ids, source->count, target->ids, target->count, error);
    if (!status) {
        TokenPair pair = token_corpus_pair(&tokens, 0);
        status = force(explanation, forcing, &pair, step, arenas, error);
    }
    if (status) explanation_free(explanation);
    token_corpus_free(&tokens);
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
    return status;
}

void explanation_free(Explanation *explanation)
{
    memory_free(explanation->state);
    *explanation = (Explanation){0};
}
