#include "corpus/batch_plan.h"

#include "base/array.h"
#include "base/random.h"

static const char purpose[] = "the batches of an epoch";

typedef uint32_t LengthOf(const TokenSpan *span);

static uint32_t target_length(const TokenSpan *span)
{
    return span->target_length;
}

static uint32_t longer_length(const TokenSpan *span)
{
    return span->source_length > span->target_length ? span->source_length : span->target_length;
}

/* Sorts pairs (count) by a length, equal ones in their order: a counting sort, which needs no
 * memory of its own for each pair. */
static Status sort_by(uint32_t *sorted, const uint32_t *pairs, size_t count,
                      const TokenCorpus *corpus, LengthOf *length, Error *error)
{
    const TokenSpan *spans = corpus->spans;
    size_t lengths = 0;
    FREED size_t *next = NULL; // (lengths + 1) where the next pair of each length goes
    for (size_t i = 0; i < count; i++)
        if (length(&spans[pairs[i]]) >= lengths) lengths = (size_t)length(&spans[pairs[i]]) + 1;
    TRY(array_new(&next, lengths + 1, purpose, error));
    for (size_t i = 0; i < count; i++) next[length(&spans[pairs[i]]) + 1]++;
    for (size_t l = 0; l < lengths; l++) next[l + 1] += next[l];
    for (size_t i = 0; i < count; i++) sorted[next[length(&spans[pairs[i]])]++] = pairs[i];
    return STATUS_OK;
}

// Cuts the sorted pairs into batches, of which it fills begin (count) and returns the number.
static size_t cut(size_t *begin, const uint32_t *sorted, size_t count, const TokenCorpus *corpus,
                  size_t batch_tokens)
{
    size_t batches = 0, tokens = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t longer = longer_length(&corpus->spans[sorted[i]]);
        if (i == 0 || tokens + longer > batch_tokens) {
            begin[batches++] = i;
            tokens = 0;
        }
        tokens += longer;
    }
    return batches;
}

// Fills plan->pairs and plan->begin with the batches in random order.
static void shuffle_batches(BatchPlan *plan, const uint32_t *sorted, const size_t *cuts,
                            size_t count, uint32_t *order, Random *random)
{
    for (size_t i = 0; i < plan->batches; i++) order[i] = (uint32_t)i;
    random_shuffle(random, order, plan->batches);
    size_t filled = 0;
    for (size_t i = 0; i < plan->batches; i++) {
        size_t batch = order[i];
        size_t end = batch + 1 < plan->batches ? cuts[batch + 1] : count;
        plan->begin[i] = filled;
        for (size_t p = cuts[batch]; p < end; p++) plan->pairs[filled++] = sorted[p];
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

// The numbers of the epoch's pairs: the corpus' own, then those dealt.
static Status set_pairs(uint32_t *pairs, const TokenCorpus *corpus, uint64_t seed, uint64_t epoch,
                        Error *error)
{
    FREED uint32_t *order = NULL;
    size_t own = corpus->count - corpus->mixed;
    for (size_t i = 0; i < own; i++) pairs[i] = (uint32_t)i;
    if (!corpus->mixed) return STATUS_OK;
    TRY(array_new(&order, corpus->mixed, purpose, error));
    deal_mixed(pairs + own, order, corpus, seed, epoch);
    return STATUS_OK;
}

Status batch_plan_new(BatchPlan *plan, const TokenCorpus *corpus, size_t batch_tokens,
                      uint64_t seed, uint64_t epoch, Error *error)
{
    size_t count = corpus->count - corpus->mixed + corpus->drawn;
    Random random = random_from(seed, RANDOM_STREAM_EPOCHS + epoch);
    FREED_BY(batch_plan_free) BatchPlan made = {0};
    FREED uint32_t *sorted = NULL, *order = NULL; // order: of batches
    FREED size_t *cuts = NULL;
    *plan = (BatchPlan){0};
    TRY(array_new(&made.pairs, count, purpose, error));
    TRY(array_new(&sorted, count, purpose, error));
    // of the others the system provides only what the batches fill
    TRY(array_new(&made.begin, count + 1, purpose, error));
    TRY(array_new(&cuts, count + 1, purpose, error));
    TRY(array_new(&order, count, purpose, error));
    TRY(set_pairs(sorted, corpus, seed, epoch, error));
    // by the longer side, then by the target; those that are equal stay in random order
    random_shuffle(&random, sorted, count);
    TRY(sort_by(made.pairs, sorted, count, corpus, target_length, error));
    TRY(sort_by(sorted, made.pairs, count, corpus, longer_length, error));
    made.batches = cut(cuts, sorted, count, corpus, batch_tokens);
    shuffle_batches(&made, sorted, cuts, count, order, &random);
    *plan = made;
    made = (BatchPlan){0};
    return STATUS_OK;
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
    const uint32_t *numbers = plan->pairs + plan->begin[batch];
    size_t count = plan->begin[batch + 1] - plan->begin[batch];
    size_t bytes = 0; // to be copied
    for (size_t i = 0; i < count; i++) bytes += token_corpus_pair_bytes(corpus, numbers[i]);
    TRY(array_reserve(&pairs->items, &pairs->capacity, count, "a batch", error));
    TRY(array_reserve(&pairs->copies, &pairs->copies_capacity, bytes, "a batch", error));
    char *room = pairs->copies;
    for (size_t i = 0; i < count; i++) {
        TRY(token_corpus_copy(corpus, room, &pairs->items[i], numbers[i], error));
        pairs->items[i].number = (uint32_t)i;
        if (room) room += token_corpus_pair_bytes(corpus, numbers[i]);
    }
    pairs->count = count;
    if (batch + 1 < plan->batches) // which will be read soon
        for (size_t i = plan->begin[batch + 1]; i < plan->begin[batch + 2]; i++)
            token_corpus_expect(corpus, plan->pairs[i]);
    return STATUS_OK;
}

void batch_pairs_free(BatchPairs *pairs)
{
    memory_free(pairs->items);
    memory_free(pairs->copies);
    *pairs = (BatchPairs){0};
}
