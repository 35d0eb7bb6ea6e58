#include "search/ended.h"

#include "base/array.h"

static bool is_better(const EndedItem *a, const EndedItem *b)
{
    return a->incomplete != b->incomplete ? b->incomplete : a->score > b->score;
}

void ended_keep_best(Ended *ended, EndedItem item)
{
    size_t place = ended->count;
    while (place > 0 && is_better(&item, &ended->items[place - 1])) place--;
    if (place == ended->capacity) return;
    if (ended->count < ended->capacity) ended->count++;
    for (size_t i = ended->count - 1; i > place; i--) ended->items[i] = ended->items[i - 1];
    ended->items[place] = item;
}

/* An insertion sort is stable: on a tie the hypothesis that ended first stays first. */
static void sort_by_score(Hypotheses *hypotheses)
{
    for (size_t i = 1; i < hypotheses->count; i++) {
        Hypothesis moved = hypotheses->items[i];
        size_t place = i;
        while (place > 0 && hypotheses->items[place - 1].score < moved.score) {
            hypotheses->items[place] = hypotheses->items[place - 1];
            place--;
        }
        hypotheses->items[place] = moved;
    }
}

static bool has_complete(const Ended *ended)
{
    for (size_t i = 0; i < ended->count; i++)
        if (!ended->items[i].incomplete) return true;
    return false;
}

Status ended_read(const Ended *ended, const HypothesisTree *tree, size_t positions, bool sorted,
                  Hypotheses *hypotheses, Error *error)
{
    bool complete_only = has_complete(ended);
    TRY(array_new(&hypotheses->items, ended->count, "hypotheses", error));
    for (size_t i = 0; i < ended->count; i++) {
        const EndedItem *item = &ended->items[i];
        if (item->incomplete && complete_only) continue;
        // counted before it is read, so that an unfinished one is freed with the others
        Hypothesis *hypothesis = &hypotheses->items[hypotheses->count++];
        TRY(hypothesis_tree_read(tree, item->node, positions, hypothesis, error));
        hypothesis->score = item->score;
        hypothesis->incomplete = item->incomplete;
    }
    if (sorted) sort_by_score(hypotheses);
    return STATUS_OK;
}
