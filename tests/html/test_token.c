// HTML cut into tokens.
#include "base/writer.h"
#include "html/token.h"
#include "support/suite.h"

#include <string.h>

// Each token with its kind before it, a bar behind it: "S<b>|Tx|E</b>|".
static void expect_tokens(const char *html, const char *expected)
{
    Bytes seen = {0};
    HtmlReader reader = {.text = text_view_of(html)};
    HtmlToken token;
    Writer out = writer_start(&seen, NULL);
    while (html_next(&reader, &token))
        writer_format(&out, "%c%.*s|", "TSEO"[token.kind], (int)token.bytes.length,
                      token.bytes.data);
    ck_assert_str_eq(bytes_text(&seen), expected);
    bytes_free(&seen);
}

TEST(tags_and_text)
{
    expect_tokens("", "");
    expect_tokens("a<b>c</b >d", "Ta|S<b>|Tc|E</b >|Td|");
    expect_tokens("<a title='>' href=\">\" x = y>z", "S<a title='>' href=\">\" x = y>|Tz|");
    expect_tokens("1 < 2 <3 <", "T1 < 2 <3 <|");
    expect_tokens("a</", "Ta</|");
    expect_tokens("a<b", "Ta|O<b|");
    expect_tokens("a<b c=\"d>e", "Ta|O<b c=\"d>e|");
}

TEST(what_is_no_tag)
{
    expect_tokens("<!DOCTYPE html><p>", "O<!DOCTYPE html>|S<p>|");
    expect_tokens("<!-- <b> -- > -->x", "O<!-- <b> -- > -->|Tx|");
    expect_tokens("<!-->x<!--->y<!-- z", "O<!-->|Tx|O<!--->|Ty|O<!-- z|");
    expect_tokens("<!-- a --!> b <!-- c -- >d", "O<!-- a --!>|T b |O<!-- c -- >d|");
    expect_tokens("<!----!>a<!---!>b-->c", "O<!----!>|Ta|O<!---!>b-->|Tc|");
    expect_tokens("<!--!>a<!-->b", "O<!--!>a<!-->|Tb|");
    expect_tokens("<!DOCTYPE a \">\">b<!x-->c<?x>d", "O<!DOCTYPE a \">|T\">b|O<!x-->|Tc|O<?x>|Td|");
    expect_tokens("<?xml?>a<?php if ($a->b) ?>c", "O<?xml?>|Ta|O<?php if ($a->b) ?>|Tc|");
    expect_tokens("</>a</ b>c", "O</>|Ta|O</ b>|Tc|");
}

TEST(raw_elements)
{
    expect_tokens("<script>if (a<b) '</p>'</SCRIPT >x",
                  "S<script>|Oif (a<b) '</p>'|E</SCRIPT >|Tx|");
    expect_tokens("<title>a <b> &amp;</title>", "S<title>|Ta <b> &amp;|E</title>|");
    expect_tokens("<style></style>a", "S<style>|E</style>|Ta|");
    expect_tokens("<textarea>a</textareas>", "S<textarea>|Oa</textareas>|");
    expect_tokens("<xmp>a</xmp/>b", "S<xmp>|Oa|E</xmp/>|Tb|");
    expect_tokens("<title>a</ title></title\f>b", "S<title>|Ta</ title>|E</title\f>|Tb|");
    expect_tokens("<title>a</title", "S<title>|Ta</title|");
    expect_tokens("<title>a</title ", "S<title>|Ta|O</title |");
    expect_tokens("<textarea><textarea></textarea>a", "S<textarea>|O<textarea>|E</textarea>|Ta|");
    expect_tokens("<title><!--</title>-->", "S<title>|T<!--|E</title>|T-->|");
    expect_tokens("<plaintext>a<b></plaintext>", "S<plaintext>|Oa<b></plaintext>|");
}

// The slash of a start tag means nothing in HTML, but in SVG, MathML and XML.
TEST(slashes_of_raw_elements)
{
    expect_tokens("<script src=x />a</script>b", "S<script src=x />|Oa|E</script>|Tb|");
    expect_tokens("<style/>a<b></style>", "S<style/>|Oa<b>|E</style>|");
    expect_tokens("<textarea/>a", "S<textarea/>|Oa|");
    expect_tokens("<title/>a</title>", "S<title/>|Ta|E</title>|");
    expect_tokens("<svg><style/>a<title>b<b></svg><style/>c",
                  "S<svg>|S<style/>|Ta|S<title>|Tb|S<b>|E</svg>|S<style/>|Oc|");
    expect_tokens("<svg/><style/>a", "S<svg/>|S<style/>|Oa|");
    expect_tokens("</svg><math><svg></svg><xmp>a", "E</svg>|S<math>|S<svg>|E</svg>|S<xmp>|Ta|");
    expect_tokens("<![CDATA[a>b]]>c", "O<![CDATA[a>|Tb]]>c|");
    expect_tokens("<svg><![CDATA[a>b]]>c", "S<svg>|O<![CDATA[a>b]]>|Tc|");
    expect_tokens("<?xml version=\"1.0\"?><title/>a<title>b<b></title>",
                  "O<?xml version=\"1.0\"?>|S<title/>|Ta|S<title>|Tb<b>|E</title>|");
    expect_tokens("<?xml:namespace a /><title/>b", "O<?xml:namespace a />|S<title/>|Tb|");
}

// Where a script ends: "a" is in it, "b" behind it.
TEST(escaped_scripts)
{
    static const char *const scripts[] = {
        "<!--a<script>a</script>a-->a",
        "<!--<script>a</script>a",
        "<!--<script a></script>a--><script>a",
        "<!--<script/a</SCRIPT/a",
        "<!--<SCRIPT\na</script >a",
        "<!--<script>a<!--a</script>a",
        "<!--<script>a--><!--a",
        "<!--<scripta>a<scripts ",
        "<!--< script>a<<a",
        "<!--<script",
        "<!--><script>a",
        "<!---><script>a",
        "<!-<script>-->a",
        "<script>a",
        "<!--a-- ><a",
        "a</scripts>a</ script>a",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        Bytes html = {0}, expected = {0};
        assert_ok(bytes_append_format(&html, NULL, "<script>%s</script>b", scripts[i]));
        assert_ok(bytes_append_format(&expected, NULL, "S<script>|O%s|E</script>|Tb|", scripts[i]));
        expect_tokens(bytes_text(&html), bytes_text(&expected));
        bytes_free(&html);
        bytes_free(&expected);
    }
    expect_tokens("<script><!--<script></script>a", "S<script>|O<!--<script></script>a|");
    expect_tokens("<script><!--<script></script>--></script>a",
                  "S<script>|O<!--<script></script>-->|E</script>|Ta|");
    expect_tokens("<script>a</script", "S<script>|Oa</script|");
    expect_tokens("<style><!--<script></style>a", "S<style>|O<!--<script>|E</style>|Ta|");
}

// Half a million tags that have no end, within raw content: a look at each takes no longer for what
// is behind it.
TEST(raw_content_without_end)
{
    enum { BYTES = 1 << 20 };
    static const char *const parts[] = {"<", "</", "<style", "</stylex"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Bytes html = {0};
        HtmlToken token;
        assert_ok(bytes_append_string(&html, "<style>", NULL));
        while (html.length < BYTES) assert_ok(bytes_append_string(&html, parts[i], NULL));
        HtmlReader reader = {.text = {html.data, html.length}};
        ck_assert(html_next(&reader, &token));
        ck_assert(html_next(&reader, &token));
        ck_assert_uint_eq(token.bytes.length, html.length - strlen("<style>"));
        bytes_free(&html);
    }
}

static void expect_attribute(const char *html, const char *name, const char *expected)
{
    HtmlReader reader = {.text = text_view_of(html)};
    HtmlToken token;
    TextView value;
    ck_assert(html_next(&reader, &token));
    ck_assert_int_eq(html_attribute(&token, name, &value), expected != NULL);
    if (!expected) return;
    ck_assert_uint_eq(value.length, strlen(expected));
    ck_assert(value.length == 0 || !memcmp(value.data, expected, value.length));
}

TEST(attributes)
{
    static const char tag[] = "<p a b=\"1 2\" C = '3' d=4/ =e/f=>";
    expect_attribute(tag, "a", "");
    expect_attribute(tag, "b", "1 2");
    expect_attribute(tag, "c", "3");
    expect_attribute(tag, "d", "4/");
    expect_attribute(tag, "=e", "");
    expect_attribute(tag, "f", "");
    expect_attribute(tag, "p", NULL);
    HtmlReader reader = {.text = {"<a/><a b=c/><br />", 18}};
    static const bool closed[] = {true, false, true};
    HtmlToken token;
    for (size_t i = 0; i < 3; i++) {
        ck_assert(html_next(&reader, &token));
        ck_assert_int_eq(token.self_closed, closed[i]);
    }
}
