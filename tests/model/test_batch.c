#include "model/batch.h"

#include "support/suite.h"
#include "text/special_tokens.h"

#include <string.h>

static Batch fill(Arena *arena, const TokenPair *pairs, size_t count, bool targets,
                  size_t row_multiple)
{
    Batch batch;
    *arena = (Arena){0};
    assert_ok(batch_fill(&batch, arena, pairs, count, (BatchForm){targets, row_multiple}, NULL));
    return batch;
}

TEST(by_hand)
{
    /* Sources of 2, 3, 1 and targets of 1, 2, 3 tokens.
     *
     *     encoder's order 1 0 2      t=0: 7 5 3    t=1: 8 3    t=2: 3
     *     decoder's order 2 1 0      t=0: 6 9 3    t=1: 6 3    t=2: 3
     *     and reads                       <s> <s> <s>  6 9     6
     *
     * Pair 2 is the first of the decoder and the third of the encoder, and so on. */
    const TokenPair pairs[] = {
        {.source = (const int32_t[]){5, 3},
         .target = (const int32_t[]){3},
         .source_length = 2,
         .target_length = 1},
        {.source = (const int32_t[]){7, 8, 3},
         .target = (const int32_t[]){9, 3},
         .source_length = 3,
         .target_length = 2},
        {.source = (const int32_t[]){3},
         .target = (const int32_t[]){6, 6, 3},
         .source_length = 1,
         .target_length = 3},
    };
    Arena arena;
    Batch batch = fill(&arena, pairs, 3, true, 1);
    ck_assert_uint_eq(batch.source.tokens, 6);
    ck_assert_uint_eq(batch.target.tokens, 6);
    ck_assert_mem_eq(batch.source_pair, ((uint32_t[]){1, 0, 2}), 3 * sizeof(uint32_t));
    ck_assert_mem_eq(batch.target_pair, ((uint32_t[]){2, 1, 0}), 3 * sizeof(uint32_t));
    ck_assert_mem_eq(batch.source_place, ((uint32_t[]){1, 0, 2}), 3 * sizeof(uint32_t));
    ck_assert_mem_eq(batch.source_of, ((uint32_t[]){2, 0, 1}), 3 * sizeof(uint32_t));
    ck_assert_mem_eq(batch.source_tokens, ((int32_t[]){7, 5, 3, 8, 3, 3}), 6 * sizeof(int32_t));
    ck_assert_mem_eq(batch.target_tokens, ((int32_t[]){6, 9, 3, 6, 3, 3}), 6 * sizeof(int32_t));
    ck_assert_mem_eq(batch.input_tokens, ((int32_t[]){TOKEN_BOS, TOKEN_BOS, TOKEN_BOS, 6, 9, 6}),
                     6 * sizeof(int32_t));
    arena_free(&arena);
}

enum { COUNT = 40, LONGEST = 9 };

/* Pairs whose token says where it stands: number · 100 + position, and +10000 in targets. */
static void make_pairs(TokenPair *pairs, int32_t (*source)[LONGEST], int32_t (*target)[LONGEST])
{
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int32_t t = 0; t < LONGEST; t++) {
            source[i][t] = (int32_t)i * 100 + t;
            target[i][t] = 10000 + (int32_t)i * 100 + t;
        }
        pairs[i] = (TokenPair){.source = source[i],
                               .target = target[i],
                               .source_length = i * 7 % 5 + 1,
                               .target_length = i * 11 % LONGEST + 1,
                               .number = i};
    }
}

TEST(every_token_has_its_place)
{
    TokenPair pairs[COUNT];
    int32_t source[COUNT][LONGEST], target[COUNT][LONGEST];
    make_pairs(pairs, source, target);
    Arena arena;
    Batch batch = fill(&arena, pairs, COUNT, true, 24);
    ck_assert_ptr_eq(batch.pairs, pairs);
    ck_assert_uint_eq(batch.source.row_multiple, 24);
    ck_assert_uint_eq(batch.target.row_multiple, 24);
    for (size_t b = 0; b < COUNT; b++) {
        uint32_t pair = batch.source_pair[b];
        ck_assert_uint_eq(batch.source_place[pair], b);
        ck_assert_uint_eq(batch.source.lengths[b], pairs[pair].source_length);
        for (size_t t = 0; t < batch.source.lengths[b]; t++)
            ck_assert_int_eq(batch.source_tokens[batch.source.step_begin[t] + b], source[pair][t]);
        pair = batch.target_pair[b];
        ck_assert_uint_eq(batch.source_pair[batch.source_of[b]], pair);
        ck_assert_uint_eq(batch.target.lengths[b], pairs[pair].target_length);
        for (size_t t = 0; t < batch.target.lengths[b]; t++) {
            size_t row = batch.target.step_begin[t] + b;
            ck_assert_int_eq(batch.target_tokens[row], target[pair][t]);
            ck_assert_int_eq(batch.input_tokens[row], t ? target[pair][t - 1] : TOKEN_BOS);
        }
    }
    arena_free(&arena);
}

TEST(equal_lengths_keep_their_order)
{
    TokenPair pairs[COUNT];
    int32_t source[COUNT][LONGEST], target[COUNT][LONGEST];
    make_pairs(pairs, source, target);
    Arena arena;
    Batch batch = fill(&arena, pairs, COUNT, true, 1);
    for (size_t b = 1; b < COUNT; b++) {
        ck_assert_uint_le(batch.source.lengths[b], batch.source.lengths[b - 1]);
        ck_assert_uint_le(batch.target.lengths[b], batch.target.lengths[b - 1]);
        if (batch.source.lengths[b] == batch.source.lengths[b - 1])
            ck_assert_uint_gt(batch.source_pair[b], batch.source_pair[b - 1]);
        if (batch.target.lengths[b] == batch.target.lengths[b - 1])
            ck_assert_uint_gt(batch.target_pair[b], batch.target_pair[b - 1]);
    }
    arena_free(&arena);
}

TEST(sources_alone)
{
    const TokenPair pair = {.source = (const int32_t[]){8, 3}, .source_length = 2};
    Arena arena;
    Batch batch = fill(&arena, &pair, 1, false, 24);
    ck_assert_uint_eq(batch.source.tokens, 2);
    ck_assert_mem_eq(batch.source_tokens, ((int32_t[]){8, 3}), 2 * sizeof(int32_t));
    ck_assert_uint_eq(batch.target.count, 0);
    ck_assert_uint_eq(batch.target.tokens, 0);
    ck_assert_ptr_null(batch.target_tokens);
    arena_free(&arena);
}

TEST(the_smallest_batch)
{
    const int32_t end[] = {TOKEN_EOS};
    const TokenPair pair = {.source = end, .target = end, .source_length = 1, .target_length = 1};
    Arena arena;
    Batch batch = fill(&arena, &pair, 1, true, 1);
    ck_assert_int_eq(batch.source_tokens[0], TOKEN_EOS);
    ck_assert_int_eq(batch.input_tokens[0], TOKEN_BOS);
    ck_assert_int_eq(batch.target_tokens[0], TOKEN_EOS);
    // again in the same memory
    assert_ok(batch_fill(&batch, &arena, &pair, 1, (BatchForm){true, 1}, NULL));
    ck_assert_uint_eq(batch.source_of[0], 0);
    arena_free(&arena);
}
