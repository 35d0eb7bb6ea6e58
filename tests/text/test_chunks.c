#include "base/bytes.h"
#include "base/random.h"
#include "support/suite.h"
#include "text/chunks.h"

#include <string.h>

// The chunks of a text with '|' between them.
static void check_chunks(const char *text, const char *expected)
{
    Bytes shown = {0};
    size_t length = strlen(text);
    for (size_t begin = 0; begin < length;) {
        size_t end = chunk_end(text, length, begin);
        ck_assert(end > begin && end <= length);
        if (begin) assert_ok(bytes_append_string(&shown, "|", NULL));
        assert_ok(bytes_append(&shown, text + begin, end - begin, NULL));
        begin = end;
    }
    ck_assert_str_eq(shown.data, expected);
    bytes_free(&shown);
}

TEST(classes)
{
    check_chunks("one two", "one| two");
    check_chunks("Wait, no!", "Wait|,| no|!");
    check_chunks("in 1984, 3.5%", "in| 1984|,| 3|.|5|%");
    check_chunks("n\xC3\xA9 \xC2\xAB oui \xC2\xBB", "n\xC3\xA9| \xC2\xAB| oui| \xC2\xBB");
    check_chunks("\xE4\xB8\xAD\xE6\x96\x87 abc\xE4\xB8\xAD\xE3\x80\x82",
                 "\xE4\xB8\xAD\xE6\x96\x87| abc|\xE4\xB8\xAD|\xE3\x80\x82");
    check_chunks("\xD0\xB4\xD0\xB0"
                 "da",
                 "\xD0\xB4\xD0\xB0"
                 "da"); // letters of two scripts
}

TEST(apostrophes)
{
    check_chunks("l'homme it's", "l'|homme| it'|s");
    check_chunks("l\xE2\x80\x99homme", "l\xE2\x80\x99|homme");
    check_chunks("aujourd'hui", "aujourd'|hui");
    check_chunks("the dogs' tails", "the| dogs|'| tails");
    check_chunks("'tis", "'|tis");
    check_chunks("rock'", "rock|'");
    check_chunks("a''b a'1", "a|''|b| a|'|1");
    check_chunks("e\xCC\x81'a", "e\xCC\x81'|a"); // the mark is part of the letter
}

TEST(marks_stay_with_what_they_follow)
{
    check_chunks("1\xEF\xB8\x8F\xE2\x83\xA3", "1\xEF\xB8\x8F\xE2\x83\xA3"); // a keycap
    check_chunks("!\xCC\x81"
                 "a",
                 "!\xCC\x81|a");
    check_chunks("\xCC\x81"
                 "a",
                 "\xCC\x81"
                 "a"); // a mark alone is a letter
    check_chunks("a \xCC\x81", "a| \xCC\x81");
    check_chunks("\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5 ok",
                 "\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5| ok"); // one emoji sequence
}

TEST(spaces)
{
    check_chunks(" a", " a");
    check_chunks("a  b ", "a| | b| ");
    check_chunks(" ", " ");
}

// Every chunk begins where the one before ends, whatever the bytes.
TEST(random_bytes)
{
    Random random = random_from(3, 3);
    for (int round = 0; round < 4000; round++) {
        char text[16];
        size_t length = 1 + random_below(&random, sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = random_below(&random, 3) ? (char)(random_u32(&random) >> 9)
                                               : " 'a1\xCC"[random_below(&random, 5)];
        for (size_t begin = 0; begin < length;) {
            size_t end = chunk_end(text, length, begin);
            ck_assert(end > begin && end <= length);
            ck_assert(!memchr(text + begin + 1, ' ', end - begin - 1));
            begin = end;
        }
    }
}
