// Search that must begin with given tokens.
#include "search/batch_search.h"
#include "search/prefix.h"
#include "search/table_model.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

// After 4 5 anything; or after 4 6; or after 6.
static Prefix small_prefix(void)
{
    Prefix prefix = {0};
    uint32_t node;
    assert_ok(prefix_walk(&prefix, (int32_t[]){4}, 1, &node, NULL));
    assert_ok(prefix_allow(&prefix, node, 6, NULL));
    assert_ok(prefix_allow(&prefix, node, 5, NULL));
    assert_ok(prefix_allow(&prefix, PREFIX_START, 6, NULL));
    prefix_finish(&prefix);
    return prefix;
}

static bool begins_right(const int32_t *tokens, size_t length)
{
    if (tokens[0] == 6) return true;
    return length > 1 && tokens[0] == 4 && (tokens[1] == 5 || tokens[1] == 6);
}

TEST(edges)
{
    Prefix prefix = small_prefix();
    size_t count;
    uint32_t node;
    const PrefixEdge *edges = prefix_edges(&prefix, PREFIX_START, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(edges[0].token == 4 && edges[1].token == 6 && edges[1].to == PREFIX_DONE);
    edges = prefix_edges(&prefix, edges[0].to, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(edges[0].token == 5 && edges[1].token == 6 && edges[0].to == PREFIX_DONE);
    ck_assert_uint_eq(prefix.longest, 2);
    // what is there already is not made again
    assert_ok(prefix_walk(&prefix, (int32_t[]){4}, 1, &node, NULL));
    ck_assert_uint_eq(node, edges[0].from);
    ck_assert_uint_eq(prefix.count, 4);
    ck_assert_uint_eq(prefix.token_count, 1);
    prefix_free(&prefix);
}

// The best log p of all sentences of at most LONGEST tokens that begin as they must.
static void try_all(double *best, const Table *table, int32_t *tokens, size_t length, double so_far)
{
    int32_t before = length ? tokens[length - 1] : TOKEN_BOS;
    for (int32_t token = length ? TOKEN_EOS : TOKEN_EOS + 1; token < WORDS; token++) {
        double here = so_far + table->log_p[before][token];
        if (here <= *best) continue;
        tokens[length] = token;
        if (token != TOKEN_EOS && length + 1 < LONGEST)
            try_all(best, table, tokens, length + 1, here);
        else if (begins_right(tokens, length + 1))
            *best = here;
    }
}

TEST(the_best_of_those_that_begin_so)
{
    Prefix prefix = small_prefix();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Table *table = table_new(seed);
        const SearchOptions options = {.beam = MAX_BEAM, .prefixes = &prefix};
        int32_t tokens[LONGEST];
        double best = -INFINITY;
        Hypotheses found;
        try_all(&best, table, tokens, 0, 0);
        assert_ok(beam_search(&table->model, &source, 1, &options, &found, NULL));
        ck_assert_double_eq_tol(found.items[0].log_p, best, 1e-5);
        for (size_t h = 0; h < found.count; h++)
            ck_assert(begins_right(found.items[h].tokens, found.items[h].length));
        hypotheses_free(&found);
        table->model.free(&table->model);
    }
    prefix_free(&prefix);
}

// Each source its own prefix, or none; in any batch, with a beam of 1, and with samples.
TEST(prefixes_of_a_batch)
{
    enum { SOURCES = 9 };
    Prefix prefixes[SOURCES] = {0};
    TokenPair sources[SOURCES];
    Threads *threads;
    BatchSearch batch_search;
    for (uint32_t i = 0; i < SOURCES; i++) {
        sources[i] = source;
        sources[i].number = SOURCES - 1 - i;
        if (i % 3) prefixes[i] = small_prefix();
    }
    assert_ok(threads_new(&threads, 2, NULL));
    assert_ok(batch_search_new(&batch_search, threads, NULL));
    for (size_t i = 0; i < 2; i++) batch_search.models[i] = &table_new(5)->model;
    for (size_t kind = 0; kind < 4; kind++) {
        const SearchOptions options = {.beam = kind ? 4 : 1,
                                       .batch = kind == 1 ? 2 : 64,
                                       .prefixes = prefixes,
                                       .sampling = {.wanted = kind == 3, .temperature = 1}};
        Hypotheses results[SOURCES];
        assert_ok(batch_search_run(&batch_search, sources, SOURCES, &options, results, NULL));
        for (size_t i = 0; i < SOURCES; i++) {
            for (size_t h = 0; h < results[i].count && prefixes[SOURCES - 1 - i].count; h++)
                ck_assert(begins_right(results[i].items[h].tokens, results[i].items[h].length));
            hypotheses_free(&results[i]);
        }
    }
    batch_search_free(&batch_search);
    threads_free(threads);
    for (size_t i = 0; i < SOURCES; i++) prefix_free(&prefixes[i]);
}

// The limit of length counts from the end of the prefix, and </s> may stand in it.
TEST(a_prefix_beyond_the_limit_and_one_that_ends)
{
    enum { LONG = 40 };
    int32_t tokens[LONG];
    uint32_t node;
    Prefix prefix = {0}, ending = {0};
    Hypotheses found;
    Table *table = table_new(1);
    for (size_t t = 0; t < LONG; t++) tokens[t] = 4 + (int32_t)(t % 3);
    assert_ok(prefix_walk(&prefix, tokens, LONG - 1, &node, NULL));
    assert_ok(prefix_allow(&prefix, node, tokens[LONG - 1], NULL));
    prefix_finish(&prefix);
    SearchOptions options = {.beam = 3, .prefixes = &prefix, .with_alpha = true};
    assert_ok(beam_search(&table->model, &source, 1, &options, &found, NULL));
    for (size_t h = 0; h < found.count; h++) {
        ck_assert_mem_eq(found.items[h].tokens, tokens, sizeof tokens);
        ck_assert_uint_le(found.items[h].length, LONG + 12);
    }
    hypotheses_free(&found);
    assert_ok(prefix_walk(&ending, tokens, 2, &node, NULL));
    assert_ok(prefix_allow(&ending, node, TOKEN_EOS, NULL));
    options.prefixes = &ending;
    assert_ok(beam_search(&table->model, &source, 1, &options, &found, NULL));
    ck_assert_uint_eq(found.count, 1);
    ck_assert_uint_eq(found.items[0].length, 3);
    ck_assert(found.items[0].ended);
    ck_assert_double_eq_tol(
        found.items[0].log_p,
        table->log_p[TOKEN_BOS][4] + table->log_p[4][5] + table->log_p[5][TOKEN_EOS], 1e-5);
    hypotheses_free(&found);
    table->model.free(&table->model);
    prefix_free(&prefix);
    prefix_free(&ending);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        Prefix prefix = {0};
        uint32_t node = 0;
        Status status = prefix_walk(&prefix, (int32_t[]){4, 5, 6}, 3, &node, NULL);
        if (!status) status = prefix_allow(&prefix, node, 7, NULL);
        failing_malloc_expect(status);
        prefix_free(&prefix);
    }
}
