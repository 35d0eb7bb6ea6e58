// regard translate: whatever comes in, a line goes out for each, and at once.

#include "cli/one_model.h"
#include "io/line_reader.h"

#include <stdbool.h>
#include <string.h>

static Run translate_bytes(const void *input, size_t length)
{
    return run_program((const char *const[]){"translate", "--model", trained.model, NULL}, input,
                       length, RUN_CAPTURED);
}

TESTS_SHARE(train_once, .seconds = 120)

// Each of these is one line of input, without its end.
TEST(any_line)
{
    static const struct {
        const char *text;
        size_t length;
        bool empty; // and so is its translation
    } lines[] = {
        {"the red cat sees the old dog .", 30, false},
        {"", 0, true},
        {"   ", 3, true},
        {"\xe3\x80\x80\xc2\xa0", 5, true}, // ideographic and no-break space
        {"a\0b", 3, false},
        {"\0", 1, false},
        {"\xff\xfe\x80", 3, false},
        {"\xe2\x82", 2, false}, // a character cut off
        {"the cat .\r", 10, false},
        {"the\xe2\x80\xa8"
         "cat",
         9, false}, // U+2028 ends no line
        {"the\xc2\x85"
         "cat",
         8, false}, // nor does U+0085
        {"the\x0b\x0c"
         "cat",
         8, false},
        {"<s> </s> <pad> <unk>", 20, false},
        {"\xe6\x88\x91\xe7\x9c\x8b\xe8\xa7\x81\xe7\x8c\xab", 12, false},
        {"no end of line", 14, false},
    };
    enum { LINES = sizeof lines / sizeof *lines };
    Bytes input = {0};
    for (size_t i = 0; i < LINES; i++) {
        if (i) assert_ok(bytes_append(&input, "\n", 1, NULL));
        assert_ok(bytes_append(&input, lines[i].text, lines[i].length, NULL));
    }
    Run run = run_expect_done(translate_bytes(input.data, input.length));
    ck_assert_uint_eq(run_lines(&run.out), LINES);
    const char *line = run.out.data;
    for (size_t i = 0; i < LINES; i++) {
        ck_assert_msg((*line == '\n') == lines[i].empty, "line %zu", i + 1);
        line = strchr(line, '\n') + 1;
    }
    assert_contains(run.error.data, "warning: line 7: 3 invalid UTF-8 sequences replaced");
    assert_contains(run.error.data, "warning: line 8: 1 invalid UTF-8 sequence replaced");
    ck_assert_uint_eq(run_lines(&run.error), 2);
    bytes_free(&input);
}

TEST(no_lines)
{
    Run nothing = run_expect_done(translate_bytes("", 0));
    ck_assert_str_eq(nothing.out.data, "");
    Run one = run_expect_done(translate_bytes("\n", 1));
    ck_assert_str_eq(one.out.data, "\n");
}

TEST(endless_line)
{
    Bytes input = {0};
    assert_ok(bytes_append_string(&input, "the cat .\n", NULL));
    for (int i = 0; i < 5000; i++)
        assert_ok(bytes_append_string(&input, i % 2 ? "dog " : "the ", NULL));
    assert_ok(bytes_append_string(&input, "\nthe dog .\n", NULL));
    Run run =
        run_expect_done(RUN(input.data, "translate", "--model", trained.model, "--split", "none"));
    ck_assert_uint_eq(run_lines(&run.out), 3);
    ck_assert_str_eq(run.error.data,
                     "regard translate: warning: line 2 is longer than 1000 subwords; "
                     "the rest is not translated\n");
    bytes_free(&input);
}

// A line over the limit: the lines after it are translated too.
TEST(longest_line)
{
    Bytes input = {0};
    assert_ok(bytes_append_string(&input, "the cat .\n", NULL));
    assert_ok(bytes_reserve(&input, input.length + (1 << 20) + 100, NULL));
    memset(input.data + input.length, ' ', 1 << 20);
    input.length += 1 << 20;
    assert_ok(bytes_append_string(&input, "dog\nthe dog .\n", NULL));
    Run run = run_expect_done(translate_bytes(input.data, input.length));
    ck_assert_uint_eq(run_lines(&run.out), 3);
    ck_assert_str_eq(run.error.data, "regard translate: warning: line 2 is longer than 1 MiB; "
                                     "the rest is not read\n");
    bytes_free(&input);
}

// A file with NULs is no text; standard input, whose every line is answered, may have some.
TEST(binary_file)
{
    const char *path = scratch_path("binary");
    scratch_write(path, "the \0 cat .\n", 12);
    run_expect_failure(RUN("", "translate", "--model", trained.model, path), 1,
                       ":1: has a NUL byte: this is a binary file, not text");
}

TEST(garbage)
{
    enum { SIZE = 1 << 16 };
    Bytes input = {0};
    uint64_t state = 88172645463325252u; // xorshift64 (Marsaglia 2003)
    size_t lines = 1;
    for (size_t i = 0; i < SIZE; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        char byte = (char)(state >> 32);
        if (i == SIZE - 1) byte = 'x';
        lines += byte == '\n';
        assert_ok(bytes_append(&input, &byte, 1, NULL));
    }
    Run run = run_expect_done(run_program(
        (const char *const[]){"translate", "--model", trained.model, "--beam", "1", NULL},
        input.data, input.length, RUN_CAPTURED));
    ck_assert_uint_eq(run_lines(&run.out), lines);
    bytes_free(&input);
}

// Who writes a line and waits for its translation gets it, however large the batch.
TEST(conversation)
{
    Running running = run_start(
        (const char *const[]){"translate", "--model", trained.model, "--batch", "64", NULL});
    static const char *const said[] = {"the red cat .\n", "\n", "the dog .\nthe cat .\n", "\xff\n"};
    static const size_t lines[] = {1, 1, 2, 1};
    for (size_t i = 0; i < 4; i++) {
        run_say(&running, said[i]);
        Bytes heard = run_hear(running.out, lines[i]);
        bytes_free(&heard);
    }
    run_say(&running, "half a ");
    run_say(&running, "line");
    Run run = run_expect_done(run_finish(&running));
    ck_assert_uint_eq(run_lines(&run.out), 1);
}

// Text in another encoding is read, and that is said.
TEST(other_encodings)
{
    Run plain = run_expect_done(RUN("the café .\n", "translate", "--model", trained.model));
    Run latin = run_expect_done(RUN("the caf\xE9 .\n", "translate", "--model", trained.model));
    ck_assert_str_eq(plain.out.data, latin.out.data);
    assert_contains(latin.error.data, "standard input: read as WINDOWS-1252");
}

// Lines stay indented, by whatever characters.
TEST(indentation)
{
    static const char text[] = "the cat\n \t the cat\n\xe3\x80\x80the cat\n";
    Run run = run_expect_done(translate_bytes(text, sizeof text - 1));
    const size_t length = strcspn(run.out.data, "\n");
    const char *cat = scratch_format("%.*s", (int)length, run.out.data);
    ck_assert_str_eq(run.out.data, scratch_format("%s\n \t %s\n\xe3\x80\x80%s\n", cat, cat, cat));
}

// Blocks of code stay as they are, blanks and all.
TEST(code)
{
    static const char text[] = "the cat\n```c\n  the cat\n\n```\nthe cat\n";
    Run whole = run_expect_done(RUN(text, "translate", "--model", trained.model));
    Run small = run_expect_done(RUN(text, "translate", "--model", trained.model, "--batch", "1"));
    size_t length = strcspn(whole.out.data, "\n");
    const char *expected = scratch_format("%.*s\n```c\n  the cat\n\n```\n%.*s\n", (int)length,
                                          whole.out.data, (int)length, whole.out.data);
    ck_assert_str_eq(whole.out.data, expected);
    ck_assert_str_eq(small.out.data, expected);
}
