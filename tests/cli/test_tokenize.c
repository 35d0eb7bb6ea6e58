// regard tokenize and regard info.

#define _GNU_SOURCE
#include "cli/one_model.h"
#include "text/normalise.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

// Lines of random characters of every plane, with the spellings that mean something to a tokenizer
// among them.
static Bytes random_text(size_t lines)
{
    static const char *const special[] = {"<s>",          "</s>", "<0x41>",      "<unk>",
                                          "\xe2\x96\x81", " ",    "e\xcc\x81",   "\xcc\x81",
                                          "the",          "\xff", "\xe2\x80\xa8"};
    Bytes text = {0};
    srand(7);
    for (size_t i = 0; i < lines; i++) {
        for (int length = rand() % 30; length > 0; length--) {
            char character[4];
            uint32_t code_point = (uint32_t)rand() % (rand() % 2 ? 0x110000 : 0x500);
            if (code_point == '\n' || (code_point >= 0xd800 && code_point < 0xe000))
                code_point = 'a';
            Status status =
                rand() % 3 == 0
                    ? bytes_append_string(
                          &text, special[(size_t)rand() % (sizeof special / sizeof *special)], NULL)
                    : bytes_append(&text, character, utf8_encode(code_point, character), NULL);
            assert_ok(status);
        }
        assert_ok(bytes_append_string(&text, "\n", NULL));
    }
    return text;
}

// Each line normalised, which is what decoding must give back.
static Bytes normalised(const Bytes *text)
{
    Bytes all = {0}, line = {0};
    for (const char *at = text->data; at < text->data + text->length;) {
        const char *end = memchr(at, '\n', text->length - (size_t)(at - text->data));
        size_t length = (size_t)(end - at);
        if (length && at[length - 1] == '\r') length--;
        assert_ok(normalise(&line, at, length, NULL, NULL));
        assert_ok(bytes_append(&all, line.data ? line.data : "", line.length, NULL));
        assert_ok(bytes_append(&all, "\n", 1, NULL));
        at = end + 1;
    }
    bytes_free(&line);
    return all;
}

static Run filter(const Bytes *input, const char *a, const char *b, const char *c)
{
    Run run = run_expect_done(
        run_program((const char *const[]){"tokenize", "--model", trained.model, a, b, c, NULL},
                    input->data, input->length, RUN_CAPTURED));
    return run;
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(there_and_back)
{
    static const char *const flags[][2] = {
        {"--ids", NULL}, {NULL, NULL}, {"--target", NULL}, {"--ids", "--target"}};
    Bytes text = random_text(500), expected = normalised(&text);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        Run there = filter(&text, flags[i][0], flags[i][1], NULL);
        Run back = filter(&there.out, "--decode", flags[i][0], flags[i][1]);
        ck_assert_msg(back.out.length == expected.length &&
                          !memcmp(back.out.data, expected.data, expected.length),
                      "form %zu", i);
    }
    bytes_free(&text);
    bytes_free(&expected);
}

TEST(conversation)
{
    Running running = run_start((const char *const[]){"tokenize", "--model", trained.model, NULL});
    for (int i = 0; i < 3; i++) {
        run_say(&running, "the red cat\n");
        Bytes heard = run_hear(running.out, 1);
        ck_assert_msg(strncmp(heard.data, "\xe2\x96\x81", 3) == 0, "%s", heard.data);
        bytes_free(&heard);
    }
    run_expect_done(run_finish(&running));
}

TEST(decode_refuses)
{
    static const char *const ids[] = {"1000000", "-1", "abc", "0x4", "99999999999999999999"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        run_expect_failure(RUN(ids[i], "tokenize", "--model", trained.model, "--decode", "--ids"),
                           1, "standard input, line 1: \"");
    }
    run_expect_failure(RUN("no-such-subword\n", "tokenize", "--model", trained.model, "--decode"),
                       1, "\"no-such-subword\" is not a subword of this vocabulary; decode");
    run_expect_failure(RUN("", "tokenize"), 2, "--model FILE is missing");
}

TEST(info)
{
    Run program = RUN("", "info"), model = RUN("", "info", trained.model);
    run_expect_done(program);
    run_expect_done(model);
    assert_contains(program.out.data, "guarantee     a translation ");
    ck_assert_ptr_null(strstr(program.out.data, "parameters"));
    ck_assert(strncmp(model.out.data, program.out.data, program.out.length) == 0);
    assert_contains(model.out.data, "joint, 320 and 320 tokens");
    assert_contains(model.out.data, "corpus.tsv");
    ck_assert_ptr_null(strstr(model.out.data, "encoder.weight_hh_l0 ("));
    Run tensors = run_expect_done(RUN("", "info", "--tensors", trained.model));
    assert_contains(tensors.out.data, "encoder.weight_hh_l0 (48, 16)\n");
    run_expect_failure(RUN("", "info", trained.model, trained.model), 2,
                       ": MODEL can be given only once");
}
