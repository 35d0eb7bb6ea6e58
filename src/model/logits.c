#include "model/logits.h"

#include "linalg/backend/backend.h"
#include "math/kernels.h"

#include <assert.h>

_Static_assert((int)SEARCH_SPAN == (int)KERNELS_SPAN, "the maxima of scores are the kernel's");

/* Rows of logits that are computed and then scanned. The more there are, the less often the weight
 * is read; but they are to stay in a core's own cache, of 1 or 2 MB: 64 rows of 8,000 tokens are
 * 2 MB, 24 are 0.8. In int8 a weight is a quarter as large, and reading it more often costs less. */
enum { BLOCK_ROWS = 64, BLOCK_ROWS_INT8 = 24 };

static size_t block_rows(Weight weight, const Ragged *ragged)
{
    bool int8 = weight_backend(weight)->type == COMPUTE_INT8;
    return ragged_rounded(ragged, int8 ? BLOCK_ROWS_INT8 : BLOCK_ROWS);
}

static size_t candidates_count(const BatchShortlist *candidates, size_t sentence)
{
    return candidates->begin[sentence + 1] - candidates->begin[sentence];
}

static void picked_layout(Logits *logits, Arena *arena)
{
    const Weight weight = logits->output->weight;
    size_t bytes = 0, sentences = logits->ragged->count;
    for (size_t i = 0; i < sentences; i++)
        bytes += weight_picked_bytes(weight, candidates_count(logits->candidates, i));
    if (!bytes) return;
    logits->picked = arena_take(arena, sentences, sizeof *logits->picked);
    logits->forms = arena_take(arena, bytes, 1);
}

void logits_layout(Logits *logits, Arena *arena, const Ragged *ragged, size_t rows,
                   const LinearParams *output, const BatchShortlist *candidates)
{
    size_t V = candidates ? candidates->longest : output->weight.matrix.rows;
    size_t block = block_rows(output->weight, ragged);
    // a sentence's rows stay together with candidates: products of four rows may have other bits
    // than of one
    if (candidates || block > ragged_rounded(ragged, rows)) block = ragged_rounded(ragged, rows);
    *logits = (Logits){.output = output, .candidates = candidates, .ragged = ragged};
    logits->values = matrix_take(arena, block, V);
    logits->maxima = matrix_take(arena, block, (V + SEARCH_SPAN - 1) / SEARCH_SPAN);
    logits->log_zs = arena_take(arena, block, sizeof(real));
    if (candidates) picked_layout(logits, arena);
}

void logits_begin(Logits *logits)
{
    const Weight weight = logits->output->weight;
    char *form = logits->forms;
    for (size_t i = 0; logits->picked && i < logits->ragged->count; i++) {
        const Candidates own = batch_shortlist_of(logits->candidates, i);
        logits->picked[i] = weight_pick(weight, form, own.ids, own.count);
        form += weight_picked_bytes(weight, own.count);
    }
}

void logits_clear(Logits *logits)
{
    logits->first = logits->end = 0;
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

TokenScores logits_scores(Logits *logits, Matrix states, const uint32_t *sentences, size_t row)
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
