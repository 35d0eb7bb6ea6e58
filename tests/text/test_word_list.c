// Lists of words in one constant.

#include "support/suite.h"
#include "text/word_list.h"

static const char list[] = "Col gov e.g µm";

TEST(next)
{
    const char *at = list;
    TextView word;
    ck_assert(word_list_next(&at, &word));
    ck_assert_uint_eq(word.length, 3);
    ck_assert_ptr_eq(word.data, list);
    for (int i = 0; i < 3; i++) ck_assert(word_list_next(&at, &word));
    ck_assert_uint_eq(word.length, sizeof "µm" - 1);
    ck_assert(!word_list_next(&at, &word));
    ck_assert(!word_list_next(&at, &word));
}

TEST(has)
{
    ck_assert(word_list_has(list, "gov", 3));
    ck_assert(word_list_has(list, "governor", 3));
    ck_assert(!word_list_has(list, "GOV", 3));
    ck_assert(!word_list_has(list, "go", 2));
    ck_assert(!word_list_has(list, "", 0));
    ck_assert(!word_list_has("", "gov", 3));
}

TEST(find)
{
    ck_assert_ptr_eq(word_list_find(list, "cOL", 3), list);
    ck_assert_ptr_eq(word_list_find(list, "E.G", 3), list + 8);
    ck_assert_ptr_null(word_list_find(list, "colo", 4));
    ck_assert_ptr_null(word_list_find(list, "", 0));
}
