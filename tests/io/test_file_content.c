#define _GNU_SOURCE
#include "io/file_content.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(reads)
{
    const char *path = scratch_path("file");
    FileContent content = {0};
    scratch_write(path, "a\0b", 3);
    assert_ok(file_content_read(&content, path, NULL));
    ck_assert_uint_eq(content.size, 3);
    ck_assert_mem_eq(content.data, "a\0b", 3);
    file_content_free(&content);
    ck_assert_ptr_null(content.data);
    file_content_free(&content); // twice is allowed
    scratch_write(path, "", 0);
    assert_ok(file_content_read(&content, path, NULL));
    ck_assert_ptr_null(content.data);
    ck_assert_uint_eq(content.size, 0);
    file_content_free(&content);
}

TEST(refuses)
{
    const char *pipe = scratch_path("pipe");
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    const char *const PATHS[][2] = {
        {scratch_path("missing"), "No such file"},
        {scratch_folder(), "is a directory; name a file in it"},
        {pipe, "not a regular file"}, // and does not wait for somebody to write into it
        {"/dev/zero", "not a regular file"},
        {"", "No such file"},
    };
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        FileContent content = {.size = 1};
        Error error = {0};
        ck_assert_int_eq(file_content_read(&content, PATHS[i][0], &error), STATUS_IO);
        assert_contains(error.text, PATHS[i][1]);
        ck_assert_ptr_null(content.data);
        ck_assert_uint_eq(content.size, 0);
    }
}

// Opens, and lets `what` happen before or instead of the n-th call.
static Status read_with(FailingCall call, size_t n, int number, void (*what)(void), Error *error)
{
    FileContent content;
    if (what)
        failing_call_meanwhile(call, n, what);
    else
        failing_call_at(call, n, number);
    Status status = file_content_read(&content, scratch_path("file"), error);
    ck_assert(failing_call_stop());
    ck_assert(status || content.size == 5);
    file_content_free(&content);
    return status;
}

static void write_other(void)
{
    const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    scratch_write(scratch_path("file"), "other", 5);
    ck_assert_int_eq(utimensat(AT_FDCWD, scratch_path("file"), times, 0), 0);
}

static void cut(void)
{
    ck_assert_int_eq(truncate(scratch_path("file"), 2), 0);
}

TEST(a_file_that_fails_or_is_changed)
{
    static const struct {
        FailingCall call;
        size_t n;
        int number;
        void (*meanwhile)(void);
        const char *message;
    } CASES[] = {
        {CALL_FSTAT, 1, EIO, NULL, "/file: cannot be read: Input/output error"},
        {CALL_READ, 1, EIO, NULL, "/file: cannot be read: Input/output error"},
        {CALL_READ, 1, 0, cut, "/file: was cut while it was read; try again"},
        {CALL_READ, 1, 0, write_other, "/file: was changed while it was read; try again"},
        {CALL_FSTAT, 2, 0, write_other, "/file: was changed while it was read; try again"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Error error = {0};
        scratch_write(scratch_path("file"), "whole", 5);
        ck_assert_int_eq(
            read_with(CASES[i].call, CASES[i].n, CASES[i].number, CASES[i].meanwhile, &error),
            STATUS_IO);
        assert_contains(error.text, CASES[i].message);
    }
    scratch_write(scratch_path("file"), "whole", 5);
    assert_ok(read_with(CALL_READ, 1, EINTR, NULL, NULL)); // a signal is no failure
}

TEST(out_of_memory)
{
    const char *path = scratch_text("file", "whole");
    while (failing_malloc_next()) {
        FileContent content;
        (void)failing_malloc_expect(file_content_read(&content, path, NULL));
        file_content_free(&content);
    }
}
