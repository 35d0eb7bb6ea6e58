#define _GNU_SOURCE
#include "io/file_content.h"
#include "support/scratch.h"
#include "support/suite.h"

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
