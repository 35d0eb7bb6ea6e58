// A model and a lexicon together (model/lexical_search.h), by hand: a model that says and looks as told.
#include "model/lexical_search.h"

#include "base/memory.h"
#include "search/beam.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>

enum { TARGETS = 12, POSITIONS = 4 };

// Unit 4 5 stands for 7 8 (p = 0.6) and 9 (0.2).
static const uint16_t units[] = {2 + 256 * 2, 4, 5, 2 + 256 * 153, 7, 8, 1 + 256 * 51, 9};
static const uint8_t edges[TARGETS];
static uint32_t places[] = {0};
static const Lexicon lexicon = {edges, units, sizeof units / sizeof *units, places, 1, {NULL}};

static const int32_t with_unit[POSITIONS] = {6, 4, 5, TOKEN_EOS}, without[2] = {6, TOKEN_EOS};
static const TokenPair sources[2] = {{.source = with_unit, .source_length = POSITIONS},
                                     {.source = without, .source_length = 2}};

// All tokens are equally likely, but for what a test changes; it looks at `attention`.
typedef struct Told {
    SearchModel model;
    real logits[TARGETS], maximum, attention[POSITIONS];
    const int32_t *tokens; // NULL: all
    size_t count;
    bool freed;
} Told;

static Status told_encode(SearchModel *model, const TokenPair *pairs, size_t count, size_t max_rows,
                          Scoring scoring, Error *error)
{
    (void)model, (void)pairs, (void)count, (void)max_rows, (void)scoring, (void)error;
    return STATUS_OK;
}

static void told_step(SearchModel *model, const int32_t *tokens)
{
    (void)model, (void)tokens;
}

static TokenScores told_scores(SearchModel *model, size_t row)
{
    Told *told = (Told *)(void *)model;
    (void)row;
    return (TokenScores){told->count, told->tokens, told->logits, &told->maximum,
                         (real)log((double)told->count)};
}

static const real *told_attention(SearchModel *model, size_t row, size_t matrix)
{
    (void)row;
    ck_assert_uint_eq(matrix, 0);
    return ((Told *)(void *)model)->attention;
}

static void told_gather(SearchModel *model, const uint32_t *from, size_t rows)
{
    (void)model, (void)from, (void)rows;
}

static void told_free(SearchModel *model)
{
    ((Told *)(void *)model)->freed = true;
}

static Told told;
static SearchModel *model;

// Looks at the unit with this attention, half at each of its tokens, else at the first token.
static void look(double attention)
{
    memset(told.attention, 0, sizeof told.attention);
    told.attention[0] = (real)(1 - attention);
    told.attention[1] = told.attention[2] = (real)(attention / 2);
}

static void set_up(void)
{
    told = (Told){
        .model = {1, told_encode, told_step, told_scores, told_attention, told_gather, told_free},
        .count = TARGETS};
    assert_ok(lexical_search_new(&model, &told.model, &lexicon, TARGETS, NULL));
    assert_ok(model->encode(model, sources, 2, 4, (Scoring){.lexicon = 0.5}, NULL));
    look(0.8);
}

static void tear_down(void)
{
    model->free(model);
    ck_assert(told.freed);
}

static double p_of(const TokenScores *scores, size_t place)
{
    return exp((double)scores->logits[place] - (double)scores->log_z);
}

// That these tokens, and no others, have more than the model's share, and that all add up to 1.
static void expect_p(size_t row, double p_of_7, double p_of_8, double p_of_9, double p_of_others)
{
    double sum = 0;
    const TokenScores scores = model->scores(model, row);
    ck_assert_uint_eq(scores.count, TARGETS);
    for (size_t token = 0; token < TARGETS; token++) {
        const double expected = token == 7   ? p_of_7
                                : token == 8 ? p_of_8
                                : token == 9 ? p_of_9
                                             : p_of_others;
        ck_assert_double_eq_tol(p_of(&scores, token), expected, 1e-6);
        ck_assert(scores.logits[token] <= scores.maxima[token / SEARCH_SPAN]);
        sum += p_of(&scores, token);
    }
    ck_assert_double_eq_tol(sum, 1, 1e-6);
}

static void say(int32_t first, int32_t second)
{
    model->step(model, (const int32_t[]){first, second});
}

TESTS_EACH(set_up, tear_down)

// w = 0.8 (0.6, 0.2) = (0.48, 0.16), so that 1 - λ Σ w = 0.68.
TEST(begins_a_translation)
{
    const double others = 0.68 / TARGETS;
    say(TOKEN_BOS, TOKEN_BOS);
    expect_p(0, others + 0.24, others, others + 0.08, others);
    expect_p(0, others + 0.24, others, others + 0.08, others); // asked for again
    expect_p(1, 1. / TARGETS, 1. / TARGETS, 1. / TARGETS, 1. / TARGETS);
}

// 8 goes on with 7: all of the unit's share, 0.8.
TEST(goes_on)
{
    const double others = 0.6 / TARGETS;
    say(TOKEN_BOS, TOKEN_BOS);
    say(7, 7);
    expect_p(0, others, others + 0.4, others, others);
}

TEST(says_nothing_after_a_translation)
{
    const double others = 1. / TARGETS;
    say(TOKEN_BOS, TOKEN_BOS);
    say(7, 7);
    say(8, 8);
    expect_p(0, others, others, others, others);
    say(9, 9);
    expect_p(0, others, others, others, others);
}

// w = 0.6 (0.6, 0.2) = (0.36, 0.12), so that 1 - λ Σ w = 0.76.
static void expect_beginnings(void)
{
    look(0.6);
    expect_p(0, 0.76 / TARGETS + 0.18, 0.76 / TARGETS, 0.76 / TARGETS + 0.06, 0.76 / TARGETS);
}

// A word that is said while most attention is on the unit goes on until attention has left it.
TEST(leaves_a_word_to_the_network)
{
    const double others = 1. / TARGETS;
    say(TOKEN_BOS, TOKEN_BOS);
    (void)model->scores(model, 0);
    for (int32_t token = 10; token < 12; token++) {
        say(token, token);
        expect_p(0, others, others, others, others);
    }
    look(0.6);
    say(6, 6);
    expect_p(0, others, others, others, others);
    say(10, 10);
    expect_beginnings();
    say(10, 10);
    expect_beginnings(); // with less attention it may begin behind any word
}

TEST(looks_elsewhere)
{
    const double others = 1. / TARGETS;
    look(0.04);
    say(TOKEN_BOS, TOKEN_BOS);
    expect_p(0, others, others, others, others);
}

// Rows keep what they said: row 0 goes on with what was row 1, of the second source, row 1 with row 0.
TEST(gathers)
{
    const double others = 1. / TARGETS;
    say(TOKEN_BOS, TOKEN_BOS);
    say(7, 7);
    model->gather(model, (const uint32_t[]){1, 0}, 2);
    expect_p(0, others, others, others, others);
    expect_p(1, 0.6 / TARGETS, 0.6 / TARGETS + 0.4, 0.6 / TARGETS, 0.6 / TARGETS);
}

TEST(without_a_share)
{
    const double others = 1. / TARGETS;
    assert_ok(model->encode(model, sources, 2, 4, (Scoring){.lexicon = 0}, NULL));
    say(TOKEN_BOS, TOKEN_BOS);
    expect_p(0, others, others, others, others);
}

// A shortlist without 9: what is proposed is found by its token, and 9 is left to the model.
TEST(candidates)
{
    static const int32_t candidates[] = {0, 1, 2, 3, 7, 10};
    told.tokens = candidates;
    told.count = sizeof candidates / sizeof *candidates;
    say(TOKEN_BOS, TOKEN_BOS);
    const TokenScores scores = model->scores(model, 0);
    const double others = (1 - 0.24) / (double)told.count;
    for (size_t place = 0; place < told.count; place++)
        ck_assert_double_eq_tol(p_of(&scores, place), others + (place == 4 ? 0.24 : 0), 1e-6);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        SearchModel *made = NULL;
        Told other = told;
        Status status = lexical_search_new(&made, &other.model, &lexicon, TARGETS, NULL);
        if (!status) status = made->encode(made, sources, 2, 4, (Scoring){.lexicon = 0.5}, NULL);
        failing_malloc_expect(status);
        if (made) made->free(made);
        ck_assert(other.freed);
    }
}
