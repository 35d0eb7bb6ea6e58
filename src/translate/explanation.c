#include "translate/explanation.h"

#include "base/array.h"

// What a pass reads into: the explanation of one step of its only pair.
typedef struct StepToExplain {
    Explanation *explanation;
    const Forcing *forcing;
    size_t step;
} StepToExplain;

// Appends numbers to the explanation's block.
static float *copy(float **at, const real *from, size_t count)
{
    float *to = *at;
    for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
    *at += count;
    return to;
}

/* Room for all vectors in one block, which `state` owns. */
static Status reserve(Explanation *explanation, const Seq2SeqParams *params, size_t positions,
                      Error *error)
{
    const AttentionWidths widths = params->decoder.attention.widths;
    size_t D = params->config.decoder_hidden, width = config_annotation_width(&params->config);
    size_t transitions = params->decoder.conditional ? 2 : 1;
    explanation->state_size = D;
    explanation->query_size = widths.query;
    explanation->heads = widths.heads;
    explanation->positions = positions;
    explanation->context_size = width;
    explanation->readout_size = params->config.embedding;
    explanation->conditional = params->decoder.conditional;
    explanation->with_embedding = params->config.embedding_in_annotations;
    size_t total = D + widths.query + 2 * widths.heads * positions + width + positions * width +
                   2 * transitions * D + explanation->readout_size;
    return array_new(&explanation->state, total, "an explanation", error);
}

// Puts a token among the likeliest, if it is one.
static void rank(Explanation *explanation, LikelyToken token)
{
    LikelyToken *likeliest = explanation->likeliest;
    size_t place;
    array_keep_best(likeliest, &explanation->likeliest_count, MAX_LIKELIEST, place, token,
                    token.log_p > likeliest[place - 1].log_p);
}

/* The output layer for a row of the readout, which has memory for `rows`, those of a product. */
static Status find_likeliest(Explanation *explanation, Matrix readout, size_t rows,
                             const LinearParams *output, Error *error)
{
    size_t V = output->weight.matrix.rows;
    FREED real *logits = NULL; // (rows, V), and the maxima of the first
    TRY(array_new(&logits, (rows + 1) * V, "an explanation", error));
    product_forward(matrix_of(logits, rows, V), matrix_with_rows(readout, rows), output->weight,
                    PRODUCT_SET);
    real log_z = kernels()->log_sum_exp(logits, logits + rows * V, output->bias, V);
    for (size_t i = 0; i < V; i++)
        rank(explanation, (LikelyToken){(int32_t)i, (float)(logits[i] - log_z)});
    return STATUS_OK;
}

// The energies of the step's query, if the scorer has any.
static Status read_energies(Explanation *explanation, float **at, const VisitedBatch *visited,
                            const StepToExplain *wanted, Error *error)
{
    const DecoderParams *params = &wanted->forcing->params->decoder;
    size_t count = explanation->heads * explanation->positions;
    const real *query = matrix_row(visited->acts->decoder.all.attention.query, wanted->step);
    FREED real *energies = NULL; // (heads, S)
    if (!params->scorer->energies) return STATUS_OK;
    TRY(array_new(&energies, count, "an explanation", error));
    attention_energies(energies, query, &visited->acts->source.memory, 0, &params->attention);
    explanation->energies = copy(at, energies, count);
    return STATUS_OK;
}

/* Of a batch of one pair, row t of the decoder's matrices is step t. */
static Status read_step(void *context, const VisitedBatch *visited, Error *error)
{
    const StepToExplain *wanted = context;
    Explanation *explanation = wanted->explanation;
    const Seq2SeqParams *model = wanted->forcing->params;
    const DecoderParams *params = &model->decoder;
    const TeacherForcingActs *decoder = &visited->acts->decoder;
    const DecoderStep *all = &decoder->all;
    size_t t = wanted->step, S = visited->batch->source.steps;
    TRY(reserve(explanation, model, S, error));
    size_t D = explanation->state_size, C = explanation->context_size;
    float *at = explanation->state;
    Matrix annotations = visited->acts->source.memory.annotations;
    Matrix alpha = teacher_forcing_alpha(decoder, 0, 0); // each row's heads follow it
    (void)copy(&at, matrix_row(decoder_query_state(all, params), t), D);
    explanation->query = copy(&at, matrix_row(all->attention.query, t), explanation->query_size);
    TRY(read_energies(explanation, &at, visited, wanted, error));
    explanation->weights = copy(&at, matrix_row(alpha, t), explanation->heads * S);
    explanation->context = copy(&at, matrix_row(decoder_context_of(all->concat, params), t), C);
    explanation->annotations = at;
    for (size_t j = 0; j < S; j++) (void)copy(&at, matrix_row(annotations, j), C);
    explanation->gates = copy(&at, matrix_row(all->gates, t), 2 * D);
    if (explanation->conditional) (void)copy(&at, matrix_row(all->second_gates, t), 2 * D);
    explanation->readout = copy(&at, matrix_row(decoder->r, t), explanation->readout_size);
    explanation->log_p = (double)visited->acts->loss.log_p[t];
    return find_likeliest(explanation, matrix_rows(decoder->r, t, 1),
                          rows_rounded(1, visited->batch->target.row_multiple), &model->output,
                          error);
}

Status explanation_set(Explanation *explanation, const Forcing *forcing, const ExplainedPair *pair,
                       Error *error)
{
    const Subwords *source = pair->source, *target = pair->target;
    explanation_free(explanation);
    if (pair->step > target->count)
        return error_set(error, STATUS_ARGUMENT,
                         "there is no target subword %zu: the last, </s>, is number %zu",
                         pair->step, target->count);
    FREED_BY(token_corpus_free) TokenCorpus tokens = {0};
    Forcing asked = *forcing;
    asked.what_if = pair->what_if;
    StepToExplain wanted = {explanation, forcing, pair->step};
    Status status =
        token_corpus_add(&tokens, source->ids, source->count, target->ids, target->count, error);
    if (!status) status = forced_pass(&asked, &tokens, read_step, &wanted, error);
    if (status) explanation_free(explanation);
    return status;
}

void explanation_free(Explanation *explanation)
{
    memory_free(explanation->state);
    *explanation = (Explanation){0};
}
