#include "io/safetensors.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static SafetensorsWriter *new_writer(void)
{
    SafetensorsWriter *writer = NULL;
    assert_ok(safetensors_writer_new(&writer, NULL));
    return writer;
}

static void add(SafetensorsWriter *writer, const char *name, TensorType type, size_t rank,
                const size_t *shape, const void *data)
{
    Error error = {0};
    TensorView tensor = {.name = name, .type = type, .rank = rank, .data = data};
    for (size_t i = 0; i < rank; i++) tensor.shape[i] = shape[i];
    ck_assert_msg(!safetensors_writer_tensor(writer, &tensor, &error), "%s", error.text);
}

static SafetensorsFile *save_and_open(SafetensorsWriter *writer, const char *path)
{
    Error error = {0};
    SafetensorsFile *file = NULL;
    ck_assert_msg(!safetensors_writer_save(writer, path, NULL, &error), "%s", error.text);
    ck_assert_msg(!safetensors_open(&file, path, &error), "%s", error.text);
    return file;
}

TEST(round_trip)
{
    SafetensorsWriter *writer = new_writer();
    double f64[2] = {1.0 / 3, -0.0};
    float f32[6] = {1, 2, 3, 4, 5, 6};
    int32_t i32 = INT32_MIN;
    assert_ok(safetensors_writer_metadata(writer, "清", "\"\\\n\t é 🙂", NULL));
    assert_ok(safetensors_writer_metadata(writer, "", "", NULL));
    add(writer, "f64", TENSOR_F64, 1, (size_t[]){2}, f64);
    add(writer, "", TENSOR_F32, 2, (size_t[]){2, 3}, f32);
    add(writer, "scalar", TENSOR_I32, 0, NULL, &i32);
    add(writer, "none", TENSOR_U64, 3, (size_t[]){0, 5, INT64_MAX}, NULL);
    add(writer, "清 \"q\"", TENSOR_I8, 4, (size_t[]){1, 2, 1, 1}, "\x80\x7f");
    SafetensorsFile *file = save_and_open(writer, scratch_path("m.safetensors"));

    ck_assert_uint_eq(safetensors_count(file), 5);
    const TensorView *view = safetensors_find(file, "");
    ck_assert_int_eq(view->type, TENSOR_F32);
    ck_assert_uint_eq(view->rank, 2);
    ck_assert_uint_eq(view->shape[0], 2);
    ck_assert_uint_eq(view->shape[1], 3);
    ck_assert_uint_eq(view->bytes, sizeof f32);
    ck_assert_mem_eq(view->data, f32, sizeof f32);
    ck_assert_mem_eq(safetensors_find(file, "f64")->data, f64, sizeof f64);
    ck_assert_uint_eq((uintptr_t)safetensors_find(file, "f64")->data % 64, 0); // the padded header
    ck_assert_mem_eq(safetensors_find(file, "scalar")->data, &i32, sizeof i32);
    ck_assert_uint_eq(safetensors_find(file, "none")->bytes, 0);
    ck_assert_uint_eq(safetensors_find(file, "none")->shape[2], INT64_MAX);
    ck_assert_str_eq(safetensors_at(file, 4)->name, "清 \"q\"");
    ck_assert_mem_eq(safetensors_at(file, 4)->data, "\x80\x7f", 2);
    ck_assert_str_eq(safetensors_metadata(file, "清"), "\"\\\n\t é 🙂");
    ck_assert_str_eq(safetensors_metadata(file, ""), "");
    safetensors_close(file);
    safetensors_writer_free(writer);
    safetensors_writer_free(NULL);
}

// The bytes are fixed: another version, machine or program must read today's files.
TEST(bytes_of_a_file)
{
    static const char HEADER[] =
        "{\"__metadata__\":{\"regard.checksum\":\"24b1e10246b262c9\",\"regard.checksum.kind\":"
        "\"xxh3-64\",\"k\":\"v\"},\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
        "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[8,11]}}";
    SafetensorsWriter *writer = new_writer();
    assert_ok(safetensors_writer_metadata(writer, "k", "v", NULL));
    add(writer, "a", TENSOR_F32, 1, (size_t[]){2}, (float[]){1, 2});
    add(writer, "b", TENSOR_U8, 1, (size_t[]){3}, "xyz");
    const char *path = scratch_path("m.safetensors");
    for (int time = 0; time < 2; time++) { // a writer may save twice, and gives the same
        assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
        Bytes bytes = scratch_read(path);
        ck_assert_uint_eq(bytes.length, 256 + 11);
        ck_assert_mem_eq(bytes.data, "\xf8\0\0\0\0\0\0\0", 8);
        ck_assert_mem_eq(bytes.data + 8, HEADER, sizeof HEADER - 1);
        for (size_t i = 8 + sizeof HEADER - 1; i < 256; i++) ck_assert_int_eq(bytes.data[i], ' ');
        ck_assert_mem_eq(bytes.data + 256, "\0\0\x80?\0\0\0@xyz", 11);
    }
    ck_assert_uint_eq(scratch_count(), 1);
    safetensors_writer_free(writer);
}

TEST(refuses_wrong_content)
{
    SafetensorsWriter *writer = new_writer();
    Error error = {0};
    static const char *const KEYS[][3] = {
        {"\xff", "v", "metadata key '"},
        {"k", "\xc3", "metadata value '"},
        {"\xed\xa0\x80", "v", "not valid UTF-8"}, // a surrogate
        {"kept", "v", "duplicate metadata 'kept'"},
        {"regard.checksum", "v", "duplicate"},
        {"regard.checksum.kind", "v", "duplicate"},
    };
    assert_ok(safetensors_writer_metadata(writer, "kept", "1", NULL));
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        ck_assert_int_eq(safetensors_writer_metadata(writer, KEYS[i][0], KEYS[i][1], &error),
                         STATUS_ARGUMENT);
        assert_contains(error.text, KEYS[i][2]);
    }
    static const struct {
        const char *name;
        size_t rank, shape[MAX_TENSOR_RANK];
        const char *fragment;
    } TENSORS[] = {
        {"\xff", 1, {1}, "tensor name '"},
        {"__metadata__", 1, {1}, "duplicate"},
        {"kept", 1, {1}, "duplicate tensor 'kept'"},
        {"a", 5, {1, 1, 1, 1}, "too large"},
        {"a", 1, {SIZE_MAX}, "too large"},
        {"a", 2, {0, (size_t)INT64_MAX + 1}, "too large"},
        {"a", 2, {(size_t)1 << 32, (size_t)1 << 32}, "too large"},
        {"a", 1, {(size_t)1 << 61}, "too large"}, // times 4 it is beyond what an offset can say
        {"a", 1, {((size_t)1 << 61) - 1}, "too large"}, // alone it would fit
    };
    add(writer, "kept", TENSOR_F32, 1, (size_t[]){2}, (float[]){1, 2});
    for (size_t i = 0; i < sizeof TENSORS / sizeof TENSORS[0]; i++) {
        TensorView tensor = {
            .name = TENSORS[i].name, .type = TENSOR_F32, .rank = TENSORS[i].rank, .data = ""};
        memcpy(tensor.shape, TENSORS[i].shape, sizeof tensor.shape);
        ck_assert_int_eq(safetensors_writer_tensor(writer, &tensor, &error), STATUS_ARGUMENT);
        assert_contains(error.text, TENSORS[i].fragment);
    }
    SafetensorsFile *file = save_and_open(writer, scratch_path("m.safetensors"));
    ck_assert_uint_eq(safetensors_count(file), 1); // what was refused left no trace
    ck_assert_str_eq(safetensors_metadata(file, "kept"), "1");
    ck_assert_ptr_null(safetensors_metadata(file, "k"));
    safetensors_close(file);
    safetensors_writer_free(writer);
}

// Every place where the disk may be full: in the header, between tensors, in a tensor's middle.
TEST(full_disk_keeps_the_old_file, .times = 6)
{
    static const size_t LIMITS[] = {0, 100, 256, 257, 1000, 4287};
    static float big[1024];
    const char *path = scratch_path("m.safetensors");
    SafetensorsWriter *writer = new_writer();
    add(writer, "big", TENSOR_F32, 1, (size_t[]){1024}, big);
    safetensors_close(save_and_open(writer, path));
    Bytes old = scratch_read(path);
    ck_assert_uint_gt(old.length, LIMITS[_i]);
    big[0] = 1;
    scratch_limit_file_size(LIMITS[_i]);
    Error error = {0};
    Status status = safetensors_writer_save(writer, path, NULL, &error);
    scratch_limit_file_size(SIZE_MAX);
    ck_assert_int_eq(status, STATUS_IO);
    assert_contains(error.text, path);
    assert_contains(error.text, "File too large");
    ck_assert_uint_eq(scratch_count(), 1);
    Bytes now = scratch_read(path);
    ck_assert_uint_eq(now.length, old.length);
    ck_assert_mem_eq(now.data, old.data, old.length);
    safetensors_writer_free(writer);
}

TEST(refuses_what_cannot_be_written)
{
    (void)scratch_text("file", "x");
    SafetensorsWriter *writer = new_writer();
    Error error = {0};
    ck_assert_int_eq(
        safetensors_writer_save(writer, scratch_path("file/m.safetensors"), NULL, &error),
        STATUS_IO);
    assert_contains(error.text, "Not a directory");
    ck_assert_int_eq(safetensors_writer_save(writer, scratch_folder(), NULL, &error), STATUS_IO);
    assert_contains(error.text, "not a regular file");
    ck_assert_int_eq(
        safetensors_writer_save(writer, scratch_path("no/m.safetensors"), NULL, &error), STATUS_IO);
    assert_contains(error.text, "No such file");
    ck_assert_uint_eq(scratch_count(), 1);
    safetensors_writer_free(writer);
}

static Status refuse_written(const char *path, Error *error)
{
    SafetensorsFile *file = NULL;
    assert_ok(safetensors_open(&file, path, NULL)); // it is whole
    safetensors_close(file);
    return error_set(error, STATUS_FORMAT, "tensor x is wrong");
}

// What its reader would refuse never takes the place of the old file.
TEST(checks_before_it_replaces)
{
    const char *path = scratch_text("file", "old");
    SafetensorsWriter *writer = new_writer();
    Error error = {0};
    ck_assert_int_eq(safetensors_writer_save(writer, path, refuse_written, &error), STATUS_IO);
    ck_assert_ptr_eq(strstr(error.text, path), error.text);
    assert_contains(error.text, "does not open: tensor x is wrong");
    ck_assert_uint_eq(scratch_count(), 1);
    Bytes kept = scratch_read(path);
    ck_assert_str_eq(kept.data, "old");
    assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
    safetensors_writer_free(writer);
}

TEST(too_long_a_header)
{
    enum { LENGTH = MAX_SAFETENSORS_HEADER - 100 };
    static char value[LENGTH + 1];
    memset(value, 'x', LENGTH);
    SafetensorsWriter *writer = new_writer();
    Error error = {0};
    assert_ok(safetensors_writer_metadata(writer, "k", value, NULL));
    ck_assert_int_eq(safetensors_writer_save(writer, scratch_path("m"), NULL, &error),
                     STATUS_ARGUMENT);
    assert_contains(error.text, "more than the 100000000 allowed");
    ck_assert_uint_eq(scratch_count(), 0);
    safetensors_writer_free(writer);
}

TEST(types)
{
    ck_assert_str_eq(tensor_type_name(TENSOR_F32), "F32");
    ck_assert_str_eq(tensor_type_name(TENSOR_U32), "U32");
    ck_assert_uint_eq(tensor_type_size(TENSOR_BF16), 2);
    ck_assert_uint_eq(tensor_type_size(TENSOR_I64), 8);
}

static Status run_out(const char *path, Error *error)
{
    (void)path;
    return error_memory(error, 7, "the check");
}

static Status accept(const char *path, Error *error)
{
    (void)path, (void)error;
    return STATUS_OK;
}

static Status write_one(const char *path)
{
    SafetensorsWriter *writer = NULL;
    const TensorView tensor = {
        .name = "a", .type = TENSOR_U8, .rank = 2, .shape = {2, 1}, .data = "xy"};
    Status status = safetensors_writer_new(&writer, NULL);
    if (!status) status = safetensors_writer_metadata(writer, "key", "value", NULL);
    if (!status) status = safetensors_writer_tensor(writer, &tensor, NULL);
    if (!status) status = safetensors_writer_save(writer, path, accept, NULL);
    safetensors_writer_free(writer);
    return status;
}

// Whatever cannot be had, nothing is written of half a file; what the check lacks is said as such.
TEST(out_of_memory)
{
    json_set_alloc_funcs(malloc, free); // so that Jansson's allocations fail too
    const char *path = scratch_path("m.safetensors");
    SafetensorsWriter *writer = new_writer();
    Error error = {0};
    ck_assert_int_eq(safetensors_writer_save(writer, path, run_out, &error), STATUS_MEMORY);
    assert_contains(error.text, "out of memory: 7 bytes for the check");
    safetensors_writer_free(writer);
    while (failing_malloc_next()) {
        bool failed = failing_malloc_expect(write_one(path));
        ck_assert_uint_eq(scratch_count(), !failed);
    }
}

// A writer that lacked memory goes on as if nothing had been tried.
TEST(goes_on_behind_short_memory)
{
    json_set_alloc_funcs(malloc, free);
    const char *path = scratch_path("m.safetensors");
    SafetensorsWriter *writer = new_writer();
    const TensorView tensor = {.name = "a", .type = TENSOR_U8, .rank = 0, .data = "x"};
    while (failing_malloc_next())
        (void)failing_malloc_expect(safetensors_writer_metadata(writer, "key", "value", NULL));
    while (failing_malloc_next())
        (void)failing_malloc_expect(safetensors_writer_tensor(writer, &tensor, NULL));
    SafetensorsFile *file = save_and_open(writer, path);
    ck_assert_uint_eq(safetensors_count(file), 1);
    ck_assert_str_eq(safetensors_metadata(file, "key"), "value");
    safetensors_close(file);
    safetensors_writer_free(writer);
}
