// The script of Chinese: sentences, and every character that tells one, by older character sets.

#include "language/chinese_script.h"
#include "support/suite.h"
#include "text/utf8.h"

#include <iconv.h>
#include <string.h>

static void expect(ChineseScript script, const char *text)
{
    ck_assert_msg(chinese_script_of(text, strlen(text)) == script, "%s", text);
}

TEST(sentences)
{
    expect(CHINESE_SIMPLIFIED, "这是我们的书。");
    expect(CHINESE_TRADITIONAL, "這是我們的書。");
    expect(CHINESE_SIMPLIFIED, "Tom 说：“OK”");
    expect(CHINESE_TRADITIONAL, "約翰・史密斯");
    expect(CHINESE_UNKNOWN, "他在家。");
    expect(CHINESE_UNKNOWN, "這是我们的书。");
    expect(CHINESE_UNKNOWN, "Où est-il ?");
    expect(CHINESE_UNKNOWN, "");
}

// Traditional, with forms in which it differs from that of Taiwan.
TEST(cantonese)
{
    expect(CHINESE_TRADITIONAL, "佢哋嘅書喺邊度呀？");
    expect(CHINESE_TRADITIONAL, "我住喺三樓，唔該開門。");
    expect(CHINESE_UNKNOWN, "佢着咗件冇袖嘅温暖衫。");
    expect(CHINESE_UNKNOWN, "户口裏面够晒。");
}

TEST(japanese)
{
    expect(CHINESE_UNKNOWN, "時間がありません。");
    expect(CHINESE_UNKNOWN, "東京タワー");
    expect(CHINESE_UNKNOWN, "国立大学医学部");
    expect(CHINESE_UNKNOWN, "会社来日");
    expect(CHINESE_TRADITIONAL, "東京大学"); // as it could be in Chinese
}

TEST(broken)
{
    expect(CHINESE_UNKNOWN, "\xe8\xbf");
    expect(CHINESE_SIMPLIFIED, "\xe8\xbf\xff这\xe8");
    expect(CHINESE_UNKNOWN, "\xf0\xa0\x80\x80\xef\xbc\x81");
    ck_assert_int_eq(chinese_script_of("这", 2), CHINESE_UNKNOWN);
}

static bool has(iconv_t set, const char *character, size_t length)
{
    char text[4], code[8], *in = text, *out = code;
    size_t left = length, room = sizeof code;
    memcpy(text, character, length);
    return iconv(set, &in, &left, &out, &room) == 0;
}

/* A simplified character is in GB 2312 and not in Big5, nor in JIS X 0208, which Shift JIS encodes;
 * a traditional one is in Big5 and not in GB 2312. */
TEST(characters)
{
    iconv_t gb_2312 = iconv_open("GB2312", "UTF-8"), big5 = iconv_open("BIG5", "UTF-8"),
            jis = iconv_open("SHIFT_JIS", "UTF-8");
    const iconv_t missing = (iconv_t)-1;
    bool comparable = gb_2312 != missing && big5 != missing && jis != missing;
    size_t found[3] = {0};
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char text[4];
        size_t length = utf8_encode(c, text);
        ChineseScript script = chinese_script_of(text, length);
        found[script]++;
        if (script == CHINESE_UNKNOWN || !comparable) continue;
        bool simplified = script == CHINESE_SIMPLIFIED;
        ck_assert_msg(has(gb_2312, text, length) == simplified, "U+%04X", c);
        ck_assert_msg(has(big5, text, length) == !simplified, "U+%04X", c);
        ck_assert_msg(!simplified || !has(jis, text, length), "U+%04X", c);
    }
    ck_assert_uint_eq(found[CHINESE_SIMPLIFIED], 233); // all: none is out of order
    ck_assert_uint_eq(found[CHINESE_TRADITIONAL], 236);
    if (gb_2312 != missing) iconv_close(gb_2312);
    if (big5 != missing) iconv_close(big5);
    if (jis != missing) iconv_close(jis);
}
