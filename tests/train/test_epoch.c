// The pairs of an epoch: the corpus' own, and under BPE-dropout the same texts in other subwords.
#include "train/epoch.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

enum { PAIRS = 90, MIXED = 30 };

static TrainOptions options;
static TrainingData data;

static const char *write_pairs(const char *name, const char *format, size_t count)
{
    Bytes text = {0};
    const char *path = scratch_path(name);
    for (unsigned i = 0; i < count; i++)
        assert_ok(bytes_append_format(&text, NULL, format, i % 7, i % 5, i, i % 7, i));
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
    return path;
}

// Pairs of three scripts, and others to be mixed in, of which each epoch has as many as of the first.
static void set_up(void)
{
    const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;
    options = defaults;
    options.vocabulary_size = 360;
    options.batch_tokens = 60;
    options.bpe_dropout = 0.2;
    options.target_bpe_dropout = 0.4;
    const char *train =
        write_pairs("a.tsv", "the sea %u caf\xC3\xA9 %u no. %u\t大海 %u 老人 %u\n", PAIRS);
    const TrainingFiles files = {
        .readers = &training_file_readers,
        .train = &train,
        .count = 1,
        .mix = write_pairs("b.tsv", "старое море %u the %u is %u\t老大 %u the %u\n", MIXED),
        .mix_weight = 1};
    assert_ok(training_data_read(&data, &files, &options, NULL, NULL, NULL));
    ck_assert_uint_eq(data.train.mixed, MIXED);
}

static void tear_down(void)
{
    training_data_free(&data);
}

static void begin(Epoch *epoch, uint64_t number, size_t count)
{
    Threads *threads;
    assert_ok(threads_new(&threads, count, NULL));
    assert_ok(epoch_begin(epoch, &data, &options, number, threads, NULL));
    threads_free(threads);
}

static bool same_corpus(const TokenCorpus *a, const TokenCorpus *b)
{
    return a->count == b->count && a->store.tail_size == b->store.tail_size &&
           !memcmp(a->store.tail, b->store.tail, a->store.tail_size) &&
           !memcmp(a->spans, b->spans, a->count * sizeof *a->spans);
}

TEST(without_dropout)
{
    Epoch epoch = {0};
    BatchPlan plan;
    set_up();
    options.bpe_dropout = options.target_bpe_dropout = 0;
    begin(&epoch, 3, 1);
    ck_assert_ptr_eq(epoch.corpus, &data.train);
    assert_ok(batch_plan_new(&plan, &data.train, options.batch_tokens, options.seed, 3, NULL));
    ck_assert_uint_eq(epoch.plan.batches, plan.batches);
    ck_assert_mem_eq(epoch.plan.pairs, plan.pairs, plan.begin[plan.batches] * sizeof *plan.pairs);
    batch_plan_free(&plan);
    epoch_free(&epoch);
    tear_down();
}

// The same for any number of threads; other subwords in another epoch, and with another seed.
TEST(what_decides)
{
    Epoch first = {0}, other = {0};
    set_up();
    begin(&first, 1, 1);
    for (size_t threads = 1; threads <= 3; threads++) {
        begin(&other, 1, threads);
        ck_assert(same_corpus(first.corpus, other.corpus));
        ck_assert_uint_eq(first.plan.batches, other.plan.batches);
        ck_assert_mem_eq(first.plan.pairs, other.plan.pairs,
                         first.corpus->count * sizeof *first.plan.pairs);
    }
    begin(&other, 2, 2);
    ck_assert(!same_corpus(first.corpus, other.corpus));
    options.seed++;
    begin(&other, 1, 2);
    ck_assert(!same_corpus(first.corpus, other.corpus));
    epoch_free(&first);
    epoch_free(&other);
    tear_down();
}

static void append_text(Bytes *text, const Vocabulary *vocabulary, const int32_t *ids, size_t count)
{
    ck_assert_int_eq(ids[count - 1], TOKEN_EOS);
    assert_ok(vocabulary_decode(vocabulary, ids, count, text, NULL));
    assert_ok(bytes_append_string(text, "\n", NULL));
}

static void expect_same_texts(const TokenPair *a, const TokenPair *b)
{
    Bytes texts[2] = {{0}, {0}};
    const TokenPair *pairs[] = {a, b};
    for (int i = 0; i < 2; i++) {
        append_text(&texts[i], data.source_vocabulary, pairs[i]->source, pairs[i]->source_length);
        append_text(&texts[i], data.target_vocabulary, pairs[i]->target, pairs[i]->target_length);
    }
    ck_assert_str_eq(texts[0].data, texts[1].data);
    bytes_free(&texts[0]);
    bytes_free(&texts[1]);
}

// The texts are the corpus' own and those of the mixed pairs dealt, and batches fit the new lengths.
TEST(texts_and_batches)
{
    uint32_t numbers[2 * PAIRS];
    Epoch epoch = {0};
    set_up();
    for (uint64_t number = 0; number < 3; number++) {
        begin(&epoch, number, 2);
        ck_assert_uint_eq(batch_plan_pair_count(&data.train),
                          data.train.count - MIXED + data.train.drawn);
        assert_ok(batch_plan_pairs(numbers, &data.train, options.seed, number, NULL));
        ck_assert_uint_eq(epoch.corpus->count, batch_plan_pair_count(&data.train));
        ck_assert_uint_eq(epoch.corpus->mixed, 0);
        for (size_t i = 0; i < epoch.corpus->count; i++) {
            TokenPair pair = token_corpus_pair(epoch.corpus, i),
                      own = token_corpus_pair(&data.train, numbers[i]);
            expect_same_texts(&pair, &own);
        }
        BatchPairs pairs = {0};
        for (size_t batch = 0; batch < epoch.plan.batches; batch++) {
            size_t tokens = 0;
            assert_ok(batch_pairs_set(&pairs, &epoch.plan, batch, epoch.corpus, NULL));
            for (size_t i = 0; i < pairs.count; i++)
                tokens += pairs.items[i].source_length > pairs.items[i].target_length
                              ? pairs.items[i].source_length
                              : pairs.items[i].target_length;
            ck_assert(tokens <= options.batch_tokens || pairs.count == 1);
        }
        batch_pairs_free(&pairs);
    }
    epoch_free(&epoch);
    tear_down();
}

// Each side by its own probability; 1 leaves characters and bytes.
TEST(sides)
{
    Epoch epoch = {0};
    set_up();
    options.bpe_dropout = 0;
    options.target_bpe_dropout = 1;
    begin(&epoch, 0, 1);
    for (size_t i = 0; i < epoch.corpus->count; i++) {
        TokenPair pair = token_corpus_pair(epoch.corpus, i);
        if (i < data.train.count - MIXED) {
            TokenPair own = token_corpus_pair(&data.train, i);
            ck_assert_uint_eq(pair.source_length, own.source_length);
            ck_assert_mem_eq(pair.source, own.source, own.source_length * sizeof *own.source);
        }
        for (size_t t = 0; t + 1 < pair.target_length; t++) {
            size_t length, at = 0;
            const char *text = vocabulary_bytes(data.target_vocabulary, pair.target[t], &length);
            while (at < length && (at == 0 || ((unsigned char)text[at] & 0xC0) == 0x80)) at++;
            ck_assert_uint_eq(at, length);
        }
    }
    epoch_free(&epoch);
    tear_down();
}

// What would be longer than a batch and than any pair keeps its subwords.
TEST(too_long)
{
    Epoch epoch = {0};
    set_up();
    options.bpe_dropout = options.target_bpe_dropout = 1;
    options.batch_tokens = options.max_length = 20; // " the sea 1 café 1 no. 1" has 23 characters
    begin(&epoch, 0, 1);
    for (size_t i = 0; i < data.train.count - MIXED; i++) {
        TokenPair pair = token_corpus_pair(epoch.corpus, i),
                  own = token_corpus_pair(&data.train, i);
        ck_assert_uint_eq(pair.source_length, own.source_length);
        ck_assert_uint_eq(pair.target_length, own.target_length);
    }
    epoch_free(&epoch);
    tear_down();
}

TEST(out_of_memory)
{
    Threads *threads;
    bool failed = true;
    set_up();
    assert_ok(threads_new(&threads, 1, NULL));
    for (size_t n = 1; failed; n += 1 + n / 8) {
        Epoch epoch = {0};
        failing_malloc_at(n);
        failed = failing_malloc_expect(epoch_begin(&epoch, &data, &options, 0, threads, NULL));
        epoch_free(&epoch);
    }
    threads_free(threads);
    tear_down();
}
