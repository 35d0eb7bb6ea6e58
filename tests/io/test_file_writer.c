#define _GNU_SOURCE
#include "io/file_writer.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void assert_content(const char *path, const char *expected)
{
    Bytes bytes = scratch_read(path);
    ck_assert_uint_eq(bytes.length, strlen(expected));
    if (bytes.length) ck_assert_mem_eq(bytes.data, expected, bytes.length);
}

static FileWriter *open_writer(const char *path)
{
    FileWriter *writer = NULL;
    Error error = {0};
    ck_assert_msg(!file_writer_open(&writer, path, &error), "%s", error.text);
    return writer;
}

TEST(commit_replaces)
{
    const char *path = scratch_path("file");
    for (int time = 0; time < 2; time++) { // first where nothing stands, then over the first
        FileWriter *writer = open_writer(path);
        assert_ok(file_writer_write(writer, "new ", 4, NULL));
        if (time == 1) assert_content(path, "new file"); // untouched until the commit
        assert_ok(file_writer_write(writer, "file", 4, NULL));
        assert_ok(file_writer_write(writer, "", 0, NULL));
        assert_ok(file_writer_commit(writer, NULL));
        assert_content(path, "new file");
        ck_assert_uint_eq(scratch_count(), 1);
    }
    assert_ok(file_writer_commit(open_writer(path), NULL));
    assert_content(path, ""); // nothing written is an empty file
}

TEST(abandon_keeps)
{
    const char *path = scratch_path("file");
    scratch_write(path, "old", 3);
    FileWriter *writer = open_writer(path);
    ck_assert_uint_eq(scratch_count(), 2);
    assert_ok(file_writer_write(writer, "new", 3, NULL));
    file_writer_abandon(writer);
    file_writer_abandon(NULL);
    assert_content(path, "old");
    ck_assert_uint_eq(scratch_count(), 1);
}

// A path without a folder: the temporary file and the folder's sync are in the current one.
TEST(bare_name)
{
    ck_assert_int_eq(chdir(scratch_folder()), 0);
    FileWriter *writer = open_writer("bare");
    assert_ok(file_writer_write(writer, "x", 1, NULL));
    assert_ok(file_writer_commit(writer, NULL));
    assert_content("bare", "x");
    ck_assert_int_eq(chdir("/"), 0);
}

TEST(full_disk)
{
    const char *path = scratch_path("file");
    char data[1000] = {0};
    Error error = {0};
    scratch_write(path, "old", 3);
    FileWriter *writer = open_writer(path);
    scratch_limit_file_size(1500);
    Status first = file_writer_write(writer, data, sizeof data, &error);
    Status second = file_writer_write(writer, data, sizeof data, &error); // half of it fits
    scratch_limit_file_size(SIZE_MAX);
    assert_ok(first);
    ck_assert_int_eq(second, STATUS_IO);
    ck_assert_ptr_eq(strstr(error.text, path), error.text);
    assert_contains(error.text, "File too large; the previous file is kept");
    file_writer_abandon(writer);
    assert_content(path, "old");
    ck_assert_uint_eq(scratch_count(), 1);
}

static void assert_unwritable(const char *path, const char *fragment)
{
    FileWriter *writer = NULL;
    Error error = {0};
    ck_assert_int_eq(file_writer_open(&writer, path, &error), STATUS_IO);
    ck_assert_ptr_null(writer);
    ck_assert_msg(strstr(error.text, path) && strstr(error.text, fragment), "%s", error.text);
}

TEST(unwritable_paths)
{
    const char *file = scratch_path("file"), *pipe = scratch_path("pipe");
    scratch_write(file, "", 0);
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    assert_unwritable(scratch_folder(), "not a regular file");
    assert_unwritable(pipe, "not a regular file");
    assert_unwritable("/dev/null", "not a regular file");
    assert_unwritable("", "is empty");
    assert_unwritable(scratch_path("file/x"), "Not a directory");
    assert_unwritable(scratch_path("none/x"), "No such file");
    char name[300];
    memset(name, 'x', sizeof name);
    memcpy(name, "/tmp/", 5);
    name[5 + 255] = '\0'; // the longest name there is leaves no room for the temporary one
    assert_unwritable(name, "File name too long");
    ck_assert_uint_eq(scratch_count(), 2);
}

// Between opening and commit the path has become a folder: the rename must fail and clean up.
TEST(commit_that_cannot_rename)
{
    const char *path = scratch_path("file");
    Error error = {0};
    FileWriter *writer = open_writer(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(file_writer_commit(writer, &error), STATUS_IO);
    assert_contains(error.text, "Is a directory");
    ck_assert_uint_eq(scratch_count(), 1);
    ck_assert_int_eq(rmdir(path), 0);
}

static void write_file(const char *path, const char *content)
{
    FileWriter *writer = open_writer(path);
    assert_ok(file_writer_write(writer, content, strlen(content), NULL));
    assert_ok(file_writer_commit(writer, NULL));
}

TEST(keeps_permissions)
{
    const char *path = scratch_path("file");
    struct stat info;
    scratch_write(path, "old", 3);
    for (mode_t mode = 0600; mode <= 0664; mode += 064) {
        ck_assert_int_eq(chmod(path, mode), 0);
        write_file(path, "new");
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_uint_eq(info.st_mode & 07777, mode);
    }
}

// A link's target is replaced, also from another folder; a link to nothing is refused.
TEST(links)
{
    const char *path = scratch_path("file"), *link = scratch_path("link");
    struct stat info;
    scratch_write(path, "old", 3);
    ck_assert_int_eq(symlink("file", link), 0);
    write_file(link, "new");
    assert_content(path, "new");
    ck_assert_int_eq(lstat(link, &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    ck_assert_int_eq(unlink(path), 0);
    assert_unwritable(link, "is a link to no file");
}

/* A killed program's temporary file goes when the same path is written again; one that is still
 * being written stays, and so do files that only look alike. */
TEST(removes_stale_files)
{
    const char *path = scratch_path("file");
    const char *const others[] = {"file.0123456.tmp", "file.0123456g.tmp", "file2.01234567.tmp",
                                  "file.01234567.tmp2", "ile.01234567.tmp"};
    enum { OTHERS = sizeof others / sizeof *others };
    for (size_t i = 0; i < OTHERS; i++) scratch_write(scratch_path(others[i]), "x", 1);
    scratch_write(scratch_path("file.89abcdef.tmp"), "stale", 5);
    FileWriter *other = open_writer(path);
    ck_assert_uint_eq(scratch_count(), OTHERS + 1); // the other's own, not the stale one
    write_file(path, "new");
    ck_assert_uint_eq(scratch_count(), OTHERS + 2);
    assert_ok(file_writer_commit(other, NULL));
    assert_content(path, "");
}
