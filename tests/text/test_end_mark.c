#include "support/suite.h"
#include "text/end_mark.h"

#include <string.h>

static void check_missing(const char *text, const char *expected)
{
    const char *mark = end_mark_missing(text, strlen(text));
    ck_assert_msg(mark ? expected && !strcmp(mark, expected) : !expected, "%s", text);
}

TEST(missing)
{
    check_missing("Hello", ".");
    check_missing("my old house", ".");
    check_missing("你好", "。");
    check_missing("我爱 Paris", ".");
    check_missing("where is the station", NULL);
    check_missing("我不知道他在哪里", NULL);
    check_missing("Hello!", NULL);
    check_missing("page 3", NULL);
    check_missing("\xff", NULL);
    check_missing("", NULL);
}

static void check_strip(const char *text, const char *expected)
{
    size_t length = end_mark_strip(text, strlen(text));
    ck_assert_msg(length == strlen(expected) && !memcmp(text, expected, length), "%s", text);
}

TEST(strip)
{
    check_strip("Salut !", "Salut");
    check_strip("你好。", "你好");
    check_strip("Salut", "Salut");
    check_strip("Où ?!…", "Où");
    check_strip("a.b.", "a.b");
    check_strip("?!", "?!");
    check_strip("", "");
}
