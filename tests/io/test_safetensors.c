// Reading: what is refused, and how. The writing side is in test_safetensors_writer.c.
#define _GNU_SOURCE
#include "io/safetensors.h"
#include "support/failing_call.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes a file of this header length, header text and so many bytes of data: 0, 1, 2, … */
static void write_raw(const char *path, uint64_t length, const char *header, size_t data_bytes)
{
    Bytes bytes = {0};
    assert_ok(bytes_append(&bytes, (const char *)&length, sizeof length, NULL));
    assert_ok(bytes_append_string(&bytes, header, NULL));
    for (size_t i = 0; i < data_bytes; i++)
        assert_ok(bytes_append(&bytes, (char[]){(char)i}, 1, NULL));
    scratch_write(path, bytes.data, bytes.length);
    bytes_free(&bytes);
}

/* Opening must fail, leave the pointer alone, and say all of it in one line. */
static void assert_refused(const char *path, Status expected, const char *fragment)
{
    SafetensorsFile *file = (SafetensorsFile *)&file;
    Error error = {0};
    ck_assert_msg(safetensors_open(&file, path, &error) == expected, "%s: got '%s'", fragment,
                  error.text);
    ck_assert_ptr_eq(file, &file);
    ck_assert_int_eq(error.status, expected);
    ck_assert_msg(strstr(error.text, path) == error.text, "'%s' does not begin with the path",
                  error.text);
    ck_assert_msg(strstr(error.text, fragment) != NULL, "'%s' does not say '%s'", error.text,
                  fragment);
}

#define ONE(dtype, shape, offsets)                                                                 \
    "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define TWO(first, second)                                                                         \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" first                               \
    "},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" second "}}"

static const struct {
    const char *header;
    size_t data_bytes;
    const char *fragment;
} REFUSED[] = {
    {"", 0, "does not begin with '{'"},
    {"[]", 0, "does not begin with '{'"},
    {" {}", 0, "does not begin with '{'"},
    {"{", 0, "not JSON"},
    {"{}x", 0, "not JSON"},
    {"{}", 1, "its data has 1 bytes but its tensors need only 0"},
    {"{\"a\":{\"dtype\":\"\xff\"}}", 0, "not JSON"},
    {"{\"a\\u0000b\":{}}", 0, "not JSON"},
    {ONE("\"F32\"", "[1e0]", "[0,4]"), 4, "no shape"},
    {ONE("\"F32\"", "[1.0]", "[0,4]"), 4, "no shape"},
    {ONE("\"F32\"", "[-1]", "[0,4]"), 4, "no shape"},
    {ONE("\"F32\"", "[\"1\"]", "[0,4]"), 4, "no shape"},
    {ONE("\"F32\"", "1", "[0,4]"), 4, "no shape"},
    {ONE("\"F32\"", "[1,1,1,1,1]", "[0,4]"), 4, "at most 4"},
    {ONE("\"F32\"", "[99999999999999999999]", "[0,4]"), 4, "not JSON"},
    {ONE("\"F32\"", "[4611686018427387904]", "[0,0]"), 0, "too large to count"},
    {ONE("\"U8\"", "[4294967296,4294967296]", "[0,0]"), 0, "too large to count"},
    {ONE("\"F64\"", "[65536,65536,65536,8192]", "[0,0]"), 0, "too large to count"},
    {ONE("\"F32\"", "[2]", "[0,4]"), 4, "a shape of 8 bytes but 4 bytes of data"},
    {ONE("\"F32\"", "[0]", "[0,4]"), 4, "a shape of 0 bytes but 4 bytes of data"},
    {ONE("\"F32\"", "[1]", "[0,4]"), 3, "should end at byte 4 of the data, which has only 3"},
    {ONE("\"F32\"", "[1]", "[4,0]"), 4, "no two data_offsets"},
    {ONE("\"F32\"", "[1]", "[-4,0]"), 4, "no two data_offsets"},
    {ONE("\"F32\"", "[1]", "[0]"), 4, "no two data_offsets"},
    {ONE("\"F32\"", "[1]", "[0,4,4]"), 4, "no two data_offsets"},
    {ONE("\"F32\"", "[1]", "[0,9223372036854775807]"), 4, "which has only 4"},
    {ONE("\"F32\"", "[1]", "{}"), 4, "no two data_offsets"},
    {ONE("\"F16\"", "[2]", "[0,4]"), 4, "an unknown dtype: 'F16'"},
    {ONE("\"\"", "[2]", "[0,4]"), 4, "an unknown dtype: ''"},
    {ONE("7", "[2]", "[0,4]"), 4, "an unknown dtype"},
    {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "an unknown dtype"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "no shape"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "no two data_offsets"},
    {"{\"a\":[]}", 0, "tensor 'a' is not an object"},
    {"{\"a\":null}", 0, "tensor 'a' is not an object"},
    {TWO("[0,4]", "[3,7]"), 7, "'b' begins at byte 3 of the data: an overlap"},
    {TWO("[0,4]", "[0,4]"), 4, "'b' begins at byte 0 of the data: an overlap"},
    {TWO("[0,4]", "[5,9]"), 9, "'b' begins at byte 5 of the data: a hole"},
    {TWO("[1,5]", "[5,9]"), 9, "'a' begins at byte 1 of the data: a hole"},
    {TWO("[0,4]", "[4,8]"), 9, "its data has 9 bytes but its tensors need only 8"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
     "\"b\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[2,2]}}",
     4, "'b' begins at byte 2 of the data: an overlap"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},"
     "\"a\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}",
     0, "duplicate"},
    {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0,
     "duplicate"},
    {"{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0, "duplicate"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "it has a duplicate __metadata__"},
    {"{\"__metadata__\":{\"k\":1}}", 0, "metadata 'k' is not a string"},
    {"{\"__metadata__\":{\"k\":{\"x\":\"y\"}}}", 0, "metadata 'k' is not a string"},
    {"{\"__metadata__\":\"k\"}", 0, "__metadata__ is not an object"},
    {"{\"__metadata__\":{\"regard.checksum\":\"0123456789abcdef\"}}", 0, "checksum"},
    {"{\"__metadata__\":{\"regard.checksum.kind\":\"xxh3-64\"}}", 0, "checksum"},
    {"{\"__metadata__\":{\"regard.checksum\":\"\",\"regard.checksum.kind\":\"xxh3-64\"}}", 0,
     "checksum"},
    {"{\"__metadata__\":{\"regard.checksum\":\"0123456789abcdef\","
     "\"regard.checksum.kind\":\"xxh3-64\"}}",
     0, "its checksum should be 0123456789abcdef but its content gives"},
    {"{\"__metadata__\":{\"regard.checksum\":\"0123456789abcdef\","
     "\"regard.checksum.kind\":\"lanes64\"}}",
     0, "was written by another version of regard: its checksum is 'lanes64'"},
};

TEST(refuses_wrong_headers, .times = (int)(sizeof REFUSED / sizeof REFUSED[0]))
{
    const char *path = scratch_path("bad.safetensors");
    const char *header = REFUSED[_i].header;
    write_raw(path, strlen(header), header, REFUSED[_i].data_bytes);
    assert_refused(path, STATUS_FORMAT, REFUSED[_i].fragment);
}

TEST(refuses_wrong_lengths)
{
    static const uint64_t LENGTHS[] = {3,        100000000,      100000001,
                                       1u << 31, UINT64_MAX - 7, UINT64_MAX};
    const char *path = scratch_path("long.safetensors");
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        write_raw(path, LENGTHS[i], "{}", 0);
        assert_refused(path, STATUS_FORMAT,
                       LENGTHS[i] > 100000000 ? "is not a Regard model" : "but 2 are left");
    }
    write_raw(path, 100000001, "{}", 0); // and one that is really that long, without writing it
    ck_assert_int_eq(truncate(path, 8 + 100000001), 0);
    assert_refused(path, STATUS_FORMAT, "is not a Regard model");
    for (size_t bytes = 0; bytes < 8; bytes++) {
        scratch_write(path, "1234567", bytes);
        assert_refused(path, STATUS_FORMAT, "fewer than the 8");
    }
}

TEST(refuses_what_is_no_file)
{
    assert_refused(scratch_path("missing.safetensors"), STATUS_IO, "No such file");
    assert_refused(scratch_folder(), STATUS_IO, "is a directory");
    assert_refused("/dev/null/x", STATUS_IO, "Not a directory");
    assert_refused("", STATUS_IO, "No such file");
}

// Files as other programs write them: other key orders, no padding, no checksum, tensors not in the
// data's order.
TEST(reads_files_of_others)
{
    const char *path = scratch_path("other.safetensors");
    const char *header =
        "{\"late\":{\"data_offsets\":[1,5],\"shape\":[],\"dtype\":\"U32\"},\n"
        "\"empty\":{\"shape\":[0,7],\"dtype\":\"F64\",\"data_offsets\":[1,1]},"
        "\"\\u00e9\":{\"dtype\":\"I8\",\"shape\":[1,1,1,1],\"data_offsets\":[0,1]},"
        "\"__metadata__\":{\"checksum\":\"of another kind\"}}   ";
    write_raw(path, strlen(header), header, 5);
    SafetensorsFile *file = NULL;
    Error error = {0};
    ck_assert_msg(!safetensors_open(&file, path, &error), "%s", error.text);
    ck_assert_uint_eq(safetensors_count(file), 3);
    ck_assert_str_eq(safetensors_at(file, 0)->name, "\xc3\xa9");
    ck_assert_str_eq(safetensors_at(file, 1)->name, "empty");
    ck_assert_str_eq(safetensors_at(file, 2)->name, "late");
    const TensorView *late = safetensors_find(file, "late");
    ck_assert_uint_eq(late->rank, 0);
    ck_assert_uint_eq((uintptr_t)late->data % 4,
                      0); // byte 1 of the data: only a copy can be aligned
    ck_assert_mem_eq(late->data, "\1\2\3\4", 4);
    ck_assert_uint_eq((uintptr_t)safetensors_find(file, "empty")->data % 8, 0);
    ck_assert_ptr_null(safetensors_find(file, "lat"));
    ck_assert_ptr_null(safetensors_find(file, "__metadata__"));
    ck_assert_str_eq(safetensors_metadata(file, "checksum"), "of another kind");
    ck_assert_ptr_null(safetensors_metadata(file, "none"));
    safetensors_close(file);

    write_raw(path, 2, "{}", 0); // no tensors, no metadata
    assert_ok(safetensors_open(&file, path, NULL));
    ck_assert_uint_eq(safetensors_count(file), 0);
    ck_assert_ptr_null(safetensors_metadata(file, "none"));
    safetensors_close(file);
    safetensors_close(NULL);
}

/* A file with a checksum, metadata and two tensors; returns its bytes. */
static Bytes make_good(const char *path)
{
    SafetensorsWriter *writer = NULL;
    assert_ok(safetensors_writer_new(&writer, NULL));
    assert_ok(safetensors_writer_metadata(writer, "k", "v", NULL));
    float a[2] = {1, 2};
    ck_assert(!safetensors_writer_tensor(
        writer, &(TensorView){.name = "a", .type = TENSOR_F32, .rank = 1, .shape = {2}, .data = a},
        NULL));
    ck_assert(!safetensors_writer_tensor(
        writer,
        &(TensorView){.name = "b", .type = TENSOR_U8, .rank = 1, .shape = {3}, .data = "xyz"},
        NULL));
    assert_ok(safetensors_writer_save(writer, path, NULL, NULL));
    safetensors_writer_free(writer);
    return scratch_read(path);
}

static void assert_damaged(const char *path, const char *what, size_t at)
{
    SafetensorsFile *file = NULL;
    Error error;
    ck_assert_msg(safetensors_open(&file, path, &error) == STATUS_FORMAT, "%s at byte %zu passed",
                  what, at);
}

TEST(no_changed_byte_passes)
{
    const char *path = scratch_path("m.safetensors");
    Bytes good = make_good(path);
    int descriptor = open(path, O_WRONLY);
    for (size_t at = 0; at < good.length; at++) {
        for (int flip = 1; flip < 256; flip++) {
            char changed = (char)(good.data[at] ^ flip);
            ck_assert_int_eq(pwrite(descriptor, &changed, 1, (off_t)at), 1);
            assert_damaged(path, "a change", at);
        }
        ck_assert_int_eq(pwrite(descriptor, &good.data[at], 1, (off_t)at), 1);
    }
    close(descriptor);
    bytes_free(&good);
}

TEST(no_lost_or_added_byte_passes)
{
    const char *path = scratch_path("m.safetensors");
    Bytes good = make_good(path);
    for (size_t length = 0; length < good.length; length++) {
        scratch_write(path, good.data, length);
        assert_damaged(path, "a cut", length);
    }
    char *other = malloc(good.length + 1);
    for (size_t at = 0; at <= good.length; at++) { // one byte more, then one byte less
        memcpy(other, good.data, at);
        other[at] = ' ';
        memcpy(other + at + 1, good.data + at, good.length - at);
        scratch_write(path, other, good.length + 1);
        assert_damaged(path, "an added byte", at);
        if (at == good.length) break;
        memcpy(other + at, good.data + at + 1, good.length - at - 1);
        scratch_write(path, other, good.length - 1);
        assert_damaged(path, "a lost byte", at);
    }
    free(other);
    bytes_free(&good);
}

// Data that is aligned for no type and two entries, so that all that is read needs memory.
static const char UNALIGNED[] =
    "{\"__metadata__\":{\"a\":\"b\",\"c\":\"d\"},"
    "\"byte\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
    "\"float\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]},"
    "\"double\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[5,13]}}";

TEST(out_of_memory)
{
    const char *path = scratch_path("m.safetensors");
    write_raw(path, sizeof UNALIGNED - 1, UNALIGNED, 13);
    while (failing_malloc_next()) {
        SafetensorsFile *file = NULL;
        if (failing_malloc_expect(safetensors_open(&file, path, NULL))) {
            ck_assert_ptr_null(file);
            continue;
        }
        ck_assert_uint_eq(safetensors_size(file), 8 + sizeof UNALIGNED - 1 + 13);
        ck_assert_mem_eq(safetensors_find(file, "double")->data, "\5\6\7\10\11\12\13\14", 8);
        safetensors_close(file);
    }
}

TEST(a_disk_that_fails)
{
    const char *path = scratch_path("m.safetensors");
    write_raw(path, sizeof UNALIGNED - 1, UNALIGNED, 13);
    size_t reads = 0;
    for (;; reads++) {
        SafetensorsFile *file = NULL;
        Error error = {0};
        failing_call_at(CALL_READ, reads + 1, EIO);
        Status status = safetensors_open(&file, path, &error);
        if (!failing_call_stop()) {
            safetensors_close(file);
            break;
        }
        ck_assert_int_eq(status, STATUS_IO);
        assert_contains(error.text, "m.safetensors: cannot be read: Input/output error");
        ck_assert_ptr_null(file);
    }
    ck_assert_uint_eq(reads, 3); // the length, the header, the data
}
