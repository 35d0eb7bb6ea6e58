// Markdown taken apart, and put together again.
#include "html/document.h"
#include "html/markdown.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include "base/writer.h"

#include <string.h>

/* The document with each segment replaced by [its text|its inline elements], an element as its first mark
 * and where it begins and ends, an object as what it is and where it stands. */
static void expect_segments(const char *markdown, const char *expected)
{
    Bytes seen = {0};
    HtmlDocument document = {.syntax = markdown_syntax, .attributes_stay = true};
    size_t at = 0;
    if (!markdown_syntax) return;
    assert_ok(html_document_read(&document, text_view_of(markdown), NULL));
    Writer out = writer_start(&seen, NULL);
    for (size_t i = 0; i < document.count; i++) {
        const HtmlSegment *segment = &document.segments[i];
        TextView text = html_segment_text(&document, &document.segments[i]);
        writer_format(&out, "%.*s[%.*s", (int)(segment->begin - at), markdown + at,
                      (int)text.length, text.data);
        for (size_t j = segment->first; j < segment->first + segment->inline_count; j++) {
            const HtmlInline *one = &document.inlines[j];
            writer_format(&out, "%s%.*s%zu", j == segment->first ? "|" : " ", (int)one->open.length,
                          one->open.data, one->begin);
            if (one->close.data || one->kept) writer_format(&out, "-%zu", one->end);
        }
        writer_string(&out, "]");
        at = segment->end;
    }
    writer_string(&out, markdown + at);
    ck_assert_str_eq(bytes_text(&seen), expected);
    bytes_free(&seen);
    html_document_free(&document);
}

TEST(blocks)
{
    expect_segments("", "");
    expect_segments("# A #\n\nb\nc\n\nD\n===\n", "# [A] #\n\n[b c]\n\n[D]\n===\n");
    expect_segments("\xEF\xBB\xBF# A#\n## \n#b\n", "\xEF\xBB\xBF# [A#]\n## \n[#b]\n");
    expect_segments("# A\r\rb\rc\r\r\r## D\r", "# [A]\r\r[b c]\r\r\r## [D]\r");
    expect_segments("> a\n> b\nc\n>> d\n", "> [a b c]\n>> [d]\n");
    expect_segments("- a\n  b\n  1) c\n- [x] d\n* * *\n42\n",
                    "- [a b]\n  1) [c]\n- [x] [d]\n* * *\n42\n");
    expect_segments("a  \nb\\\nc\r\nd\n", "[a]  \n[b]\\\n[c d]\n");
    expect_segments("```\na\n```\n~~~ x\nb\n~~~\n\n    c\n\n<div>\nd\n</div>\n\ne\n",
                    "```\na\n```\n~~~ x\nb\n~~~\n\n    c\n\n<div>\nd\n</div>\n\n[e]\n");
    expect_segments("---\ntitle: a\n---\nb\n", "---\ntitle: a\n---\n[b]\n");
    expect_segments("a|b\n-|:-:\n`c`|d \\| e\n\nf | g\n",
                    "[a]|[b]\n-|:-:\n`c`|[d | e]\n\n[f | g]\n");
    expect_segments("[^1]: a b\n\n[c]: /d\n", "[^1]: [a b]\n\n[c]: /d\n");
    expect_segments("> [!NOTE]\n> a[^1]\n", "> [!NOTE]\n> [a][^1]\n");
    expect_segments("a[^1] b.[^2]\n\n[^1]: c\n[^2]: d\n  e\n",
                    "[a b.|[^1]1][^2]\n\n[^1]: [c]\n[^2]: [d e]\n");
    expect_segments("a\n: b\nc\n: d\n", "[a]\n: [b c]\n: [d]\n");
}

TEST(inline_elements)
{
    expect_segments("a *b* __c__ d", "[a b c d|*2-3 __4-5]");
    expect_segments("***a*** b", "[a b|*0-1 **0-1]");
    expect_segments("**a* b* c", "[a b c|*0-3 *0-1]");
    expect_segments("*a **b***", "[a b|*0-3 **2-3]");
    expect_segments("a *\\** b", "[a * b|*2-3]");
    expect_segments("[a *b*](u \"t\") c", "[a b c|[0-3 *2-3]");
    expect_segments("a [b][r] [r] [c][] <http://d.e> ![f](g)\n\n[r]: u\n[c]: v",
                    "[a b r c http://d.e|[2-3 [r]4-5 [c][]6-7 <http://d.e>8-18] ![f](g)\n\n"
                    "[r]: u\n[c]: v");
    expect_segments("a `` b ` `` c", "[a b ` c|`` b ` ``2-5]");
    expect_segments("a\\_b &amp; c", "[a_b & c]");
    expect_segments("> *a\n> b* c", "> [a b c|*0-3]");
    expect_segments("a <b>c</b> <kbd>*d*</kbd> e<br>f",
                    "[a c *d* e|<b>2-3 <kbd>*d*</kbd>4-7]<br>[f]");
    expect_segments("a_b_c *d", "[a_b_c *d]");
}

// What cmark does not know.
TEST(extensions)
{
    expect_segments("a ~~b *c*~~ d", "[a b c d|~~2-5 *4-5]");
    expect_segments("a ~~b c", "[a ~~b c]");
    expect_segments("a $x_1^2$ b $$y$$.", "[a $x_1^2$ b $$y$$.|$x_1^2$2-9 $$y$$12-17]");
    expect_segments("a $5 or $6, $b or `$c`", "[a $5 or $6, $b or $c|`$c`18-20]");
    expect_segments("a * b", "[a b|*1]");
}

// Texts of images and titles of links come before all others.
TEST(attributes)
{
    static const char text[] = "a ![b c](d \"e\") [f ![g](h)](i 'j') [k] ![l][k]\n\n[k]: m\n";
    static const char *const expected[] = {"b c", "e", "g", "j", "l", "a f k"};
    HtmlDocument document = {.syntax = markdown_syntax};
    if (!markdown_syntax) return;
    assert_ok(html_document_read(&document, text_view_of(text), NULL));
    ck_assert_uint_eq(document.count, 6);
    ck_assert_uint_eq(document.values, 5);
    for (size_t i = 0; i < document.count; i++)
        ck_assert(text_view_equal(html_segment_text(&document, &document.segments[i]),
                                  text_view_of(expected[i])));
    html_document_free(&document);
}

// Two million marks of notes that do not end: a look at each takes no longer for what is behind it.
TEST(notes_without_end)
{
    enum { BYTES = 1 << 22 };
    Bytes text = {0};
    HtmlDocument document = {.syntax = markdown_syntax};
    while (text.length < BYTES && markdown_syntax)
        assert_ok(bytes_append_string(&text, "[^", NULL));
    if (!markdown_syntax) return;
    assert_ok(html_document_read(&document, (TextView){text.data, text.length}, NULL));
    ck_assert_uint_eq(document.count, 0);
    html_document_free(&document);
    bytes_free(&text);
}

static void expect_written(const char *text, const char *expected)
{
    Bytes seen = {0};
    if (!markdown_syntax) return;
    Writer out = writer_start(&seen, NULL);
    markdown_syntax->write(&out, text_view_of(text), (Span){0, strlen(text)});
    assert_ok(writer_end(&out));
    ck_assert_str_eq(bytes_text(&seen), expected);
    bytes_free(&seen);
}

TEST(what_is_written)
{
    expect_written("a * b_c 3 < 4 & d", "a * b_c 3 < 4 & d");
    expect_written("*a* _b `c` | <d &e; ~~f [g](h)",
                   "\\*a\\* \\_b \\`c\\` \\| \\<d \\&e; \\~\\~f [g\\](h)");
    expect_written("1. a", "1\\. a");
    expect_written("1.5 a", "1.5 a");
    expect_written("# a", "\\# a");
    expect_written("a - b\\c \\*", "a - b\\c \\\\\\*");
}

// Any bytes, whatever cmark makes of them.
TEST(odd_documents)
{
    static const char *const parts[] = {
        "a",     " ",    "*",       "**",           "_",    "`",      "``",      "[",
        "](u)",  "][r]", "![",      "\n",           "\n\n", "> ",     "- ",      "1. ",
        "# ",    "|",    "\n|-|\n", "<b>",          "</b>", "<code>", "</code>", "\\",
        "&amp;", "\xFF", "你",      "[r]: u\n",     "<a",   "\t",     "    ",    "---\n",
        "```\n", "[^1]", "[^1]: ",  "<http://a.b>", "~~",   "$",      "\n: ",    "](u \"t\")",
        " * "};
    enum { PARTS = sizeof parts / sizeof *parts };
    unsigned seed = 1;
    for (size_t i = 0; i < 20000 && markdown_syntax; i++) {
        Bytes text = {0};
        HtmlDocument document = {.syntax = markdown_syntax};
        size_t at = 0;
        for (size_t j = 0; j < 12; j++) {
            seed = seed * 1664525 + 1013904223;
            assert_ok(bytes_append_string(&text, parts[(seed >> 16) % PARTS], NULL));
        }
        if (i % 7 == 0) text.data[text.length / 2] = 0;
        assert_ok(html_document_read(&document, (TextView){text.data, text.length}, NULL));
        for (size_t j = 0; j < document.count; j++) {
            if (j == document.values) at = 0;
            ck_assert_msg(document.segments[j].begin >= at, "%s", text.data);
            at = document.segments[j].end;
            ck_assert_msg(at > document.segments[j].begin && at <= text.length, "%s", text.data);
        }
        html_document_free(&document);
        bytes_free(&text);
    }
}

TEST(short_memory)
{
    static const char text[] =
        "---\na\n---\n# b\n\n> [c *d*](e \"u\") ![f](g) ~~v~~ $w$ `h` <b>i</b> [^1]  \n> j [k] "
        "__l__\n\nm|n\n-|-\no|p\n\n- [x] q\\\nr\n\n[k]: s\n[^1]: t\n";
    while (markdown_syntax && failing_malloc_next()) {
        HtmlDocument document = {.syntax = markdown_syntax};
        TextView view = {text, sizeof text - 1};
        bool failed = failing_malloc_expect(html_document_read(&document, view, NULL));
        ck_assert(failed || document.count > 5);
        html_document_free(&document);
    }
}
