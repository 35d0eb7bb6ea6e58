#include "reading/sentences.h"
#include "support/suite.h"

#include <string.h>

static void check_clause(const char *text, size_t most, const char *expected)
{
    size_t end = clause_end(text, strlen(text), most);
    ck_assert_msg(end == strlen(expected) && !memcmp(text, expected, end), "%.*s", (int)end, text);
}

TEST(clause_end)
{
    check_clause("one, two; three, four five", 18, "one, two;");
    check_clause("one, two three, four five", 18, "one, two three,");
    check_clause("one, two three four five", 18, "one, two three"); // a comma too far before
    check_clause("3,141,592,653,589,793", 10, "3,141,592,");
    check_clause("我来了，他走了；她说话。", 24, "我来了，他走了；");
    check_clause("我来了他走了她说话", 10, "我来了");
    check_clause("ab\xe2\x80", 4, "ab\xe2\x80");
}
