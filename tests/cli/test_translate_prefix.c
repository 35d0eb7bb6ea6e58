// regard translate --prefix.

#include "cli/one_model.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char input[] = "the red cat sees the old dog .\n\nthe new boat takes the car .\nthe "
                            "small dog sees the big house .\n";
static const char prefixes[] = "xyz ab\nx\n\nthe old\n";

// Lines of `out`, each beginning as it should; an empty line of input stays empty.
static void expect_lines(const char *out, size_t n_best)
{
    static const char *const beginnings[] = {"xyz ab", "", "", "the old"};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < (i == 1 ? 1 : n_best); k++) {
            if (n_best > 1) {
                ck_assert_uint_eq(strtoul(out, NULL, 10), i);
                out = strstr(out, " ||| ") + 5;
            }
            ck_assert_msg(!strncmp(out, beginnings[i], strlen(beginnings[i])), "%s", out);
            if (n_best == 1) ck_assert_int_eq(*out == '\n', i == 1);
            out = strchr(out, '\n') + 1;
        }
    ck_assert_str_eq(out, "");
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(lines_begin_so)
{
    const char *file = scratch_text("prefixes", prefixes);
    Run greedy = run_expect_done(
        RUN(input, "translate", "--model", trained.model, "--prefix", file, "--beam", "1"));
    expect_lines(greedy.out.data, 1);
    Run links = run_expect_done(
        RUN(input, "translate", "--model", trained.model, "--prefix", file, "--alignment"));
    expect_lines(links.out.data, 1);
    assert_contains(links.out.data, " ||| ");
    Run list = run_expect_done(RUN(input, "translate", "--model", trained.model, "--prefix", file,
                                   "--n-best", "3", "--shortlist", "--batch", "1"));
    expect_lines(list.out.data, 3);
    Run json = run_expect_done(RUN(input, "translate", "--model", trained.model, "--prefix", file,
                                   "--json", "--alignment"));
    json_t *line = json_loads(json.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    const char *text = NULL;
    ck_assert_int_eq(json_unpack(line, "{s:[{s:s}]}", "translations", "text", &text), 0);
    ck_assert(!strncmp(text, "xyz ab", 6));
    json_decref(line);
}

// An empty prefix changes nothing, and what the model says anyway costs nothing.
TEST(prefixes_of_its_own_words)
{
    Run plain = run_expect_done(RUN(input, "translate", "--model", trained.model, "--n-best", "1"));
    Run empty = run_expect_done(RUN(input, "translate", "--model", trained.model, "--n-best", "1",
                                    "--prefix", scratch_text("prefixes", "\n\n\n\n")));
    ck_assert_str_eq(plain.out.data, empty.out.data);
    plain = RUN(input, "translate", "--model", trained.model, "--beam", "1");
    for (size_t length = 1; length < 12; length += 2) {
        char own[100] = "", *end = own;
        for (const char *line = plain.out.data; *line; line = strchr(line, '\n') + 1)
            end += sprintf(end, "%.*s\n", (int)(*line == '\n' ? 0 : length), line);
        Run again = run_expect_done(RUN(input, "translate", "--model", trained.model, "--beam", "1",
                                        "--prefix", scratch_text("prefixes", own)));
        ck_assert_str_eq(plain.out.data, again.out.data);
    }
}

TEST(files_of_other_lengths)
{
    Run few = RUN(input, "translate", "--model", trained.model, "--prefix",
                  scratch_text("prefixes", "x\n"));
    ck_assert_int_eq(few.status, 1);
    ck_assert(few.out.data[0] == 'x'); // the line that has one is still translated
    assert_contains(few.error.data, "prefixes: the input has more lines than this ");
    run_expect_said(RUN("a\n", "translate", "--model", trained.model, "--prefix",
                        scratch_text("prefixes", prefixes)),
                    1, "prefixes: has more lines than the input, which has 1;");
    run_expect_done(
        RUN("", "translate", "--model", trained.model, "--prefix", scratch_text("prefixes", "")));
    run_expect_failure(RUN("a\n", "translate", "--model", trained.model, "--prefix", "/nowhere"), 1,
                       "/nowhere: cannot be opened");
    run_expect_failure(RUN("a\n", "translate", "--model", trained.model, "--prefix", "-"), 2,
                       "--prefix cannot be standard input");
}

TEST(odd_prefixes)
{
    Bytes file = {0};
    for (size_t i = 0; i < 1500; i++) assert_ok(bytes_append_string(&file, "q ", NULL));
    assert_ok(bytes_append_string(&file, "\n\xff\xe6\x88\x91\r\nthe \n \t\n", NULL));
    Run run = run_expect_done(RUN("the cat\na\nthe cat\na\n", "translate", "--model", trained.model,
                                  "--prefix", scratch_text("prefixes", file.data), "--beam", "1"));
    assert_contains(run.error.data, "line 1: its prefix is longer than 1000 subwords");
    assert_contains(run.error.data, "line 2: 1 invalid UTF-8 sequence");
    assert_contains(run.out.data, "\n\xef\xbf\xbd\xe6\x88\x91");
    bytes_free(&file);
}
