// Blocks of code in plain text.
#include "support/suite.h"
#include "text/code_fence.h"

#include <string.h>

// A letter for each line: c of code, t of text.
static void expect_lines(const char *text, const char *expected)
{
    CodeFence fence = {0};
    for (; *expected; expected++) {
        size_t length = strcspn(text, "\n");
        ck_assert_msg(code_fence_has(&fence, (TextView){text, length}) == (*expected == 'c'), "%s",
                      text);
        text += length + (text[length] == '\n');
    }
}

TEST(lines)
{
    expect_lines("a\n```\nb\n\n```\nc", "tcccct");
    expect_lines("   ~~~~ x `y`\na\n~~~\n```\n~~~~~ \nb", "ccccct");
    expect_lines("    ```\n``\n``` a`b\n`a`\n", "tttt");
    expect_lines("```\n``` x\n```\t\r\na", "ccct");
    expect_lines("a\n~~~\nb", "tcc");
    expect_lines("", "t");
}
