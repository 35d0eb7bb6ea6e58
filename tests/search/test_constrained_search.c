// Search for hypotheses that contain given phrases.
#include "search/batch_search.h"

#include "search/phrases.h"
#include "search/table_model.h"

static bool has_all(const Phrases *phrases, const int32_t *text, size_t length)
{
    return has_all_with(phrases, NULL, text, length);
}

static const Phrases cases[] = {
    {{{0, false, 1, {5}}}, 1},
    {{{0, false, 2, {5, 6}}, {1, false, 2, {6, 4}}}, 2}, // the end of one begins the other
    {{{0, false, 2, {4, 4}}, {1, false, 2, {4, 4}}}, 2}, // the same twice
    {{{0, false, 1, {4}}, {1, false, 2, {4, 5}}, {2, false, 3, {4, 5, 5}}},
     3}, // they share their beginnings
    {{{0, false, 3, {6, 6, 5}}, {0, true, 2, {4, 6}}, {1, false, 1, {5}}}, 3}, // alternatives
};
enum { CASES = sizeof cases / sizeof *cases };

// The best log p of all sentences of at most LONGEST tokens that end and have the phrases.
static void try_all(double *best, const Table *table, const Phrases *phrases, int32_t *tokens,
                    size_t length, double so_far)
{
    int32_t before = length ? tokens[length - 1] : TOKEN_BOS;
    for (int32_t token = length ? TOKEN_EOS : TOKEN_EOS + 1; token < WORDS; token++) {
        double here = so_far + table->log_p[before][token];
        if (here <= *best) continue;
        tokens[length] = token;
        if (token == TOKEN_EOS && has_all(phrases, tokens, length))
            *best = here;
        else if (token != TOKEN_EOS && length + 1 < LONGEST)
            try_all(best, table, phrases, tokens, length + 1, here);
    }
}

static void find(const Table *table, const SearchOptions *options, Hypotheses *found)
{
    Error error = {0};
    SearchModel *model = (SearchModel *)(uintptr_t)&table->model;
    Status status = beam_search(model, &source, 1, options, found, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void expect_phrases(const Phrases *phrases, const Hypotheses *found)
{
    for (size_t h = 0; h < found->count; h++) {
        const Hypothesis *hypothesis = &found->items[h];
        ck_assert(!hypothesis->incomplete);
        ck_assert(has_all(phrases, hypothesis->tokens, hypothesis->length));
    }
}

TEST(the_best_of_those_that_have_them)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (size_t i = 0; i < CASES; i++) {
            Table *table = table_new(seed);
            Constraints constraints = constraints_of(&cases[i]);
            const SearchOptions options = {.beam = 200, .constraints = &constraints};
            int32_t tokens[LONGEST];
            double best = -INFINITY;
            Hypotheses found;
            try_all(&best, table, &cases[i], tokens, 0, 0);
            find(table, &options, &found);
            expect_phrases(&cases[i], &found);
            ck_assert_double_ge(found.items[0].log_p, best - 1e-5);
            if (found.items[0].ended && found.items[0].length <= LONGEST)
                ck_assert_double_eq_tol(found.items[0].log_p, best, 1e-5);
            hypotheses_free(&found);
            constraints_free(&constraints);
            table->model.free(&table->model);
        }
}

// With a token that is an ending, 5, words are said to their end and 4 is not met as their
// beginning.
TEST(whole_words)
{
    static const unsigned char edges[WORDS] = {
        [4] = TOKEN_ENDS_IN_WORD,
        [5] = TOKEN_BEGINS_IN_WORD | TOKEN_ENDS_IN_WORD,
        [6] = TOKEN_ENDS_IN_WORD,
    };
    static const Phrases phrases = {{{0, false, 1, {4}}, {1, false, 2, {6, 5}}}, 2};
    Constraints constraints = constraints_of(&phrases);
    constraints.edges = edges;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (size_t beam = 1; beam <= 5; beam += 4) {
            Table *table = table_new(seed);
            const SearchOptions options = {.beam = beam, .constraints = &constraints};
            Hypotheses found;
            find(table, &options, &found);
            for (size_t h = 0; h < found.count; h++) {
                const Hypothesis *hypothesis = &found.items[h];
                size_t length = hypothesis->length - hypothesis->ended;
                ck_assert(has_all_with(&phrases, edges, hypothesis->tokens, length));
            }
            hypotheses_free(&found);
            table->model.free(&table->model);
        }
    constraints_free(&constraints);
}

TEST(small_beams)
{
    static const size_t beams[] = {1, 2, 5, 20};
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (size_t i = 0; i < CASES * 4; i++) {
            Table *table = table_new(seed);
            const Phrases *phrases = &cases[i / 4];
            Constraints constraints = constraints_of(phrases);
            const SearchOptions options = {.beam = beams[i % 4],
                                           .length_normalization = 1,
                                           .with_alpha = true,
                                           .constraints = &constraints};
            Hypotheses found;
            find(table, &options, &found);
            ck_assert_uint_le(found.count, options.beam);
            expect_phrases(phrases, &found);
            for (size_t h = 1; h < found.count; h++)
                ck_assert_double_ge(found.items[h - 1].score, found.items[h].score);
            hypotheses_free(&found);
            constraints_free(&constraints);
            table->model.free(&table->model);
        }
}

// What search would say anyway is found.
TEST(a_phrase_that_is_the_whole_translation)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Table *table = table_new(seed);
        for (size_t beam = 1; beam <= 5; beam += 4) {
            SearchOptions options = {.beam = beam};
            Constraints constraints = {0};
            Hypotheses free_choice, found;
            find(table, &options, &free_choice);
            const Hypothesis *best = &free_choice.items[0];
            if (!best->ended) {
                hypotheses_free(&free_choice);
                continue;
            }
            assert_ok(constraints_add(&constraints, PHRASE_NEW, best->tokens,
                                      best->length - best->ended, NULL));
            options.constraints = &constraints;
            options.beam = 20; // each bank has a share alone
            find(table, &options, &found);
            ck_assert(!found.items[0].incomplete);
            ck_assert_double_ge(found.items[0].log_p, best->log_p - 1e-9);
            hypotheses_free(&free_choice);
            hypotheses_free(&found);
            constraints_free(&constraints);
        }
        table->model.free(&table->model);
    }
}

TEST(with_a_prefix)
{
    Prefix prefix = {0};
    uint32_t node;
    assert_ok(prefix_walk(&prefix, (int32_t[]){5, 6}, 2, &node, NULL));
    assert_ok(prefix_allow(&prefix, node, 4, NULL));
    assert_ok(prefix_allow(&prefix, node, TOKEN_EOS, NULL));
    prefix_finish(&prefix);
    for (size_t i = 0; i < CASES * 2; i++) {
        Table *table = table_new(i);
        Constraints constraints = constraints_of(&cases[i / 2]);
        const SearchOptions options = {
            .beam = i % 2 ? 5 : 1, .prefixes = &prefix, .constraints = &constraints};
        Hypotheses found;
        find(table, &options, &found);
        expect_phrases(&cases[i / 2], &found);
        for (size_t h = 0; h < found.count; h++)
            ck_assert_mem_eq(found.items[h].tokens, ((int32_t[]){5, 6, 4}),
                             (i / 2 ? 3 : 2) * sizeof(int32_t));
        hypotheses_free(&found);
        constraints_free(&constraints);
        table->model.free(&table->model);
    }
    prefix_free(&prefix);
}

// All of the attention after a 5, and none elsewhere.
static const real *attention_after_five(SearchModel *model, size_t row, size_t matrix)
{
    Table *table = (Table *)(void *)model;
    (void)matrix;
    table->attention = table->before[row] == 5;
    return &table->attention;
}

// A phrase is said where the attention is on its source: 5 6 rather than 6, which is likelier.
TEST(the_place_of_a_phrase)
{
    static const double p[WORDS] = {0, 0, 0, 0.3, 0.2, 0.25, 0.25};
    for (int placed = 0; placed < 2; placed++)
        for (size_t beam = 1; beam <= 5; beam += 4) {
            Table *table = table_new(1);
            Constraints constraints = {0};
            const SearchOptions options = {
                .beam = beam, .length_normalization = 1, .constraints = &constraints};
            Hypotheses found;
            table->model.attention = attention_after_five;
            for (size_t before = 0; before < WORDS; before++)
                for (size_t token = 0; token < WORDS; token++)
                    table->log_p[before][token] = log(p[token]);
            assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){6}, 1, NULL));
            if (placed) constraints_place(&constraints, 0, 1);
            find(table, &options, &found);
            const Hypothesis *best = &found.items[0];
            ck_assert_int_eq(best->tokens[0], placed ? 5 : 6);
            double rest = log(p[TOKEN_EOS]) + (placed ? log(p[5]) : 0);
            ck_assert_uint_eq(best->length, placed ? 3 : 2);
            ck_assert_double_eq_tol(best->log_p, rest + log(p[6]), 1e-5);
            ck_assert_double_eq_tol(best->score, rest / (placed ? 2 : 1) + log(p[6]), 1e-5);
            hypotheses_free(&found);
            constraints_free(&constraints);
            table->model.free(&table->model);
        }
}

// 4 and 5 are bound: they are said once each and no more, but for a prefix, which may say anything.
TEST(bound_tokens)
{
    static const unsigned char edges[WORDS] = {[4] = TOKEN_HAS_DIGIT, [5] = TOKEN_HAS_DIGIT};
    Constraints constraints = {.edges = edges, .bound = TOKEN_HAS_DIGIT};
    Prefix prefix = {0};
    uint32_t node;
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){4}, 1, NULL));
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){5}, 1, NULL));
    assert_ok(prefix_walk(&prefix, (int32_t[]){5}, 1, &node, NULL));
    assert_ok(prefix_allow(&prefix, node, 5, NULL));
    prefix_finish(&prefix);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Table *table = table_new(seed);
        bool begun = seed % 2;
        const SearchOptions options = {.beam = seed % 4 < 2 ? 1 : 5,
                                       .prefixes = begun ? &prefix : NULL,
                                       .constraints = &constraints};
        Hypotheses found;
        find(table, &options, &found);
        for (size_t h = 0; h < found.count; h++) {
            size_t said[WORDS] = {0};
            for (size_t t = 0; t < found.items[h].length; t++) said[found.items[h].tokens[t]]++;
            ck_assert(!found.items[h].incomplete);
            ck_assert_uint_eq(said[4], 1);
            ck_assert_uint_eq(said[5], begun ? 2 : 1);
        }
        hypotheses_free(&found);
        table->model.free(&table->model);
    }
    prefix_free(&prefix);
    constraints_free(&constraints);
}

// 4, a name, must be said, and 5, which measures, not behind it.
TEST(names)
{
    static const unsigned char edges[WORDS] = {[4] = TOKEN_HAS_PLACEHOLDER, [5] = TOKEN_MEASURES};
    size_t behind[2] = {0}; // in all translations
    for (uint64_t seed = 1; seed <= 80; seed++) {
        Table *table = table_new(seed / 2);
        const bool name = seed % 2;
        Constraints constraints = {.edges = edges, .bound = TOKEN_HAS_PLACEHOLDER};
        const SearchOptions options = {.beam = 5, .constraints = &constraints};
        Hypotheses found;
        assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){4}, 1, NULL));
        if (name) constraints_name(&constraints);
        find(table, &options, &found);
        for (size_t h = 0; h < found.count; h++)
            for (size_t t = 1; t < found.items[h].length; t++)
                behind[name] += found.items[h].tokens[t - 1] == 4 && found.items[h].tokens[t] == 5;
        hypotheses_free(&found);
        constraints_free(&constraints);
        table->model.free(&table->model);
    }
    ck_assert_uint_gt(behind[false], 0);
    ck_assert_uint_eq(behind[true], 0);
}

static const real *attention_to_both(SearchModel *model, size_t row, size_t matrix)
{
    static const real weights[2] = {0.5, 0.5};
    (void)model, (void)row, (void)matrix;
    return weights;
}

static const real *attention_to_second(SearchModel *model, size_t row, size_t matrix)
{
    static const real weights[2] = {0.015625, 0.9375};
    (void)model, (void)row, (void)matrix;
    return weights;
}

// Phrases are said in the order of the source, though the other is likelier, unless the attention is
// on the later one, or they are loose.
TEST(the_order_of_phrases)
{
    static const double p[WORDS] = {0, 0, 0, 0.7, 0.1, 0.199, 0.001};
    static const int32_t words[2] = {4, 5};
    const TokenPair two = {.source = words, .source_length = 2};
    for (int i = 0; i < 4; i++) {
        const bool later = i & 1, loose = i & 2;
        Table *table = table_new(1);
        Constraints constraints = {.loose = loose ? 3 : 0};
        const SearchOptions options = {.beam = 5, .constraints = &constraints};
        Hypotheses found;
        for (size_t before = 0; before < WORDS; before++)
            for (size_t token = 0; token < WORDS; token++)
                table->log_p[before][token] = log(p[token]);
        // 4 behind 5 is far likelier than 5 behind 4
        table->log_p[4][5] = log(0.00005);
        table->model.attention = later ? attention_to_second : attention_to_both;
        for (uint32_t j = 0; j < 2; j++) {
            assert_ok(constraints_add(&constraints, PHRASE_NEW, &words[j], 1, NULL));
            constraints_place(&constraints, j, j + 1);
        }
        assert_ok(beam_search(&table->model, &two, 1, &options, &found, NULL));
        const int32_t *said = found.items[0].tokens;
        ck_assert_int_eq(said[0], later || loose ? 5 : 4);
        hypotheses_free(&found);
        constraints_free(&constraints);
        table->model.free(&table->model);
    }
}

// Each source its own constraints, or none: what is found does not depend on the batch.
TEST(constraints_of_a_batch)
{
    enum { SOURCES = CASES + 2 };
    Constraints constraints[SOURCES] = {{0}};
    TokenPair sources[SOURCES];
    Table *table = table_new(3);
    for (uint32_t i = 0; i < SOURCES; i++) {
        sources[i] = source;
        sources[i].number = SOURCES - 1 - i;
        if (i < CASES) constraints[sources[i].number] = constraints_of(&cases[i]);
    }
    for (size_t beam = 1; beam <= 4; beam += 3) {
        SearchOptions options = {.beam = beam, .constraints = constraints};
        Hypotheses together[SOURCES], alone;
        assert_ok(beam_search(&table->model, sources, SOURCES, &options, together, NULL));
        for (size_t i = 0; i < SOURCES; i++) {
            assert_ok(beam_search(&table->model, &sources[i], 1, &options, &alone, NULL));
            ck_assert_uint_eq(alone.count, together[i].count);
            for (size_t h = 0; h < alone.count; h++) {
                const Hypothesis *x = &alone.items[h], *y = &together[i].items[h];
                ck_assert_uint_eq(x->length, y->length);
                ck_assert_mem_eq(x->tokens, y->tokens, x->length * sizeof *x->tokens);
                ck_assert(x->score == y->score);
            }
            if (i < CASES) expect_phrases(&cases[i], &alone);
            hypotheses_free(&alone);
            hypotheses_free(&together[i]);
        }
    }
    for (size_t i = 0; i < SOURCES; i++) constraints_free(&constraints[i]);
    table->model.free(&table->model);
}

// The limit of length begins behind the phrases.
TEST(many_long_phrases)
{
    int32_t tokens[MAX_PHRASE_TOKENS];
    Table *table = table_new(1);
    for (size_t t = 0; t < MAX_PHRASE_TOKENS; t++) tokens[t] = 4 + (int32_t)(t * t % 3);
    for (size_t beam = 1; beam <= 5; beam += 4) {
        Constraints constraints = {0};
        SearchOptions options = {.beam = beam, .constraints = &constraints};
        Hypotheses found;
        for (size_t i = 0; i < 4; i++)
            assert_ok(constraints_add(&constraints, PHRASE_NEW, tokens, MAX_PHRASE_TOKENS, NULL));
        find(table, &options, &found);
        ck_assert(!found.items[0].incomplete && found.items[0].ended);
        ck_assert_uint_ge(found.items[0].length, constraints.length + 1);
        ck_assert_uint_le(found.items[0].length, constraints.length + 12);
        hypotheses_free(&found);
        constraints_free(&constraints);
        for (size_t i = 0; i < MAX_PHRASES; i++)
            assert_ok(constraints_add(&constraints, PHRASE_NEW, &tokens[i % 3], 1, NULL));
        find(table, &options, &found);
        ck_assert(!found.items[0].incomplete);
        hypotheses_free(&found);
        constraints_free(&constraints);
    }
    table->model.free(&table->model);
}

// A phrase that may be said changes neither what is found nor its score.
TEST(optional_phrases_are_not_favoured)
{
    static const int32_t phrase[] = {4, 5};
    for (size_t i = 0; i < 40; i++) {
        Table *table = table_new(i / 4);
        Constraints constraints = {0};
        SearchOptions options = {.beam = 1 + i % 4, .length_normalization = 1};
        Hypotheses free, found;
        assert_ok(constraints_add(&constraints, PHRASE_OPTIONAL, phrase, 2, NULL));
        find(table, &options, &free);
        options.constraints = &constraints;
        find(table, &options, &found);
        const Hypothesis *x = &free.items[0], *y = &found.items[0];
        ck_assert_uint_eq(x->length, y->length);
        ck_assert_mem_eq(x->tokens, y->tokens, x->length * sizeof *x->tokens);
        ck_assert_double_eq_tol(x->score, y->score, 1e-9);
        hypotheses_free(&free);
        hypotheses_free(&found);
        constraints_free(&constraints);
        table->model.free(&table->model);
    }
}

// What is likely behind the phrase would make it a part of a longer word.
TEST(nothing_ends_where_it_would_go_astray)
{
    static const unsigned char edges[WORDS] = {[4] = TOKEN_HAS_DIGIT | TOKEN_ENDS_IN_WORD,
                                               [5] = TOKEN_BEGINS_IN_WORD,
                                               [6] = TOKEN_BEGINS_IN_WORD};
    static const int32_t number = 4;
    for (size_t beam = 1; beam <= 2; beam++) {
        Table *table = table_new(1);
        Constraints constraints = {.edges = edges, .bound = TOKEN_HAS_DIGIT};
        const SearchOptions options = {.beam = beam, .constraints = &constraints};
        Hypotheses found;
        for (size_t token = 0; token < WORDS; token++) {
            table->log_p[TOKEN_BOS][token] = token == 4 ? 0 : -INFINITY;
            table->log_p[4][token] = token == 5 ? -0.01 : token == 6 ? -5 : -7;
        }
        assert_ok(constraints_add(&constraints, PHRASE_NEW, &number, 1, NULL));
        find(table, &options, &found);
        for (size_t i = 0; i < found.count; i++)
            ck_assert_msg(!found.items[i].incomplete, "beam %zu, hypothesis %zu", beam, i);
        hypotheses_free(&found);
        constraints_free(&constraints);
        table->model.free(&table->model);
    }
}

// A phrase that cannot be said, and a model that can say nothing.
TEST(what_cannot_be_met_is_told)
{
    static const double impossible[] = {-INFINITY, NAN};
    Constraints constraints = constraints_of(&cases[0]);
    const SearchOptions options = {.beam = 3, .constraints = &constraints};
    for (size_t i = 0; i < 4; i++) {
        Hypotheses found;
        Table *table = table_new(1);
        for (size_t before = 0; before < WORDS; before++)
            for (size_t token = i < 2 ? 5 : 0; token < (i < 2 ? 6 : WORDS); token++)
                table->log_p[before][token] = impossible[i % 2];
        find(table, &options, &found);
        ck_assert_uint_ge(found.count, 1);
        for (size_t h = 0; h < found.count; h++) ck_assert(found.items[h].incomplete);
        ck_assert_uint_le(found.items[0].length, 13);
        hypotheses_free(&found);
        table->model.free(&table->model);
    }
    constraints_free(&constraints);
}
