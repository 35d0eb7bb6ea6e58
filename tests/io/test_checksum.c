#include "io/checksum.h"
#include "support/suite.h"

#include <string.h>

// From an independent implementation in Python of the formula in the header.
START_TEST(test_known_answers)
{
    unsigned char counting[100];
    for (int i = 0; i < 100; i++) counting[i] = (unsigned char)i;
    ck_assert_uint_eq(checksum(0, NULL, 0), 0xb9b7de19a608ff49u);
    ck_assert_uint_eq(checksum(0, "a", 1), 0x211b535cc115875bu);
    ck_assert_uint_eq(checksum(7, counting, sizeof counting), 0xd9fbad6aaa1f771fu);
    ck_assert_uint_eq(checksum(0, (char[64]){0}, 64), 0x538b8dacb5ba35a7u);
}
END_TEST

// The same for lengths around those that are read at once, and around a page.
START_TEST(test_known_answers_of_many)
{
    static const struct {
        size_t length;
        uint64_t sum;
    } known[] = {{63, 0x43ea5ff2e323c71cu},   {65, 0xf2ac954271b7c4a7u},
                 {95, 0x6947fae5b1e19e55u},   {97, 0x79a752c9319d00e3u},
                 {4095, 0x9e7a668be03d9d41u}, {4160, 0xb8e7a9dc701a72acu},
                 {9000, 0x5d7613a5f88e9020u}};
    unsigned char many[9000];
    for (unsigned i = 0; i < sizeof many; i++) many[i] = (unsigned char)(i * i >> 3);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_uint_eq(checksum(3, many, known[i].length), known[i].sum);
}
END_TEST

// Any place in memory, any length: what lies before and behind must not matter.
START_TEST(test_place_does_not_matter)
{
    unsigned char text[64 + 80];
    for (size_t length = 0; length <= 70; length++) {
        uint64_t expected = 0;
        for (size_t place = 0; place < 9; place++) {
            memset(text, (int)(17 * place), sizeof text);
            for (size_t i = 0; i < length; i++) text[place + i] = (unsigned char)(i * i);
            uint64_t sum = checksum(1, text + place, length);
            if (place == 0) expected = sum;
            ck_assert_uint_eq(sum, expected);
        }
    }
}
END_TEST

/* One or two flipped bits, a cut, added zeros, swapped words: all must show. The pairs matter: with
 * a plain multiply-xor the highest bits of two neighbouring words of one lane would cancel. */
START_TEST(test_changes_show)
{
    unsigned char text[96];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)(37 * i);
    uint64_t expected = checksum(0, text, sizeof text);
    for (size_t i = 0; i < 8 * sizeof text; i++) {
        text[i / 8] ^= (unsigned char)(1 << i % 8);
        ck_assert_uint_ne(checksum(0, text, sizeof text), expected);
        for (size_t j = 0; j < i; j++) {
            text[j / 8] ^= (unsigned char)(1 << j % 8);
            ck_assert_msg(checksum(0, text, sizeof text) != expected, "bits %zu and %zu", i, j);
            text[j / 8] ^= (unsigned char)(1 << j % 8);
        }
        text[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    char zeros[100] = {0};
    for (size_t length = 0; length < 99; length++)
        ck_assert_uint_ne(checksum(0, zeros, length), checksum(0, zeros, length + 1));
    ck_assert_uint_ne(checksum(0, "ABCDEFGHabcdefgh", 16), checksum(0, "abcdefghABCDEFGH", 16));
    ck_assert_uint_ne(checksum(checksum(0, "a", 1), "b", 1), checksum(checksum(0, "b", 1), "a", 1));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("checksum");
    suite_add(suite, "known answers", test_known_answers);
    suite_add(suite, "known answers of many", test_known_answers_of_many);
    suite_add(suite, "place does not matter", test_place_does_not_matter);
    suite_add(suite, "changes show", test_changes_show);
    return suite_run(suite);
}
