// What stands before the text of a line.

#include "reading/line_mark.h"
#include "support/suite.h"

#include <string.h>

static size_t mark_end(const char *text, const char *language)
{
    return line_mark_end(text_view_of(text), language_of(language));
}

static void check(const char *text, const char *mark)
{
    size_t end = mark_end(text, "en");
    ck_assert_msg(end == strlen(mark) && !memcmp(text, mark, end), "%s: %zu", text, end);
}

TEST(marks)
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
    check("→ Next", "→");
    check("①打开门", "①");
    check("a) Wash", "a)");
    check("(B) Wash", "(B)");
    check("# Washing", "#");
    check("> Wash", ">");
    check(">Wash", ">");
}

TEST(several)
{
    check(">> > Wash", ">> >");
    check("> - [x] Wash", "> - [x]");
    check("- 1. Wash", "- 1.");
}

TEST(none)
{
    static const char *const texts[] = {
        "",        "-",          "- 5 °",       "-5 is cold", "1.",         "1. 2.", "1.5 litres",
        "2024. A", "(3 of them", "A. Smith is", "-) a",       "**bold** a", "3 a",   "1.a",
        "#topic",  "[a] b",      "ab) c",       "####### a",  "> 5",        "a)",    "(s)he"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i], "");
    ck_assert_uint_eq(mark_end("1. Mai", NULL), 0);
    ck_assert_uint_eq(mark_end("1) Mai", "de"), 2);
}
