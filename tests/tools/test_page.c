// Pages of verbs with awkward texts, and the examples of the true ones.

#include "tools/page.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "tools/examples.h"
#include "tools/roff.h"

#include "nasty_verbs.h"

#include <stdio.h>
#include <string.h>

static void expect_part(const Bytes *page, const char *part)
{
    ck_assert_msg(strstr(page->data, part) != NULL, "\"%s\" is missing in\n%s", part, page->data);
}

static void expect_text(const char *text, const char *expected)
{
    Bytes out = {0};
    ck_assert_int_eq(roff_text(&out, text, NULL), STATUS_OK);
    ck_assert_str_eq(out.data, expected);
    bytes_free(&out);
}

START_TEST(test_text)
{
    expect_text("", "\n");
    expect_text("  two  words ", "two words\n");
    expect_text("One. Two", "One.\nTwo\n");
    expect_text("One. .Two 'three'", "One.\n\\&.Two \\(aqthree\\(aq\n");
    expect_text("a-b 0-0 -c --d-e - [-1]", "a-b 0\\-0 \\-c \\-\\-d\\-e \\- [-1]\n");
    expect_text("a\\b \"c\" `d` e^f ~", "a\\(rsb \\(dqc\\(dq \\(gad\\(ga e\\(haf \\(ti\n");
    expect_text("é 中 \xF0\x9F\x98\x80 \xFF", "\\[u00E9] \\[u4E2D] \\[u1F600] \\[uFFFD]\n");
    expect_text("a\tb\nc\x7F", "a b c \n");
}
END_TEST

// No line is longer than 78 bytes with its escapes and what stood in it before.
START_TEST(test_lines)
{
    char word[128], text[256], expected[256];
    memset(word, 'x', 74);
    word[74] = '\0';
    snprintf(text, sizeof text, "%s .b c", word);
    snprintf(expected, sizeof expected, "%s\n\\&.b c\n", word);
    expect_text(text, expected);
    snprintf(text, sizeof text, "%s bcd e", word);
    snprintf(expected, sizeof expected, "%s bcd\ne\n", word);
    expect_text(text, expected);
    snprintf(text, sizeof text, "a %s%s b", word, "yyyyyyyyyy");
    snprintf(expected, sizeof expected, "a\n%s%s\nb\n", word, "yyyyyyyyyy");
    expect_text(text, expected);

    Bytes out = {0};
    ck_assert_int_eq(bytes_append_string(&out, "head\nname: ", NULL), STATUS_OK);
    ck_assert_int_eq(roff_text(&out, word, NULL), STATUS_OK);
    ck_assert_uint_eq(out.length, strlen("head\nname: ") + 75);
    bytes_clear(&out);
    ck_assert_int_eq(bytes_append_string(&out, "head\nname: ", NULL), STATUS_OK);
    snprintf(text, sizeof text, "a %s", word);
    snprintf(expected, sizeof expected, "head\nname: a\n%s\n", word);
    ck_assert_int_eq(roff_text(&out, text, NULL), STATUS_OK);
    ck_assert_str_eq(out.data, expected);
    bytes_free(&out);
}
END_TEST

START_TEST(test_verb)
{
    Bytes page = {0};
    ck_assert_int_eq(page_of_verb(nasty_verbs, &verb_nasty, &page, NULL), STATUS_OK);
    static const char *const parts[] = {
        ".TH REGARD\\-NASTY 1 \"\" \"Regard ",
        "\nregard\\-nasty \\- \\&.\\(aqtis: a \\(dqquoted\\(dq summary\n",
        ".SH SYNOPSIS\n.B regard nasty\n.BI \\-\\-texts \" A:B\"\n.RI [ options ]\n",
        ".RI [ options ]\n.RI [ \"PAIRS\" ... ]\n",
        ".SH DESCRIPTION\nFirst.\n.PP\n\\(aqSecond\\(aq has a tab.\n",
        ".TP\n.B \\-\\-a\\-flag\n\\&.it\\(aqs \\(rsfBno\\(rsfR request, and [a] bracket\n",
        ".SS \"Values \\(dqin quotes\\(dq\"\n.TP\n.BI \\-\\-size \" N\"\n",
        "\n\\(aqtis a ratio 1:2; x-y 1\\-2 \\-z \\(gaq\\(ga [3]\n",
        "\n\\[u03C0] \\[u2248] 3, a\\(hab, \\(tic [0.5]\n",
        ".BR \\-\\-text \"[=\\fIFILE.x\" ]\na file.\nTwo sentences\n",
        ".BI \\-\\-texts \" A:B\"\nseveral (repeatable) [required]\n",
        ".BR \\-\\-choice \" \" \"one\" | \"two\\-b\" | \"three\"\none of them [two-b]\n",
        ".BR \\-\\-kind [= \"one\" | \"two\\-b\" | \"three\" ]\nthe same [one]\n",
        ".SS Help\n.TP\n.B \\-\\-help\n",
        ".SH OPERANDS\n.TP\n.I \"PAIRS\"\n\\&.what\n",
        ".SH EXIT STATUS\n",
        ".SH SEE ALSO\n.BR regard (1) ,\n.BR regard\\-bare (1)\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_part(&page, parts[i]);
    ck_assert_ptr_null(strstr(page.data, ".SH EXAMPLES"));
    bytes_free(&page);
}
END_TEST

START_TEST(test_bare_verb)
{
    Bytes page = {0};
    ck_assert_int_eq(page_of_verb(nasty_verbs, &verb_bare, &page, NULL), STATUS_OK);
    expect_part(&page, ".SH SYNOPSIS\n.B regard bare\n.RI [ options ]\n.I \"WORD\"\n.SH DESC");
    expect_part(&page, ".SH DESCRIPTION\nnothing\n.SH OPTIONS\n");
    expect_part(&page, ".SH SEE ALSO\n.BR regard (1) ,\n.BR regard\\-nasty (1)\n");
    ck_assert_ptr_null(strstr(page.data, ".SS"));
    bytes_free(&page);
}
END_TEST

START_TEST(test_program)
{
    Bytes page = {0};
    ck_assert_int_eq(page_of_program(nasty_verbs, &page, NULL), STATUS_OK);
    expect_part(&page, ".TH REGARD 1 \"\" ");
    expect_part(&page, ".SH VERBS\n.TP\n.BR regard\\-nasty (1)\n\\&.\\(aqtis: a ");
    expect_part(&page, ".SH SEE ALSO\n.BR regard\\-nasty (1) ,\n.BR regard\\-bare (1)\n");
    bytes_free(&page);
}
END_TEST

// Gives the words of "regard VERB ..." to the verb, as far as the shell would.
static void parse_example(const char *command)
{
    char line[256];
    const char *words[32];
    size_t count = 0;
    const char *begin = strstr(command, "regard ");
    ck_assert_ptr_nonnull(begin);
    snprintf(line, sizeof line, "%s", begin);
    for (char *word = strtok(line, " "); word && !strchr("<>|", *word); word = strtok(NULL, " "))
        words[count++] = word;
    ck_assert_uint_ge(count, 2);
    for (size_t i = 0; verbs[i]; i++) {
        const Syntax *syntax = &verbs[i]->syntax;
        if (strcmp(syntax->verb, words[1]) != 0) continue;
        Arguments arguments;
        Error error = {0};
        void *values = memory_new(1, syntax->values_size);
        ck_assert_ptr_nonnull(values);
        Status status = options_parse(&arguments, syntax, count - 2, words + 2, values, &error);
        ck_assert_msg(status == STATUS_OK, "%s: %s", command, error.text);
        memory_free(values);
        return;
    }
    ck_abort_msg("%s: no such verb", command);
}

static bool has_example(const char *page)
{
    for (const Example *example = examples; example->page; example++)
        if (strcmp(example->page, page) == 0) return true;
    return false;
}

START_TEST(test_examples)
{
    for (const Example *example = examples; example->page; example++) {
        ck_assert_uint_le(strlen(example->command), 90);
        ck_assert_int_eq(example->purpose[strlen(example->purpose) - 1], ':');
        parse_example(example->command);
    }
    ck_assert(has_example("regard"));
    for (size_t i = 0; verbs[i]; i++)
        ck_assert_msg(has_example(verbs[i]->syntax.verb), "%s has none in tools/examples.c",
                      verbs[i]->syntax.verb);
}
END_TEST

START_TEST(test_out_of_memory)
{
    for (size_t n = 1;; n++) {
        Bytes page = {0};
        failing_malloc_at(n);
        Status status = page_of_verb(nasty_verbs, &verb_nasty, &page, NULL);
        bool failed = failing_malloc_stop();
        ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
        bytes_free(&page);
        if (!failed) break;
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("page");
    suite_add(suite, "text", test_text);
    suite_add(suite, "lines", test_lines);
    suite_add(suite, "verb", test_verb);
    suite_add(suite, "bare verb", test_bare_verb);
    suite_add(suite, "program", test_program);
    suite_add(suite, "examples", test_examples);
    suite_add(suite, "out of memory", test_out_of_memory);
    return suite_run(suite);
}
