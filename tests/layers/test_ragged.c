#include "layers/ragged.h"

#include "support/draw.h"
#include "support/suite.h"

static Ragged ragged_of(Arena *arena, const uint32_t *lengths, size_t count, size_t row_multiple)
{
    Ragged ragged;
    ragged_layout(&ragged, arena, count, lengths[0]);
    ragged_fill(&ragged, lengths, row_multiple);
    return ragged;
}

/* The header's drawing: lengths 3 2 1 are steps of 3, 2 and 1 rows. */
TEST(by_hand)
{
    Arena arena = draw_arena();
    Ragged ragged = ragged_of(&arena, (uint32_t[]){3, 2, 1}, 3, 1);
    ck_assert_uint_eq(ragged.count, 3);
    ck_assert_uint_eq(ragged.steps, 3);
    ck_assert_uint_eq(ragged.tokens, 6);
    static const size_t step_begin[] = {0, 3, 5, 6}, sentence_begin[] = {0, 3, 5, 6};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(ragged.step_begin[i], step_begin[i]);
        ck_assert_uint_eq(ragged.sentence_begin[i], sentence_begin[i]);
    }
    for (size_t t = 0; t < 3; t++) ck_assert_uint_eq(ragged_rows(&ragged, t), 3 - t);
    arena_free(&arena);
}

/* Every token has one row in each form, and rows of a step are the sentences that reach it. */
static void expect_whole(const uint32_t *lengths, size_t count)
{
    Arena arena = draw_arena();
    Ragged ragged = ragged_of(&arena, lengths, count, 1);
    size_t tokens = 0, rows = 0;
    for (size_t b = 0; b < count; b++) {
        ck_assert_uint_eq(ragged.lengths[b], lengths[b]);
        ck_assert_uint_eq(ragged.sentence_begin[b], tokens);
        tokens += lengths[b];
    }
    ck_assert_uint_eq(ragged.tokens, tokens);
    ck_assert_uint_eq(ragged.sentence_begin[count], tokens);
    for (size_t t = 0; t < ragged.steps; t++) {
        size_t running = 0;
        for (size_t b = 0; b < count; b++) running += lengths[b] > t;
        ck_assert_uint_eq(ragged_rows(&ragged, t), running);
        ck_assert_uint_eq(ragged.step_begin[t], rows);
        rows += running;
    }
    ck_assert_uint_eq(ragged.step_begin[ragged.steps], tokens);
    arena_free(&arena);
}

TEST(shapes)
{
    expect_whole((uint32_t[]){1}, 1);
    expect_whole((uint32_t[]){9}, 1);
    expect_whole((uint32_t[]){1, 1, 1, 1}, 4);
    expect_whole((uint32_t[]){5, 5, 5}, 3);
    expect_whole((uint32_t[]){40, 7, 7, 2, 1, 1}, 6);
}

TEST(rounding)
{
    Arena arena = draw_arena();
    Ragged ragged = ragged_of(&arena, (uint32_t[]){2, 1}, 2, 24);
    ck_assert_uint_eq(ragged.row_multiple, 24);
    ck_assert_uint_eq(ragged_rounded(&ragged, 0), 0);
    ck_assert_uint_eq(ragged_rounded(&ragged, 1), 24);
    ck_assert_uint_eq(ragged_rounded(&ragged, 24), 24);
    ck_assert_uint_eq(ragged_rounded(&ragged, 25), 48);
    ragged.row_multiple = 1;
    ck_assert_uint_eq(ragged_rounded(&ragged, 25), 25);
    arena_free(&arena);
}

// The tables of one batch measured and taken are as large.
TEST(measures)
{
    Arena measure = arena_measuring(), arena = draw_arena();
    Ragged ragged;
    ragged_layout(&ragged, &measure, 5, 11);
    ragged_layout(&ragged, &arena, 5, 11);
    ck_assert_uint_eq(measure.used, arena.used);
    ck_assert_uint_ge(arena.used, 5 * sizeof(uint32_t) + (12 + 6) * sizeof(size_t));
    arena_free(&arena);
}
