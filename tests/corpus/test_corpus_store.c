#define _POSIX_C_SOURCE 200809L // ftruncate
// Bytes that are read as they were appended, in memory and in a file.
#include "corpus/corpus_store.h"

#include "base/random.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 3 << 20, LONGEST = 5000 };

static char byte_at(size_t i)
{
    return (char)(i * 0x9e3779b97f4a7c15u >> 40);
}

static Status extend(CorpusStore *store, size_t bytes, Error *error)
{
    size_t begin = corpus_store_size(store);
    char *room;
    TRY(corpus_store_extend(store, &room, bytes, error));
    for (size_t i = 0; i < bytes; i++) room[i] = byte_at(begin + i);
    return STATUS_OK;
}

// Appends pieces of random sizes, one of them larger than what is collected before it is written.
static void fill(CorpusStore *store)
{
    Random random = random_from(1, 0);
    while (corpus_store_size(store) < SIZE)
        assert_ok(extend(store, random_below(&random, LONGEST), NULL));
    assert_ok(extend(store, 2 << 20, NULL));
    assert_ok(extend(store, 7, NULL));
}

static void expect_bytes(const char *data, size_t offset, size_t bytes)
{
    size_t same = 0;
    while (same < bytes && data[same] == byte_at(offset + same)) same++;
    ck_assert_uint_eq(same, bytes);
}

// Reads `bytes` bytes at `offset` in both ways.
static void expect_part(const CorpusStore *store, StoreWindow *window, size_t offset, size_t bytes)
{
    static char copy[LONGEST];
    const char *data;
    assert_ok(corpus_store_read(store, copy, offset, bytes, NULL));
    expect_bytes(copy, offset, bytes);
    assert_ok(corpus_store_view(store, window, &data, offset, bytes, NULL));
    expect_bytes(data, offset, bytes);
}

TEST(reads)
{
    for (int in_file = 0; in_file < 2; in_file++) {
        CorpusStore store;
        StoreWindow window = {0};
        Random random = random_from(2, 0);
        assert_ok(corpus_store_open(&store, in_file ? scratch_folder() : NULL, NULL));
        fill(&store);
        ck_assert(in_file ? store.written > SIZE : store.written == 0);
        size_t size = corpus_store_size(&store);
        for (size_t at = 0, bytes; at < size; at += bytes) { // one part after another
            bytes = random_below(&random, LONGEST);
            if (bytes > size - at) bytes = size - at;
            expect_part(&store, &window, at, bytes);
        }
        for (size_t i = 0; i < 1000; i++) // in any order
            expect_part(&store, &window, random_below(&random, size - LONGEST),
                        random_below(&random, LONGEST));
        expect_part(&store, &window, size - 20, 20); // across the end of the file
        ck_assert_uint_le(window.capacity, 1 << 18);
        store_window_free(&window);
        corpus_store_free(&store);
        corpus_store_free(&store);
    }
}

// How often the window moves while parts of some bytes are read, one after another.
static size_t count_moves(const CorpusStore *store, StoreWindow *window, size_t begin, size_t bytes)
{
    size_t moves = 0;
    const char *data;
    for (size_t at = begin; at + bytes <= store->written; at += bytes) {
        size_t before = window->begin;
        assert_ok(corpus_store_view(store, window, &data, at, bytes, NULL));
        moves += window->begin != before;
    }
    return moves;
}

// Much is read ahead of what is asked for in order, also where parts cross the end of the window,
// and little elsewhere.
TEST(reads_ahead)
{
    enum { AHEAD = 1 << 18, PART = 300 };
    CorpusStore store;
    StoreWindow window = {0};
    const char *data;
    assert_ok(corpus_store_open(&store, scratch_folder(), NULL));
    fill(&store);
    size_t most = store.written / (AHEAD - PART) + 1;
    ck_assert_uint_le(count_moves(&store, &window, 0, PART), most);
    assert_ok(corpus_store_view(&store, &window, &data, SIZE / 2, PART, NULL));
    ck_assert_uint_eq(window.end - window.begin, 1 << 12);
    ck_assert_uint_le(count_moves(&store, &window, SIZE / 2, PART), most);
    store_window_free(&window);
    corpus_store_free(&store);
}

// The file has no name, from its first byte on.
TEST(leaves_nothing)
{
    CorpusStore stores[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(corpus_store_open(&stores[i], scratch_folder(), NULL));
        fill(&stores[i]);
    }
    ck_assert_uint_eq(scratch_count(), 0);
    for (int i = 0; i < 2; i++) corpus_store_free(&stores[i]);
}

TEST(no_folder)
{
    CorpusStore store;
    Error error;
    ck_assert_int_eq(corpus_store_open(&store, "/nonexistent", &error), STATUS_IO);
    ck_assert_str_eq(error.text, "/nonexistent: the corpus cannot be kept there: No such file or "
                                 "directory; name another folder with --cache");
    corpus_store_free(&store);
}

// What could not be written is there once it can.
TEST(no_space)
{
    CorpusStore store;
    StoreWindow window = {0};
    Error error = {0};
    Status status = STATUS_OK;
    size_t size = 0;
    assert_ok(corpus_store_open(&store, scratch_folder(), NULL));
    scratch_limit_file_size(1500000);
    while (!status) {
        size = corpus_store_size(&store);
        status = extend(&store, LONGEST, &error);
    }
    scratch_limit_file_size(SIZE_MAX);
    ck_assert_int_eq(status, STATUS_IO); // File too large
    assert_contains(error.text, "name another folder with --cache");
    ck_assert_uint_eq(corpus_store_size(&store), size);
    fill(&store);
    for (size_t at = 0; at + LONGEST < SIZE; at += LONGEST)
        expect_part(&store, &window, at, LONGEST);
    store_window_free(&window);
    corpus_store_free(&store);
}

TEST(short_file)
{
    CorpusStore store;
    StoreWindow window = {0};
    const char *data;
    Error error;
    assert_ok(corpus_store_open(&store, scratch_folder(), NULL));
    fill(&store);
    ck_assert_int_eq(ftruncate(store.descriptor, SIZE / 2), 0);
    expect_part(&store, &window, 100, 100);
    ck_assert_int_eq(corpus_store_view(&store, &window, &data, SIZE / 2 - 5, 10, &error),
                     STATUS_IO);
    assert_contains(error.text, "its file has become shorter");
    assert_contains(error.text, scratch_folder());
    expect_part(&store, &window, 100, 100);
    store_window_free(&window);
    corpus_store_free(&store);
}

TEST(out_of_memory)
{
    const char *folder = scratch_folder();
    while (failing_malloc_next()) {
        CorpusStore store;
        StoreWindow window = {0};
        const char *data;
        Error error = {0};
        Status status = corpus_store_open(&store, folder, &error);
        if (!status) status = extend(&store, 10, &error);
        if (!status) status = corpus_store_view(&store, &window, &data, 0, 10, &error);
        failing_malloc_expect(status);
        store_window_free(&window);
        corpus_store_free(&store);
    }
    ck_assert_uint_eq(scratch_count(), 0);
}

// A signal is no failure; a disk that is full says so, however the system does.
TEST(disks_that_fail)
{
    static const struct {
        FailingCall call;
        int number;
        Status status;
        const char *message;
    } CASES[] = {
        {CALL_UNLINK, EIO, STATUS_IO,
         ": the corpus cannot be kept there: Input/output error; name"},
        {CALL_PWRITE, ENOSPC, STATUS_FULL, "No space left on device; free some space, or name"},
        {CALL_PWRITE, EDQUOT, STATUS_FULL, "Disk quota exceeded; free some space, or name another"},
        {CALL_PWRITE, 0, STATUS_FULL, "No space left on device; free some space, or name another"},
        {CALL_PWRITE, EIO, STATUS_IO, "cannot be kept there: Input/output error; name another"},
        {CALL_PREAD, EIO, STATUS_IO, "kept there cannot be read: Input/output error; name another"},
        {CALL_PWRITE, EINTR, STATUS_OK, ""},
        {CALL_PREAD, EINTR, STATUS_OK, ""},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        CorpusStore store;
        StoreWindow window = {0};
        const char *data;
        Error error = {0};
        failing_call_at(CASES[i].call, 1, CASES[i].number);
        Status status = corpus_store_open(&store, scratch_folder(), &error);
        for (int n = 0; n < 2 && !status; n++) status = extend(&store, 3000, &error);
        if (!status) status = corpus_store_view(&store, &window, &data, 10, 20, &error);
        ck_assert(failing_call_stop());
        ck_assert_int_eq(status, CASES[i].status);
        assert_contains(error.text, CASES[i].message);
        store_window_free(&window);
        corpus_store_free(&store);
        scratch_remove();
    }
}
