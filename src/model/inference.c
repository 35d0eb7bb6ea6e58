#include "model/inference.h"

#include "base/memory.h"
#include "layers/embedding.h"
#include "model/logits.h"
#include "model/source.h"

#include <assert.h>
#include <string.h>

typedef struct Inference {
    SearchModel model; // first: search has a pointer to it
    const Seq2SeqParams *params;
    const Shortlist *shortlist; // the model's, NULL if it has none
    Arena batch_arena, arena;
    Batch batch;
    SourceActs source;
    BatchShortlist candidates; // of the batch
    size_t rows, max_rows;     // hypotheses now, and at most
    size_t capacity;           // max_rows rounded up: rows of the matrices below
    uint32_t *sentence;        // (capacity) each row's source, by its place in the encoder's order
    uint32_t *gathered;        // (capacity) scratch of gather
    DecoderStep step;          // (capacity) of all rows
    Matrix r;                  // (capacity, E)
    Logits logits;
    real *alpha;       // (capacity, heads, longest S)
    real **alpha_rows; // (capacity)
    real *mean_alpha;  // (capacity, longest S) the heads' mean
} Inference;

static Inference *inference_of(SearchModel *model)
{
    return (Inference *)(void *)model;
}

static size_t heads_of(const Inference *inference)
{
    return inference->params->decoder.attention.widths.heads;
}

static void layout(Inference *inference, Arena *arena, const BatchShortlist *candidates)
{
    const Ragged *source = &inference->batch.source;
    const Seq2SeqParams *params = inference->params;
    const AttentionScorer *scorer = params->decoder.scorer;
    size_t R = inference->capacity;
    source_layout(&inference->source, arena, source, params,
                  scorer->in_search ? scorer->in_search : scorer, false);
    inference->sentence = arena_take(arena, R, sizeof(uint32_t));
    inference->gathered = arena_take(arena, R, sizeof(uint32_t));
    decoder_step_layout(&inference->step, arena, R, R, R, &params->decoder);
    inference->r = matrix_take(arena, R, params->config.embedding);
    logits_layout(&inference->logits, arena, source, R, &params->output, candidates);
    inference->alpha = arena_take(arena, R * heads_of(inference) * source->steps, sizeof(real));
    inference->alpha_rows = arena_take(arena, R, sizeof(real *));
    inference->mean_alpha = arena_take(arena, R * source->steps, sizeof(real));
}

static Status inference_encode(SearchModel *model, const TokenPair *sources, size_t count,
                               size_t max_rows, bool shortlist, Error *error)
{
    Inference *inference = inference_of(model);
    const Seq2SeqParams *params = inference->params;
    Batch *batch = &inference->batch;
    assert(count > 0 && max_rows >= count);
    BatchForm form = {.row_multiple = seq2seq_row_promise(params, false).multiple};
    TRY(batch_fill(batch, &inference->batch_arena, sources, count, form, error));
    const BatchShortlist *candidates =
        shortlist && inference->shortlist ? &inference->candidates : NULL;
    if (candidates)
        TRY(batch_shortlist_fill(&inference->candidates, inference->shortlist, &params->config,
                                 batch, params->output.bias, error));
    inference->rows = count;
    inference->max_rows = max_rows;
    inference->capacity = ragged_rounded(&batch->source, max_rows);
    Arena measure = arena_measuring();
    layout(inference, &measure, candidates);
    TRY(arena_reserve(&inference->arena, measure.high, error));
    layout(inference, &inference->arena, candidates);
    logits_begin(&inference->logits);
    decoder_step_clear(&inference->step);
    matrix_clear(inference->r);
    source_forward(&inference->source, matrix_with_rows(inference->step.s_before, count), batch,
                   params);
    memcpy(inference->sentence, batch->source_of, count * sizeof *inference->sentence);
    return STATUS_OK;
}

static void inference_step(SearchModel *model, const int32_t *tokens)
{
    Inference *inference = inference_of(model);
    const DecoderParams *params = &inference->params->decoder;
    const Ragged *source = &inference->batch.source;
    size_t n = inference->rows, row = heads_of(inference) * source->steps;
    for (size_t i = 0; i < n; i++) inference->alpha_rows[i] = inference->alpha + i * row;
    DecoderStep step = inference->step;
    step.rows = step.attention.rows = n;
    step.ragged = source;
    step.attention.sentence = inference->sentence;
    step.attention.alpha = inference->alpha_rows;
    step.attention.context = decoder_context_of(step.concat, params);
    if (step.attention.mixed.columns == 0) step.attention.mixed = step.attention.context;
    Matrix y = matrix_with_rows(decoder_input_of(step.concat, params), n);
    embedding_forward(y, inference->params->target_embedding, tokens);
    decoder_input_forward(matrix_with_rows(step.gates, n), y, source, params);
    decoder_step_forward(&step, &inference->source.memory, params);
    linear_tanh_forward(matrix_with_rows(inference->r, n), step.concat, source, &params->readout);
    logits_clear(&inference->logits);
}

static TokenScores inference_scores(SearchModel *model, size_t row)
{
    Inference *inference = inference_of(model);
    return logits_scores(&inference->logits, matrix_with_rows(inference->r, inference->rows),
                         inference->sentence, row);
}

static const real *inference_attention(SearchModel *model, size_t row, size_t matrix)
{
    Inference *inference = inference_of(model);
    const Ragged *source = &inference->batch.source;
    size_t positions = source->lengths[inference->sentence[row]];
    if (matrix > 0) return inference->alpha_rows[row] + (matrix - 1) * positions;
    real *mean = inference->mean_alpha + row * source->steps;
    attention_mean_of_heads(mean, inference->alpha_rows[row], heads_of(inference), positions);
    return mean;
}

static void inference_gather(SearchModel *model, const uint32_t *from, size_t rows)
{
    Inference *inference = inference_of(model);
    assert(rows <= inference->max_rows);
    DecoderState states[MAX_DECODER_STATES];
    size_t count = decoder_states(states, &inference->step, &inference->params->decoder);
    for (size_t i = 0; i < rows; i++) {
        assert(from[i] < inference->rows);
        for (size_t k = 0; k < count; k++)
            matrix_copy_row(states[k].before, i, states[k].after, from[i]);
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

Status inference_new(SearchModel **out, const Seq2SeqParams *params, const Shortlist *shortlist,
                     Error *error)
{
    Inference *inference = memory_new(1, sizeof *inference);
    if (!inference) return error_memory(error, sizeof *inference, "decoding");
    size_t heads = params->decoder.attention.widths.heads;
    inference->params = params;
    inference->shortlist = shortlist && shortlist->always_count > 0 ? shortlist : NULL;
    inference->model = (SearchModel){.matrices = heads > 1 ? heads + 1 : 1,
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
                              const Shortlist *shortlist, Error *error)
{
    Status status = batch_search_new(search, threads, error);
    for (size_t i = 0; i < threads_count(threads) && !status; i++)
        status = inference_new(&search->models[i], params, shortlist, error);
    if (status) batch_search_free(search);
    return status;
}
