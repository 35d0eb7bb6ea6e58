#define _GNU_SOURCE
#include "io/file_lock.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(one_at_a_time)
{
    const char *path = scratch_path("model");
    FileLock *lock = NULL, *other = NULL;
    Error error = {0};
    char holder[64];
    assert_ok(file_lock_take(&lock, path, NULL));
    ck_assert_int_eq(file_lock_take(&other, path, &error), STATUS_IO);
    snprintf(holder, sizeof holder, "another program is writing it: process %ld;", (long)getpid());
    ck_assert_msg(strstr(error.text, holder) && strstr(error.text, path), "%s", error.text);
    ck_assert_ptr_null(other);
    file_lock_release(lock);
    file_lock_release(NULL);
    ck_assert_uint_eq(scratch_count(), 0);
    assert_ok(file_lock_take(&lock, path, NULL));
    file_lock_release(lock);
}

// A killed program's lock is free, though its file is still there.
TEST(killed_holder)
{
    const char *path = scratch_path("model");
    FileLock *lock = NULL;
    pid_t child = fork();
    if (child == 0) {
        if (file_lock_take(&lock, path, NULL) == STATUS_OK) raise(SIGKILL);
        _exit(1);
    }
    int ended;
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert(WIFSIGNALED(ended));
    ck_assert_uint_eq(scratch_count(), 1);
    assert_ok(file_lock_take(&lock, path, NULL));
    file_lock_release(lock);
    ck_assert_uint_eq(scratch_count(), 0);
}

TEST(refuses)
{
    FileLock *lock = NULL;
    Error error = {0};
    ck_assert_int_eq(file_lock_take(&lock, scratch_path("none/m"), &error), STATUS_IO);
    assert_contains(error.text, "No such file");
    ck_assert_int_eq(symlink("elsewhere", scratch_path("m.lock")), 0);
    ck_assert_int_eq(file_lock_take(&lock, scratch_path("m"), &error), STATUS_IO);
    assert_contains(error.text, "m: cannot be created");
    ck_assert_uint_eq(scratch_count(), 1); // the link's target was not made
}

// A file of that name which somebody else needs is neither emptied nor removed.
TEST(a_file_that_is_no_lock)
{
    static const char *const texts[] = {"[package]\n", "12 monkeys\n",
                                        "1234567890123456789012345678901234567890\n"};
    for (size_t i = 0; i < 3; i++) {
        FileLock *lock = NULL;
        Error error = {0};
        const char *path = scratch_text("m.lock", texts[i]);
        ck_assert_int_eq(file_lock_take(&lock, scratch_path("m"), &error), STATUS_IO);
        assert_contains(error.text, "m.lock: has the name of the lock of ");
        Bytes kept = scratch_read(path);
        ck_assert_str_eq(kept.data, texts[i]);
    }
}

TEST(its_own_name)
{
    FileLock *lock = NULL;
    assert_ok(file_lock_take(&lock, scratch_path("m"), NULL));
    ck_assert_str_eq(file_lock_path(lock), scratch_path("m.lock"));
    file_lock_release(lock);
}

static void release_other(void)
{
    ck_assert_int_eq(unlink(scratch_path("m.lock")), 0);
}

// The holder ends between our opening of its file and our lock on it: the file has no name any more.
TEST(a_holder_that_ends_meanwhile)
{
    FileLock *lock = NULL, *other = NULL;
    failing_call_meanwhile(CALL_FLOCK, 1, release_other);
    assert_ok(file_lock_take(&lock, scratch_path("m"), NULL));
    ck_assert(failing_call_stop());
    ck_assert_int_eq(file_lock_take(&other, scratch_path("m"), NULL), STATUS_IO);
    file_lock_release(lock);
    ck_assert_uint_eq(scratch_count(), 0);
}

// A holder that has not written its number yet.
TEST(a_holder_without_a_number)
{
    FileLock *lock = NULL;
    Error error = {0};
    scratch_write(scratch_path("m.lock"), "", 0);
    int descriptor = open(scratch_path("m.lock"), O_RDWR);
    ck_assert_int_eq(flock(descriptor, LOCK_EX), 0);
    ck_assert_int_eq(file_lock_take(&lock, scratch_path("m"), &error), STATUS_IO);
    assert_contains(error.text, "/m: another program is writing it; wait until it ends");
    close(descriptor);
}

// Without locks everybody gets one; what a file holds that cannot be read is not ours to remove.
TEST(file_systems_that_fail)
{
    FileLock *lock = NULL;
    Error error = {0};
    static const FailingCall calls[] = {CALL_FLOCK, CALL_FSTAT};
    for (size_t i = 0; i < 2; i++) {
        failing_call_at(calls[i], 1, EIO);
        assert_ok(file_lock_take(&lock, scratch_path("m"), NULL));
        ck_assert(failing_call_stop());
        file_lock_release(lock);
    }
    scratch_write(scratch_path("m.lock"), "123\n", 4);
    failing_call_at(CALL_PREAD, 1, EIO);
    ck_assert_int_eq(file_lock_take(&lock, scratch_path("m"), &error), STATUS_IO);
    ck_assert(failing_call_stop());
    assert_contains(error.text, "m.lock: has the name of the lock of ");
    ck_assert_uint_eq(scratch_count(), 1);
}

TEST(out_of_memory)
{
    const char *path = scratch_path("m");
    while (failing_malloc_next()) {
        FileLock *lock = NULL;
        (void)failing_malloc_expect(file_lock_take(&lock, path, NULL));
        file_lock_release(lock);
        ck_assert_uint_eq(scratch_count(), 0);
    }
}
