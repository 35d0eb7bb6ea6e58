#include "base/random.h"
#include "support/suite.h"
#include "text/bpe_merge.h"

#include <string.h>

static void fill(Symbols *symbols, const int32_t *ids, size_t count)
{
    symbols->count = 0;
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = symbols_add(symbols, ids[i], i + 1, NULL);
    assert_ok(status);
}

static void check_symbols(const Symbols *symbols, const int32_t *ids, const uint32_t *ends,
                          size_t count)
{
    ck_assert_uint_eq(symbols->count, count);
    size_t faults = 0; // one assertion for all: each of them writes to a file
    for (size_t i = 0; i < count; i++)
        faults += symbols->data[i].id != ids[i] || symbols->data[i].end != ends[i];
    ck_assert_uint_eq(faults, 0);
}

TEST(earliest_rule_first_then_leftmost)
{
    MergeRules rules = {0};
    Symbols symbols = {0};
    assert_ok(merge_rules_add(&rules, (MergeRule){2, 3, 10}, NULL));
    assert_ok(merge_rules_add(&rules, (MergeRule){1, 2, 11}, NULL));
    assert_ok(merge_rules_add(&rules, (MergeRule){1, 10, 12}, NULL));
    assert_ok(merge_rules_add(&rules, (MergeRule){1, 1, 13}, NULL));

    fill(&symbols, (const int32_t[]){1, 2, 3, 1, 2}, 5); // 1 2·3 → 1·10 → 12, and 1·2 → 11
    assert_ok(symbols_merge(&symbols, &rules, NULL));
    check_symbols(&symbols, (const int32_t[]){12, 11}, (const uint32_t[]){3, 5}, 2);

    fill(&symbols, (const int32_t[]){1, 1, 1}, 3);
    assert_ok(symbols_merge(&symbols, &rules, NULL));
    check_symbols(&symbols, (const int32_t[]){13, 1}, (const uint32_t[]){2, 3}, 2);
    symbols_free(&symbols);
    merge_rules_free(&rules);
}

TEST(nothing_to_merge)
{
    MergeRules rules = {0};
    Symbols symbols = {0};
    assert_ok(symbols_merge(&symbols, &rules, NULL));
    ck_assert_uint_eq(symbols.count, 0);
    fill(&symbols, (const int32_t[]){7}, 1);
    assert_ok(symbols_merge(&symbols, &rules, NULL));
    check_symbols(&symbols, (const int32_t[]){7}, (const uint32_t[]){1}, 1);
    symbols_free(&symbols);
}

// The definition, taken word for word: look at all neighbours, join one, look again.
static size_t merge_slowly(int32_t *ids, uint32_t *ends, size_t count, const MergeRules *rules)
{
    for (;;) {
        int64_t best = PAIR_MAP_NONE;
        size_t place = 0;
        for (size_t i = 0; i + 1 < count; i++) {
            int64_t rank = pair_map_find(&rules->ranks, ids[i], ids[i + 1]);
            if (rank == PAIR_MAP_NONE || (best != PAIR_MAP_NONE && rank >= best)) continue;
            best = rank;
            place = i;
        }
        if (best == PAIR_MAP_NONE) return count;
        ids[place] = rules->list[best].result;
        ends[place] = ends[place + 1];
        for (size_t i = place + 1; i + 1 < count; i++) {
            ids[i] = ids[i + 1];
            ends[i] = ends[i + 1];
        }
        count--;
    }
}

/* Random rules over few symbols, some of them with a result that another rule has too, and random
 * chunks. */
TEST(equals_the_definition)
{
    Random random = random_from(5, 0);
    for (int round = 0; round < 300; round++) {
        MergeRules rules = {0};
        Symbols symbols = {0};
        int32_t next = 4;
        for (int i = 0; i < 30; i++) {
            int32_t left = (int32_t)random_below(&random, (uint64_t)next);
            int32_t right = (int32_t)random_below(&random, (uint64_t)next);
            if (pair_map_find(&rules.ranks, left, right) != PAIR_MAP_NONE) continue;
            // results grow, as spellings do, so that no chunk is merged for ever
            MergeRule rule = {left, right, next};
            next += random_below(&random, 5) > 0;
            assert_ok(merge_rules_add(&rules, rule, NULL));
        }
        for (int chunk = 0; chunk < 30; chunk++) {
            int32_t ids[64];
            uint32_t ends[64];
            size_t count = random_below(&random, 64);
            for (size_t i = 0; i < count; i++) {
                ids[i] = (int32_t)random_below(&random, 4);
                ends[i] = (uint32_t)i + 1;
            }
            fill(&symbols, ids, count);
            assert_ok(symbols_merge(&symbols, &rules, NULL));
            count = merge_slowly(ids, ends, count, &rules);
            check_symbols(&symbols, ids, ends, count);
        }
        symbols_free(&symbols);
        merge_rules_free(&rules);
    }
}

TEST(the_pair_map_keeps_many)
{
    PairMap map = {0};
    ck_assert_int_eq(pair_map_find(&map, 1, 2), PAIR_MAP_NONE);
    size_t faults = 0;
    for (int32_t i = 0; i < 50000; i++) {
        assert_ok(pair_map_reserve(&map, map.count + 1, "", NULL));
        faults += pair_map_enter(&map, i % 251, i) != i;
    }
    for (int32_t i = 0; i < 50000; i++) {
        faults += pair_map_find(&map, i % 251, i) != i;
        faults += pair_map_find(&map, i, i % 251) != (i < 251 ? i : PAIR_MAP_NONE);
    }
    ck_assert_uint_eq(faults, 0);
    assert_ok(pair_map_reserve(&map, map.count + 1, "", NULL));
    ck_assert_int_eq(pair_map_enter(&map, INT32_MAX, INT32_MAX), 50000);
    ck_assert_int_eq(pair_map_find(&map, INT32_MAX, INT32_MAX), 50000);
    ck_assert_uint_eq(map.count, 50001);
    pair_map_free(&map);
}

TEST(the_pair_map_enters_and_clears)
{
    PairMap map = {0};
    assert_ok(pair_map_reserve(&map, 1000, "", NULL));
    size_t slots = map.slot_count, faults = 0;
    for (int round = 0; round < 2; round++) {
        for (int32_t i = 0; i < 2000; i++)
            faults += pair_map_enter(&map, i % 1000 % 7, i % 1000) != i % 1000;
        ck_assert_uint_eq(faults, 0);
        ck_assert_uint_eq(map.count, 1000);
        ck_assert_uint_eq(map.slot_count, slots);
        pair_map_clear(&map);
        ck_assert_int_eq(pair_map_find(&map, 3, 3), PAIR_MAP_NONE);
    }
    pair_map_free(&map);
    pair_map_clear(&map); // harmless without slots
}
