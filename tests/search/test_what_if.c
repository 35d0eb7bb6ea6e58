/* Search where something else is asked for: against every sentence of a small model, and against the
 * attention that was asked for. */
#include "search/beam_case.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

enum { VOCABULARY = 8, LIMIT = 40 };

static WhatIfWord word_at(size_t step, bool forced, int32_t first, int32_t second)
{
    return (WhatIfWord){step, forced, {second ? 2 : 1}, {{first, second}}};
}

// Whether a hypothesis has what is forced, and nothing that is forbidden.
static bool obeys(const WhatIf *what_if, const int32_t *tokens, size_t length)
{
    for (size_t i = 0; i < what_if->word_count; i++) {
        const WhatIfWord *word = &what_if->words[i];
        bool found = false;
        for (size_t k = 0; k < WHAT_IF_SPELLINGS; k++) {
            size_t count = word->lengths[k];
            found =
                found || (count && word->step + count <= length &&
                          !memcmp(tokens + word->step, word->tokens[k], count * sizeof *tokens));
        }
        if (found != word->forced) return false;
    }
    return true;
}

typedef struct Best {
    const WhatIf *what_if;
    const TokenPair *source;
    int32_t tokens[LIMIT], best[LIMIT];
    size_t best_length;
    double best_log_p;
} Best;

// Tries every sentence of at most `most` tokens, </s> counted.
static void try_all(Best *best, size_t length, size_t most)
{
    for (int32_t token = TOKEN_EOS; token < VOCABULARY; token++) {
        best->tokens[length] = token;
        if (token == TOKEN_EOS) {
            if (length == 0 || !obeys(best->what_if, best->tokens, length + 1)) continue;
            TokenPair pair = with_target(best->source, best->tokens, length + 1);
            pair.what_if = NULL;
            double log_p = small_model_log_p(&model, &pair, NULL);
            if (best->best_length && log_p <= best->best_log_p) continue;
            best->best_log_p = log_p;
            best->best_length = length + 1;
            memcpy(best->best, best->tokens, (length + 1) * sizeof *best->best);
        } else if (length + 1 < most) {
            try_all(best, length + 1, most);
        }
    }
}

static void expect_best(const WhatIf *what_if, size_t which)
{
    TokenPair source = drawn.pairs[which];
    Best best = {.what_if = what_if, .source = &source};
    Hypotheses found;
    source.what_if = what_if;
    search(&source, 1, (SearchOptions){.beam = 400}, &found);
    try_all(&best, 0, 5);
    for (size_t h = 0; h < found.count; h++)
        ck_assert(obeys(what_if, found.items[h].tokens, found.items[h].length));
    // a longer sentence may be likelier than all of these
    if (found.items[0].length <= 5) {
        ck_assert_uint_eq(found.items[0].length, best.best_length);
        ck_assert_mem_eq(found.items[0].tokens, best.best, best.best_length * sizeof *best.best);
    }
    ck_assert_double_ge(found.items[0].log_p, best.best_log_p - 1e-4);
    TokenPair pair = with_target(&source, found.items[0].tokens, found.items[0].length);
    pair.what_if = NULL;
    ck_assert_double_eq_tol(found.items[0].log_p, small_model_log_p(&model, &pair, NULL), 1e-4);
    hypotheses_free(&found);
}

TEST(words_against_every_sentence)
{
    const WhatIf asked[] = {
        {.words = {word_at(0, true, 5, 0)}, .word_count = 1},
        {.words = {word_at(2, true, 6, 4)}, .word_count = 1},
        {.words = {word_at(0, false, 5, 0), word_at(0, false, 6, 0)}, .word_count = 2},
        {.words = {word_at(1, false, 6, 7), word_at(0, true, 4, 0)}, .word_count = 2},
        {.words = {{0, true, {1, 2}, {{7}, {4, 5}}}}, .word_count = 1},
        {.words = {{1, false, {1, 2}, {{7}, {4, 5}}}}, .word_count = 1},
    };
    for (uint64_t seed = 0; seed < 3; seed++) {
        set_up(VOCABULARY, 2, seed);
        model.params.output.bias[TOKEN_EOS] = 1;
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) expect_best(&asked[i], seed);
        tear_down();
    }
}

// A forced word is whole: 5 goes on with 4, and nothing but 6 begins another word.
TEST(a_whole_word)
{
    const unsigned char edges[VOCABULARY] = {
        [4] = TOKEN_ENDS_IN_WORD, [5] = TOKEN_BEGINS_IN_WORD, [7] = TOKEN_BEGINS_IN_WORD};
    const WhatIf asked = {.words = {word_at(1, true, 4, 0)}, .word_count = 1, .edges = edges};
    for (uint64_t seed = 0; seed < 6; seed++) {
        set_up(VOCABULARY, 3, seed);
        Hypotheses found;
        TokenPair source = drawn.pairs[0];
        source.what_if = &asked;
        search(&source, 1, (SearchOptions){.beam = 4}, &found);
        for (size_t h = 0; h < found.count; h++) {
            const int32_t *tokens = found.items[h].tokens;
            ck_assert_uint_ge(found.items[h].length, 3);
            ck_assert_int_eq(tokens[1], 4);
            ck_assert(tokens[2] != 5 && tokens[2] != 7);
        }
        hypotheses_free(&found);
        tear_down();
    }
}

// What a search with that attention found, greedily.
static Hypotheses found_with(const WhatIf *what_if)
{
    Hypotheses found;
    TokenPair source = drawn.pairs[0];
    source.what_if = what_if;
    search(&source, 1, (SearchOptions){.beam = 1, .with_alpha = true}, &found);
    return found;
}

static void expect_same(const Hypothesis *a, const Hypothesis *b, double tolerance)
{
    ck_assert_uint_eq(a->length, b->length);
    ck_assert_mem_eq(a->tokens, b->tokens, a->length * sizeof *a->tokens);
    ck_assert(fabs(a->log_p - b->log_p) <= tolerance);
}

/* Forbidden tokens have no weight at any step; and where the weights that this led to are given one
 * by one, the same is found. */
TEST(attention)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        set_up(VOCABULARY, 2, seed);
        model.params.output.bias[TOKEN_EOS] = 1;
        drawn.pairs[0].source_length = 3;
        const WhatIf nothing = {0}, forbids = {.forbidden = {1}, .forbidden_count = 1};
        Hypotheses plain = found_with(NULL), same = found_with(&nothing),
                   without = found_with(&forbids);
        const Hypothesis *best = &without.items[0];
        expect_same(&plain.items[0], &same.items[0], 1e-5);
        WhatIf given = {0};
        for (size_t t = 0; t < best->length; t++)
            for (uint32_t j = 0; j < 3; j++) {
                float weight = best->alpha[t * 3 + j];
                if (j == 1) ck_assert(weight == 0);
                ck_assert_uint_lt(given.weight_count, MAX_WHAT_IFS);
                given.weights[given.weight_count++] = (WhatIfWeight){t, j, (double)weight};
            }
        Hypotheses again = found_with(&given);
        expect_same(best, &again.items[0], 1e-4);
        ck_assert_mem_eq(again.items[0].alpha, best->alpha, best->length * 3 * sizeof(float));
        hypotheses_free(&plain);
        hypotheses_free(&same);
        hypotheses_free(&without);
        hypotheses_free(&again);
        tear_down();
    }
}

// In a batch with others, which stay as they are to the bit.
TEST(others_stay_as_they_are)
{
    const WhatIf asked = {
        .forbidden = {0}, .forbidden_count = 1, .words = {word_at(1, true, 5, 0)}, .word_count = 1};
    set_up(VOCABULARY, 2, 3);
    Hypotheses plain[4], results[4];
    TokenPair sources[4];
    memcpy(sources, drawn.pairs, sizeof sources);
    search(sources, 4, (SearchOptions){.beam = 3, .with_alpha = true}, plain);
    for (size_t i = 0; i < 4; i++)
        if (sources[i].source_length > 1) sources[i].what_if = i == 2 ? &asked : NULL;
    search(sources, 4, (SearchOptions){.beam = 3, .with_alpha = true}, results);
    for (size_t i = 0; i < 4; i++) {
        if (sources[i].what_if) {
            ck_assert_int_eq(results[i].items[0].tokens[1], 5);
            continue;
        }
        expect_same(&plain[i].items[0], &results[i].items[0], 0);
        ck_assert_mem_eq(plain[i].items[0].alpha, results[i].items[0].alpha,
                         plain[i].items[0].length * plain[i].items[0].positions * sizeof(float));
    }
    free_all(plain, 4);
    free_all(results, 4);
}
