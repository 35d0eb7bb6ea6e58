// What stands before an item of a list.

#include "reading/sentences.h"
#include "support/suite.h"

#include <string.h>

static void check(const char *text, const char *marker)
{
    size_t end = list_marker_end(text, strlen(text), language_of("en"));
    ck_assert_msg(end == strlen(marker) && !memcmp(text, marker, end), "%s: %zu", text, end);
}

TEST(markers)
{
    check("• two bottles", "•");
    check("- milk, bread", "-");
    check("— Bonjour !", "—");
    check("* a", "*");
    check("1. Wash", "1.");
    check("12) Wash", "12)");
    check("(3) Wash", "(3)");
    check("2、切洋葱", "2、");
    check("（1）洗手", "（1）");
    check("•两瓶水", "•");
}

TEST(others)
{
    static const char *const texts[] = {
        "",        "-",          "- 5 °",       "-5 is cold", "1.",         "1. 2.", "1.5 litres",
        "2024. A", "(3 of them", "A. Smith is", "-) a",       "**bold** a", "3 a",   "1.a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i], "");
    ck_assert_uint_eq(list_marker_end("1. Mai", 6, NULL), 0);
    ck_assert_uint_eq(list_marker_end("1) Mai", 6, language_of("de")), 2);
}
