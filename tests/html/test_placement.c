// Inline tags put into a translation by links between tokens.
#include "support/failing_malloc.h"
#include "support/placing.h"
#include "support/sound_html.h"

#include "base/random.h"

TEST(words)
{
    expect_placed("The black <b>cat</b> sleeps.", "Le chat noir dort.", "0-0 1-2 2-1 3-3 4-4",
                  "Le <b>chat</b> noir dort.");
    expect_placed("The <i>black <b>cat</b></i>.", "Le chat noir.", "0-0 1-2 2-1 3-3",
                  "Le <i><b>chat</b> noir</i>.");
    expect_placed("<a>The cat</a> <b>sleeps</b>", "Le chat dort", "0-0 1-1 2-2",
                  "<a>Le chat</a> <b>dort</b>");
    expect_placed("the <b>man</b>", "l'homme", "0-0 1-1", "l'<b>homme</b>");
    expect_placed("l'<b>homme</b>", "the man", "0-0 1-1", "the <b>man</b>");
    expect_placed("un<b>believ</b>able!", "incroyable !", "0-0 1-1", "<b>incroyable</b> !");
    expect_placed("(<b>cat</b>) &lt;dog&gt;", "(chat) <chien>", "0-0 1-1 2-2 3-3 4-4 5-5",
                  "(<b>chat</b>) &lt;chien&gt;");
    expect_placed("The <b>cat</b> sleeps.", "猫在睡觉。", "1-0 2-1 2-2 2-3 3-4",
                  "<b>猫</b>在睡觉。");
    expect_placed("<b>我们</b>在 <a>家</a>。", "We are at home.", "0-0 1-0 2-2 3-3 4-4",
                  "<b>We</b> are at <a>home</a>.");
}

TEST(whole_text)
{
    expect_placed("<p><a><b>A cat</b></a></p>", "Un chat", "1-0", "<p><a><b>Un chat</b></a></p>");
    expect_placed("<p><a> A <b>cat</b></a></p>", "Un chat", "1-1", "<p> <a>Un <b>chat</b></a></p>");
}

// Tokens without links, and links of which none says where the words are.
TEST(unlinked_words)
{
    expect_placed("<b>the cats</b> sleep", "chats tous dorment", "1-0 2-2",
                  "<b>chats</b> tous dorment");
    expect_placed("<b>Cats</b> sleep", "Les chats dorment", "0-1 1-2", "<b>Les chats</b> dorment");
    expect_placed("I like <b>cats and dogs</b>", "J'aime chats et chiens", "0-0 1-1 2-2 4-4",
                  "J'aime <b>chats et chiens</b>");
    expect_placed("a <b>b</b>, c", "x y, z", "0-0 1-1 2-0 3-3", "x <b>y</b>, z");
    expect_placed("one <b>two</b> three four", "un deux trois quatre", "",
                  "un <b>deux</b> trois quatre");
    expect_placed("of <b>the</b> cat", "du chat", "0-0 1-0 2-1", "<b>du</b> chat");
    expect_placed("a <b>b</b> c", "x y z", "0-0 0-1 2-2 1?1 1?2", "x <b>y z</b>");
    expect_placed("a <b>b</b> <i>c</i>", "x y z", "0-0 0-1 2-2 1?1 1?2", "x <b>y</b> <i>z</i>");
}

// Of a token's links only so many are counted.
TEST(many_links)
{
    expect_placed("<b>a b c d e f g h i j k l m n o p</b> q r s", "x y",
                  "0-0 1-0 2-0 3-0 4-0 5-0 6-0 7-0 8-0 9-0 10-0 11-0 12-0 13-0 14-0 15-0 16-0 17-0 "
                  "18-1",
                  "<b>x</b> y");
}

// Elements whose words are gone: what only formats goes with them, all else gets another word.
TEST(words_that_are_gone)
{
    expect_placed("a <b>b</b> c", "x y z", "0-0 0-1 2-2", "x y z");
    expect_placed("is <strong class=x>free</strong> for children", "et des enfants", "0-0 2-1 3-2",
                  "et des enfants");
    expect_placed("a <b><i>b</i></b> c", "x y z", "0-0 0-1 2-2", "x y z");
    expect_placed("a <b>b <img></b> c", "x y z", "0-0 0-1 2-2", "x <b>y <img></b> z");
    expect_placed("a <b onclick=f()>b</b> c", "x y z", "0-0 0-1 2-2", "x <b onclick=f()>y</b> z");
    expect_placed("a <b id=x>b</b> c", "x y z", "0-0 0-1 2-2", "x <b id=x>y</b> z");
    expect_placed("a <a href=x>b</a> c", "x y z", "0-0 0-1 2-2", "x <a href=x>y</a> z");
    expect_placed("a <b><a href=x>b</a></b> c", "x y z", "0-0 0-1 2-2",
                  "x <b><a href=x>y</a></b> z");
    expect_placed("a, <a href=x>b</a>", "x, z", "0-0 0-2", "x, <a href=x>z</a>");
    // not what another element would then lack, nor what is in its middle
    expect_placed("<i id=x>a c e</i> <a href=x>b</a> <i id=y>d</i>", "x y z w", "0-0 1-1 2-2 4-3",
                  "<i id=x>x y</i> <a href=x>z</a> <i id=y>w</i>");
    expect_placed("<a href=x>a</a> or <a href=y>b</a>", "x", "0-0", "<a href=x>x</a>");
    expect_placed("<a href=x>a</a> or <a id=y>b</a>", "x", "0-0", "<a href=x>x</a><a id=y></a>");
    expect_placed("a <code>c</code> <a href=x>b</a>", "x c", "0-0 1-1",
                  "<a href=x>x</a> <code>c</code>");
}

TEST(parts)
{
    expect_placed("does <b>not</b> sleep", "ne dort pas", "1-0 2-1 1-2",
                  "<b>ne</b> dort <b>pas</b>");
    expect_placed("does <b id=x>not</b> sleep", "ne dort pas", "1-0 2-1 1-2",
                  "<b id=x>ne</b> dort pas");
    expect_placed("does <my-b>not <i>a</i></my-b> sleep", "pas dort ne un", "1-0 3-1 1-2 2-3",
                  "pas dort <my-b>ne <i>un</i></my-b>");
    expect_placed("<b>a b c d</b> e", "A B E C D", "0-0 1-1 2-3 3-4 4-2", "<b>A B E C D</b>");
    expect_placed("<b>a</b> <i>b</i> <b>c</b>", "A B C", "0-1 1-0 2-2",
                  "<i>A</i> <b>B</b> <b>C</b>");
    expect_placed("<b>a b</b> c d e f g", "b a b a b a b a c",
                  "0-0 2-1 0-2 2-3 0-4 2-5 0-6 2-7 0-8", "<b>b</b> a b a b a b a c");
}

TEST(objects)
{
    expect_placed("a <img> b c", "B A C", "0-1 1-0 2-2", "B A <img> C");
    expect_placed("a<sup></sup>, b", "B, A", "0-2 1-1 2-0", "B, A<sup></sup>");
    expect_placed("a <a id=x></a>b c", "A C B", "0-0 1-2 2-1", "A <a id=x></a>C B");
    expect_placed("a b <a id=x></a>c", "A C B", "0-0 1-2 2-1", "A C B <a id=x></a>");
    expect_placed("<b><img> Home page</b>", "Page d'accueil", "0-2 1-0",
                  "<b><img> Page d'accueil</b>");
    expect_placed("a <b>b <img></b>", "A B", "0-0 1-1", "A <b>B <img></b>");
}

TEST(objects_leave_other_elements)
{
    expect_placed("<b>a b c</b> d <img> e", "A D B C E", "0-0 1-2 2-3 3-1 4-4",
                  "<b>A</b> D <img> <b>B C</b> E");
    expect_placed("a <img> <b>b c d</b>", "B A C D", "0-1 1-0 2-2 3-3",
                  "<b>B</b> A <img> <b>C D</b>");
    expect_placed("a <b>b</b> <i>c <img> d</i>", "C D B A", "0-3 1-2 2-0 3-1",
                  "<i>C <img> D</i> <b>B</b> A");
    expect_placed("a <img><img> <br2/>b", "甲乙", "0-0 1-1", "甲<img><img><br2/>乙");
}

// A random run of words, objects and nested elements.
static void draw_html(Bytes *out, Random *random, int depth)
{
    static const char *const words[] = {"the ", "cat", " &amp; ", ", ", "l'", "猫", "don't ", ". "};
    static const char *const objects[] = {"<img>", " <i></i>", "<!-- c --> ", "<x/> ",
                                          "<a> <wbr></a>"};
    static const char *const tags[] = {"b", "i id=x", "span", "my-tag"};
    static const char *const ends[] = {"</b>", "</i>", "</span>", "</my-tag>"};
    for (uint64_t n = random_below(random, 6); n-- > 0;) {
        uint64_t kind = random_below(random, 10), which = random_below(random, 4);
        if (kind < 6) append(out, words[random_below(random, 8)]);
        if (kind == 6) append(out, objects[random_below(random, 5)]);
        if (kind < 7 || depth == 0) continue;
        assert_ok(bytes_append_format(out, NULL, "<%s>", tags[which]));
        draw_html(out, random, depth - 1);
        append(out, ends[which]);
    }
}

TEST(random_segments)
{
    static const char *const words[] = {"le ", "chat", " < ", ", ", "n'", "在", ". ", "ne "};
    Random random = random_from(1, 1);
    for (int i = 0; i < 3000; i++) {
        Placing placing = {0};
        Bytes html = {0}, said = {0}, target = {0};
        append(&html, "<p>");
        draw_html(&html, &random, 4);
        append(&html, "</p>");
        append(&said, "x");
        for (uint64_t n = random_below(&random, 12); n-- > 0;)
            append(&said, words[random_below(&random, 8)]);
        assert_ok(normalise(&target, said.data, said.length, NULL, NULL));
        assert_ok(begin(&placing, html.data, target.data));
        size_t sources = placing.tokens[0].places.count, targets = placing.tokens[1].places.count;
        if (placing.document.count > 0) {
            for (uint64_t n = random_below(&random, 20); n-- > 0;)
                assert_ok(links_append(&placing.links, random_below(&random, sources),
                                       random_below(&random, targets), NULL));
            links_sort(&placing.links);
            ck_assert(find_kept(&placing));
            assert_ok(place(&placing, target.data));
            TextView placed = {placing.html.data, placing.html.length};
            bool sound = sound_html_is_nested(placed) &&
                         sound_html_has_all((TextView){html.data, html.length}, placed) &&
                         sound_html_says(placed, (TextView){target.data, target.length});
            ck_assert_msg(sound, "%s\n%s\n%s", html.data, target.data, placed.data);
        }
        bytes_free(&html);
        bytes_free(&said);
        bytes_free(&target);
        placing_free(&placing);
    }
}

/* Words in elements and objects between them, each word linked with its own place and with one far away: linear
 * time, and a result that is not much longer than the source. */
TEST(long_segments)
{
    enum { WORDS = 20000 };
    Placing placing = {0};
    Bytes html = {0}, target = {0};
    Writer out = writer_start(&html, NULL), words = writer_start(&target, NULL);
    writer_repeat(&out, "<b>a <i>a</i> a <img></b> <u>a</u> <s>a</s> ", WORDS / 5);
    writer_repeat(&words, "a ", WORDS - 1);
    writer_string(&words, "a");
    assert_ok(writer_end(&out));
    assert_ok(writer_end(&words));
    assert_ok(begin(&placing, html.data, target.data));
    ck_assert_uint_eq(placing.tokens[0].places.count, WORDS);
    for (size_t s = 0; s < WORDS; s++)
        for (size_t k = 0; k < 2; k++)
            ck_assert_int_eq(links_append(&placing.links, s, s * (k ? 7919 : 1) % WORDS, NULL), 0);
    links_sort(&placing.links);
    ck_assert(find_kept(&placing));
    assert_ok(place(&placing, target.data));
    ck_assert_uint_lt(placing.html.length, 5 * html.length);
    bytes_free(&html);
    bytes_free(&target);
    placing_free(&placing);
}

TEST(short_memory)
{
    static const char html[] = "<p>a <b>b</b> <img> <code>c</code></p>", target[] = "A B c";
    for (size_t n = 1;; n++) {
        Placing placing = {0};
        assert_ok(begin(&placing, html, target));
        ck_assert(find_kept(&placing));
        failing_malloc_at(n);
        bool failed = failing_malloc_expect(place(&placing, target));
        placing_free(&placing);
        if (!failed) break;
    }
}
