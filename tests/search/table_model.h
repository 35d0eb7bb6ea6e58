/* A model for search that is no network: a table of probabilities, which a test can read. */
#pragma once

#include "base/memory.h"
#include "search/search_model.h"
#include "text/special_tokens.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { WORDS = 7, MAX_ROWS = 4000, LONGEST = 12 };

/* log p of each token after each token, and one column of a source of one token to look at. What is
 * said depends on the token before alone, so that a state is that token. */
typedef struct Table {
    SearchModel model;
    double log_p[WORDS][WORDS]; // [before][token]
    size_t rows;
    int32_t before[MAX_ROWS];
    real logits[WORDS], maximum, attention;
    size_t gathered; // how often
} Table;

static Status table_encode(SearchModel *model, const TokenPair *sources, size_t count,
                           size_t max_rows, Scoring scoring, Error *error)
{
    (void)sources, (void)scoring, (void)error;
    ck_assert_uint_le(max_rows, MAX_ROWS);
    ((Table *)(void *)model)->rows = count;
    return STATUS_OK;
}

static void table_step(SearchModel *model, const int32_t *tokens)
{
    Table *table = (Table *)(void *)model;
    memcpy(table->before, tokens, table->rows * sizeof *tokens);
}

static TokenScores table_scores(SearchModel *model, size_t row)
{
    Table *table = (Table *)(void *)model;
    table->maximum = -(real)INFINITY;
    for (size_t token = 0; token < WORDS; token++) {
        table->logits[token] = (real)table->log_p[table->before[row]][token];
        if (table->logits[token] > table->maximum) table->maximum = table->logits[token];
    }
    return (TokenScores){.count = WORDS, .logits = table->logits, .maxima = &table->maximum};
}

// The token before, so that a test can see whose it is.
static const real *table_attention(SearchModel *model, size_t row, size_t matrix)
{
    Table *table = (Table *)(void *)model;
    ck_assert_uint_eq(matrix, 0);
    table->attention = (real)table->before[row];
    return &table->attention;
}

static void table_gather(SearchModel *model, const uint32_t *from, size_t rows)
{
    Table *table = (Table *)(void *)model;
    for (size_t i = 0; i < rows; i++) ck_assert_uint_lt(from[i], table->rows);
    table->rows = rows;
    table->gathered++;
}

static void table_free(SearchModel *model)
{
    memory_free(model);
}

static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24);
}

static inline Table *table_new(uint64_t seed)
{
    Table *table = memory_new(1, sizeof *table);
    ck_assert_ptr_nonnull(table);
    table->model = (SearchModel){
        1, table_encode, table_step, table_scores, table_attention, table_gather, table_free};
    for (size_t before = 0; before < WORDS; before++) {
        double sum = 0;
        for (size_t token = 0; token < WORDS; token++)
            sum += table->log_p[before][token] = draw(&seed) + 0.01;
        for (size_t token = 0; token < WORDS; token++)
            table->log_p[before][token] = log(table->log_p[before][token] / sum);
    }
    return table;
}

static const int32_t word = TOKEN_EOS;
static const TokenPair source = {.source = &word, .source_length = 1};
