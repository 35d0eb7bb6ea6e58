#define _GNU_SOURCE
#include "cli/output.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

TEST(gathers_until_flushed)
{
    int ends[2];
    char text[64] = {0};
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
    Output output = {.descriptor = ends[1]};
    assert_ok(output_format(&output, NULL, "a%cb", '\0'));
    assert_ok(output_format(&output, NULL, "%d%s", 42, "!"));
    ck_assert_int_eq(read(ends[0], text, sizeof text), -1); // nothing yet
    assert_ok(output_flush(&output, NULL));
    ck_assert_int_eq(read(ends[0], text, sizeof text), 6);
    ck_assert_mem_eq(text, "a\0b42!", 6);
    assert_ok(output_flush(&output, NULL));
    assert_ok(output_close(&output, NULL));
    ck_assert_int_eq(read(ends[0], text, sizeof text), 0); // the end
    close(ends[0]);
}

// What goes to a terminal does not steer it; lines stay lines.
TEST(guards_a_terminal)
{
    int ends[2];
    char text[64] = {0};
    ck_assert_int_eq(pipe(ends), 0);
    Output output = {.descriptor = ends[1], .guarded = true};
    assert_ok(output_format(&output, NULL, "é\x1b[2J\ta%cb\n", '\0'));
    Writer out = output_start(&output, NULL);
    writer_string(&out, "\xc2\x9b"
                        "31m \u202e清\r\n");
    assert_ok(output_end(&output, &out));
    output.guarded = false;
    assert_ok(output_format(&output, NULL, "\x1b[0m"));
    assert_ok(output_close(&output, NULL));
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "é?[2J\ta?b\n??31m ???清?\n\x1b[0m");
    close(ends[0]);
}

TEST(writes_much)
{
    const char *path = scratch_path("much");
    Output output = {.descriptor = open(path, O_WRONLY | O_CREAT, 0600)};
    for (int i = 0; i < 100000; i++) assert_ok(output_format(&output, NULL, "%06d\n", i));
    ck_assert_uint_lt(output.buffer.length, 1 << 17); // it did not gather everything
    assert_ok(output_close(&output, NULL));
    Bytes much = scratch_read(path);
    ck_assert_uint_eq(much.length, 700000);
    ck_assert_mem_eq(much.data + 7 * 65432, "065432\n", 7);
}

TEST(failures)
{
    int ends[2];
    Error error = {0};
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    Output gone = {.descriptor = ends[1]};
    assert_ok(output_format(&gone, &error, "x"));
    ck_assert_int_eq(output_flush(&gone, &error), STATUS_INTERRUPTED);
    ck_assert(gone.reader_gone);
    assert_ok(output_close(&gone, &error)); // nothing is left to be written

    Output full = {.descriptor = open("/dev/full", O_WRONLY)};
    assert_ok(output_format(&full, &error, "x"));
    ck_assert_int_eq(output_close(&full, &error), STATUS_IO);
    ck_assert(!full.reader_gone);
    assert_contains(error.text, "standard output: No space left on device");
}

TEST(reports_are_one_line)
{
    int ends[2], kept = dup(STDERR_FILENO);
    char text[256] = {0};
    Error error = {0};
    (void)error_set(&error, STATUS_IO, "%s", "a.tsv: is a directory");
    ck_assert(kept >= 0 && pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    report_error(NULL, &error);
    report_error("train", &error);
    report_warning("translate", "line %d: \"%s\"", 7, "a\nb");
    dup2(kept, STDERR_FILENO);
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "regard: a.tsv: is a directory\n"
                           "regard train: a.tsv: is a directory\n"
                           "regard translate: warning: line 7: \"a?b\"\n");
    close(ends[0]), close(ends[1]), close(kept);
}
