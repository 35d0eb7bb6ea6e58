// HTML cut into tokens.
#include "base/writer.h"
#include "html/token.h"
#include "support/suite.h"

#include <string.h>

// Each token with its kind before it, a bar behind it: "S<b>|Tx|E</b>|".
static void expect_tokens(const char *html, const char *expected)
{
    Bytes seen = {0};
    HtmlReader reader = {.text = {html, strlen(html)}};
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
    expect_tokens("<![CDATA[ a > b ]]>c", "O<![CDATA[ a > b ]]>|Tc|");
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
    expect_tokens("<script src=x />a", "S<script src=x />|Ta|");
}

static void expect_attribute(const char *html, const char *name, const char *expected)
{
    HtmlReader reader = {.text = {html, strlen(html)}};
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
