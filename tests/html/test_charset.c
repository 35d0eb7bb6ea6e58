// HTML in other encodings.
#include "html/charset.h"
#include "io/text_encoding.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

static void expect_decoded(const char *html, size_t length, const char *charset,
                           const char *expected)
{
    Bytes bytes = {0};
    char told[CHARSET_SIZE];
    assert_ok(bytes_append(&bytes, html, length, NULL));
    assert_ok(html_decode(&bytes, told, NULL));
    ck_assert_str_eq(told, charset);
    ck_assert_str_eq(bytes_text(&bytes), expected);
    bytes_free(&bytes);
}

#define EXPECT_DECODED(html, charset, expected)                                                    \
    expect_decoded(html, sizeof html - 1, charset, expected)

TEST(encodings)
{
    EXPECT_DECODED("", "", "");
    EXPECT_DECODED("<meta charset=utf-8>\xC3\xA9", "", "<meta charset=utf-8>é");
    EXPECT_DECODED("<meta charset=ISO-8859-1>\xE9\x80", "WINDOWS-1252", "<meta charset=utf-8>é€");
    EXPECT_DECODED("<p>\xC9t\xE9</p><META http-equiv=Content-Type content='a; CHARSET=latin1; b'>",
                   "WINDOWS-1252",
                   "<p>Été</p><META http-equiv=Content-Type content='a; CHARSET=utf-8; b'>");
    EXPECT_DECODED("<meta charset='gb2312'>\xC4\xE3", "GB18030", "<meta charset='utf-8'>你");
    EXPECT_DECODED("<meta charset=koi8-r>\xC1", "koi8-r", "<meta charset=utf-8>а");
    EXPECT_DECODED("<p>caf\xE9</p>", "WINDOWS-1252", "<p>café</p>");
    EXPECT_DECODED("<meta charset=nothing>\xE9", "", "<meta charset=nothing>\xE9");
    EXPECT_DECODED("\xEF\xBB\xBF<meta charset=latin1>\xC3\xA9", "",
                   "\xEF\xBB\xBF<meta charset=latin1>é");
    EXPECT_DECODED("<meta charset=utf-16>\xC3\xA9", "", "<meta charset=utf-16>é");
    EXPECT_DECODED("<!-- <meta charset=latin1> -->\xC3\xA9", "", "<!-- <meta charset=latin1> -->é");
    EXPECT_DECODED("\xFF\xFE<\0p\0>\0\xE9\0", "UTF-16LE", "\xEF\xBB\xBF<p>é");
    EXPECT_DECODED("\0<\0m\0e\0t\0a\0 \0c\0h\0a\0r\0s\0e\0t\0=\0x\0>", "UTF-16BE",
                   "<meta charset=utf-8>");
}

// Of some encodings a byte is more than three bytes of UTF-8.
TEST(growth)
{
    enum { BYTES = 100000 };
    static const char head[] = "<meta charset=tscii>";
    Bytes bytes = {0};
    char told[CHARSET_SIZE];
    TextDecoder *decoder;
    assert_ok(text_decoder_open(&decoder, "tscii", NULL));
    if (!decoder) return; // not every C library knows it
    text_decoder_close(decoder);
    assert_ok(bytes_append_string(&bytes, head, NULL));
    for (size_t i = 0; i < BYTES; i++) assert_ok(bytes_append(&bytes, "\x87", 1, NULL));
    assert_ok(html_decode(&bytes, told, NULL));
    ck_assert_str_eq(told, "tscii");
    ck_assert_uint_eq(bytes.length, sizeof head - 1 + 9 * BYTES);
    ck_assert_str_eq(bytes.data + bytes.length - 9, "க்ஷ");
    bytes_free(&bytes);
}

TEST(short_memory)
{
    static const char html[] = "<meta charset=latin1>\xE9";
    while (failing_malloc_next()) {
        Bytes bytes = {0};
        char told[CHARSET_SIZE];
        Status status = bytes_append(&bytes, html, sizeof html - 1, NULL);
        if (!status) status = html_decode(&bytes, told, NULL);
        if (!failing_malloc_expect(status))
            ck_assert_str_eq(bytes_text(&bytes), "<meta charset=utf-8>é");
        bytes_free(&bytes);
    }
}
