// Out of memory at the first, second, … allocation: each gives STATUS_MEMORY, leaks nothing, and
// what was there stays usable. The safetensors part lies here too, so that the loop over the
// allocations is written once.
#include "base/arena.h"
#include "base/bytes.h"
#include "base/string_map.h"
#include "base/threads.h"
#include "io/file_writer.h"
#include "io/safetensors.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Calls `attempt` with its first, second, … allocation failing until none is left to fail, and
 * returns how many there were. Each must give STATUS_MEMORY. `attempt` frees what it made when it
 * succeeds. */
static size_t fail_each(Status (*attempt)(void *context, Error *error), void *context)
{
    for (size_t n = 1;; n++) {
        Error error = {0};
        failing_malloc_at(n);
        Status status = attempt(context, &error);
        if (!failing_malloc_stop()) {
            ck_assert_msg(status == STATUS_OK, "%s", error.text);
            return n - 1;
        }
        ck_assert_msg(status == STATUS_MEMORY, "allocation %zu: %d '%s'", n, status, error.text);
        ck_assert_int_eq(error.status, status);
        ck_assert_uint_gt(strlen(error.text), 0);
    }
}

static Status append_some(void *context, Error *error)
{
    Bytes *bytes = context;
    for (int i = 0; i < 100; i++) {
        Status status = i % 2 ? bytes_append_format(bytes, error, "%d", i % 10)
                              : bytes_append_string(bytes, "x", error);
        if (status) return status;
    }
    return STATUS_OK;
}

TEST(bytes)
{
    Bytes bytes = {0};
    ck_assert_uint_gt(fail_each(append_some, &bytes), 2);
    // each attempt went on where the failed one stopped, and no half of an append was left
    ck_assert_uint_eq(strlen(bytes.data), bytes.length);
    ck_assert_uint_eq(strspn(bytes.data, "x13579"), bytes.length);
    bytes_free(&bytes);
}

static Status put_some(void *context, Error *error)
{
    StringMap *map = context;
    for (int i = 0; i < 200; i++) {
        char key[2] = {(char)('a' + i % 20), (char)('a' + i / 20)};
        size_t before = map->count;
        bool added = true;
        StringMapEntry *entry = string_map_put(map, key, 2, i, &added);
        if (!entry) {
            if (added || map->count != before || string_map_find(map, key, 2)) abort();
            return error_memory(error, 2, "a key");
        }
    }
    return STATUS_OK;
}

TEST(string_map)
{
    StringMap map = {0};
    ck_assert_uint_gt(fail_each(put_some, &map), 5);
    ck_assert_uint_eq(map.count, 200);
    for (int i = 0; i < 200; i++) {
        char key[2] = {(char)('a' + i % 20), (char)('a' + i / 20)};
        ck_assert_int_eq(string_map_find(&map, key, 2)->value, i);
        ck_assert_mem_eq(map.entries[i].key, key, 2);
    }
    string_map_free(&map);
}

static Status reserve_more(void *context, Error *error)
{
    Arena *arena = context;
    Status status = arena_reserve(arena, 1024, error);
    if (!status) memset(arena_take(arena, 1000, 1), 1, 1000);
    return status;
}

TEST(arena)
{
    Arena arena = {0};
    assert_ok(arena_reserve(&arena, 100, NULL));
    ck_assert_uint_eq(fail_each(reserve_more, &arena), 1);
    arena_free(&arena);
}

static Status start_team(void *context, Error *error)
{
    (void)context;
    Threads *threads = NULL;
    Status status = threads_new(&threads, 4, error);
    threads_free(threads); // those already started are ended and joined
    return status;
}

TEST(threads)
{
    ck_assert_uint_eq(fail_each(start_team, NULL), 2); // the team, its workers
}

static Status write_file(void *context, Error *error)
{
    FileWriter *writer = NULL;
    Status status = file_writer_open(&writer, context, error);
    if (!status) status = file_writer_write(writer, "x", 1, error);
    if (status) {
        file_writer_abandon(writer);
        return status;
    }
    return file_writer_commit(writer, error);
}

TEST(file)
{
    void *path = (void *)(size_t)scratch_path("file"); // no const in a context
    ck_assert_uint_ge(fail_each(write_file, path), 3);
    ck_assert_uint_eq(scratch_count(), 1);
}

static Status fill(SafetensorsWriter *writer, Error *error)
{
    static const float NUMBERS[4] = {1, 2, 3, 4};
    Status status = STATUS_OK;
    for (int i = 0; !status && i < 20; i++) {
        char name[] = {(char)('a' + i), '\0'};
        status = safetensors_writer_metadata(writer, name, "value", error);
        if (!status)
            status = safetensors_writer_tensor(
                writer,
                &(TensorView){
                    .name = name, .type = TENSOR_F32, .rank = 2, .shape = {2, 2}, .data = NUMBERS},
                error);
    }
    return status;
}

static Status save_model(void *context, Error *error)
{
    SafetensorsWriter *writer = NULL;
    Status status = safetensors_writer_new(&writer, error);
    if (!status) status = fill(writer, error);
    if (!status) status = safetensors_writer_save(writer, context, NULL, error);
    safetensors_writer_free(writer);
    return status;
}

static Status open_model(void *context, Error *error)
{
    SafetensorsFile *file = NULL;
    Status status = safetensors_open(&file, context, error);
    safetensors_close(file);
    return status;
}

TEST(safetensors)
{
    void *path = (void *)(size_t)scratch_path("m.safetensors");
    json_set_alloc_funcs(malloc, free); // so that Jansson's own allocations fail too
    assert_ok(save_model(path, NULL));
    ck_assert_uint_gt(fail_each(open_model, path), 5);
    ck_assert_uint_gt(fail_each(save_model, path), 100);
    ck_assert_uint_eq(scratch_count(), 1); // no temporary file was left
    assert_ok(open_model(path, NULL));
}

// A failed addition leaves no trace: the same call then succeeds, and the file holds each tensor
// once.
TEST(writer_goes_on)
{
    const char *path = scratch_path("m.safetensors");
    SafetensorsWriter *writer = NULL;
    SafetensorsFile *file = NULL;
    const TensorView one = {.name = "t", .type = TENSOR_U8, .rank = 1, .shape = {1}, .data = "x"};
    json_set_alloc_funcs(malloc, free);
    assert_ok(safetensors_writer_new(&writer, NULL));
    for (size_t n = 1; n < 30; n++) {
        failing_malloc_at(n);
        Status status = safetensors_writer_tensor(writer, &one, NULL);
        if (!failing_malloc_stop()) {
            ck_assert_int_eq(status, n == 1 ? STATUS_ARGUMENT : STATUS_OK);
            break;
        }
        ck_assert_int_eq(status, STATUS_MEMORY);
    }
    assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
    assert_ok(safetensors_open(&file, path, NULL));
    ck_assert_uint_eq(safetensors_count(file), 1);
    safetensors_close(file);
    safetensors_writer_free(writer);
}
