#define _GNU_SOURCE
#include "support/scratch.h"

#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

Scratch scratch_make(void)
{
    Scratch scratch = {.folder = "/tmp/regard-scratch-XXXXXX", .next = 0};
    ck_assert_ptr_nonnull(mkdtemp(scratch.folder));
    return scratch;
}

const char *scratch_path(Scratch *scratch, const char *name)
{
    char *path = scratch->paths[scratch->next++ % 8];
    ck_assert_uint_lt(strlen(scratch->folder) + 1 + strlen(name), sizeof scratch->paths[0]);
    stpcpy(stpcpy(stpcpy(path, scratch->folder), "/"), name);
    return path;
}

const char *scratch_text(Scratch *scratch, const char *name, const char *text)
{
    const char *path = scratch_path(scratch, name);
    scratch_write(path, text, strlen(text));
    return path;
}

/* Walks the folder, removing if asked to, and counts what is not "." or "..". */
static unsigned walk(const char *folder, int removing)
{
    DIR *directory = opendir(folder);
    ck_assert_ptr_nonnull(directory);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        count++;
        if (removing) ck_assert_int_eq(unlinkat(dirfd(directory), entry->d_name, 0), 0);
    }
    closedir(directory);
    return count;
}

unsigned scratch_count(const Scratch *scratch)
{
    return walk(scratch->folder, 0);
}

void scratch_remove(Scratch *scratch)
{
    walk(scratch->folder, 1);
    ck_assert_int_eq(rmdir(scratch->folder), 0);
}

void scratch_write(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    if (bytes) ck_assert_uint_eq(fwrite(data, 1, bytes, file), bytes);
    ck_assert_int_eq(fclose(file), 0);
}

Bytes scratch_read(const char *path)
{
    Bytes bytes = {0};
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        ck_assert_int_eq(bytes_append(&bytes, buffer, got, NULL), STATUS_OK);
    ck_assert_int_eq(ferror(file), 0);
    fclose(file);
    return bytes;
}

void scratch_expect_equal(const char *a, const char *b)
{
    Bytes first = scratch_read(a), second = scratch_read(b);
    ck_assert_msg(first.length == second.length, "%s has %zu bytes, %s %zu", a, first.length, b,
                  second.length);
    ck_assert_msg(!memcmp(first.data, second.data, first.length), "%s and %s differ", a, b);
    bytes_free(&first);
    bytes_free(&second);
}

void scratch_limit_file_size(size_t bytes)
{
    signal(SIGXFSZ, SIG_IGN); // the write fails instead of ending the program
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}
