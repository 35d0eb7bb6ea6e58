// regard translate --html.
#include "cli/one_model.h"
#include "html/markdown.h"
#include "support/sound_html.h"

#define SENTENCE "the red cat sees the old dog ."

// What the program prints for a document, and says nothing else.
static Bytes translated(const char *html, const char *const *more)
{
    const char *words[16] = {"translate", "--model", trained.model, "--html"};
    for (size_t i = 0; more && more[i]; i++) words[4 + i] = more[i];
    Run run = run_expect_done(run_program(words, html, strlen(html), RUN_CAPTURED));
    ck_assert_str_eq(run.error.data ? run.error.data : "", "");
    return run.out;
}

TESTS_SHARE(train_once)

TEST(text_is_translated)
{
    Run plain = RUN(SENTENCE "\n", "translate", "--model", trained.model);
    run_expect_done(plain);
    plain.out.data[strcspn(plain.out.data, "\n")] = 0;
    Bytes page = translated(
        "<!DOCTYPE html>\n<p title='&amp;'>\n the red&nbsp;c&#97;t  sees\n the old dog . "
        "</p>\n<td>42</td><pre>\n" SENTENCE "</pre>\n\n",
        NULL);
    const char *expected = scratch_format(
        "<!DOCTYPE html>\n<p title='&amp;'>\n %s </p>\n<td>42</td><pre>\n" SENTENCE "</pre>\n\n",
        plain.out.data);
    ck_assert_str_eq(page.data, expected);
}

TEST(tags_are_placed)
{
    static const char html[] =
        "<ul><li><b>the red <img src=a></b> cat <i id=x>sees</i> the old dog .</ul>";
    Run plain = run_expect_done(RUN(SENTENCE "\n", "translate", "--model", trained.model));
    Bytes page = translated(html, NULL),
          greedy = translated(html, (const char *const[]){"--from", "attention", NULL});
    TextView text = {page.data, page.length}, said = {plain.out.data, plain.out.length - 1};
    ck_assert_msg(sound_html_has_all((TextView){html, sizeof html - 1}, text), "%s", page.data);
    ck_assert_msg(sound_html_says(text, said), "%s", page.data);
    assert_contains(page.data, "</b>");
    ck_assert_str_eq(page.data, greedy.data);
}

static size_t occurrences(const char *text, const char *wanted)
{
    size_t count = 0;
    while ((text = strstr(text, wanted))) {
        text += strlen(wanted);
        count++;
    }
    return count;
}

/* More than a model has placeholders for, texts that it does not know, and a long one: what is before and
 * behind it may be translated apart. */
TEST(elements_are_kept)
{
    enum { LONG = 80 };
    Bytes page = translated("<p>the <b><code>red</code> cat</b> <var>&lt;x&gt;</var> sees "
                            "<kbd>a</kbd> <kbd>b</kbd> <kbd>c</kbd> <kbd>d</kbd> <kbd>e</kbd> "
                            "the <i translate=no>old dog</i> .</p>",
                            NULL);
    static const char *const kept[] = {
        "<code>red</code>", "<var>&lt;x&gt;</var>", "<kbd>a</kbd>", "<kbd>b</kbd>", "<kbd>c</kbd>",
        "<kbd>d</kbd>",     "<kbd>e</kbd>",         "<b>",          "</p>",         "dog</i>"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        ck_assert_msg(occurrences(page.data, kept[i]) >= 1, "%s", page.data);
    ck_assert_msg(occurrences(page.data, "<kbd>") == 5, "%s", page.data);
    char text[LONG + 1];
    for (size_t i = 0; i < LONG; i++) text[i] = "^~|{}#$@_="[i % 10];
    text[LONG] = 0;
    const char *html = scratch_format("<p>the <i>red cat <tt>%s</tt> sees</i> the dog", text);
    const char *kept_whole = scratch_format("<tt>%s</tt>", text);
    page = translated(html, NULL);
    ck_assert_msg(occurrences(page.data, kept_whole) == 1, "%s", page.data);
}

// Attributes that are read are translated, wherever they stand, unless --no-attributes forbids it.
TEST(attributes)
{
    static const char html[] =
        "<html><p>the <b title='red'>cat</b> <img alt=\"" SENTENCE "\"><kbd>x</kbd></p>";
    Run plain = run_expect_done(RUN(SENTENCE "\nred\n", "translate", "--model", trained.model));
    plain.out.data[strcspn(plain.out.data, "\n")] = 0;
    const char *red = plain.out.data + strlen(plain.out.data) + 1;
    const char *image = scratch_format("<img alt=\"%s\">", plain.out.data);
    const char *title = scratch_format("<b title='%.*s'>", (int)strcspn(red, "\n"), red);
    Bytes page = translated(html, NULL);
    Bytes windows = translated(html, (const char *const[]){"--batch", "1", NULL});
    ck_assert_msg(!!strstr(page.data, image) && !!strstr(page.data, title), "%s", page.data);
    ck_assert_str_eq(page.data, windows.data);
    page = translated(html, (const char *const[]){"--no-attributes", NULL});
    ck_assert_msg(!!strstr(page.data, "<b title='red'>") && !!strstr(page.data, SENTENCE), "%s",
                  page.data);
    run_expect_failure(RUN("a", "translate", "--model", trained.model, "--no-attributes"), 2,
                       "--no-attributes is for --html");
}

// However many segments are translated together; a document without text is not changed at all.
TEST(documents)
{
    Bytes html = {0};
    Writer out = writer_start(&html, NULL);
    writer_repeat(&out, "<p>the <b>red</b> cat", 20);
    Bytes whole = translated(html.data, NULL);
    Bytes parts = translated(html.data, (const char *const[]){"--batch", "1", "--beam", "5", NULL});
    ck_assert_str_eq(whole.data, parts.data);
    bytes_free(&html);
    Bytes same = translated("<!-- a -->\r\n<code>b</code>\xFF<p>1</p><a", NULL);
    ck_assert_str_eq(same.data, "<!-- a -->\r\n<code>b</code>\xFF<p>1</p><a");
    Bytes empty = translated("", NULL);
    ck_assert_uint_eq(empty.length, 0);
}

TEST(invalid_characters)
{
    Run run =
        run_expect_done(RUN("<p>the \xFF cat", "translate", "--model", trained.model, "--html"));
    assert_contains(run.error.data, "1 invalid UTF-8 sequence replaced by U+FFFD");
    ck_assert(!strncmp(run.out.data, "<p>", 3));
}

TEST(other_encodings)
{
    Run run = run_expect_done(RUN("<meta charset=latin1><pre>\xE9</pre>the cat", "translate",
                                  "--model", trained.model, "--html"));
    assert_contains(run.error.data,
                    "standard input: read as WINDOWS-1252; the translation is in UTF-8");
    ck_assert(!strncmp(run.out.data, "<meta charset=utf-8><pre>é</pre>", 33));
}

TEST(conflicts)
{
    static const char *const others[] = {"--n-best=2", "--json",        "--alignment",
                                         "--sample=2", "--units=words", "--prefix=x"};
    for (size_t i = 0; i < 6; i++) {
        run_expect_failure(RUN("a", "translate", "--model", trained.model, "--html", others[i]), 2,
                           "and --html conflict");
    }
    run_expect_failure(RUN("a", "translate", "--model", trained.model, "--html", "/nowhere.html"),
                       1, "/nowhere.html: cannot be opened");
}

// The words of Markdown as lines alone, and all else as it is.
TEST(markdown)
{
    static const char text[] = "# the cat\n\n> - " SENTENCE "\n\n```\nthe cat\n```\n";
    run_expect_failure(RUN("a", "translate", "--model", trained.model, "--html", "--markdown"), 2,
                       "--markdown and --html conflict");
    run_expect_failure(RUN("a", "translate", "--model", trained.model, "--markdown", "--json"), 2,
                       "--json and --markdown conflict");
    if (!markdown_syntax) {
        run_expect_failure(RUN(text, "translate", "--model", trained.model, "--markdown"), 2,
                           "--markdown needs cmark");
        return;
    }
    Run lines =
        run_expect_done(RUN("the cat\n" SENTENCE "\n", "translate", "--model", trained.model));
    Run whole = run_expect_done(RUN(text, "translate", "--model", trained.model, "--markdown"));
    size_t first = strcspn(lines.out.data, "\n");
    const char *expected = scratch_format("# %.*s\n\n> - %s\n```\nthe cat\n```\n", (int)first,
                                          lines.out.data, lines.out.data + first + 1);
    ck_assert_str_eq(whole.out.data, expected);
}
