// Character references, and the tables of names and elements.
#include "html/element.h"
#include "support/suite.h"
#include "text/html_reference.h"

#include <stdio.h>
#include <string.h>

// The first character of a text, and how many bytes it is written in.
static void expect_character(const char *text, uint32_t character, size_t used)
{
    size_t at = 0;
    ck_assert_msg(html_character(text, strlen(text), &at) == character, "%s", text);
    ck_assert_msg(at == used, "%s: %zu", text, at);
}

TEST(references)
{
    expect_character("&amp;x", '&', 5);
    expect_character("&lt;", '<', 4);
    expect_character("&nbsp;", 0xA0, 6);
    expect_character("&eacute;", 0xE9, 8);
    expect_character("&OElig;", 0x152, 7);
    expect_character("&NotEqualTilde;", HTML_UNKNOWN, 15); // as are 1,800 others
    expect_character("&#233;", 0xE9, 6);
    expect_character("&#x4e2d;", 0x4E2D, 8);
    expect_character("&#X4E2D", 0x4E2D, 7);
    expect_character("&#150;", 0x2013, 6);
    expect_character("&#0;", 0xFFFD, 4);
    expect_character("&#xD800;", 0xFFFD, 8);
    expect_character("&#99999999999999;", 0xFFFD, 17);
    expect_character("é", 0xE9, 2);
    expect_character("\xFF", 0xFFFD, 1);
}

TEST(no_references)
{
    expect_character("& b", '&', 1);
    expect_character("&", '&', 1);
    expect_character("&;", '&', 1);
    expect_character("&#;", '&', 1);
    expect_character("&#xg;", '&', 1);
    expect_character("&#", '&', 1);
    expect_character("&#x", '&', 1);
    expect_character("&#65", 'A', 4);
    expect_character("&euro", '&', 1);    // a newer name needs its semicolon,
    expect_character("&copy=1", 0xA9, 5); // these do not
    expect_character("&notit;", 0xAC, 4);
    expect_character("&unheard;", HTML_UNKNOWN, 9);
}

TEST(names_are_in_order)
{
    for (size_t i = 0; i < html_name_count; i++) {
        char text[16];
        ck_assert(i == 0 || strcmp(html_names[i - 1].name, html_names[i].name) < 0);
        ck_assert_uint_le(strlen(html_names[i].name), MAX_HTML_NAME);
        snprintf(text, sizeof text, "&%s;", html_names[i].name);
        expect_character(text, html_names[i].character, strlen(text));
    }
}

static unsigned element(const char *name)
{
    return html_element(text_view_of(name));
}

TEST(elements)
{
    static const char *const kept[] = {"code", "pre",  "kbd",    "samp",  "var",
                                       "svg",  "math", "script", "style", "textarea"};
    static const char *const inlines[] = {"a",    "b",    "i",    "em",  "strong", "span",
                                          "u",    "s",    "sub",  "sup", "small",  "mark",
                                          "cite", "abbr", "time", "font"};
    static const char *const limits[] = {"p",  "div", "br",    "li",    "td",   "th", "h1",   "h6",
                                         "hr", "ul",  "table", "title", "body", "tr", "input"};
    for (size_t i = 0; i < 10; i++) ck_assert(element(kept[i]) & HTML_KEPT);
    for (size_t i = 0; i < 16; i++)
        ck_assert_uint_eq(element(inlines[i]) & ~(unsigned)HTML_FORMATS, HTML_REPEATS);
    for (size_t i = 0; i < 15; i++) ck_assert(element(limits[i]) & HTML_PARTS);
    ck_assert(element("b") & HTML_FORMATS);
    ck_assert(!(element("a") & HTML_FORMATS)); // a link says where it leads
    ck_assert_uint_eq(element("img"), HTML_VOID);
    ck_assert_uint_eq(element("IMG"), HTML_VOID);
    ck_assert_uint_eq(element("my-element"), 0);
    ck_assert_uint_eq(element("x"), 0);
    ck_assert_uint_eq(element("bb"), 0);
    ck_assert_uint_eq(html_element((TextView){"b\0c", 3}), 0);
}
