// Reads that are interrupted or fail, and files that are changed meanwhile.

#define _GNU_SOURCE
#include "io/input_file.h"
#include "support/failing_call.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *path;
static InputFile file;
static Error failure;

static void make(void)
{
    path = scratch_path("file");
    scratch_write(path, "text", 4);
    failure = (Error){0};
}

static void end(void)
{
    failing_call_stop();
}

TESTS_EACH(make, end)

// The number that the next descriptor gets: whether one was left open shows in it.
static int next_descriptor(void)
{
    int descriptor = dup(STDIN_FILENO);
    close(descriptor);
    return descriptor;
}

// A signal ends a read, and so may a terminal that another program has made non-blocking.
TEST(goes_on)
{
    static const int numbers[] = {EINTR, EAGAIN};
    for (size_t i = 0; i < 2; i++) {
        char text[8];
        size_t got;
        assert_ok(input_file_open(&file, path, 0, -1, NULL));
        failing_call_at(CALL_READ, 1, numbers[i]);
        assert_ok(input_file_read(&file, text, sizeof text, &got, path, NULL));
        ck_assert(failing_call_stop());
        ck_assert_uint_eq(got, 4);
        ck_assert_mem_eq(text, "text", 4);
        assert_ok(input_file_read(&file, text, sizeof text, &got, path, NULL));
        ck_assert_uint_eq(got, 0);
        close(file.descriptor);
    }
}

TEST(a_disk_that_fails)
{
    char text[8];
    size_t got = 1;
    assert_ok(input_file_open(&file, path, 0, -1, NULL));
    failing_call_at(CALL_READ, 1, EIO);
    ck_assert_int_eq(input_file_read(&file, text, 8, &got, "my file", &failure), STATUS_IO);
    ck_assert_str_eq(failure.text, "my file: cannot be read: Input/output error");
    ck_assert_uint_eq(got, 0);
    close(file.descriptor);
}

TEST(opening_that_fails)
{
    int next = next_descriptor();
    failing_call_at(CALL_FSTAT, 1, EIO);
    ck_assert_int_eq(input_file_open(&file, path, 0, -1, &failure), STATUS_IO);
    assert_contains(failure.text, "/file: cannot be read: Input/output error");
    ck_assert_int_eq(input_file_open(&file, scratch_folder(), 0, -1, &failure), STATUS_IO);
    assert_contains(failure.text, ": is a directory; name a file in it");
    ck_assert_int_eq(next_descriptor(), next);
    // a descriptor that was given stays open
    int folder = open(scratch_folder(), O_RDONLY);
    ck_assert_int_eq(input_file_open(&file, "standard input", 0, folder, &failure), STATUS_IO);
    ck_assert_str_eq(failure.text, "standard input: is a directory; name a file in it");
    ck_assert_int_eq(close(folder), 0);
}

TEST(unchanged)
{
    const struct timespec second[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    const struct timespec part[] = {{.tv_sec = 1000000000, .tv_nsec = 1},
                                    {.tv_sec = 1000000000, .tv_nsec = 1}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, second, 0), 0);
    assert_ok(input_file_open(&file, path, 0, -1, NULL));
    ck_assert(input_file_is_unchanged(&file));
    ck_assert_int_eq(utimensat(AT_FDCWD, path, part, 0), 0);
    ck_assert(!input_file_is_unchanged(&file));
    ck_assert_int_eq(utimensat(AT_FDCWD, path, second, 0), 0);
    ck_assert(input_file_is_unchanged(&file));
    failing_call_at(CALL_FSTAT, 1, EIO);
    ck_assert(!input_file_is_unchanged(&file)); // it cannot be told
    close(file.descriptor);
}
