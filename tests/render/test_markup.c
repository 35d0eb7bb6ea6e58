#include "render/markup.h"
#include "support/suite.h"

#include <string.h>

static void expect(const char *text, size_t length, const char *expected)
{
    Bytes out = {0};
    Writer writer = writer_start(&out, NULL);
    markup_write(&writer, text, length);
    ck_assert_int_eq(writer_end(&writer), STATUS_OK);
    ck_assert_str_eq(out.data ? out.data : "", expected);
    bytes_free(&out);
}

TEST(references)
{
    expect("", 0, "");
    expect("<a href=\"x\">'&amp;</a>", 22, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&lt;/a&gt;");
    expect("我爱é\xF0\x9F\x98\x80", 12, "我爱é\xF0\x9F\x98\x80");
}

TEST(what_xml_cannot_hold)
{
    expect("a\tb\nc\rd", 7, "a b c d");
    expect("\0\x01\x1f", 3, "\uFFFD\uFFFD\uFFFD");
    expect("\xFF<\xE6\x88", 4, "\uFFFD&lt;\uFFFD");
    expect("\xEF\xBF\xBE\xEF\xBF\xBF", 6, "\uFFFD\uFFFD"); // U+FFFE, U+FFFF
}
