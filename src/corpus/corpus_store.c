#define _GNU_SOURCE
#include "corpus/corpus_store.h"

#include "base/array.h"
#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 1 << 12,  // what is collected before it is written, and read at least
    WINDOW_BYTES = 1 << 18, // read ahead
};

static Status store_failed(const char *folder, int number, Error *error)
{
    bool full = number == ENOSPC || number == EDQUOT;
    return error_set(error, full ? STATUS_FULL : STATUS_IO,
                     "%s: the corpus cannot be kept there: %s; %sname another folder with --cache",
                     folder, strerror(number), full ? "free some space, or " : "");
}

Status corpus_store_open(CorpusStore *store, const char *folder, Error *error)
{
    FREED_BY(bytes_free) Bytes pattern = {0};
    *store = (CorpusStore){0};
    if (!folder) return STATUS_OK;
    TRY(bytes_append_format(&pattern, error, "%s/regard-XXXXXX", folder));
    int descriptor = mkostemp(pattern.data, O_CLOEXEC);
    int number = descriptor < 0 || unlink(pattern.data) ? errno : 0;
    if (number && descriptor >= 0) close(descriptor);
    if (number) return store_failed(folder, number, error);
    *store = (CorpusStore){.folder = folder, .descriptor = descriptor};
    return STATUS_OK;
}

// Writes the tail at the end of the file. After a failure it is still there, to be written again.
static Status write_tail(CorpusStore *store, Error *error)
{
    for (size_t done = 0; done < store->tail_size;) {
        ssize_t bytes = pwrite(store->descriptor, store->tail + done, store->tail_size - done,
                               (off_t)(store->written + done));
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) return store_failed(store->folder, bytes ? errno : ENOSPC, error);
        done += (size_t)bytes;
    }
    store->written += store->tail_size;
    store->tail_size = 0;
    return STATUS_OK;
}

Status corpus_store_extend(CorpusStore *store, char **room, size_t bytes, Error *error)
{
    if (store->folder && store->tail_size && store->tail_size + bytes > BLOCK_BYTES)
        TRY(write_tail(store, error));
    TRY(array_reserve(&store->tail, &store->tail_capacity, store->tail_size + bytes, "the corpus",
                      error));
    *room = store->tail + store->tail_size;
    store->tail_size += bytes;
    return STATUS_OK;
}

Status corpus_store_read(const CorpusStore *store, void *copy, size_t offset, size_t bytes,
                         Error *error)
{
    size_t in_file = offset < store->written ? store->written - offset : 0;
    if (in_file > bytes) in_file = bytes;
    for (size_t done = 0; done < in_file;) {
        ssize_t more =
            pread(store->descriptor, (char *)copy + done, in_file - done, (off_t)(offset + done));
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0)
            return error_set(error, STATUS_IO,
                             "%s: the corpus kept there cannot be read: %s; name another folder "
                             "with --cache",
                             store->folder, more ? strerror(errno) : "its file has become shorter");
        done += (size_t)more;
    }
    if (bytes > in_file)
        memcpy((char *)copy + in_file, store->tail + (offset + in_file - store->written),
               bytes - in_file);
    return STATUS_OK;
}

void corpus_store_expect(const CorpusStore *store, size_t offset, size_t bytes)
{
    if (store->folder)
        (void)posix_fadvise(store->descriptor, (off_t)offset, (off_t)bytes, POSIX_FADV_WILLNEED);
}

/* Moves the window so that it begins at `offset`: as far ahead as it may be if that is in the last
 * part that was read, whose end it crosses, or behind it. */
static Status move_window(const CorpusStore *store, StoreWindow *window, size_t offset,
                          size_t bytes, Error *error)
{
    size_t rest = corpus_store_size(store) - offset;
    bool onwards = offset >= window->begin && offset < window->end + WINDOW_BYTES;
    size_t ahead = onwards ? WINDOW_BYTES : BLOCK_BYTES;
    if (bytes < ahead) bytes = ahead < rest ? ahead : rest;
    window->begin = window->end = offset;
    TRY(array_reserve(&window->data, &window->capacity, bytes, "the corpus", error));
    TRY(corpus_store_read(store, window->data, offset, bytes, error));
    window->end = offset + bytes;
    return STATUS_OK;
}

Status corpus_store_view(const CorpusStore *store, StoreWindow *window, const char **data,
                         size_t offset, size_t bytes, Error *error)
{
    if (!store->folder) {
        *data = store->tail + offset;
        return STATUS_OK;
    }
    if (offset < window->begin || offset + bytes > window->end)
        TRY(move_window(store, window, offset, bytes, error));
    *data = window->data + (offset - window->begin);
    return STATUS_OK;
}

void corpus_store_free(CorpusStore *store)
{
    if (store->folder) close(store->descriptor);
    memory_free(store->tail);
    *store = (CorpusStore){0};
}

void store_window_free(StoreWindow *window)
{
    memory_free(window->data);
    *window = (StoreWindow){0};
}
