/* What every attention mechanism is to the rest of the model. A scorer is one file that fills an
 * AttentionScorer (additive.c is the first); the model knows only this header.
 *
 * Attention answers one question at each target step: given the decoder's state s_{t-1}, how much
 * should each source position count? α = softmax(energies) over the sentence's own positions, and
 * the answer is the context vector c_t = Σ_j α_tj h_j (Bahdanau et al. 2014, equations 5 and 6).
 * With every number of an example, and a figure: docs/attention.md, docs/attention.svg.
 *
 * Letters: n rows (sentences in training, hypotheses in search), S_i positions of the sentence that
 * row i looks at, N source tokens of the batch, D decoder units, A attention units, 2H width of an
 * annotation. */
#ifndef REGARD_ATTENTION_ATTENTION_H
#define REGARD_ATTENTION_ATTENTION_H

#include "layers/linear.h"
#include "layers/ragged.h"

#include <stdint.h>

// The tensors of a scorer; each uses those it needs.
typedef struct AttentionParams {
    LinearParams query; // W_a (A, D), b_a (A)
    Matrix key;         // U_a (A, 2H)
    real *v;            // (A)
} AttentionParams;

// What is looked at: filled once for a batch of sources, then only read.
typedef struct AttentionMemory {
    Matrix annotations;  // (N, 2H) sentence-major
    Matrix keys;         // (N, A) what the scorer precomputes of them
    const size_t *begin; // (B + 1) where each sentence's rows begin
} AttentionMemory;

// One step for n rows.
typedef struct AttentionStep {
    size_t rows;               // n
    const uint32_t *sentence;  // (n) the sentence of the memory that each row looks at
    real *const *alpha;        // (n) → (S_i): the weights, set by forward
    Matrix query;              // (≥ n, A) W_a s + b_a, set by forward, saved for backward
    Matrix dquery;             // (n, A) set by backward; only there needed
    Matrix context;            // (≥ n, 2H) set by forward
    const real *const *dalpha; /* (n) → (heads, S_i): gradients that reach the weights by another
                                  way than the context, as in guided alignment (Chen et al. 2016);
                                  NULL for none, and so may be a row's */
} AttentionStep;

// The memory's gradients, summed over all steps.
typedef struct AttentionMemoryGrads {
    Matrix dannotations; // (N, 2H)
    Matrix dkeys;        // (N, A)
} AttentionMemoryGrads;

typedef struct AttentionScorer {
    const char *name;
    const char *query_formula;  // for people: "W_a s_{t-1} + b_a"
    const char *energy_formula; // of e_tj, from the query q_t and the annotation h_j
    void (*visit)(AttentionParams *params, ParamVisitor *visitor, const char *prefix,
                  size_t attention, size_t decoder, size_t annotation);
    // fills memory->keys from memory->annotations; `rows` ≥ N is what products are asked to compute
    void (*memory_forward)(AttentionMemory *memory, size_t rows, const AttentionParams *params);
    // one row's energies e (S), before the softmax, from its query (A) and the sentence it looks at
    void (*energies)(real *energies, const real *query, const AttentionMemory *memory,
                     uint32_t sentence, const AttentionParams *params);
    // alpha and context of a step from s_before (rows of products, D)
    void (*step_forward)(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                         const AttentionParams *params);
    /* From dcontext (n, 2H): adds to ds_before (n, D) what goes through the energies, to dparams
     * and to dkeys. What goes to the annotations as Σ_t α_tj dc_t is left to the caller: one
     * product per sentence after all steps. scratch (longest S). */
    void (*step_backward)(Matrix ds_before, AttentionParams *dparams, AttentionMemoryGrads *dmemory,
                          Matrix dcontext, AttentionStep *step, const AttentionMemory *memory,
                          const AttentionParams *params, real *scratch);
    // After all steps: the query's weights from dquery (N_t, A) and s_before (N_t, D), all rows of
    // all steps.
    void (*query_backward)(AttentionParams *dparams, Matrix dquery, Matrix s_before);
    // After all steps: from dkeys, adds to dannotations and dparams.
    void (*memory_backward)(AttentionMemoryGrads *dmemory, AttentionParams *dparams,
                            const AttentionMemory *memory, const AttentionParams *params);
} AttentionScorer;

extern const AttentionScorer attention_additive;

// The scorer of that name, or NULL.
const AttentionScorer *attention_scorer_named(const char *name);

/* Shared by scorers, row by row: α = softmax(e) in place, then c = Σ_j α_j h_j. alpha (S) holds
 * energies before. */
void attention_weigh(real *context, real *alpha, Matrix annotations);

/* Its backward up to the energies: denergies (S), set, from dcontext (2H) and, unless NULL, dalpha
 * (S). */
void attention_weigh_backward(real *denergies, const real *dcontext, const real *dalpha,
                              const real *alpha, Matrix annotations);

// The gradients that reach row i's weights directly, or NULL.
static inline const real *attention_dalpha(const AttentionStep *step, size_t i)
{
    return step->dalpha ? step->dalpha[i] : NULL;
}

// The rows of one sentence of a sentence-major matrix.
static inline Matrix attention_sentence(Matrix matrix, const size_t *begin, uint32_t sentence)
{
    return matrix_rows(matrix, begin[sentence], begin[sentence + 1] - begin[sentence]);
}

#endif
