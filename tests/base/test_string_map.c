#include "base/random.h"
#include "base/string_map.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

TEST(put_and_find)
{
    StringMap map = {0};
    bool added = false;
    ck_assert_ptr_null(string_map_find(&map, "a", 1));
    StringMapEntry *entry = string_map_put(&map, "a", 1, 7, &added);
    ck_assert(added);
    ck_assert_str_eq(entry->key, "a");
    ck_assert_int_eq(entry->value, 7);
    entry->value = INT64_MIN;
    entry = string_map_put(&map, "a", 1, 8, &added); // there already: the value stays
    ck_assert(!added);
    ck_assert_int_eq(entry->value, INT64_MIN);
    ck_assert_ptr_null(string_map_find(&map, "A", 1));
    ck_assert_ptr_null(string_map_find(&map, "aa", 2));
    ck_assert_ptr_eq(string_map_find(&map, "ab", 1), entry); // only `length` bytes count
    ck_assert_uint_eq(map.count, 1);
    string_map_free(&map);
    ck_assert_ptr_null(string_map_find(&map, "a", 1));
    string_map_free(&map);
}

TEST(keys_are_bytes)
{
    static const struct {
        const char *bytes;
        size_t length;
    } KEYS[] = {{"", 0},     {"\0", 1}, {"\0\0", 2},    {"a\0b", 3},
                {"a\0c", 3}, {"a", 1},  {"\xff\xfe", 2}};
    enum { COUNT = sizeof KEYS / sizeof KEYS[0] };
    StringMap map = {0};
    for (int i = 0; i < COUNT; i++)
        ck_assert_ptr_nonnull(string_map_put(&map, KEYS[i].bytes, KEYS[i].length, i, NULL));
    ck_assert_uint_eq(map.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        StringMapEntry *entry = string_map_find(&map, KEYS[i].bytes, KEYS[i].length);
        ck_assert_ptr_eq(entry, &map.entries[i]);
        ck_assert_int_eq(entry->value, i);
        ck_assert_mem_eq(entry->key, KEYS[i].bytes, KEYS[i].length + 1); // with the NUL behind it
    }
    string_map_free(&map);
}

// The key is copied: what it was made from may change.
TEST(keys_are_copied)
{
    StringMap map = {0};
    char key[] = "abc";
    string_map_put(&map, key, 3, 1, NULL);
    key[0] = 'x';
    ck_assert_ptr_nonnull(string_map_find(&map, "abc", 3));
    ck_assert_ptr_null(string_map_find(&map, key, 3));
    string_map_free(&map);
}

// Random short keys, many of them equal, against a list that is searched from end to end.
TEST(against_a_list)
{
    enum { ROUNDS = 4000 };
    static char keys[ROUNDS][4];
    static size_t lengths[ROUNDS];
    static int64_t values[ROUNDS];
    size_t count = 0;
    StringMap map = {0};
    Random random = random_from(1, 1);
    for (int64_t round = 0; round < ROUNDS; round++) {
        char key[4];
        size_t length = (size_t)random_below(&random, 5), found = 0;
        for (size_t i = 0; i < length; i++) key[i] = (char)random_below(&random, 4);
        while (found < count && (lengths[found] != length || memcmp(keys[found], key, length)))
            found++;
        StringMapEntry *entry = string_map_find(&map, key, length);
        ck_assert_int_eq(entry != NULL, found < count);
        bool added;
        entry = string_map_put(&map, key, length, round, &added);
        ck_assert_int_eq(added, found == count);
        if (added) {
            memcpy(keys[count], key, length);
            lengths[count] = length;
            values[count++] = round;
        }
        ck_assert_int_eq(entry->value, values[found]);
        ck_assert_uint_eq((size_t)(entry - map.entries), found); // the order of insertion
    }
    ck_assert_uint_eq(map.count, count);
    string_map_free(&map);
}

TEST(many)
{
    enum { COUNT = 200000 };
    StringMap map = {0};
    char key[16];
    for (int i = 0; i < COUNT; i++) {
        int length = snprintf(key, sizeof key, "%d", i);
        ck_assert(string_map_put(&map, key, (size_t)length, i, NULL) != NULL);
    }
    ck_assert_uint_eq(map.count, COUNT);
    ck_assert_uint_le(3 * map.count, 2 * map.slot_count);
    for (int i = 0; i < COUNT; i++) {
        int length = snprintf(key, sizeof key, "%d", i);
        StringMapEntry *entry = string_map_find(&map, key, (size_t)length);
        ck_assert(entry && entry->value == i && entry == &map.entries[i]);
    }
    string_map_free(&map);
}

/* The hash is part of what must never change: a corpus is split by it. FNV-1a's published 64-bit
 * values (the offset basis for the empty string, af63dc4c8601ec8c for "a", 85944171f73967e8 for
 * "foobar"), each through the final mix. */
TEST(hash_is_fixed)
{
    static const struct {
        const char *key;
        uint64_t fnv;
    } ANSWERS[] = {
        {"", 0xcbf29ce484222325u}, {"a", 0xaf63dc4c8601ec8cu}, {"foobar", 0x85944171f73967e8u}};
    for (size_t i = 0; i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
        uint64_t mixed = (ANSWERS[i].fnv ^ ANSWERS[i].fnv >> 32) * 0xd6e8feb86659fd93u;
        mixed ^= mixed >> 32;
        ck_assert_uint_eq(string_hash(ANSWERS[i].key, strlen(ANSWERS[i].key)), mixed);
    }
}
