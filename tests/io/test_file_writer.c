#define _GNU_SOURCE
#include "io/file_writer.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <glob.h>
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
    const char *path = scratch_text("file", "old");
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
    const char *const others[] = {"file.0123456.tmp",   "file.0123456g.tmp", "file2.01234567.tmp",
                                  "file.01234567.tmp2", "ile.01234567.tmp",  "file-01234567.tmp",
                                  "file.01234567.tmx"};
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

// What fails, how, and what is said.
TEST(disks_that_fail)
{
    static const struct {
        FailingCall call;
        int number;
        Status status;
        const char *message;
    } CASES[] = {
        {CALL_GETENTROPY, ENOSYS, STATUS_IO, "cannot be created: Function not implemented; check"},
        {CALL_WRITE, EIO, STATUS_IO, "cannot be written: Input/output error; the previous file"},
        {CALL_WRITE, ENOSPC, STATUS_FULL, "cannot be written: No space left on device; the prev"},
        {CALL_WRITE, EDQUOT, STATUS_FULL, "cannot be written: Disk quota exceeded; the previous"},
        {CALL_FSYNC, EIO, STATUS_IO, "cannot be written: Input/output error; the previous file"},
        {CALL_RENAME, EACCES, STATUS_IO, "cannot be written: Permission denied; the previous"},
        {CALL_WRITE, EINTR, STATUS_OK, ""},  // a signal
        {CALL_FSYNC, EINVAL, STATUS_OK, ""}, // a file system without
        {CALL_FLOCK, ENOLCK, STATUS_OK, ""},
        {CALL_FSTAT, EIO, STATUS_OK, ""}, // another name is tried
    };
    const char *path = scratch_path("file");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Error error = {0};
        scratch_write(path, "old", 3);
        failing_call_at(CASES[i].call, 1, CASES[i].number);
        Status status = file_write(path, "new", 3, &error);
        ck_assert(failing_call_stop());
        ck_assert_int_eq(status, CASES[i].status);
        assert_contains(error.text, CASES[i].message);
        assert_content(path, status ? "old" : "new");
    }
    assert_ok(file_write(path, "new", 3, NULL));
    ck_assert_uint_eq(scratch_count(), 1); // also what was left where fstat failed
}

static void remove_temporary(void)
{
    glob_t found;
    ck_assert_int_eq(glob(scratch_path("file.*.tmp"), 0, NULL, &found), 0);
    ck_assert_int_eq(unlink(found.gl_pathv[0]), 0);
    globfree(&found);
}

// Another process takes our file for one that was left, before we have locked it.
TEST(a_name_that_is_taken_away)
{
    failing_call_meanwhile(CALL_FLOCK, 1, remove_temporary);
    FileWriter *writer = open_writer(scratch_path("file"));
    ck_assert(failing_call_stop());
    assert_ok(file_writer_write(writer, "new", 3, NULL));
    assert_ok(file_writer_commit(writer, NULL));
    assert_content(scratch_path("file"), "new");
}

// A file that cannot be given to its owner must not run with the rights of another.
TEST(an_owner_that_cannot_be_kept)
{
    const char *path = scratch_path("file");
    for (int kept = 0; kept < 2; kept++) {
        struct stat info;
        scratch_write(path, "old", 3);
        ck_assert_int_eq(chmod(path, 04755), 0);
        if (!kept) failing_call_at(CALL_FCHOWN, 1, EPERM);
        assert_ok(file_write(path, "new", 3, NULL));
        ck_assert(failing_call_stop() || kept);
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_uint_eq(info.st_mode & 07777, kept ? 04755 : 0755);
    }
}

// What has a temporary name and cannot be opened is left alone.
TEST(a_link_of_a_temporary_name)
{
    const char *path = scratch_path("file");
    ck_assert_int_eq(symlink("elsewhere", scratch_path("file.01234567.tmp")), 0);
    assert_ok(file_write(path, "new", 3, NULL));
    ck_assert_uint_eq(scratch_count(), 2);
}

TEST(which_file)
{
    const char *path = scratch_path("file"), *other = scratch_path("other");
    Error error = {0};
    scratch_write(path, "", 0);
    scratch_write(other, "", 0);
    ck_assert_int_eq(link(path, scratch_path("again")), 0);
    ck_assert(file_is_same(path, scratch_path("again")));
    ck_assert(!file_is_same(path, other));
    ck_assert(!file_is_same(path, "/dev/null")); // another file system
    ck_assert(!file_is_same(path, scratch_path("none")));
    ck_assert(!file_is_same(scratch_path("none"), path));
    ck_assert_int_eq(file_refuse_existing(path, "add --overwrite", &error), STATUS_ARGUMENT);
    assert_contains(error.text, "/file: exists; add --overwrite");
    assert_ok(file_refuse_existing(scratch_path("none"), "", NULL));
    assert_ok(file_refuse_existing("/dev/null", "", NULL));
}

TEST(long_names)
{
    static char name[6000];
    FileWriter *writer = NULL;
    Error error = {0};
    memset(name, 'x', sizeof name - 1);
    for (size_t i = 0; i < sizeof name - 1; i += 100) name[i] = '/';
    ck_assert_int_eq(file_writer_open(&writer, name, &error), STATUS_IO);
    ck_assert_ptr_null(writer);
    assert_contains(error.text, "/xxx");
}

TEST(out_of_memory)
{
    const char *path = scratch_path("file");
    while (failing_malloc_next()) {
        FileWriter *writer = NULL;
        (void)failing_malloc_expect(file_writer_open(&writer, path, NULL));
        file_writer_abandon(writer);
        ck_assert_uint_eq(scratch_count(), 0);
    }
}
