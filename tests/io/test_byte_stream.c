// A file that changes while it is read; everything else about byte streams shows in test_line_reader.

#define _GNU_SOURCE
#include "io/byte_stream.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

typedef void Change(const char *path);

// Reads one byte of a file, lets it be changed, and reads on to the end or the error.
static Status read_changing(Change *change, Error *error)
{
    const char *path = scratch_text("file", "one\ntwo\n");
    ByteStream *stream = NULL;
    char byte;
    size_t length = 0;
    assert_ok(byte_stream_open(&stream, path, error));
    Status status = byte_stream_read(stream, &byte, 1, true, &length, error);
    assert_ok(status);
    change(path);
    while (!status && length) status = byte_stream_read(stream, &byte, 1, true, &length, error);
    byte_stream_close(stream);
    return status;
}

static void leave(const char *path)
{
    (void)path;
}

static void append(const char *path)
{
    FILE *file = fopen(path, "ab");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs("three\n", file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void cut(const char *path)
{
    ck_assert_int_eq(truncate(path, 5), 0);
}

// As long as before: only its time tells. A file system's clock may be coarse, so the time is set.
static void overwrite(const char *path)
{
    scratch_write(path, "ONE\nTWO\n", 8);
    const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void replace(const char *path)
{
    const char *other = scratch_text("other", "another text\n");
    ck_assert_int_eq(rename(other, path), 0);
}

TEST(changed)
{
    static Change *const changes[] = {append, cut, overwrite};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        Error error = {0};
        ck_assert_int_eq(read_changing(changes[i], &error), STATUS_IO);
        assert_contains(error.text, "/file: changed while it was read; try");
    }
}

TEST(unchanged)
{
    Error error = {0};
    assert_ok(read_changing(leave, &error));
    assert_ok(read_changing(replace, &error));
}

// Reads so many gzip files, one behind the other, each of `size` bytes of which every `nth` differs.
static Status read_packed(size_t members, size_t size, size_t nth, Error *error)
{
    const char *path = scratch_path("file");
    char *text = malloc(size), out[4096];
    for (size_t i = 0; i < size; i++) text[i] = (char)(i % nth ? 'a' : 'a' + i / nth * 7919 % 26);
    for (size_t i = 0; i < members; i++) {
        gzFile file = gzopen(path, "ab9");
        ck_assert(gzwrite(file, text, (unsigned)size) == (int)size && gzclose(file) == Z_OK);
    }
    ByteStream *stream = NULL;
    size_t length = 1, total = 0;
    Status status = byte_stream_open(&stream, path, error);
    while (!status && length) {
        status = byte_stream_read(stream, out, sizeof out, true, &length, error);
        total += length;
    }
    ck_assert(status || total == members * size);
    byte_stream_close(stream);
    scratch_remove(); // the next call begins a file of its own
    free(text);
    return status;
}

TEST(what_unpacks_to_too_much)
{
    enum { MIB = 1 << 20 };
    Error error = {0};
    assert_ok(read_packed(1, 16 * MIB, SIZE_MAX, &error));
    assert_ok(read_packed(1, 20 * MIB, 50, &error));
    ck_assert_int_eq(read_packed(1, 20 * MIB, SIZE_MAX, &error), STATUS_FORMAT);
    assert_contains(error.text, "/file: is gzip that unpacks to more than 200 times");
    ck_assert_int_eq(read_packed(20, MIB, SIZE_MAX, &error), STATUS_FORMAT);
}

// How much has been read of nothing is not known; a directory is nothing to read, by whatever name.
TEST(nothing_to_read)
{
    const char *path = scratch_path("empty");
    ByteStream *stream = NULL;
    Error error = {0};
    scratch_write(path, "", 0);
    assert_ok(byte_stream_open(&stream, path, NULL));
    ck_assert_double_lt(byte_stream_share(stream), 0);
    byte_stream_close(stream);
    int saved = dup(STDIN_FILENO), folder = open(scratch_folder(), O_RDONLY);
    ck_assert(folder >= 0 && dup2(folder, STDIN_FILENO) == STDIN_FILENO);
    ck_assert_int_eq(byte_stream_open(&stream, "-", &error), STATUS_IO);
    ck_assert_str_eq(error.text, "standard input: is a directory; name a file in it");
    ck_assert_int_eq(dup2(saved, STDIN_FILENO), STDIN_FILENO);
}

static Status read_all(const char *path, Error *error)
{
    ByteStream *stream = NULL;
    char out[16];
    size_t length = 1;
    Status status = byte_stream_open(&stream, path, error);
    while (!status && length)
        status = byte_stream_read(stream, out, sizeof out, true, &length, error);
    byte_stream_close(stream);
    return status;
}

// Whichever read fails, plain or packed: the name is said, and the text before is not the whole text.
TEST(a_disk_that_fails)
{
    const char *const paths[] = {scratch_path("plain"), scratch_path("packed")};
    scratch_write(paths[0], "0123456789012345678901234567890", 31);
    gzFile file = gzopen(paths[1], "wb");
    ck_assert(gzputs(file, "0123456789") == 10 && gzclose(file) == Z_OK);
    for (size_t i = 0; i < 2; i++)
        for (size_t n = 1;; n++) {
            Error error = {0};
            failing_call_at(CALL_READ, n, EIO);
            Status status = read_all(paths[i], &error);
            if (!failing_call_stop()) break;
            ck_assert_int_eq(status, STATUS_IO);
            assert_contains(error.text, paths[i]);
            assert_contains(error.text, ": cannot be read: Input/output error");
        }
}

TEST(out_of_memory)
{
    const char *path = scratch_path("packed");
    gzFile file = gzopen(path, "wb");
    ck_assert(gzputs(file, "0123456789") == 10 && gzclose(file) == Z_OK);
    while (failing_malloc_next()) (void)failing_malloc_expect(read_all(path, NULL));
}
