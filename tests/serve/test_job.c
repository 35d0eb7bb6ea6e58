// Texts of a job cut into pieces, and put together again.

#include "serve/service/job.h"

#include "support/suite.h"

#include <string.h>

// What a passage is with these texts in place of its pieces; freed by bytes_free.
static Bytes written(const Passage *passage, const TextView *replacements)
{
    Bytes text = {0};
    Writer out = writer_start(&text, NULL);
    for (size_t i = 0; i < passage->count; i++) {
        passage_write_gap(&out, passage, i);
        writer_bytes(&out, replacements[i].data, replacements[i].length);
    }
    passage_write_gap(&out, passage, passage->count);
    assert_ok(writer_end(&out));
    return text;
}

// Cuts the text, and expects its pieces, joined by |, and that they give the text again.
static void expect_pieces(const char *text, const char *pieces)
{
    Passage passage = {0};
    Bytes joined = {0};
    assert_ok(passage_set(&passage, text_view_of(text), NULL));
    Writer out = writer_start(&joined, NULL);
    for (size_t i = 0; i < passage.count; i++) {
        if (i > 0) writer_string(&out, "|");
        writer_bytes(&out, passage.pieces[i].data, passage.pieces[i].length);
    }
    ck_assert_str_eq(bytes_text(&joined), pieces);
    Bytes again = written(&passage, passage.pieces);
    ck_assert_str_eq(bytes_text(&again), text);
    bytes_free(&joined);
    bytes_free(&again);
    passage_free(&passage);
}

TEST(pieces)
{
    expect_pieces("", "");
    expect_pieces(" \n\t\n", "");
    expect_pieces("one", "one");
    expect_pieces("One is here.  Two is there.\n", "One is here.  Two is there.");
    expect_pieces("one\n```\n  two\n```\nthree\n", "one|three");
    expect_pieces("  one two \r\n\n\xe3\x80\x80three\n", "one two|three");
}

TEST(replacements)
{
    static const char text[] = " a\n\nb ";
    const TextView replacements[] = {{"one", 3}, {"", 0}};
    Passage passage = {0};
    assert_ok(passage_set(&passage, text_view_of(text), NULL));
    Bytes replaced = written(&passage, replacements);
    ck_assert_str_eq(bytes_text(&replaced), " one\n\n ");
    bytes_free(&replaced);
    passage_free(&passage);
}

TEST(html)
{
    static const char text[] = "<p> a <b>b</b></p>1<br>c";
    Passage passage = {0};
    assert_ok(passage_set_html(&passage, text_view_of(text), (const char *const[2]){NULL}, NULL));
    ck_assert(passage.is_html);
    ck_assert_uint_eq(passage.count, 2);
    ck_assert_uint_eq(passage.pieces[0].length, 3);
    ck_assert_int_eq(memcmp(passage.pieces[0].data, "a b", 3), 0);
    ck_assert_int_eq(memcmp(passage.pieces[1].data, "c", 1), 0);
    passage_free(&passage);
}
