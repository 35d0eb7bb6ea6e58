// Lines of standard input that come one after another, through a pipe.
#define _GNU_SOURCE
#include "io/line_reader_case.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Makes the reading end of a pipe standard input; returns the other.
static int pipe_to_standard_input(void)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return ends[1];
}

static void put(int descriptor, const char *text)
{
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
}

/* A line in a pipe is there at once, and asking whether one is there never waits. */
TEST(pipe)
{
    int in = pipe_to_standard_input();
    LineReader *reader = open_reader("-");
    ck_assert_str_eq(line_reader_name(reader), "standard input");
    ck_assert(line_reader_would_block(reader));
    put(in, "\x1f"); // what gzip begins with
    ck_assert(line_reader_would_block(reader));
    put(in, "a");
    ck_assert(line_reader_would_block(reader)); // half a line
    put(in, "bc\nd\ne");
    ck_assert(!line_reader_would_block(reader));
    expect_line(reader,
                "\x1f"
                "abc",
                4, 1);
    ck_assert(!line_reader_would_block(reader));
    expect_line(reader, "d", 1, 2);
    ck_assert(line_reader_would_block(reader));
    put(in, "f\n\n");
    expect_line(reader, "ef", 2, 3);
    expect_line(reader, "", 0, 4);
    ck_assert(line_reader_would_block(reader));
    put(in, "last");
    ck_assert(line_reader_would_block(reader));
    close(in);
    ck_assert(!line_reader_would_block(reader)); // the end is there without waiting
    expect_line(reader, "last", 4, 5);
    ck_assert(!line_reader_would_block(reader));
    expect_end(reader);
    ck_assert_int_ne(fcntl(STDIN_FILENO, F_GETFD), -1); // not ours to close
}

TEST(pipe_of_gzip)
{
    int in = pipe_to_standard_input();
    Bytes gzip = gzip_of("a\nb\n", 4);
    LineReader *reader = open_reader("-");
    ck_assert_int_eq(write(in, gzip.data, 1), 1);
    for (size_t i = 1; i < 10; i++) { // ten bytes are header: they hold no text
        ck_assert(line_reader_would_block(reader));
        ck_assert_int_eq(write(in, gzip.data + i, 1), 1);
    }
    ck_assert(line_reader_would_block(reader));
    ck_assert_int_eq(write(in, gzip.data + 10, gzip.length - 10), (ssize_t)gzip.length - 10);
    close(in);
    expect_line(reader, "a", 1, 1);
    ck_assert(!line_reader_would_block(reader));
    expect_line(reader, "b", 1, 2);
    expect_end(reader);
    bytes_free(&gzip);
}

/* Programs that share a terminal may leave it non-blocking. */
TEST(non_blocking_input)
{
    int in = pipe_to_standard_input();
    ck_assert_int_eq(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK), 0);
    pid_t child = fork();
    if (child == 0) {
        usleep(50000);
        _exit(write(in, "late\n", 5) != 5);
    }
    close(in);
    LineReader *reader = open_reader("-");
    expect_line(reader, "late", 4, 1);
    expect_end(reader);
}
