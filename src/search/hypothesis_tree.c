#include "search/hypothesis_tree.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/special_tokens.h"

#include <string.h>

/* Keeps the attention weights of a row at this step, (matrices, S); *begin is where they are. */
static Status keep_alpha(HypothesisTree *tree, uint32_t row, size_t positions, size_t *begin,
                         Error *error)
{
    SearchModel *model = tree->model;
    size_t count = tree->alpha_count + model->matrices * positions;
    TRY(array_reserve(&tree->alpha, &tree->alpha_capacity, count, "alignments", error));
    float *kept = tree->alpha + tree->alpha_count;
    for (size_t matrix = 0; matrix < model->matrices; matrix++) {
        const real *weights = model->attention(model, row, matrix);
        for (size_t j = 0; j < positions; j++) *kept++ = (float)weights[j];
    }
    *begin = tree->alpha_count;
    tree->alpha_count = count;
    return STATUS_OK;
}

Status hypothesis_tree_add(HypothesisTree *tree, Node node, uint32_t row, size_t positions,
                           int32_t *place, Error *error)
{
    size_t needed = tree->count + 1;
    if (needed > INT32_MAX) return error_memory(error, needed * sizeof(Node), "hypotheses");
    TRY(array_reserve(&tree->nodes, &tree->capacity, needed, "hypotheses", error));
    node.alpha = 0;
    if (tree->with_alpha) TRY(keep_alpha(tree, row, positions, &node.alpha, error));
    *place = (int32_t)tree->count++;
    tree->nodes[*place] = node;
    return STATUS_OK;
}

void hypothesis_tree_recent(const HypothesisTree *tree, int32_t node, int32_t *tokens, size_t count)
{
    for (; count > 0; node = tree->nodes[node].before) tokens[--count] = tree->nodes[node].token;
}

/* From its last node backwards. The weights are kept step by step, (matrices, S) each, and given
 * matrix by matrix. */
Status hypothesis_tree_read(const HypothesisTree *tree, int32_t last, size_t positions,
                            Hypothesis *hypothesis, Error *error)
{
    size_t length = 0, matrices = tree->model->matrices;
    for (int32_t node = last; node != NO_NODE; node = tree->nodes[node].before) length++;
    *hypothesis = (Hypothesis){
        .length = length,
        .ended = tree->nodes[last].token == TOKEN_EOS,
        .log_p = tree->nodes[last].log_p,
        .positions = positions,
        .matrices = matrices,
    };
    TRY(array_new(&hypothesis->tokens, length, "a hypothesis", error));
    if (tree->with_alpha)
        TRY(array_new(&hypothesis->alpha, matrices * length * positions, "a hypothesis", error));
    size_t t = length;
    for (int32_t node = last; node != NO_NODE; node = tree->nodes[node].before) {
        hypothesis->tokens[--t] = tree->nodes[node].token;
        for (size_t matrix = 0; matrix < matrices && hypothesis->alpha; matrix++)
            memcpy(hypothesis->alpha + (matrix * length + t) * positions,
                   tree->alpha + tree->nodes[node].alpha + matrix * positions,
                   positions * sizeof *hypothesis->alpha);
    }
    return STATUS_OK;
}

void hypothesis_tree_free(HypothesisTree *tree)
{
    memory_free(tree->nodes);
    memory_free(tree->alpha);
}
