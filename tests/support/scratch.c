#define _GNU_SOURCE
#include "support/scratch.h"

#include "support/suite.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATHS = 1 << 20 };

static const char *folder;
static pid_t owner; // a test may find its parent's folder here
static char paths[PATHS];
static size_t used;

char *scratch_path_in(const char *parent, const char *name)
{
    char *path = paths + used;
    size_t length = strlen(parent) + 1 + strlen(name);
    ck_assert_uint_lt(used + length, PATHS);
    stpcpy(stpcpy(stpcpy(path, parent), "/"), name);
    used += length + 1;
    return path;
}

const char *scratch_format(const char *format, ...)
{
    char *text = paths + used;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, PATHS - used, format, arguments);
    va_end(arguments);
    ck_assert(length >= 0 && (size_t)length < PATHS - used);
    used += (size_t)length + 1;
    return text;
}

const char *scratch_folder(void)
{
    if (!folder || owner != getpid()) {
        folder = mkdtemp(scratch_path_in("/tmp", "regard-scratch-XXXXXX"));
        ck_assert_ptr_nonnull(folder);
        owner = getpid();
    }
    return folder;
}

const char *scratch_path(const char *name)
{
    return scratch_path_in(scratch_folder(), name);
}

const char *scratch_subfolder(const char *name)
{
    const char *path = scratch_path(name);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    return path;
}

const char *scratch_text(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    scratch_write(path, text, strlen(text));
    return path;
}

unsigned scratch_count_in(const char *where)
{
    DIR *directory = opendir(where);
    ck_assert_ptr_nonnull(directory);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(directory);
    return count;
}

unsigned scratch_count(void)
{
    return scratch_count_in(scratch_folder());
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void scratch_remove(void)
{
    if (!folder || owner != getpid()) return;
    ck_assert_int_eq(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
    folder = NULL;
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
        assert_ok(bytes_append(&bytes, buffer, got, NULL));
    ck_assert_int_eq(ferror(file), 0);
    fclose(file);
    suite_keep(bytes.data);
    return bytes;
}

void scratch_expect_equal(const char *a, const char *b)
{
    Bytes first = scratch_read(a), second = scratch_read(b);
    ck_assert_msg(first.length == second.length, "%s has %zu bytes, %s %zu", a, first.length, b,
                  second.length);
    ck_assert_msg(!memcmp(first.data, second.data, first.length), "%s and %s differ", a, b);
}

void scratch_limit_file_size(size_t bytes)
{
    signal(SIGXFSZ, SIG_IGN); // the write fails instead of ending the program
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}
