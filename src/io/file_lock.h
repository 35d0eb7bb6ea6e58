/* A name that one program at a time may use: PATH.lock beside it, locked while it is held and
 * removed afterwards. The kernel frees the lock of a program that is killed. */
#pragma once

#include "base/status.h"

typedef struct FileLock FileLock;

/* STATUS_IO if another program holds it, with its process number, or if PATH.lock is another kind of
 * file, which stays as it is. Where the file system has no locks, every program gets one. */
Status file_lock_take(FileLock **lock, const char *path, Error *error);

// The lock's own path, which a program that ends by a signal removes.
const char *file_lock_path(const FileLock *lock);

void file_lock_release(FileLock *lock); // NULL is allowed
