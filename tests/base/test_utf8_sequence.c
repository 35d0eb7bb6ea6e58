#include "base/utf8_sequence.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>

/* Every code point, surrogates too, encoded by the plain rule; and the same with its last byte
 * lost. */
TEST(every_code_point)
{
    for (uint32_t code = 1; code < 0x120000; code++) {
        char text[5] = {0};
        size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        static const unsigned char LEADS[] = {0, 0, 0xc0, 0xe0, 0xf0};
        for (size_t i = length; i-- > 1;)
            text[i] = (char)(0x80 | (code >> 6 * (length - 1 - i) & 0x3f));
        text[0] = (char)(LEADS[length] | code >> 6 * (length - 1));
        bool valid = code < 0x110000 && (code < 0xd800 || code > 0xdfff);
        if (utf8_sequence(text) != (valid ? length : 0) || utf8_is_valid(text) != valid)
            ck_abort_msg("U+%04X", (unsigned)code); // an assertion for each would take seconds
        text[length - 1] = '\0';
        if (length > 1 && utf8_sequence(text) != 0) ck_abort_msg("U+%04X cut", (unsigned)code);
    }
}

// Of all pairs and triples of bytes, just as many are characters as there are characters of that
// length.
TEST(count_of_sequences)
{
    unsigned counts[4] = {0};
    for (int first = 1; first < 0xc0; first++)
        ck_assert_uint_eq(utf8_sequence((char[]){(char)first, '\x80', '\0'}), first < 0x80);
    for (unsigned bytes = 0xc00000; bytes < 0x1000000; bytes++) {
        char text[] = {(char)(bytes >> 16), (char)(bytes >> 8), (char)bytes, '\0'};
        size_t length = utf8_sequence(text);
        if (length == 3 || (length == 2 && !text[2])) counts[length]++;
    }
    ck_assert_uint_eq(counts[2], 0x800 - 0x80);
    ck_assert_uint_eq(counts[3], 0x10000 - 0x800 - 0x800); // less the surrogates
}

TEST(texts)
{
    ck_assert(utf8_is_valid(""));
    ck_assert(utf8_is_valid("é 清 🙂"));
    ck_assert(!utf8_is_valid("ab\xff"));
    ck_assert(!utf8_is_valid("\xc0\x80")); // not a way to write NUL
    ck_assert(!utf8_is_valid("清\x80"));
    ck_assert_uint_eq(utf8_sequence(""), 1);
}
