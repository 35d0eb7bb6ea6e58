#include "corpus/batch_plan.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

// A pair with its sort keys.
typedef struct PairLength {
    uint32_t longer; // of the two sides
    uint32_t target;
    uint32_t shuffled; // its place after shuffling, which breaks ties
    uint32_t pair;
} PairLength;

static int compare_lengths(const void *a, const void *b)
{
    const PairLength *x = a, *y = b;
    if (x->longer != y->longer) return x->longer < y->longer ? -1 : 1;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return x->shuffled < y->shuffled ? -1 : 1;
}

// Cuts the sorted pairs into batches, of which it fills begin (count) and returns the number.
static size_t cut(size_t *begin, const PairLength *sorted, size_t count, size_t batch_tokens)
{
    size_t batches = 0, tokens = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || tokens + sorted[i].longer > batch_tokens) {
            begin[batches++] = i;
            tokens = 0;
        }
        tokens += sorted[i].longer;
    }
    return batches;
}

// Fills plan->pairs and plan->begin with the batches in random order.
static void shuffle_batches(BatchPlan *plan, const PairLength *sorted, const size_t *cuts,
                            size_t count, uint32_t *order, Random *random)
{
    for (size_t i = 0; i < plan->batches; i++) order[i] = (uint32_t)i;
    random_shuffle(random, order, plan->batches);
    size_t filled = 0;
    for (size_t i = 0; i < plan->batches; i++) {
        size_t batch = order[i];
        size_t end = batch + 1 < plan->batches ? cuts[batch + 1] : count;
        plan->begin[i] = filled;
        for (size_t p = cuts[batch]; p < end; p++) plan->pairs[filled++] = sorted[p].pair;
    }
    plan->begin[plan->batches] = filled;
}

// The numbers of all mixed pairs, as they are shuffled for one round of dealing.
static void shuffle_mixed(uint32_t *order, const TokenCorpus *corpus, uint64_t seed, uint64_t round)
{
    Random random = random_from(seed, RANDOM_STREAM_MIXED + round);
    for (size_t i = 0; i < corpus->mixed; i++)
        order[i] = (uint32_t)(corpus->count - corpus->mixed + i);
    random_shuffle(&random, order, corpus->mixed);
}

// Deals the epoch its mixed pairs; `order` has room for all of them.
static void deal_mixed(uint32_t *dealt, uint32_t *order, const TokenCorpus *corpus, uint64_t seed,
                       uint64_t epoch)
{
    uint64_t before = epoch * corpus->drawn, round = before / corpus->mixed;
    size_t at = (size_t)(before % corpus->mixed);
    shuffle_mixed(order, corpus, seed, round);
    for (size_t i = 0; i < corpus->drawn; i++) {
        if (at == corpus->mixed) {
            shuffle_mixed(order, corpus, seed, ++round);
            at = 0;
        }
        dealt[i] = order[at++];
    }
}

Status batch_plan_pairs(uint32_t *pairs, const TokenCorpus *corpus, uint64_t seed, uint64_t epoch,
                        Error *error)
{
    uint32_t *order;
    size_t own = corpus->count - corpus->mixed;
    for (size_t i = 0; i < own; i++) pairs[i] = (uint32_t)i;
    if (!corpus->mixed) return STATUS_OK;
    TRY(array_new(&order, corpus->mixed, "the batches of an epoch", error));
    deal_mixed(pairs + own, order, corpus, seed, epoch);
    memory_free(order);
    return STATUS_OK;
}

// Shuffles the numbers of `count` pairs and sorts the pairs by length.
static void sort_pairs(PairLength *sorted, uint32_t *pairs, size_t count, const TokenCorpus *corpus,
                       Random *random)
{
    random_shuffle(random, pairs, count);
    for (size_t i = 0; i < count; i++) {
        TokenPair pair = token_corpus_pair(corpus, pairs[i]);
        uint32_t source = pair.source_length, target = pair.target_length;
        uint32_t longer = source > target ? source : target;
        sorted[i] = (PairLength){longer, target, (uint32_t)i, pairs[i]};
    }
    qsort(sorted, count, sizeof *sorted, compare_lengths);
}

Status batch_plan_new(BatchPlan *plan, const TokenCorpus *corpus, size_t batch_tokens,
                      uint64_t seed, uint64_t epoch, Error *error)
{
    size_t count = batch_plan_pair_count(corpus);
    *plan = (BatchPlan){.pairs = memory_new(count, sizeof *plan->pairs),
                        .begin = memory_new(count + 1, sizeof *plan->begin)};
    PairLength *sorted = memory_new(count, sizeof *sorted);
    size_t *cuts = memory_new(count + 1, sizeof *cuts);
    uint32_t *order = memory_new(count, sizeof *order); // of batches
    bool room = plan->pairs && plan->begin && sorted && cuts && order;
    Status status = room ? batch_plan_pairs(plan->pairs, corpus, seed, epoch, error)
                         : error_memory(error, count * sizeof *sorted, "the batches of an epoch");
    if (!status) {
        Random random = random_from(seed, RANDOM_STREAM_EPOCHS + epoch);
        sort_pairs(sorted, plan->pairs, count, corpus, &random);
        plan->batches = cut(cuts, sorted, count, batch_tokens);
        shuffle_batches(plan, sorted, cuts, count, order, &random);
    } else {
        batch_plan_free(plan);
    }
    memory_free(sorted);
    memory_free(cuts);
    memory_free(order);
    return status;
}

void batch_plan_free(BatchPlan *plan)
{
    memory_free(plan->pairs);
    memory_free(plan->begin);
    *plan = (BatchPlan){0};
}

Status batch_pairs_set(BatchPairs *pairs, const BatchPlan *plan, size_t batch,
                       const TokenCorpus *corpus, Error *error)
{
    size_t begin = plan->begin[batch], count = plan->begin[batch + 1] - begin;
    TRY(array_reserve(&pairs->items, &pairs->capacity, count, "a batch", error));
    pairs->count = count;
    for (size_t i = 0; i < count; i++) {
        pairs->items[i] = token_corpus_pair(corpus, plan->pairs[begin + i]);
        pairs->items[i].number = (uint32_t)i;
    }
    return STATUS_OK;
}

void batch_pairs_free(BatchPairs *pairs)
{
    memory_free(pairs->items);
    *pairs = (BatchPairs){0};
}
