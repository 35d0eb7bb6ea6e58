#include "metrics/score_stats.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>

static const ScoreStats one = {.sentences = 1};

// Adds a source of `length` words.
static void add_words(LengthTable *table, size_t length)
{
    char source[256] = "";
    for (size_t i = 0; i < length; i++) strcat(source, "ab ");
    assert_ok(length_table_add(table, source, &one, NULL));
}

TEST(buckets_have_no_gaps)
{
    ck_assert_uint_eq(length_buckets[0].least, 0);
    for (size_t i = 1; i < LENGTH_BUCKETS; i++)
        ck_assert_uint_eq(length_buckets[i].least, length_buckets[i - 1].most + 1);
    ck_assert(length_buckets[LENGTH_BUCKETS - 1].most == SIZE_MAX);
}

// Each bucket takes the lengths at both of its ends.
TEST(words)
{
    static const size_t lengths[] = {0,  1,  5,  6,  10, 11, 15, 16, 20,
                                     21, 30, 31, 40, 41, 50, 51, 60};
    LengthTable table = {0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) add_words(&table, lengths[i]);
    const ScoreStats *stats = length_table_stats(&table);
    ck_assert_int_eq(length_table_unit(&table), UNITS_WORDS);
    ck_assert_uint_eq(stats[0].sentences, 1);
    for (size_t i = 1; i < LENGTH_BUCKETS; i++) ck_assert_uint_eq(stats[i].sentences, 2);
    length_table_free(&table);
}

TEST(characters_of_chinese_sources)
{
    LengthTable table = {0};
    assert_ok(length_table_add(&table, "我们 今天去 学校。", &one, NULL));
    assert_ok(length_table_add(&table, "OK", &one, NULL));
    ck_assert_int_eq(length_table_unit(&table), UNITS_CHARACTERS);
    const ScoreStats *stats = length_table_stats(&table);
    ck_assert_uint_eq(stats[1].sentences, 1); // OK: 2
    ck_assert_uint_eq(stats[2].sentences, 1); // 8 with the full stop, without the spaces
    // enough Latin letters turn the whole table to words
    add_words(&table, 5);
    ck_assert_int_eq(length_table_unit(&table), UNITS_WORDS);
    ck_assert_uint_eq(length_table_stats(&table)[1].sentences, 3);
    length_table_free(&table);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        LengthTable table = {0};
        bool failed = failing_malloc_expect(length_table_add(&table, "a b c", &one, NULL));
        ck_assert_uint_eq(length_table_stats(&table)[1].sentences, !failed);
        length_table_free(&table);
    }
}
