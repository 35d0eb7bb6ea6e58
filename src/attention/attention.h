/* The interface of all attention mechanisms. A scorer is an AttentionScorer: which tensors it has,
 * and how a row's energies come of its query and the keys (additive.c is the first). Everything
 * else is the same for all and in attention.c. The rest of the model sees only this header.
 *
 * Attention answers one question at each target step: given the decoder's state s_{t-1} (s'_t in
 * the conditional GRU, decoder/decoder.h), how much should each source position count? α =
 * softmax(energies) over the sentence's own positions, and the answer is the context vector c_t =
 * Σ_j α_tj v_j, where the values v_j are the annotations themselves (Bahdanau et al. 2014,
 * equations 5 and 6) or, for some scorers, projections of them. With every number of an example,
 * and a figure: docs/attention.md, docs/attention.svg.
 *
 * With several heads (attention_multi_head) each has its own weights over its own columns of the
 * keys and values. A row's weights are then (heads, S), head after head, and the heads' results
 * side by side are the mixture (C), which an output matrix projects to the context. All other
 * scorers have one head, and their mixture is the context.
 *
 * Letters: n rows (sentences in training, hypotheses in search), S_i positions of the sentence that
 * row i looks at, N source tokens of the batch, D decoder units, A attention units, C width of an
 * annotation (encoder/encoder.h), K width of a query and of a key. */
#pragma once

#include "corpus/what_if.h"
#include "layers/linear.h"
#include "layers/ragged.h"

typedef struct AttentionSizes {
    size_t attention;  // A
    size_t decoder;    // D
    size_t annotation; // C
    size_t heads;      // of multi-head
} AttentionSizes;

// The sizes of what a scorer computes.
typedef struct AttentionWidths {
    size_t heads; // 1 for all but multi-head
    size_t query; // K, of a row of AttentionStep.query; 0: it has none
    size_t key;   // what a key takes, ≥ K; 0: the annotations are the keys
    size_t value; // of a row of AttentionMemory.values; 0: the annotations are the values
    size_t mixed; // of a row of AttentionStep.mixed; 0: the context is the mixture
} AttentionWidths;

// The tensors of all scorers; those a scorer does not use have no rows or are NULL.
typedef struct AttentionParams {
    AttentionWidths widths;
    LinearParams query; // W_a or W_q (K, D), b_a (K)
    Weight key;         // U_a or W_k (K, C)
    Weight value;       // W_v (C, C)
    Weight output;      // W_O (C, C)
    real *v;            // (A)
    real *temperature;  // (1)
} AttentionParams;

typedef struct AttentionGrads {
    LinearGrads query;
    Gradient key, value, output;
    real *v, *temperature;
} AttentionGrads;

typedef struct AttentionScorer AttentionScorer;

// The source side, filled once for a batch and then only read.
typedef struct AttentionMemory {
    Matrix annotations;            // (N, C) sentence-major
    Matrix keys;                   // (N, K) precomputed by the scorer, or the annotations
    Matrix values;                 // (N, C) what the weights average, or the annotations
    const size_t *begin;           // (B + 1) where each sentence's rows begin
    const AttentionScorer *scorer; // set by the caller: a model's, or its in_search
} AttentionMemory;

// One step for n rows.
typedef struct AttentionStep {
    size_t rows;              // n
    const uint32_t *sentence; // (n) the sentence of the memory that each row looks at
    real *const *alpha;       // (n) → (heads, S_i): the weights, set by forward
    Matrix query;             // (≥ n, K) q, set by forward, saved for backward
    Matrix mixed;             // (≥ n, C) set by forward, saved for backward; may be the context
    Matrix context;           // (≥ n, C) set by forward
    // by sentence, of this target step: weights that forward sets otherwise; NULL: none, as may be
    // a sentence's
    const WhatIf *const *what_if;
    size_t number; // of the step, for what_if
    // backward only
    Matrix dcontext; // (n, C) the gradient of context
    Matrix dquery;   // (n, K) set
    Matrix dmixed;   // (n, C) set; may be dcontext
    real *scratch;   // (heads, longest S)
    /* (n) → (heads, S_i): gradients that reach the weights other than through the context, as in
     * guided alignment (Chen et al. 2016); NULL for none, and so may be a row's */
    const real *const *dalpha;
} AttentionStep;

// The memory's gradients, summed over all steps. Where keys or values are the annotations, these
// are one matrix.
typedef struct AttentionMemoryGrads {
    Matrix dannotations; // (N, C)
    Matrix dkeys;        // (N, K)
    Matrix dvalues;      // (N, C)
} AttentionMemoryGrads;

// What the energies of one row of a step are made of.
typedef struct AttentionRow {
    const real *query; // (K)
    Matrix keys;       // (S, K) of the sentence that the row looks at
} AttentionRow;

// The tensors that a scorer may have, in the order of a model's list.
enum {
    ATTENTION_QUERY = 1,
    ATTENTION_QUERY_BIAS = 2,
    ATTENTION_KEY = 4,
    ATTENTION_VALUE = 8,
    ATTENTION_OUTPUT = 16,
    ATTENTION_V = 32,
    ATTENTION_TEMPERATURE = 64,
};

struct AttentionScorer {
    const char *name;
    const AttentionScorer *in_search; // the same function forward alone, in a faster form, or NULL
    // for people; NULL where there is none
    const char *query_formula;   // "W_a s + b_a", of the state s that attention asks with
    const char *query_width;     // the letter of K: "A"
    const char *energy_formula;  // of e_tj, from the query q_t and the annotation h_j
    const char *context_formula; // "Σ_j α_tj h_j"
    unsigned tensors;            // ATTENTION_QUERY | …
    bool projects_if_needed;     // s_{t-1} is projected only if it is not as wide as an annotation
    bool has_heads;              // as many as AttentionSizes.heads; else one
    bool keeps_norms;            // memory for one more number behind each key
    // All of these may be NULL: nothing to do. In place on the keys (N, K), once they are
    // projected:
    void (*keys_forward)(Matrix keys, const AttentionParams *params);
    void (*keys_backward)(Matrix dkeys, Matrix keys);
    // In place on the queries (n, K) and their gradients:
    void (*query_forward)(Matrix query, const AttentionParams *params);
    void (*query_backward)(Matrix dquery, const AttentionParams *params);
    // A row's energies e (heads, S), before the softmax. NULL: all weights are equal.
    void (*energies)(real *energies, const AttentionRow *row, const AttentionParams *params);
    // From denergies (heads, S), which it may overwrite: sets dquery (K), adds to dkeys (S, K) and
    // to the gradients of tensors that are in the energies themselves.
    void (*energies_backward)(real *dquery, Matrix dkeys, AttentionGrads *dparams, real *denergies,
                              const AttentionRow *row, const AttentionParams *params);
};

extern const AttentionScorer attention_additive, attention_dot, attention_general,
    attention_scaled_dot, attention_cosine, attention_multi_head, attention_none;

// All scorers' names, and a NULL.
extern const char *const attention_scorer_names[];

// The scorer of that name, or NULL.
const AttentionScorer *attention_scorer_named(const char *name);

AttentionWidths attention_widths(const AttentionScorer *scorer, const AttentionSizes *sizes);

void attention_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                     const char *prefix, const AttentionScorer *scorer,
                     const AttentionSizes *sizes);

/* The memory of a scorer that is set later, over annotations (N, C), which have memory for rounded
 * rows, as what it takes from the arena has. */
void attention_memory_layout(AttentionMemory *memory, Arena *arena, Matrix annotations,
                             const Ragged *source, const AttentionWidths *widths);

// Its gradients for N = `tokens` annotations of `annotation` numbers, not set.
void attention_grads_layout(AttentionMemoryGrads *grads, Arena *arena, size_t tokens,
                            size_t annotation, const AttentionWidths *widths);

// Sets all of them to 0.
void attention_grads_clear(AttentionMemoryGrads *grads);

// mean (S) of a row's weights (heads, S): what an alignment shows of several heads.
void attention_mean_of_heads(real *mean, const real *alpha, size_t heads, size_t positions);

// Fills memory->keys and ->values from memory->annotations, of `source`.
void attention_memory_forward(AttentionMemory *memory, const Ragged *source,
                              const AttentionParams *params);

// The energies (heads, S) of a query (K) on one sentence, of a scorer that has them.
void attention_energies(real *energies, const real *query, const AttentionMemory *memory,
                        uint32_t sentence, const AttentionParams *params);

// context (n, C) from mixtures (n, C), which may be single values.
void attention_context_forward(Matrix context, Matrix mixed, const AttentionParams *params);

// alpha and context of a step from s_before (rows of products, D)
void attention_step_forward(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                            const AttentionParams *params);

/* From step->dcontext and ->dalpha: sets step->dquery and ->dmixed, adds to ds_before (n, D) what
 * comes through the energies, to dparams and to dkeys. The values' gradient Σ_t α_tj dmixed_t is
 * left to the caller: one product per sentence and head after all steps. */
void attention_step_backward(Matrix ds_before, AttentionGrads *dparams,
                             AttentionMemoryGrads *dmemory, AttentionStep *step,
                             const AttentionMemory *memory, const AttentionParams *params);

/* After all steps, for the weights that meet a whole row: `steps` holds query, dquery and mixed of
 * all rows of all steps, as s_before (N_t, D) and dcontext (N_t, C) do. */
void attention_steps_backward(AttentionGrads *dparams, const AttentionStep *steps, Matrix s_before,
                              Matrix dcontext);

// After all steps: from dkeys and dvalues, adds to dannotations and dparams.
void attention_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                               const AttentionMemory *memory, const AttentionParams *params);

// The rows of one sentence of a sentence-major matrix.
static inline Matrix attention_sentence(Matrix matrix, const size_t *begin, size_t sentence)
{
    return matrix_rows(matrix, begin[sentence], begin[sentence + 1] - begin[sentence]);
}

// A head's columns of a matrix whose columns the heads share evenly; `head` from 0.
static inline Matrix attention_head(Matrix matrix, size_t head, size_t heads)
{
    size_t width = matrix.columns / heads;
    return matrix_columns(matrix, head * width, width);
}
