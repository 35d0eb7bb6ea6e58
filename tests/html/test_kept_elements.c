// Elements that stay as they are, found again in a translation and put there.
#include "support/placing.h"
#include "support/sound_html.h"

#include "base/random.h"

TEST(kept_elements)
{
    expect_placed("Press <kbd>Enter</kbd> now.", "Pressez donc Enter.", "0-0 2-1 1-2 3-3",
                  "Pressez donc <kbd>Enter</kbd>.");
    expect_placed("<b>the <code>f(x)</code></b> is", "est la f(x)", "0-1 2-0",
                  "est <b>la <code>f(x)</code></b>");
    expect_placed("<code>a  &lt; &#98;</code> fits", "il va a < b", "1-0 1-1",
                  "il va <code>a  &lt; &#98;</code>");
    expect_placed("a <i><var>b</var></i> c <img>", "C b A", "0-2 2-0",
                  "C <i><var>b</var></i> A <img>");
    expect_placed("the <code>x</code>s", "les xs", "0-0", "les <code>x</code>s");
    expect_placed("the <code>x</code>", "l'x", "", "l'<code>x</code>");
    expect_placed("<code>x</code> and <code>x y</code>", "x y et x", "",
                  "<code>x y</code> et <code>x</code>");
    expect_placed("<b>one</b> <code>-</code>", "un -", "0-0 1-1", "<b>un</b> <code>-</code>");
}

// The text is there more often, or not at all, or only within words.
TEST(kept_elements_among_words)
{
    expect_placed("<var>a</var> cat has", "un chat a a", "0-3 1-1 2-2", "un chat a <var>a</var>");
    expect_placed("<var>a</var> cat has", "un chat a a", "1-1 2-2", "un chat <var>a</var> a");
    expect_placed("<var>a</var> then <var id=b>a</var>", "a puis a", "0-2 2-0",
                  "<var id=b>a</var> puis <var>a</var>");
    expect_placed("if <var>a</var>", "alors", "", NULL);
    expect_placed("if <var>a</var>", "la", "", NULL);
    expect_placed("<var>a</var> and <var>a</var>", "a et", "0-0", NULL);
}

static size_t occurrences(TextView text, TextView wanted)
{
    size_t count = 0;
    for (size_t at = 0; at + wanted.length <= text.length; at++)
        count += memcmp(text.data + at, wanted.data, wanted.length) == 0;
    return count;
}

/* A run of words and numbered elements that are kept, and what a translation says of it. *all: it says enough
 * of each. */
static void draw(Bytes *html, Bytes *said, Random *random, bool *all)
{
    static const char *const texts[] = {"x1", "f()", "x &lt; y", "猫-2", "the"};
    static const char *const results[] = {"x1", "f()", "x < y", "猫-2", "the"};
    static const char *const words[] = {"cat", " <b>b c</b> ", ", ", " <img> ", " d "};
    size_t number = 0;
    for (uint64_t n = random_below(random, 10); n-- > 0;) {
        uint64_t which = random_below(random, 5), times = random_below(random, 12);
        append(html, words[random_below(random, 5)]);
        if (times < 6) continue;
        bool inner = random_below(random, 2);
        if (inner) append(html, "<i>");
        assert_ok(bytes_append_format(html, NULL, " <q translate=no id=%zu>%s</q> ", number++,
                                      texts[which]));
        if (inner) append(html, "e</i>");
        *all = *all && times > 6;
        for (times -= 6; times > 0; times -= times < 4 ? times : 3)
            assert_ok(bytes_append_format(said, NULL, " %s le ", results[which]));
    }
}

// Every element is there once, byte for byte; the number of them.
static size_t check_elements(TextView html, TextView placed)
{
    size_t count = 0;
    for (const char *at = html.data; (at = strstr(at, "<q")); count++) {
        const TextView element = {at, (size_t)(strstr(at, "</q>") + 4 - at)};
        ck_assert_msg(occurrences(placed, element) == 1, "%s\n%s", html.data, placed.data);
        at += element.length;
    }
    return count;
}

static size_t check_random(Random *random)
{
    Placing placing = {0};
    Bytes html = {0}, said = {0}, target = {0};
    bool all = true;
    size_t count = 0;
    append(&html, "a ");
    append(&said, "le ");
    draw(&html, &said, random, &all);
    assert_ok(normalise(&target, said.data, said.length, NULL, NULL));
    assert_ok(begin(&placing, html.data, target.data));
    size_t sources = placing.tokens[0].places.count, targets = placing.tokens[1].places.count;
    for (uint64_t n = random_below(random, 20); n-- > 0;)
        assert_ok(links_append(&placing.links, random_below(random, sources),
                               random_below(random, targets), NULL));
    links_sort(&placing.links);
    bool found = find_kept(&placing);
    ck_assert(found || !all);
    if (found) {
        assert_ok(place(&placing, target.data));
        TextView placed = {placing.html.data, placing.html.length};
        bool sound =
            sound_html_is_nested(placed) && sound_html_says(placed, text_view_of(target.data));
        ck_assert_msg(sound, "%s\n%s\n%s", html.data, target.data, placed.data);
        count = check_elements(text_view_of(html.data), placed);
    }
    bytes_free(&html);
    bytes_free(&said);
    bytes_free(&target);
    placing_free(&placing);
    return count;
}

TEST(random_segments)
{
    Random random = random_from(2, 1);
    size_t found = 0;
    for (int i = 0; i < 3000; i++) found += check_random(&random);
    ck_assert_uint_gt(found, 3000);
}
