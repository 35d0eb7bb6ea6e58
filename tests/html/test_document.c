// HTML taken apart: its segments, their texts and inline elements.
#include "html/document.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include "base/writer.h"

#include <stdio.h>

static void write_inlines(Writer *out, const HtmlInline *inlines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const HtmlInline *one = &inlines[i];
        writer_format(out, " %s%.*s%s%zu", one->space_before ? "_" : "", (int)one->open.length,
                      one->open.data, one->space_after ? "_" : "", one->begin);
        if (one->close.data || one->kept) writer_format(out, "-%zu", one->end);
        if (one->parent != NO_INLINE) writer_format(out, " in %zu", one->parent);
    }
}

/* The document with each segment replaced by [its text|its inline elements]; an element as its tag and
 * where it begins and ends, an object as what it is and where it stands, _ for white space beside it. */
static void expect_segments(const char *html, const char *expected)
{
    Bytes seen = {0};
    HtmlDocument document = {.language = "en-GB", .attributes_stay = true};
    size_t at = 0;
    ck_assert_int_eq(html_document_read(&document, text_view_of(html), NULL), 0);
    Writer out = writer_start(&seen, NULL);
    for (size_t i = 0; i < document.count; i++) {
        const HtmlSegment *segment = &document.segments[i];
        TextView text = html_segment_text(&document, &document.segments[i]);
        writer_format(&out, "%.*s%s[%.*s", (int)(segment->begin - at), html + at,
                      segment->space_before ? "_" : "", (int)text.length, text.data);
        if (segment->inline_count > 0) writer_string(&out, "|");
        write_inlines(&out, document.inlines + segment->first, segment->inline_count);
        writer_format(&out, "]%s", segment->space_after ? "_" : "");
        at = segment->end;
    }
    writer_string(&out, html + at);
    ck_assert_str_eq(bytes_text(&seen), expected);
    bytes_free(&seen);
    html_document_free(&document);
}

TEST(blocks)
{
    expect_segments("", "");
    expect_segments("Hello", "[Hello]");
    expect_segments("<p> One\n two </p>\n<p>Three</p>", "<p> [One two] </p>\n<p>[Three]</p>");
    expect_segments("a<br>b<hr/>c", "[a]<br>[b]<hr/>[c]");
    expect_segments("<li>a<ul><li>b</ul>c", "<li>[a]<ul><li>[b]</ul>[c]");
    expect_segments("<td>42</td><td>&nbsp;</td><td>&mdash; 3 &euro;</td><td>x1</td>",
                    "<td>42</td><td>&nbsp;</td><td>&mdash; 3 &euro;</td><td>[x1]</td>");
    expect_segments("\xEF\xBB\xBFHello", "\xEF\xBB\xBF[Hello]");
    expect_segments("&nbsp;a&nbsp;b\xC2\xA0", "&nbsp;[a b]\xC2\xA0");
    expect_segments("<title>a <b> c &lt; d</title>", "<title>[a <b> c < d]</title>");
}

TEST(languages)
{
    expect_segments("<p lang=fr>a <b>b</b></p><p lang='en-US'>c",
                    "<p lang=fr>a <b>b</b></p><p lang='en-US'>[c]");
    expect_segments("a <i lang=la>b</i> <i xml:lang=EN lang=''>c</i>",
                    "[a b c| <i lang=la>b</i>2-3 <i xml:lang=EN lang=''>4-5]");
    expect_segments("<html lang=fr><body lang=fr>a<div lang>b",
                    "<html lang=fr><body lang=fr>[a]<div lang>[b]");
}

TEST(inline_elements)
{
    expect_segments("The <b>cat</b> sleeps.", "[The cat sleeps.| <b>4-7]");
    expect_segments("<p><a><b> a </b>b</a> </p>", "<p>_[a b| <a>0-3 <b>0-1 in 0] </p>");
    expect_segments("a<b> b </b>c", "[a b c| <b>2-3]");
    expect_segments("x<i>y</i><b>z </b>", "[xyz| <i>1-2 <b>2-3]_");
    expect_segments("un<b>believ</b>able", "[unbelievable| <b>2-8]");
    expect_segments("e<b>\xCC\x81</b>a", "[éa| <b>0-2]"); // composed, and so shorter
    expect_segments("<a>a</a> | <a><b>b</b> c</a>", "[a| <a>0-1] | [b c| <a>0-3 <b>0-1 in 0]");
    expect_segments("<a>a</a><i></i> <a></a><a>b</a>", "[a| <a>0-1]<i></i> <a></a>[b| <a>0-1]");
    expect_segments("<a>a</a> and <a>b</a>", "[a and b| <a>0-1 <a>6-7]");
    expect_segments("<a>a</a><i>b</i>", "[ab| <a>0-1 <i>1-2]");
    expect_segments("a<b>1<i>2</i></b>", "[a12| <b>1-3 <i>2-3 in 0]");
}

TEST(objects)
{
    expect_segments("a <img src=x> b", "[a b| _<img src=x>_1]");
    expect_segments("a<img>b<!-- c --> d", "[ab d| <img>1 <!-- c -->_2]");
    expect_segments("a <a id=x></a>b <i> </i>c", "[a b c| _<a id=x>2-2 _<i>_3-3]");
    expect_segments("a<i> </i>b<b><img> </b>c", "[a b c| <i>_2-2 <b>_4-4 <img>_3 in 1]");
    expect_segments("<img> <b>a</b> <a href=x><img></a>", "<img> [a| <b>0-1] <a href=x><img></a>");
    expect_segments("<b><img> a</b>", "[a| <b>0-1 <img>_0 in 0]");
    expect_segments("a <svg><text>b</text></svg> c", "[a c| _<svg><text>b</text></svg>_1]");
    expect_segments("a &unheard; b", "[a b| _&unheard;_1]");
    expect_segments("<x1/>a<x2/>b", "<x1/>[ab| <x2/>1]");
    expect_segments("<a href=x><img></a>", "<a href=x><img></a>");
    expect_segments("a&shy;b &shy;<?= > ?>c", "[ab c| _<?= > ?>3]");
    expect_segments("a<sup>[<b>1</b>]</sup> b", "[a b| <sup>[<b>1</b>]</sup>_1]");
    expect_segments("1<sup>er</sup> a", "[1er a| <sup>1-3]");
}

TEST(what_is_kept)
{
    expect_segments("Run <code>a <b>&amp;</code> now", "[Run] <code>a <b>&amp;</code> [now]");
    expect_segments("<pre>a <pre>b</pre> c</pre>d", "<pre>a <pre>b</pre> c</pre>[d]");
    expect_segments("<p translate=\"no\">a <p>b</p> c</p>d",
                    "<p translate=\"no\">a <p>b</p> c</p>[d]");
    expect_segments("<pre translate=no>a</pre>b<rt>c</rt>d",
                    "<pre translate=no>a</pre>[b]<rt>c</rt>[d]");
    expect_segments("<i class=notranslates>b</i>", "[b| <i class=notranslates>0-1]");
    expect_segments("<br class=notranslate>a<img translate=no>b",
                    "<br class=notranslate>[ab| <img translate=no>1]");
    expect_segments("<script>a</script><style>b</style><textarea>c</textarea>d",
                    "<script>a</script><style>b</style><textarea>c</textarea>[d]");
    expect_segments("<kbd>a</kbd><samp>b</samp><var>c</var>",
                    "<kbd>a</kbd><samp>b</samp><var>c</var>");
    expect_segments("a <var>&shy;</var> b", "[a] <var>&shy;</var> [b]");
    expect_segments("a <code> </code> b <kbd></kbd>", "[a] <code> </code> [b] <kbd></kbd>");
    expect_segments("a <i>b<code>&unheard;</code></i>", "[a] <i>[b]<code>&unheard;</code></i>");
    expect_segments("a <tt>\xFF</tt><code>b", "[a] <tt>\xFF</tt><code>b");
    expect_segments("<!DOCTYPE a><?xml b?><!-- c -->", "<!DOCTYPE a><?xml b?><!-- c -->");
}

TEST(what_is_kept_in_a_text)
{
    expect_segments("Run <code> a &amp;\nb </code> now",
                    "[Run a & b now| <code> a &amp;\nb </code>4-9]");
    expect_segments("a <span class='x notranslate'>b</span>",
                    "[a b| <span class='x notranslate'>b</span>2-3]");
    expect_segments("<kbd>A</kbd> <i>is <var>x</var></i>.",
                    "[A is x.| <kbd>A</kbd>0-1 <i>2-6 <var>x</var>5-6 in 1]");
    expect_segments("<a translate=no>A</a>b<img>", "[Ab| <a translate=no>A</a>0-1]<img>");
    expect_segments("<a>a</a> <code>b</code> <a>c</a>", "[a b c| <a>0-1 <code>b</code>2-3 <a>4-5]");
    expect_segments("<sup><code>1</code></sup>a", "[1a| <sup>0-1 <code>1</code>0-1 in 0]");
    expect_segments("1 <a><code>b</code></a> 2", "1 <a><code>b</code></a> 2");
}

TEST(limits_of_what_is_kept)
{
    HtmlDocument document = {0}, composed = {0};
    static const char accent[] = "a <code>e</code>\xCC\x81 b";
    Bytes html = {0};
    Writer out = writer_start(&html, NULL);
    writer_repeat(&out, "a <code>b</code> ", MAX_HTML_KEPT + 2);
    assert_ok(writer_end(&out));
    ck_assert_int_eq(html_document_read(&document, (TextView){html.data, html.length}, NULL), 0);
    ck_assert_uint_eq(document.count, 2);
    ck_assert_uint_eq(html_segment_kept(&document, &document.segments[0]).count, MAX_HTML_KEPT);
    ck_assert_uint_eq(html_segment_kept(&document, &document.segments[1]).count, 1);
    ck_assert_int_eq(html_document_read(&composed, (TextView){accent, sizeof accent - 1}, NULL), 0);
    ck_assert_uint_eq(html_segment_kept(&composed, &composed.segments[0]).count, 0);
    html_document_free(&document);
    html_document_free(&composed);
    bytes_free(&html);
    document.apart = true;
    ck_assert_int_eq(html_document_read(&document, (TextView){accent, sizeof accent - 1}, NULL), 0);
    ck_assert_uint_eq(document.count, 2);
    html_document_free(&document);
}

// What is long is not kept within a text, nor written twice.
TEST(long_elements)
{
    for (size_t long_one = 0; long_one < 2; long_one++) {
        HtmlDocument document = {0};
        Bytes html = {0};
        Writer out = writer_start(&html, NULL);
        writer_string(&out, "a <b class='");
        writer_repeat(&out, "x", long_one ? 1000 : 900);
        writer_string(&out, "'>b</b> <code>");
        writer_repeat(&out, "c", long_one ? 257 : 256);
        writer_string(&out, "</code>");
        assert_ok(writer_end(&out));
        assert_ok(html_document_read(&document, bytes_view(&html), NULL));
        ck_assert_uint_eq(document.inlines[0].repeats, !long_one);
        ck_assert_uint_eq(document.kept_count, !long_one);
        html_document_free(&document);
        bytes_free(&html);
    }
}

// A tag without a partner in its segment ends that.
TEST(tags_without_partners)
{
    expect_segments("a <b>b", "[a] <b>[b]");
    expect_segments("a</b> b", "[a]</b> [b]");
    expect_segments("a <b>b<p>c</b> d", "[a] <b>[b]<p>[c]</b> [d]");
    expect_segments("<a href=x><div>a</div></a>b", "<a href=x><div>[a]</div></a>[b]");
    expect_segments("a<b>b<i>c</b>d</i>e", "[a]<b>[b]<i>[c]</b>[d]</i>[e]");
    expect_segments("<b>a <i>b</i> c", "<b>[a b c| <i>2-3]");
}

TEST(deep_documents)
{
    enum { DEPTH = 100000 };
    HtmlDocument document = {0};
    Bytes html = {0};
    Writer out = writer_start(&html, NULL);
    writer_repeat(&out, "a<b>", DEPTH);
    writer_repeat(&out, "</b>", DEPTH);
    writer_repeat(&out, "</a</a<!-->&&#<", DEPTH);
    writer_repeat(&out, "<![CDATA[", DEPTH);
    assert_ok(writer_end(&out));
    ck_assert_int_eq(html_document_read(&document, (TextView){html.data, html.length}, NULL), 0);
    ck_assert_uint_gt(document.count, DEPTH / 2);
    html_document_free(&document);
    bytes_free(&html);
}

TEST(short_memory)
{
    static const char html[] =
        "<html><p title='a'>a <b>b</b> &amp; &unheard; <img> <code>c</code><svg/><sup>1</sup><p>"
        "\xFF d</p><pre>e</pre><a>f</a> <a>g</a>";
    while (failing_malloc_next()) {
        HtmlDocument document = {.attributes.language = "fr"};
        bool failed = failing_malloc_expect(
            html_document_read(&document, (TextView){html, sizeof html - 1}, NULL));
        ck_assert(failed || document.invalid == 1);
        html_document_free(&document);
    }
}

// The document with each value of an attribute that is translated between bars, and with lang set.
static void expect_values(const char *html, const char *expected)
{
    Bytes seen = {0};
    HtmlDocument document = {.language = "en", .attributes.language = "fr"};
    HtmlAttributes *attributes = &document.attributes;
    assert_ok(html_document_read(&document, text_view_of(html), NULL));
    for (size_t i = 0; i < document.values; i++) {
        const HtmlSegment *segment = &document.segments[i];
        char said[256];
        TextView part = {html + segment->begin, segment->end - segment->begin};
        TextView text = html_segment_text(&document, &document.segments[i]);
        int length = snprintf(said, sizeof said, "|%.*s|", (int)text.length, text.data);
        assert_ok(html_attributes_set(attributes, part, (TextView){said, (size_t)length}, NULL));
    }
    Writer out = writer_start(&seen, NULL);
    html_attributes_write(&out, attributes, document.html);
    assert_ok(writer_end(&out));
    ck_assert_str_eq(bytes_text(&seen), expected);
    bytes_free(&seen);
    html_document_free(&document);
}

TEST(attributes)
{
    expect_values("<img src=a alt=cat ALT='a &lt; \"b\" ' title=\"\n a b\">",
                  "<img src=a alt=\"|cat|\" ALT='|a &lt; &quot;b&quot;| ' title=\"\n |a b|\">");
    expect_values("<input placeholder = name value=a><p aria-label='x'>y</p>",
                  "<input placeholder = \"|name|\" value=a><p aria-label='|x|'>y</p>");
    expect_values("<p>a <a title='b'>c</a> <img alt='d'> e", // within a segment, too
                  "<p>a <a title='|b|'>c</a> <img alt='|d|'> e");
    expect_values("<textarea placeholder='a'>b</textarea><code title='c' lang=en></code>",
                  "<textarea placeholder='|a|'>b</textarea><code title='|c|' lang=en></code>");
    expect_values("<meta name=Description content='a'><meta name=author content='b' title='c'>",
                  "<meta name=Description content='|a|'><meta name=author content='b' title='c'>");
    static const char *const same[] = {
        "<img alt=''><img alt><img alt= ><img alt='1 2'><img alt='a &unheard;'>",
        "<link title='a'><style title='a'></style><b title='a",
        "<img alt='a' translate=no><p class=notranslate title='a'><b title='b'>c</b></p>",
        "<svg><g title='a'></g></svg><pre><b title='a'></b></pre><!-- <b title='a'> -->",
        "<p lang=en>a<html lang><html xml:lang>",
        "<p lang=zh><b title='a'>b</b>",
        "<a title='=&#x338;'>b</a>", // together no letter
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) expect_values(same[i], same[i]);
    expect_values("<html>a<HTML lang=en><html a lang='en-GB' xml:lang=\"\"><html/>",
                  "<html lang=\"fr\">a<HTML lang=\"fr\"><html a lang='fr' xml:lang=\"fr\">"
                  "<html lang=\"fr\"/>");
}

TEST(attributes_that_stay)
{
    static const char html[] = "<html><img alt='a'>b";
    HtmlDocument document = {.attributes_stay = true, .attributes.language = "fr"};
    assert_ok(html_document_read(&document, (TextView){html, sizeof html - 1}, NULL));
    ck_assert_uint_eq(document.values, 0);
    ck_assert_uint_eq(document.attributes.count, 0);
    html_document_free(&document);
}
