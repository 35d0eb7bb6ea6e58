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
    at = NULL;
    ck_assert(!word_list_next(&at, &word));
}

TEST(marks)
{
    const char *at = "0a.m. 0<am 12>p.m.";
    TextView word, words = text_view_of("May/<may/>5/");
    int number;
    ck_assert(word_list_next_numbered(&at, &number, &word, '<'));
    ck_assert(text_view_equal(word, text_view_of("a.m.")));
    ck_assert(word_list_next_numbered(&at, &number, &word, '<'));
    ck_assert(number == 12 && text_view_equal(word, text_view_of("p.m.")));
    ck_assert(!word_list_next_numbered(&at, &number, &word, '<'));
    ck_assert(word_list_next_of(&words, &word, '<'));
    ck_assert(text_view_equal(word, text_view_of("May")));
    ck_assert(word_list_next_of(&words, &word, '<'));
    ck_assert(text_view_equal(word, text_view_of("5")));
    ck_assert(!word_list_next_of(&words, &word, '<'));
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
