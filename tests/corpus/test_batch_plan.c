#include "corpus/batch_plan.h"

#include "base/random.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <string.h>

enum { PAIRS = 500, MAX_LENGTH = 40 };

// Pairs of random lengths 1 … MAX_LENGTH, </s> counted.
static void draw(TokenCorpus *corpus, size_t count)
{
    static const int32_t tokens[MAX_LENGTH];
    Random random = random_from(1, 0);
    *corpus = (TokenCorpus){0};
    for (size_t i = 0; i < count; i++) {
        size_t source = (size_t)random_below(&random, MAX_LENGTH);
        size_t target = (size_t)random_below(&random, MAX_LENGTH);
        assert_ok(token_corpus_add(corpus, tokens, source, tokens, target, NULL));
    }
}

static uint32_t longer_of(const TokenCorpus *corpus, uint32_t i)
{
    TokenPair pair = token_corpus_pair(corpus, i);
    return pair.source_length > pair.target_length ? pair.source_length : pair.target_length;
}

static BatchPlan plan_of(const TokenCorpus *corpus, size_t tokens, uint64_t seed, uint64_t epoch)
{
    BatchPlan plan;
    assert_ok(batch_plan_new(&plan, corpus, tokens, seed, epoch, NULL));
    return plan;
}

// Every pair once, no empty batch, and none over the limit but for a pair alone.
static void expect_sound(const BatchPlan *plan, const TokenCorpus *corpus, size_t limit)
{
    static size_t seen[PAIRS];
    memset(seen, 0, sizeof seen);
    ck_assert_uint_eq(plan->begin[0], 0);
    ck_assert_uint_eq(plan->begin[plan->batches], corpus->count);
    for (size_t b = 0; b < plan->batches; b++) {
        size_t tokens = 0, count = plan->begin[b + 1] - plan->begin[b];
        ck_assert_uint_lt(plan->begin[b], plan->begin[b + 1]);
        for (size_t i = plan->begin[b]; i < plan->begin[b + 1]; i++) {
            ck_assert_uint_lt(plan->pairs[i], corpus->count);
            seen[plan->pairs[i]]++;
            tokens += longer_of(corpus, plan->pairs[i]);
            if (i > plan->begin[b]) // in order of length: what shards are dealt by
                ck_assert_uint_ge(longer_of(corpus, plan->pairs[i]),
                                  longer_of(corpus, plan->pairs[i - 1]));
        }
        ck_assert(tokens <= limit || count == 1);
    }
    for (size_t i = 0; i < corpus->count; i++) ck_assert_uint_eq(seen[i], 1);
}

static bool same(const BatchPlan *a, const BatchPlan *b)
{
    return a->batches == b->batches && !memcmp(a->pairs, b->pairs, PAIRS * sizeof *a->pairs) &&
           !memcmp(a->begin, b->begin, (a->batches + 1) * sizeof *a->begin);
}

TEST(every_pair_once)
{
    TokenCorpus corpus;
    draw(&corpus, PAIRS);
    static const size_t limits[] = {0, 1, 20, 40, 41, 100, 1000, 1000000, SIZE_MAX / 2};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        BatchPlan plan = plan_of(&corpus, limits[i], i, 3);
        expect_sound(&plan, &corpus, limits[i]);
        if (limits[i] < 2) ck_assert_uint_eq(plan.batches, PAIRS);
        if (limits[i] >= PAIRS * MAX_LENGTH) ck_assert_uint_eq(plan.batches, 1);
        batch_plan_free(&plan);
        batch_plan_free(&plan);
    }
    token_corpus_free(&corpus);
}

TEST(same_seed_and_epoch_same_plan)
{
    TokenCorpus corpus;
    draw(&corpus, PAIRS);
    BatchPlan plan = plan_of(&corpus, 300, 5, 2), again = plan_of(&corpus, 300, 5, 2);
    BatchPlan epoch = plan_of(&corpus, 300, 5, 3), seed = plan_of(&corpus, 300, 6, 2);
    ck_assert(same(&plan, &again));
    ck_assert(!same(&plan, &epoch));
    ck_assert(!same(&plan, &seed));
    ck_assert(!same(&epoch, &seed));
    batch_plan_free(&plan);
    batch_plan_free(&again);
    batch_plan_free(&epoch);
    batch_plan_free(&seed);
    token_corpus_free(&corpus);
}

// Pairs meet others in another epoch, and batches do not come shortest first.
TEST(shuffles)
{
    TokenCorpus corpus;
    draw(&corpus, PAIRS);
    BatchPlan plan = plan_of(&corpus, 300, 5, 0);
    size_t rises = 0;
    for (size_t b = 1; b < plan.batches; b++)
        rises += longer_of(&corpus, plan.pairs[plan.begin[b]]) >
                 longer_of(&corpus, plan.pairs[plan.begin[b - 1]]);
    ck_assert_uint_gt(rises, plan.batches / 4);
    ck_assert_uint_lt(rises, plan.batches * 3 / 4);
    batch_plan_free(&plan);
    token_corpus_free(&corpus);
}

// Little is padding: batches hold pairs of like length, and are nearly full.
TEST(fills_batches)
{
    TokenCorpus corpus;
    draw(&corpus, PAIRS);
    size_t tokens = 0, limit = 400;
    for (uint32_t i = 0; i < PAIRS; i++) tokens += longer_of(&corpus, i);
    BatchPlan plan = plan_of(&corpus, limit, 5, 0);
    ck_assert_uint_le(plan.batches, 1 + tokens / (limit - MAX_LENGTH));
    for (size_t b = 0; b < plan.batches; b++)
        ck_assert_uint_le(longer_of(&corpus, plan.pairs[plan.begin[b + 1] - 1]) -
                              longer_of(&corpus, plan.pairs[plan.begin[b]]),
                          MAX_LENGTH / 2);
    batch_plan_free(&plan);
    token_corpus_free(&corpus);
}

TEST(few_pairs)
{
    for (size_t count = 0; count < 4; count++) {
        TokenCorpus corpus;
        draw(&corpus, count);
        BatchPlan plan = plan_of(&corpus, 50, 1, 1);
        expect_sound(&plan, &corpus, 50);
        if (count < 2) ck_assert_uint_eq(plan.batches, count);
        batch_plan_free(&plan);
        token_corpus_free(&corpus);
    }
}

TEST(pairs_of_a_batch)
{
    TokenCorpus corpus;
    draw(&corpus, PAIRS);
    BatchPlan plan = plan_of(&corpus, 300, 5, 0);
    BatchPairs pairs = {0};
    for (size_t b = 0; b < plan.batches; b++) {
        assert_ok(batch_pairs_set(&pairs, &plan, b, &corpus, NULL));
        ck_assert_uint_eq(pairs.count, plan.begin[b + 1] - plan.begin[b]);
        for (uint32_t i = 0; i < pairs.count; i++) {
            TokenPair pair = token_corpus_pair(&corpus, plan.pairs[plan.begin[b] + i]);
            ck_assert_ptr_eq(pairs.items[i].source, pair.source);
            ck_assert_ptr_eq(pairs.items[i].target, pair.target);
            ck_assert_uint_eq(pairs.items[i].number, i);
        }
    }
    batch_pairs_free(&pairs);
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(batch_pairs_set(&pairs, &plan, 0, &corpus, NULL)));
    batch_pairs_free(&pairs);
    batch_plan_free(&plan);
    token_corpus_free(&corpus);
}

// The same pairs in a file.
static void store(TokenCorpus *stored, const TokenCorpus *corpus)
{
    assert_ok(corpus_store_open(&stored->store, scratch_folder(), NULL));
    for (size_t i = 0; i < corpus->count; i++) {
        TokenPair pair = token_corpus_pair(corpus, i);
        assert_ok(token_corpus_add(stored, pair.source, pair.source_length - 1, pair.target,
                                   pair.target_length - 1, NULL));
    }
}

// The pairs of a batch are all there at once, though each is read from a file.
TEST(batches_from_a_file)
{
    TokenCorpus corpus, stored = {0};
    BatchPairs pairs = {0}, expected = {0};
    draw(&corpus, PAIRS);
    store(&stored, &corpus);
    BatchPlan plan = plan_of(&stored, 300, 5, 0), plan_in_memory = plan_of(&corpus, 300, 5, 0);
    ck_assert(same(&plan, &plan_in_memory));
    for (size_t b = 0; b < plan.batches; b++) {
        assert_ok(batch_pairs_set(&pairs, &plan, b, &stored, NULL));
        assert_ok(batch_pairs_set(&expected, &plan, b, &corpus, NULL));
        ck_assert_uint_eq(pairs.count, expected.count);
        for (uint32_t i = 0; i < pairs.count; i++) {
            const TokenPair *a = &pairs.items[i], *e = &expected.items[i];
            ck_assert(a->source_length == e->source_length && a->target_length == e->target_length);
            ck_assert_mem_eq(a->source, e->source, a->source_length * sizeof *a->source);
            ck_assert_mem_eq(a->target, e->target, a->target_length * sizeof *a->target);
            ck_assert_uint_eq(a->number, i);
        }
    }
    batch_pairs_free(&pairs);
    batch_pairs_free(&expected);
    batch_plan_free(&plan);
    batch_plan_free(&plan_in_memory);
    token_corpus_free(&corpus);
    token_corpus_free(&stored);
}

TEST(out_of_memory)
{
    TokenCorpus corpus;
    draw(&corpus, 30);
    corpus.mixed = 10;
    corpus.drawn = 3;
    while (failing_malloc_next()) {
        BatchPlan plan;
        Error error = {0};
        bool failed = failing_malloc_expect(batch_plan_new(&plan, &corpus, 50, 1, 1, &error));
        if (failed) {
            ck_assert_ptr_null(plan.pairs);
            assert_contains(error.text, "out of memory");
        }
        batch_plan_free(&plan);
    }
    token_corpus_free(&corpus);
}

// How often each pair is in an epoch, added to `seen`.
static void count_epoch(size_t *seen, const TokenCorpus *corpus, uint64_t seed, uint64_t epoch)
{
    BatchPlan plan = plan_of(corpus, 200, seed, epoch);
    size_t pairs = corpus->count - corpus->mixed + corpus->drawn;
    ck_assert_uint_eq(plan.begin[plan.batches], pairs);
    for (size_t i = 0; i < pairs; i++) seen[plan.pairs[i]]++;
    batch_plan_free(&plan);
}

// All own pairs and so many mixed ones; all of these are drawn equally often.
TEST(mixed_pairs)
{
    static const size_t drawn[] = {1, 30, 70, 100, 250};
    enum { OWN = 60, MIXED = 100, EPOCHS = 20 };
    TokenCorpus corpus;
    draw(&corpus, OWN + MIXED);
    corpus.mixed = MIXED;
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++) {
        size_t seen[OWN + MIXED] = {0}, least = drawn[d] * EPOCHS / MIXED;
        corpus.drawn = drawn[d];
        for (uint64_t epoch = 0; epoch < EPOCHS; epoch++) count_epoch(seen, &corpus, 1, epoch);
        for (size_t i = 0; i < OWN; i++) ck_assert_uint_eq(seen[i], EPOCHS);
        for (size_t i = OWN; i < OWN + MIXED; i++)
            ck_assert(seen[i] == least || (seen[i] == least + 1 && drawn[d] * EPOCHS % MIXED));
    }
    corpus.drawn = 30; // others in another epoch, and by another seed; the same by both again
    size_t epochs[4][OWN + MIXED] = {{0}};
    count_epoch(epochs[0], &corpus, 1, 0);
    count_epoch(epochs[1], &corpus, 1, 0);
    count_epoch(epochs[2], &corpus, 1, 1);
    count_epoch(epochs[3], &corpus, 2, 0);
    ck_assert_mem_eq(epochs[0], epochs[1], sizeof epochs[0]);
    ck_assert_mem_ne(epochs[0], epochs[2], sizeof epochs[0]);
    ck_assert_mem_ne(epochs[0], epochs[3], sizeof epochs[0]);
    token_corpus_free(&corpus);
}

// Of a corpus in a file.
TEST(a_batch_that_cannot_be_read)
{
    TokenCorpus corpus, stored = {0};
    draw(&corpus, 100);
    store(&stored, &corpus);
    BatchPlan plan = plan_of(&stored, 1000, 5, 0);
    while (failing_malloc_next()) {
        BatchPairs pairs = {0};
        (void)failing_malloc_expect(batch_pairs_set(&pairs, &plan, 0, &stored, NULL));
        batch_pairs_free(&pairs);
    }
    BatchPairs pairs = {0};
    StoreWindow window = {0};
    TokenPair pair;
    Error error = {0};
    failing_call_at(CALL_PREAD, 2, EIO);
    ck_assert_int_eq(batch_pairs_set(&pairs, &plan, 0, &stored, &error), STATUS_IO);
    assert_contains(error.text, "the corpus kept there cannot be read: Input/output error");
    failing_call_at(CALL_PREAD, 1, EIO);
    ck_assert_int_eq(token_corpus_view(&stored, &window, &pair, 0, NULL), STATUS_IO);
    failing_call_stop();
    assert_ok(batch_pairs_set(&pairs, &plan, 0, &stored, NULL));
    batch_pairs_free(&pairs);
    store_window_free(&window);
    batch_plan_free(&plan);
    token_corpus_free(&corpus);
    token_corpus_free(&stored);
}
