/* Where the pairs of a corpus are kept: bytes that are appended and can be read at any place, in
 * memory, or in a file for a corpus that is larger than memory.
 *
 * The file loses its name as soon as it is made: nothing is left of it however the program ends,
 * and no other program can change it. It is read, not mapped, so that an error of the disk is a
 * status. */
#pragma once

#include "base/status.h"

// {0} is an empty store in memory; end with corpus_store_free.
typedef struct CorpusStore {
    const char *folder; // of its file, not owned; NULL: in memory
    int descriptor;     // of the file
    size_t written;     // bytes in the file
    char *tail;         // (tail_size) what follows them; in memory everything
    size_t tail_size, tail_capacity;
} CorpusStore;

// A part of a store's file, read ahead. Start from {0}, end with store_window_free.
typedef struct StoreWindow {
    char *data; // (end - begin)
    size_t capacity;
    size_t begin, end; // its place in the file
} StoreWindow;

/* Begins an empty store: in a new file in `folder`, which must exist and whose name must outlive
 * the store, or in memory if that is NULL. */
Status corpus_store_open(CorpusStore *store, const char *folder, Error *error);

/* Appends `bytes` bytes, for which *room is the place: the caller fills it before the next call.
 * STATUS_FULL if the disk is full. On failure the store is as it was. */
Status corpus_store_extend(CorpusStore *store, char **room, size_t bytes, Error *error);

// How many bytes there are.
static inline size_t corpus_store_size(const CorpusStore *store)
{
    return store->written + store->tail_size;
}

/* Copies `bytes` bytes that begin at `offset`. Several threads may read at a time while nothing is
 * appended. */
Status corpus_store_read(const CorpusStore *store, void *copy, size_t offset, size_t bytes,
                         Error *error);

// Says that these bytes will be read soon, so that the system begins to fetch them from the disk.
void corpus_store_expect(const CorpusStore *store, size_t offset, size_t bytes);

/* Sets *data to `bytes` bytes that begin at `offset`: in memory where they are, else in the window,
 * which reads ahead if it has been asked for one place after another. Valid until something is
 * appended or the window moves. A thread needs a window of its own. */
Status corpus_store_view(const CorpusStore *store, StoreWindow *window, const char **data,
                         size_t offset, size_t bytes, Error *error);

void corpus_store_free(CorpusStore *store);

void store_window_free(StoreWindow *window);
