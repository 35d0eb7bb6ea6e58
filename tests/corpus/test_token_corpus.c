#include "corpus/token_corpus.h"

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <string.h>

TEST(adds)
{
    TokenCorpus corpus = {0};
    assert_ok(token_corpus_add(&corpus, (int32_t[]){7, 8, 9}, 3, (int32_t[]){5}, 1, NULL));
    assert_ok(token_corpus_add(&corpus, NULL, 0, NULL, 0, NULL));
    assert_ok(token_corpus_add(&corpus, (int32_t[]){6}, 1, NULL, 0, NULL));
    ck_assert_uint_eq(corpus.count, 3);
    TokenPair pair = token_corpus_pair(&corpus, 0);
    ck_assert_uint_eq(pair.source_length, 4);
    ck_assert_uint_eq(pair.target_length, 2);
    ck_assert_mem_eq(pair.source, ((int32_t[]){7, 8, 9, TOKEN_EOS}), 4 * sizeof(int32_t));
    ck_assert_mem_eq(pair.target, ((int32_t[]){5, TOKEN_EOS}), 2 * sizeof(int32_t));
    pair = token_corpus_pair(&corpus, 1); // empty sides are </s> alone
    ck_assert_uint_eq(pair.source_length, 1);
    ck_assert_uint_eq(pair.target_length, 1);
    ck_assert_int_eq(pair.source[0], TOKEN_EOS);
    ck_assert_int_eq(pair.target[0], TOKEN_EOS);
    pair = token_corpus_pair(&corpus, 2);
    ck_assert_uint_eq(pair.source_length, 2);
    ck_assert_uint_eq(pair.target_length, 1);
    token_corpus_free(&corpus);
    ck_assert_uint_eq(corpus.count, 0);
    token_corpus_free(&corpus);
}

// What a pair of a given number holds: lengths and ids are functions of it.
static size_t length_of(size_t i, size_t side)
{
    return (i * 7 + side * 5) % 13;
}

static void fill(int32_t *tokens, size_t i, size_t side)
{
    for (size_t t = 0; t < length_of(i, side); t++) tokens[t] = (int32_t)(10 + i + 3 * t + side);
}

static void expect_tokens(const TokenPair *pair, size_t i)
{
    int32_t expected[16];
    ck_assert_uint_eq(pair->source_length, length_of(i, 0) + 1);
    ck_assert_uint_eq(pair->target_length, length_of(i, 1) + 1);
    fill(expected, i, 0);
    ck_assert_mem_eq(pair->source, expected, length_of(i, 0) * sizeof *expected);
    ck_assert_int_eq(pair->source[length_of(i, 0)], TOKEN_EOS);
    fill(expected, i, 1);
    ck_assert_mem_eq(pair->target, expected, length_of(i, 1) * sizeof *expected);
    ck_assert_int_eq(pair->target[length_of(i, 1)], TOKEN_EOS);
}

static void expect_pair(const TokenCorpus *corpus, size_t i)
{
    TokenPair pair = token_corpus_pair(corpus, i);
    expect_tokens(&pair, i);
}

static Status add(TokenCorpus *corpus, size_t i, Error *error)
{
    int32_t source[16], target[16];
    fill(source, i, 0);
    fill(target, i, 1);
    return token_corpus_add(corpus, source, length_of(i, 0), target, length_of(i, 1), error);
}

TEST(grows)
{
    TokenCorpus corpus = {0};
    for (size_t i = 0; i < 5000; i++) assert_ok(add(&corpus, i, NULL));
    for (size_t i = 0; i < 5000; i++) expect_pair(&corpus, i);
    token_corpus_free(&corpus);
}

TEST(out_of_memory_leaves_it_as_it_was)
{
    TokenCorpus corpus = {0};
    size_t failures = 0;
    for (size_t i = 0; i < 300; i++) {
        while (failing_malloc_next()) {
            size_t before = corpus_store_size(&corpus.store);
            Error error = {0};
            if (!failing_malloc_expect(add(&corpus, i, &error))) continue;
            failures++;
            assert_contains(error.text, "the corpus");
            ck_assert_uint_eq(corpus.count, i);
            ck_assert_uint_eq(corpus_store_size(&corpus.store), before);
            if (i) expect_pair(&corpus, i - 1);
        }
        ck_assert_uint_eq(corpus.count, i + 1);
    }
    ck_assert_uint_gt(failures, 4);
    for (size_t i = 0; i < 300; i++) expect_pair(&corpus, i);
    token_corpus_free(&corpus);
}

TEST(links)
{
    TokenCorpus corpus = {0};
    const SubwordLink links[] = {{2, 0, 1}, {0, 1, 3}, {1, 1, 2}};
    assert_ok(add(&corpus, 0, NULL));
    ck_assert_ptr_null(token_corpus_pair(&corpus, 0).links);
    assert_ok(add(&corpus, 1, NULL));
    assert_ok(token_corpus_link(&corpus, links, 3, NULL));
    assert_ok(add(&corpus, 2, NULL)); // is given none
    assert_ok(add(&corpus, 3, NULL));
    assert_ok(token_corpus_link(&corpus, NULL, 0, NULL)); // nor is this
    assert_ok(add(&corpus, 4, NULL));
    assert_ok(token_corpus_link(&corpus, links + 1, 1, NULL));
    assert_ok(add(&corpus, 5, NULL));
    const size_t counts[] = {0, 3, 0, 0, 1, 0};
    for (size_t i = 0; i < 6; i++) {
        TokenPair pair = token_corpus_pair(&corpus, i);
        expect_pair(&corpus, i);
        ck_assert_uint_eq(pair.link_count, counts[i]);
        ck_assert(pair.links == NULL || pair.link_count > 0);
    }
    ck_assert_mem_eq(token_corpus_pair(&corpus, 1).links, links, sizeof links);
    ck_assert_mem_eq(token_corpus_pair(&corpus, 4).links, links + 1, sizeof *links);
    token_corpus_free(&corpus);
    ck_assert_uint_eq(corpus_store_size(&corpus.store), 0);
}

TEST(out_of_memory_for_links)
{
    TokenCorpus corpus = {0};
    const SubwordLink links[] = {{1, 2, 1}, {3, 4, 1}};
    size_t failures = 0;
    for (size_t i = 0; i < 300; i++) {
        assert_ok(add(&corpus, i, NULL));
        while (failing_malloc_next()) {
            Error error = {0};
            if (!failing_malloc_expect(token_corpus_link(&corpus, links, 2, &error))) continue;
            failures++;
            assert_contains(error.text, "the corpus");
            ck_assert_uint_eq(token_corpus_pair(&corpus, i).link_count, 0);
        }
    }
    ck_assert_uint_gt(failures, 3);
    for (size_t i = 0; i < 300; i++)
        ck_assert_mem_eq(token_corpus_pair(&corpus, i).links, links, sizeof links);
    token_corpus_free(&corpus);
}

// Pairs i with i % 3 links, read in any order.
TEST(in_a_file)
{
    enum { COUNT = 10000, LOOKS = COUNT + 2000 };
    const SubwordLink links[] = {{2, 0, 1}, {0, 1, 3}};
    TokenCorpus corpus = {0};
    StoreWindow window = {0};
    int32_t room[64];
    assert_ok(corpus_store_open(&corpus.store, scratch_folder(), NULL));
    for (size_t i = 0; i < COUNT; i++) {
        assert_ok(add(&corpus, i, NULL));
        assert_ok(token_corpus_link(&corpus, links, i % 3, NULL));
    }
    ck_assert_uint_gt(corpus.store.written, 0);
    ck_assert_uint_eq(corpus.count, COUNT);
    for (size_t n = 0; n < LOOKS; n++) {
        size_t i = n < COUNT ? n : n * 7919 % COUNT;
        TokenPair pair, copy;
        assert_ok(token_corpus_view(&corpus, &window, &pair, i, NULL));
        ck_assert_uint_le(token_corpus_pair_bytes(&corpus, i), sizeof room);
        assert_ok(token_corpus_copy(&corpus, room, &copy, i, NULL));
        expect_tokens(&pair, i);
        expect_tokens(&copy, i);
        ck_assert_uint_eq(pair.link_count, i % 3);
        ck_assert_uint_eq(copy.link_count, i % 3);
        if (i % 3) ck_assert_mem_eq(pair.links, links, i % 3 * sizeof *links);
        if (i % 3) ck_assert_mem_eq(copy.links, links, i % 3 * sizeof *links);
    }
    store_window_free(&window);
    token_corpus_free(&corpus);
}
