#include "align/soft_alignment.h"
#include "align/subword_text.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

// The alignment of the two texts must be `expected` (targets, sources).
static void expect(Text source, Text target, const float *alpha, const float *expected)
{
    SoftAlignment soft = {0};
    assert_ok(soft_alignment_set(&soft, alpha, side(&source), side(&target), NULL));
    ck_assert_uint_eq(soft.sources, source.units.count);
    ck_assert_uint_eq(soft.targets, target.units.count);
    for (size_t i = 0; i < soft.targets * soft.sources; i++)
        ck_assert_msg(fabsf(soft.weights[i] - expected[i]) < 1e-6F,
                      "target %zu, source %zu: %.7g, expected %.7g", i / soft.sources,
                      i % soft.sources, (double)soft.weights[i], (double)expected[i]);
    soft_alignment_free(&soft);
    spans_free(&source.units);
    spans_free(&target.units);
}

TEST(sums_sources_and_averages_targets)
{
    // source "the cats" = the| c|ats|</s>, target "chats ici" = ch|ats| ici|</s>
    Text source = {"the cats", UNITS_WORDS, {3, 5, 8}, 3, {0}};
    Text target = {"chats ici", UNITS_WORDS, {2, 5, 9}, 3, {0}};
    const float alpha[4 * 4] = {
        0.1F, 0.2F, 0.6F, 0.1F, //
        0.3F, 0.3F, 0.3F, 0.1F, //
        0.5F, 0.1F, 0.1F, 0.3F, //
        0.0F, 0.0F, 0.0F, 1.0F,
    };
    /* chats: the = (.1 + .3) / 2 = .2, cats = (.2 + .6 + .3 + .3) / 2 = .7; without </s> .9 is
     * left: 2/9, 7/9 ici:   the = .5, cats = .1 + .1 = .2; .7 is left: 5/7, 2/7 */
    const float expected[2 * 2] = {2.0F / 9, 7.0F / 9, 5.0F / 7, 2.0F / 7};
    expect(source, target, alpha, expected);
}

// A full stop that is attached to a target word does not count for it, if it is to be left out.
TEST(attached_marks)
{
    // one| day|.|</s> and un| jour|.| .|</s>: the last full stop is a unit of its own
    Text source = {"one day.", UNITS_WORDS, {3, 7, 8}, 3, {0}};
    Text target = {"un jour. .", UNITS_WORDS, {2, 7, 8, 10}, 4, {0}};
    const float alpha[5 * 4] = {
        0.5F, 0.2F, 0.3F, 0.0F, //
        0.2F, 0.6F, 0.2F, 0.0F, //
        0.4F, 0.2F, 0.4F, 0.0F, // left out
        0.1F, 0.0F, 0.9F, 0.0F, //
        0.0F, 0.0F, 0.0F, 1.0F,
    };
    const float expected[3 * 2] = {0.5F, 0.5F, 0.2F, 0.8F, 0.1F, 0.9F};
    SoftSide sides[2] = {side(&source), side(&target)};
    SoftAlignment soft = {0};
    sides[1].text = target.text;
    assert_ok(soft_alignment_set(&soft, alpha, sides[0], sides[1], NULL));
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq_tol((double)soft.weights[i], (double)expected[i], 1e-6);
    soft_alignment_free(&soft);
    spans_free(&source.units);
    spans_free(&target.units);
}

TEST(a_subword_of_two_characters)
{
    // source 我|喜欢|你|</s> has four characters, target 爱你|</s> two, in one subword
    Text source = {"我喜欢你", UNITS_CHARACTERS, {3, 9, 12}, 3, {0}};
    Text target = {"爱你", UNITS_CHARACTERS, {6}, 1, {0}};
    const float alpha[2 * 4] = {
        0.2F, 0.4F, 0.2F, 0.2F, //
        0.0F, 0.0F, 0.0F, 1.0F,
    };
    // 喜 and 欢 get .4 / 2 each; .8 is left without </s>, so all four are .2 / .8; both targets
    // have the row
    const float expected[2 * 4] = {0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F};
    expect(source, target, alpha, expected);
}

TEST(the_subwords_of_one_character)
{
    // source 龘 spelt in bytes, E9|BE|98, then 。; target "ok"
    Text source = {"龘。", UNITS_CHARACTERS, {1, 2, 3, 6}, 4, {0}};
    Text target = {"ok", UNITS_WORDS, {2}, 1, {0}};
    const float alpha[2 * 5] = {
        0.1F, 0.2F, 0.3F, 0.2F, 0.2F, //
        0.0F, 0.0F, 0.0F, 0.0F, 1.0F,
    };
    const float expected[2] = {0.75F, 0.25F}; // .6 / .8, .2 / .8
    expect(source, target, alpha, expected);
}

TEST(a_space_of_its_own_belongs_to_what_follows)
{
    // source "a b" = ␣|a|␣|b|</s>: the first space stands before the text, so its subword is empty
    Text source = {"a b", UNITS_WORDS, {0, 1, 2, 3}, 4, {0}};
    Text target = {"c d", UNITS_WORDS, {1, 2, 3}, 3, {0}}; // c|␣|d|</s>
    const float alpha[4 * 5] = {
        0.1F, 0.3F, 0.2F, 0.4F, 0.0F, //
        0.0F, 0.2F, 0.5F, 0.3F, 0.0F, //
        0.3F, 0.5F, 0.0F, 0.2F, 0.0F, //
        0.0F, 0.0F, 0.0F, 0.0F, 1.0F,
    };
    // c: a = .1 + .3, b = .2 + .4;  d: a = (.2 + .8) / 2, b = (.8 + .2) / 2
    const float expected[2 * 2] = {0.4F, 0.6F, 0.5F, 0.5F};
    expect(source, target, alpha, expected);
}

TEST(one_subword_each)
{
    Text source = {"oui", UNITS_WORDS, {3}, 1, {0}};
    Text target = {"yes", UNITS_WORDS, {3}, 1, {0}};
    const float alpha[2 * 2] = {0.25F, 0.75F, 0.0F, 1.0F};
    const float zero[1] = {0.0F}, one[1] = {1.0F};
    expect(source, target, alpha, one);
    const float end[2 * 2] = {0.0F, 1.0F, 0.0F, 1.0F};
    expect(source, target, end, zero); // it looked at </s> alone
}

TEST(rows_that_cannot_be_believed_are_zero)
{
    Text source = {"a b", UNITS_WORDS, {1, 3}, 2, {0}};
    Text target = {
        "c d e f", UNITS_WORDS, {1, 3, 5}, 3, {0}}; // "f" has no subword: the text was cut
    const float alpha[4 * 3] = {
        4e-7F, 4e-7F,    1.0F, //
        NAN,   0.5F,     0.5F, //
        0.5F,  INFINITY, 0.5F, //
        0.0F,  0.0F,     1.0F,
    };
    const float expected[4 * 2] = {0};
    expect(source, target, alpha, expected);
}

TEST(empty_sides)
{
    Text empty = {"", UNITS_WORDS, {0}, 0, {0}};
    Text word = {"a", UNITS_WORDS, {1}, 1, {0}};
    const float alpha[2] = {0.5F, 0.5F};
    SoftAlignment soft = {0};
    assert_ok(soft_alignment_set(&soft, alpha, side(&empty), side(&word), NULL));
    ck_assert_uint_eq(soft.sources, 0);
    ck_assert_uint_eq(soft.targets, 1);
    assert_ok(soft_alignment_set(&soft, alpha, side(&word), side(&empty), NULL));
    ck_assert_uint_eq(soft.sources, 1);
    ck_assert_uint_eq(soft.targets, 0);
    assert_ok(soft_alignment_set(&soft, alpha, side(&empty), side(&empty), NULL));
    soft_alignment_free(&soft);
    spans_free(&word.units);
}

TEST(refuses_what_cannot_fit)
{
    Spans many = {.count = SIZE_MAX / 2}; // never read: the size is refused first
    SoftSide huge = {.units = &many};
    SoftAlignment soft = {0};
    Error error = {0};
    ck_assert_int_eq(soft_alignment_set(&soft, NULL, huge, huge, &error), STATUS_MEMORY);
    assert_contains(error.text, "out of memory");
    ck_assert_uint_eq(soft.targets, 0);
    soft_alignment_free(&soft);
}

// Cuts "xxxx" of 24 bytes into subwords or units of random lengths; returns how many.
static size_t cut(Random *random, uint32_t ends[24])
{
    size_t count = 0;
    for (uint32_t at = 0; at < 24; ends[count++] = at)
        at += 1 + (uint32_t)random_below(random, 24 - at);
    return count;
}

// However the text is cut, every row sums to 1 and no weight is negative.
TEST(rows_sum_to_one)
{
    Random random = random_from(7, 0);
    SoftAlignment soft = {0};
    for (int round = 0; round < 200; round++) {
        uint32_t ends[2][24], unit_ends[2][24];
        Spans units[2] = {{0}};
        SoftSide sides[2];
        for (int i = 0; i < 2; i++) {
            sides[i] =
                (SoftSide){.ends = ends[i], .subwords = cut(&random, ends[i]), .units = &units[i]};
            size_t count = cut(&random, unit_ends[i]);
            for (size_t u = 0; u < count; u++)
                assert_ok(spans_append(&units[i],
                                       (Span){u ? unit_ends[i][u - 1] : 0, unit_ends[i][u]}, NULL));
        }
        float alpha[25 * 25];
        for (size_t i = 0; i < 25 * 25; i++) alpha[i] = (float)random_uniform(&random);
        assert_ok(soft_alignment_set(&soft, alpha, sides[0], sides[1], NULL));
        for (size_t t = 0; t < soft.targets; t++) {
            float sum = 0;
            for (size_t s = 0; s < soft.sources; s++) {
                ck_assert(soft.weights[t * soft.sources + s] > 0);
                sum += soft.weights[t * soft.sources + s];
            }
            ck_assert(fabsf(sum - 1) < 1e-5F);
        }
        spans_free(&units[0]);
        spans_free(&units[1]);
    }
    soft_alignment_free(&soft);
}
