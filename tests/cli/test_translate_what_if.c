// regard translate --forbid-source, --attend, --force and --forbid.

#include "cli/one_model.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char input[] = "the red cat sees the old dog .\n";

TESTS_SHARE(train_once, .seconds = 60)

static json_t *soft(const char *option, const char *value)
{
    Run run = run_expect_done(
        RUN(input, "translate", "--model", trained.model, option, value, "--alignment=soft"));
    json_t *line = json_loads(run.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_ptr_nonnull(line);
    return line;
}

static double weight_at(const json_t *line, size_t t, size_t j)
{
    json_t *row = json_array_get(json_object_get(line, "weights"), t);
    ck_assert_ptr_nonnull(json_array_get(row, j));
    return json_number_value(json_array_get(row, j));
}

// By number and by word, which is there once: no step looks at it.
TEST(a_forbidden_source_word)
{
    json_t *plain = soft("--beam", "5");
    size_t at = 0, S = json_array_size(json_object_get(plain, "source"));
    while (strcmp(json_string_value(json_array_get(json_object_get(plain, "source"), at)), "▁cat"))
        ck_assert_uint_lt(++at, S);
    json_decref(plain);
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", at);
    json_t *by_number = soft("--forbid-source", number), *by_word = soft("--forbid-source", "cat");
    ck_assert(json_equal(by_number, by_word));
    for (size_t t = 0; t < json_array_size(json_object_get(by_word, "target")); t++)
        ck_assert(weight_at(by_word, t, at) == 0);
    json_decref(by_number);
    json_decref(by_word);
}

TEST(a_weight_that_is_given)
{
    json_t *line = soft("--attend", "1:2=0.75");
    ck_assert(weight_at(line, 1, 2) == 0.75);
    json_decref(line);
}

TEST(words)
{
    Run plain = run_expect_done(RUN(input, "translate", "--model", trained.model));
    char *space = strchr(plain.out.data, ' '), forced[64], forbidden[64];
    ck_assert_ptr_nonnull(space);
    (void)snprintf(forced, sizeof forced, "0:%.*s", (int)(space - plain.out.data), plain.out.data);
    (void)snprintf(forbidden, sizeof forbidden, "%s", forced);
    Run same =
        run_expect_done(RUN(input, "translate", "--model", trained.model, "--force", forced));
    ck_assert_str_eq(same.out.data, plain.out.data);
    Run other =
        run_expect_done(RUN(input, "translate", "--model", trained.model, "--forbid", forbidden));
    ck_assert_str_ne(other.out.data, plain.out.data);
    Run said = run_expect_done(
        RUN(input, "translate", "--model", trained.model, "--force", "0:chien", "--shortlist"));
    ck_assert_msg(!strncmp(said.out.data, "chien", 5), "%s", said.out.data);
}

// A word alone is not looked up where another is asked for.
TEST(a_word_alone)
{
    Run said = run_expect_done(
        RUN("cat\n", "translate", "--model", trained.model, "--force", "0:grand", "--json"));
    assert_contains(said.out.data, "\"text\":\"grand");
}

// The best hypothesis of the tree is what is printed otherwise.
TEST(the_tree)
{
    Run tree =
        run_expect_done(RUN(input, "translate", "--model", trained.model, "--beam-tree", "json"));
    json_t *line = json_loads(tree.out.data, JSON_DISABLE_EOF_CHECK, NULL), *node;
    size_t i, best = 0;
    char text[512] = "";
    json_array_foreach(json_object_get(line, "nodes"), i,
                       node) if (json_integer_value(json_object_get(node, "rank")) == 1) best = i;
    for (bool more = true; more;) {
        char after[512];
        node = json_array_get(json_object_get(line, "nodes"), best);
        const char *token = json_string_value(json_object_get(node, "token"));
        strcpy(after, text);
        (void)snprintf(text, sizeof text, "%s%s", token, after);
        more = json_is_integer(json_object_get(node, "before"));
        best = (size_t)json_integer_value(json_object_get(node, "before"));
    }
    Run plain = run_expect_done(RUN(input, "translate", "--model", trained.model));
    char expected[512] = "", *end = expected;
    for (const char *c = plain.out.data; *c != '\n'; c++)
        end += sprintf(end, c == plain.out.data ? "▁%c" : *c == ' ' ? "▁" : "%c", *c);
    strcpy(end, "</s>");
    ck_assert_str_eq(text, expected);
    json_decref(line);
    Run drawing =
        run_expect_done(RUN(input, "translate", "--model", trained.model, "--beam-tree", "svg"));
    assert_contains(drawing.out.data, "<svg ");
    run_expect_failure(
        RUN(input, "translate", "--model", trained.model, "--beam-tree", "svg", "--json"), 2,
        "--beam-tree is instead of the text");
}

// Of a word that is there more often than can be forbidden, no place is left out without a word of it.
TEST(too_many_places)
{
    char text[4 * 70 + 8] = "";
    for (size_t i = 0; i < 70; i++) strcat(text, "cat ");
    strcat(text, "dog\n");
    run_expect_failure(RUN(text, "translate", "--model", trained.model, "--forbid-source", "cat"),
                       2, "too many subwords");
}

TEST(refused)
{
    static const char *const wrong[][3] = {
        {"--forbid-source", "99", "the source has the subwords 0 to "},
        {"--forbid-source", "zebra", "the source has no such word"},
        {"--attend", "1", "not STEP:SUBWORD=WEIGHT"},
        {"--attend", "1:2=", "the weight is not a number from 0 to 1"},
        {"--attend", "1:2=1.5", "the weight is not a number from 0 to 1"},
        {"--attend", "1:2=nan", "the weight is not a number from 0 to 1"},
        {"--attend", "1:99=1", "the source has the subwords 0 to "},
        {"--attend", "99:1=1", "the translation has the subwords 0 to "},
        {"--force", "chien", "not STEP:WORD"},
        {"--force", "1:", "not STEP:WORD"},
        {"--force", "1: ", "not a word of at most 16 subwords"},
        {"--force", "9999:chien", "no translation is as long"},
        {"--forbid", "x:chien", "not STEP:WORD"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Run run = RUN(input, "translate", "--model", trained.model, wrong[i][0], wrong[i][1]);
        run_expect_said(run, 2, wrong[i][2]);
        assert_contains(run.error.data, wrong[i][1]);
    }
    static const char *const twice[][3] = {
        {"--attend", "1:2=0.6", "1:3=0.6"}, // more than 1
        {"--attend", "1:2=0.2", "1:2=0.2"},
        {"--force", "1:chien", "1:chat"},
    };
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) {
        Run run = RUN(input, "translate", "--model", trained.model, twice[i][0], twice[i][1],
                      twice[i][0], twice[i][2]);
        ck_assert_int_eq(run.status, 2);
    }
    Run run = RUN(input, "translate", "--model", trained.model, "--forbid-source", "cat",
                  "--attend", "1:2=1", "--forbid-source", "2");
    ck_assert_int_eq(run.status, 2);
}
