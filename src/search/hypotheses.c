#include "search/hypotheses.h"

#include "base/array.h"
#include "text/special_tokens.h"

void hypothesis_free(Hypothesis *hypothesis)
{
    memory_free(hypothesis->tokens);
    memory_free(hypothesis->log_ps);
    memory_free(hypothesis->alpha);
}

void hypotheses_free(Hypotheses *hypotheses)
{
    for (size_t i = 0; i < hypotheses->count; i++) hypothesis_free(&hypotheses->items[i]);
    memory_free(hypotheses->items);
    memory_free(hypotheses->tree.nodes);
    *hypotheses = (Hypotheses){0};
}

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

Status hypothesis_tree_add(HypothesisTree *tree, HypothesisNode node, uint32_t row,
                           size_t positions, int32_t *place, Error *error)
{
    size_t needed = tree->count + 1;
    if (needed > INT32_MAX)
        return error_memory(error, needed * sizeof(HypothesisNode), "hypotheses");
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

/* Reads the hypothesis that ends with a node, from there backwards; its score is left 0. The weights
 * are kept step by step, (matrices, S) each, and given matrix by matrix. */
static Status read_path(const HypothesisTree *tree, int32_t last, size_t positions,
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
    TRY(array_new(&hypothesis->log_ps, length, "a hypothesis", error));
    if (tree->with_alpha)
        TRY(array_new(&hypothesis->alpha, matrices * length * positions, "a hypothesis", error));
    size_t t = length;
    for (int32_t node = last; node != NO_NODE; node = tree->nodes[node].before) {
        int32_t before = tree->nodes[node].before;
        double log_p = before == NO_NODE ? 0 : tree->nodes[before].log_p;
        hypothesis->tokens[--t] = tree->nodes[node].token;
        hypothesis->log_ps[t] = (float)(tree->nodes[node].log_p - log_p);
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

static bool is_better(const EndedItem *a, const EndedItem *b)
{
    return a->incomplete != b->incomplete ? b->incomplete : a->score > b->score;
}

void ended_keep_best(Ended *ended, EndedItem item)
{
    size_t place;
    array_keep_best(ended->items, &ended->count, ended->capacity, place, item,
                    is_better(&item, &ended->items[place - 1]));
}

Status ended_read(const Ended *ended, const HypothesisTree *tree, size_t positions,
                  Hypotheses *hypotheses, Error *error)
{
    bool complete_only = ended->count > 0 && !ended->items->incomplete; // they come first
    TRY(array_new(&hypotheses->items, ended->count, "hypotheses", error));
    for (size_t i = 0; i < ended->count; i++) {
        const EndedItem *item = &ended->items[i];
        if (item->incomplete && complete_only) continue;
        // counted before it is read, so that an unfinished one is freed with the others
        Hypothesis *hypothesis = &hypotheses->items[hypotheses->count++];
        TRY(read_path(tree, item->node, positions, hypothesis, error));
        hypothesis->score = item->score;
        hypothesis->incomplete = item->incomplete;
    }
    return STATUS_OK;
}
