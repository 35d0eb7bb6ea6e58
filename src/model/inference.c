#include "model/inference.h"

#include "base/array.h"
#include "layers/embedding.h"
#include "model/lexical_search.h"
#include "model/source.h"

/* Rows of logits that are computed and then scanned. The more there are, the less often the weight
 * is read; but they are to stay in a core's own cache, of 1 or 2 MB: 64 rows of 8,000 tokens are
 * 2 MB, 24 are 0.8. In int8 a weight is a quarter as large, and reading it more often costs less. */
enum { BLOCK_ROWS = 64, BLOCK_ROWS_INT8 = 24 };

/* The output layer of search: the scores of a step's rows, computed a block of rows at a time when
 * they are asked for, so that search scans logits while they are in the cache and they need never
 * go to memory. */
typedef struct Logits {
    const LinearParams *output;
    const BatchShortlist *candidates; // NULL: rows score all tokens
    const Ragged *ragged;             // whose row multiple products are rounded up to
    size_t first, end;                // the rows that are in the block now
    Matrix values; // (block, V), or (block, longest) of the candidates of each row's sentence
    Matrix maxima; // (block, search_spans) the largest logit of each span of tokens
    real *log_zs;  // (block) log Σ exp of a row
    char *forms;   // of `picked`; NULL if the output's backend cannot pick rows
    PackedWeight *picked; // (sentences) the candidates' rows of the output matrix
} Logits;

/* For at most `rows` rows, rounded as `ragged` says. With `candidates`, which may be NULL, a row
 * scores only those of its sentence. */
static void logits_layout(Logits *logits, Arena *arena, const Ragged *ragged, size_t rows,
                          const LinearParams *output, const BatchShortlist *candidates)
{
    size_t V = candidates ? candidates->longest : output->weight.matrix.rows;
    bool int8 = weight_backend(output->weight)->type == COMPUTE_INT8;
    size_t block = ragged_rounded(ragged, int8 ? BLOCK_ROWS_INT8 : BLOCK_ROWS);
    // a sentence's rows stay together with candidates: products of four rows may have other bits
    // than of one
    if (candidates || block > ragged_rounded(ragged, rows)) block = ragged_rounded(ragged, rows);
    *logits = (Logits){.output = output, .candidates = candidates, .ragged = ragged};
    logits->values = matrix_take(arena, block, V);
    logits->maxima = matrix_take(arena, block, search_spans(V));
    logits->log_zs = arena_take(arena, block, sizeof(real));
    size_t bytes = 0; // of the forms
    for (size_t i = 0; candidates && i < ragged->count; i++)
        bytes += weight_picked_bytes(output->weight, batch_shortlist_of(candidates, i).count);
    if (!bytes) return;
    logits->picked = arena_take(arena, ragged->count, sizeof *logits->picked);
    logits->forms = arena_take(arena, bytes, 1);
}

// Picks the candidates, if there are any, after the real layout.
static void logits_begin(Logits *logits)
{
    const Weight weight = logits->output->weight;
    char *form = logits->forms;
    for (size_t i = 0; logits->picked && i < logits->ragged->count; i++) {
        const Candidates own = batch_shortlist_of(logits->candidates, i);
        logits->picked[i] = weight_pick(weight, form, own.ids, own.count);
        form += weight_picked_bytes(weight, own.count);
    }
}

/* The products of `count` states with the candidates of their sentences. Multiplying the whole
 * batch with the candidates of all would mostly compute what nobody reads, so each sentence's rows,
 * which are neighbours, are multiplied with its own: with its rows of the output matrix, picked
 * once for all steps where the backend can do that. */
static void multiply_candidates(Logits *logits, Matrix states, const uint32_t *sentences,
                                size_t count)
{
    Matrix weight = logits->output->weight.matrix;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sentences[end] == sentences[i];) end++;
        const Candidates own = batch_shortlist_of(logits->candidates, sentences[i]);
        if (logits->picked) {
            product_forward(matrix_columns(matrix_rows(logits->values, i, end - i), 0, own.count),
                            matrix_rows(states, i, end - i),
                            weight_of_picked(&logits->picked[sentences[i]]), PRODUCT_SET);
            continue;
        }
        kernels()->gemv_gathered(matrix_row(logits->values, i), logits->values.stride,
                                 matrix_row(states, i), end - i, weight.values, own.ids, own.count,
                                 weight.columns);
    }
}

/* Computes the block that begins with row `first`. */
static void compute(Logits *logits, Matrix states, const uint32_t *sentences, size_t first)
{
    const Kernels *k = kernels();
    size_t block = logits->values.rows, V = logits->values.columns;
    size_t count = states.rows - first < block ? states.rows - first : block;
    Matrix values = ragged_padded(matrix_with_rows(logits->values, count), logits->ragged);
    // rows beyond the last are computed and never read
    states.rows = first + values.rows;
    states = matrix_rows(states, first, values.rows);
    if (logits->candidates)
        multiply_candidates(logits, states, sentences + first, count);
    else
        product_forward(values, states, logits->output->weight, PRODUCT_SET);
    for (size_t i = 0; i < count; i++) {
        Candidates scored = {V, NULL, logits->output->bias};
        if (logits->candidates)
            scored = batch_shortlist_of(logits->candidates, sentences[first + i]);
        // one pass adds the bias, finds the maxima and sums the exponentials
        logits->log_zs[i] = k->log_sum_exp(matrix_row(values, i), matrix_row(logits->maxima, i),
                                           scored.bias, scored.count);
    }
    logits->first = first;
    logits->end = first + count;
}

/* The scores of a row of states (rows, E), which have memory for the rows rounded up; sentences
 * (rows) names each row's sentence, for its candidates. Computes the row's block unless it is
 * there; valid until that is replaced. */
static TokenScores logits_scores(Logits *logits, Matrix states, const uint32_t *sentences,
                                 size_t row)
{
    assert(row < states.rows);
    if (row < logits->first || row >= logits->end)
        compute(logits, states, sentences, row / logits->values.rows * logits->values.rows);
    size_t i = row - logits->first;
    TokenScores scores = {.count = logits->values.columns,
                          .logits = matrix_row(logits->values, i),
                          .maxima = matrix_row(logits->maxima, i),
                          .log_z = logits->log_zs[i]};
    if (logits->candidates) {
        const Candidates scored = batch_shortlist_of(logits->candidates, sentences[row]);
        scores.tokens = scored.ids;
        scores.count = scored.count;
    }
    return scores;
}

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
    real *alpha;             // (capacity, heads, longest S)
    real **alpha_rows;       // (capacity)
    real *mean_alpha;        // (capacity, longest S) the heads' mean
    const WhatIf **what_ifs; // (sentences) in the encoder's order; NULL where nothing is asked
    size_t steps;            // taken
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
    arena_release(arena, inference->source.lasting); // the encoder works before the decoder
    inference->sentence = arena_take(arena, R, sizeof(uint32_t));
    inference->gathered = arena_take(arena, R, sizeof(uint32_t));
    decoder_step_layout(&inference->step, arena, R, R, R, &params->decoder);
    inference->r = matrix_take(arena, R, params->config.embedding);
    logits_layout(&inference->logits, arena, source, R, &params->output, candidates);
    inference->alpha = arena_take(arena, R * heads_of(inference) * source->steps, sizeof(real));
    inference->alpha_rows = arena_take(arena, R, sizeof(real *));
    inference->mean_alpha = arena_take(arena, R * source->steps, sizeof(real));
    inference->what_ifs = arena_take(arena, source->count, sizeof *inference->what_ifs);
}

static Status inference_encode(SearchModel *model, const TokenPair *sources, size_t count,
                               size_t max_rows, Scoring scoring, Error *error)
{
    Inference *inference = inference_of(model);
    const Seq2SeqParams *params = inference->params;
    Batch *batch = &inference->batch;
    assert(count > 0 && max_rows >= count);
    BatchForm form = {.row_multiple = packed_weights_promise(params->packed, false).multiple};
    TRY(batch_fill(batch, &inference->batch_arena, sources, count, form, error));
    const BatchShortlist *candidates =
        scoring.shortlist && inference->shortlist ? &inference->candidates : NULL;
    if (candidates)
        TRY(batch_shortlist_fill(&inference->candidates, inference->shortlist, &params->config,
                                 batch, params->output.bias, error));
    inference->rows = count;
    inference->max_rows = max_rows;
    inference->capacity = ragged_rounded(&batch->source, max_rows);
    Arena *arena = &inference->arena;
    TRY(arena_lay_out(arena, layout(inference, arena, candidates), error));
    source_forward(&inference->source, matrix_with_rows(inference->step.s_before, count), batch,
                   params);
    logits_begin(&inference->logits);
    decoder_step_clear(&inference->step, count);
    matrix_clear(inference->r);
    memcpy(inference->sentence, batch->source_of, count * sizeof *inference->sentence);
    inference->steps = 0;
    for (size_t i = 0; i < count; i++)
        inference->what_ifs[batch->source_of[i]] = sources[i].what_if;
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
    step.attention.what_if = inference->what_ifs;
    step.attention.number = inference->steps++;
    step.attention.context = decoder_context_of(step.concat, params);
    if (step.attention.mixed.columns == 0) step.attention.mixed = step.attention.context;
    Matrix y = matrix_with_rows(decoder_input_of(step.concat, params), n);
    embedding_forward(y, inference->params->target_embedding, tokens);
    decoder_input_forward(matrix_with_rows(step.gates, n), y, source, params);
    decoder_step_forward(&step, &inference->source.memory, params);
    linear_tanh_forward(matrix_with_rows(inference->r, n), step.concat, source, &params->readout);
    inference->logits.first = inference->logits.end = 0; // the block was of the step before
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
    Matrix s = decoder_state_of(inference->step.concat, &inference->params->decoder);
    for (size_t i = 0; i < rows; i++) {
        assert(from[i] < inference->rows);
        matrix_copy_row(inference->step.s_before, i, s, from[i]);
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
                     const Lexicon *lexicon, Error *error)
{
    Inference *inference;
    size_t heads = params->decoder.attention.widths.heads;
    TRY(array_new(&inference, 1, "decoding", error));
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
    if (!lexicon || lexicon->count == 0) return STATUS_OK;
    return lexical_search_new(out, *out, lexicon, params->config.target_vocabulary, error);
}

Status inference_batch_search(BatchSearch *search, Threads *threads, const Seq2SeqParams *params,
                              const Shortlist *shortlist, const Lexicon *lexicon, Error *error)
{
    Status status = batch_search_new(search, threads, error);
    for (size_t i = 0; i < threads_count(threads) && !status; i++)
        status = inference_new(&search->models[i], params, shortlist, lexicon, error);
    if (status) batch_search_free(search);
    return status;
}
