#include "model/inference.h"

#include "base/memory.h"
#include "layers/embedding.h"
#include "math/kernels.h"
#include "model/logits.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)SEARCH_SPAN == (int)KERNELS_SPAN, "the kernel's maxima are those of scores");

typedef struct Inference {
    SearchModel model; // first: search has a pointer to it
    const Seq2SeqParams *params;
    const ModelConfig *config;
    Arena batch_arena, arena;
    Batch batch;
    EncoderActs encoder;
    SelfAttentionActs self_attention;
    AttentionMemory memory;
    Matrix means;          // (count, 2H)
    size_t rows, max_rows; // hypotheses now, and room for them
    size_t capacity;       // max_rows rounded up: what the matrices below have room for
    uint32_t *sentence;    // (rows) each row's source, by its place in the encoder's order
    uint32_t *gathered;    // (rows) scratch of gather
    Matrix concat;         // (rows, D+E+2H)
    Matrix s_before, gates, hn, hidden, query, mixed, r;
    const Shortlist *shortlist; // the model's, NULL if it has none
    bool restricted;            // to the candidates of the shortlist, in this batch
    BatchShortlist candidates;  // of the batch, if restricted
    Logits logits;
    size_t heads;      // of the attention
    real *alpha;       // (rows, heads, longest S)
    real **alpha_rows; // (rows)
    real *mean_alpha;  // (rows, longest S) the heads' mean
} Inference;

static Inference *inference_of(SearchModel *model)
{
    return (Inference *)(void *)model;
}

static void layout(Inference *inference, Arena *arena)
{
    const ModelConfig *config = inference->config;
    const Ragged *source = &inference->batch.source;
    DecoderSizes sizes = seq2seq_decoder_sizes(config);
    AttentionWidths widths = sizes.scorer->widths(&sizes.attention);
    size_t E = config->embedding, D = config->decoder_hidden;
    size_t width = 2 * config->hidden, R = inference->capacity;
    encoder_acts_layout(&inference->encoder, arena, source, E, config->hidden);
    Matrix annotations = inference->encoder.annotations;
    if (config->self_attention) {
        self_attention_acts_layout(&inference->self_attention, arena, source, width, config->heads,
                                   false);
        annotations = inference->self_attention.annotations;
    }
    attention_memory_layout(&inference->memory, arena, annotations,
                            ragged_rounded(source, source->tokens), source->sentence_begin,
                            &widths);
    inference->memory.for_search = true;
    inference->means = matrix_take(arena, ragged_rounded(source, source->count), width);
    inference->sentence = arena_take(arena, R, sizeof(uint32_t));
    inference->gathered = arena_take(arena, R, sizeof(uint32_t));
    inference->concat = matrix_take(arena, R, D + E + width);
    inference->s_before = matrix_take(arena, R, D);
    inference->gates = matrix_take(arena, R, 3 * D);
    inference->hn = matrix_take(arena, R, D);
    inference->hidden = matrix_take(arena, R, 3 * D);
    inference->query = matrix_take(arena, R, widths.query);
    inference->mixed = matrix_take(arena, R, widths.mixed);
    inference->r = matrix_take(arena, R, E);
    logits_layout(&inference->logits, arena, source, R, &inference->params->output,
                  inference->restricted ? &inference->candidates : NULL);
    inference->alpha = arena_take(arena, R * widths.heads * source->steps, sizeof(real));
    inference->alpha_rows = arena_take(arena, R, sizeof(real *));
    inference->mean_alpha = arena_take(arena, R * source->steps, sizeof(real));
}

/* Products read rows beyond the hypotheses; whatever is computed there is never used, but it should
 * be numbers. */
static void clear_rows(Inference *inference)
{
    const Matrix *matrices[] = {&inference->concat, &inference->s_before, &inference->gates,
                                &inference->mixed,  &inference->r,        &inference->means};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        memset(matrices[i]->values, 0, matrices[i]->rows * matrices[i]->columns * sizeof(real));
}

static Status inference_encode(SearchModel *model, const TokenPair *sources, size_t count,
                               size_t max_rows, bool shortlist, Error *error)
{
    Inference *inference = inference_of(model);
    assert(count > 0 && max_rows >= count);
    const Seq2SeqParams *params = inference->params;
    size_t row_multiple = seq2seq_row_promise(params, false).multiple;
    Batch *batch = &inference->batch;
    Status status =
        batch_fill(batch, &inference->batch_arena, sources, count, false, row_multiple, error);
    if (status) return status;
    inference->max_rows = max_rows;
    inference->capacity = ragged_rounded(&batch->source, max_rows);
    inference->restricted = shortlist && inference->shortlist;
    if (inference->restricted)
        status = batch_shortlist_fill(&inference->candidates, inference->shortlist,
                                      inference->config, batch, params->output.bias, error);
    if (status) return status;
    Arena measure = arena_measuring();
    layout(inference, &measure);
    status = arena_reserve(&inference->arena, measure.high, error);
    if (status) return status;
    layout(inference, &inference->arena);
    clear_rows(inference);
    encoder_forward(&inference->encoder, &batch->source, batch->source_tokens,
                    params->source_embedding.matrix, (Matrix){0}, &params->encoder);
    if (params->self_attention.heads)
        self_attention_forward(&inference->self_attention, inference->encoder.annotations,
                               &batch->source, &params->self_attention);
    size_t tokens = ragged_rounded(&batch->source, batch->source.tokens);
    params->decoder.scorer->memory_forward(&inference->memory, tokens, &params->decoder.attention);
    // rows in the order the sources were given
    for (size_t place = 0; place < count; place++)
        inference->sentence[batch->source_pair[place]] = (uint32_t)place;
    annotation_means(matrix_with_rows(inference->means, count), inference->memory.annotations,
                     inference->memory.begin, inference->sentence);
    bridge_forward(matrix_with_rows(inference->s_before, count), inference->means,
                   ragged_rounded(&batch->source, count), &params->bridge);
    inference->rows = count;
    return STATUS_OK;
}

static void inference_step(SearchModel *model, const int32_t *tokens)
{
    Inference *inference = inference_of(model);
    const Seq2SeqParams *params = inference->params;
    size_t n = inference->rows, row = inference->heads * inference->batch.source.steps;
    size_t products = ragged_rounded(&inference->batch.source, n);
    for (size_t i = 0; i < n; i++) inference->alpha_rows[i] = inference->alpha + i * row;
    Matrix y = decoder_input_of(inference->concat, &params->decoder);
    embedding_forward(matrix_with_rows(y, n), params->target_embedding.matrix, tokens);
    decoder_input_forward(matrix_with_rows(inference->gates, products),
                          matrix_with_rows(y, products), &params->decoder);
    Matrix context = decoder_context_of(inference->concat, &params->decoder);
    DecoderStep step = {
        .rows = n,
        .product_rows = products,
        .padded = true,
        .attention = {.rows = n,
                      .sentence = inference->sentence,
                      .alpha = inference->alpha_rows,
                      .query = inference->query,
                      .mixed = inference->mixed.columns ? inference->mixed : context,
                      .context = context},
        .concat = inference->concat,
        .s_before = inference->s_before,
        .gates = inference->gates,
        .hn = inference->hn,
        .hidden = inference->hidden,
    };
    decoder_step_forward(&step, &inference->memory, &params->decoder);
    readout_forward(matrix_with_rows(inference->r, n), inference->concat, products,
                    &params->decoder);
    logits_clear(&inference->logits);
}

static TokenScores inference_scores(SearchModel *model, size_t row)
{
    Inference *inference = inference_of(model);
    Logits *logits = &inference->logits;
    logits_compute(logits, matrix_with_rows(inference->r, inference->rows), inference->sentence,
                   row);
    size_t place = row - logits->first;
    TokenScores scores = {.count = logits->output->weight.matrix.rows,
                          .logits = matrix_row(logits->values, place),
                          .maxima = matrix_row(logits->maxima, place),
                          .log_z = logits->log_zs[place]};
    if (inference->restricted)
        scores.tokens =
            batch_shortlist_of(&inference->candidates, inference->sentence[row], &scores.count);
    return scores;
}

static const real *inference_attention(SearchModel *model, size_t row, size_t matrix)
{
    Inference *inference = inference_of(model);
    const Ragged *source = &inference->batch.source;
    size_t positions = source->lengths[inference->sentence[row]];
    if (matrix > 0) return inference->alpha_rows[row] + (matrix - 1) * positions;
    real *mean = inference->mean_alpha + row * source->steps;
    attention_mean_of_heads(mean, inference->alpha_rows[row], inference->heads, positions);
    return mean;
}

static void inference_gather(SearchModel *model, const uint32_t *from, size_t rows)
{
    Inference *inference = inference_of(model);
    assert(rows <= inference->max_rows);
    Matrix s = decoder_state_of(inference->concat, &inference->params->decoder);
    for (size_t i = 0; i < rows; i++) {
        assert(from[i] < inference->rows);
        memcpy(matrix_row(inference->s_before, i), matrix_row(s, from[i]),
               s.columns * sizeof(real));
        inference->gathered[i] = inference->sentence[from[i]];
    }
    memcpy(inference->sentence, inference->gathered, rows * sizeof *inference->sentence);
    inference->rows = rows;
}

static void inference_free(SearchModel *model)
{
    Inference *inference = inference_of(model);
    arena_free(&inference->batch_arena);
    arena_free(&inference->arena);
    batch_shortlist_free(&inference->candidates);
    memory_free(inference);
}

Status inference_new(SearchModel **out, const Seq2SeqParams *params, const ModelConfig *config,
                     const Shortlist *shortlist, Error *error)
{
    Inference *inference = memory_new(1, sizeof *inference);
    if (!inference) return error_memory(error, sizeof *inference, "decoding");
    DecoderSizes sizes = seq2seq_decoder_sizes(config);
    inference->params = params;
    inference->config = config;
    inference->shortlist = shortlist && shortlist->always_count > 0 ? shortlist : NULL;
    inference->heads = sizes.scorer->widths(&sizes.attention).heads;
    inference->model = (SearchModel){.matrices = inference->heads > 1 ? inference->heads + 1 : 1,
                                     .encode = inference_encode,
                                     .step = inference_step,
                                     .scores = inference_scores,
                                     .attention = inference_attention,
                                     .gather = inference_gather,
                                     .free = inference_free};
    *out = &inference->model;
    return STATUS_OK;
}

Status inference_batch_search(BatchSearch *search, Threads *threads, const Seq2SeqParams *params,
                              const ModelConfig *config, const Shortlist *shortlist, Error *error)
{
    Status status = batch_search_new(search, threads, error);
    for (size_t i = 0; i < threads_count(threads) && !status; i++)
        status = inference_new(&search->models[i], params, config, shortlist, error);
    if (status) batch_search_free(search);
    return status;
}
