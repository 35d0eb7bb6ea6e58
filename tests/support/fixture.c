#include "support/fixture.h"

#include "base/memory.h"
#include "io/file_content.h"

#include <check.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "fixtures are read in place: a little-endian machine is needed"
#endif

enum { ELEMENT_SIZE = 8 }; // F64 and I64, the only types

struct Fixture {
    FileContent content;
    char *path;
    json_t *header;   // name → {dtype, shape, data_offsets}
    const char *data; // behind the header, on a boundary of 8 bytes
    size_t size;      // bytes of data
};

/* Closes the fixture and fails the test. Nothing is left behind, so that tests of this reader stay
 * clean under AddressSanitizer. */
static void refuse(Fixture *fixture, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void refuse(Fixture *fixture, const char *format, ...)
{
    char path[256], reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    snprintf(path, sizeof(path), "%s", fixture->path);
    fixture_close(fixture);
    ck_abort_msg("%s: %s", path, reason);
}

/* The bytes a tensor's shape asks for. A dimension may not exceed the file, so that the product
 * cannot overflow unnoticed. */
static size_t shape_bytes(Fixture *fixture, const char *name, const json_t *shape)
{
    size_t bytes = ELEMENT_SIZE;
    for (size_t axis = 0; axis < json_array_size(shape); axis++) {
        json_int_t dimension = json_integer_value(json_array_get(shape, axis));
        if (dimension < 1 || (uint64_t)dimension > fixture->size / bytes)
            refuse(fixture, "%s: dimension %zu is not possible", name, axis);
        bytes *= (size_t)dimension;
    }
    return bytes;
}

/* Checks one entry of the header, which must begin at byte `begin` of the data, and returns where
 * it ends. */
static size_t check_entry(Fixture *fixture, const char *name, json_t *entry, size_t begin)
{
    const char *dtype;
    json_t *shape;
    json_int_t offsets[2];
    if (json_unpack(entry, "{s:s, s:o, s:[I,I!]!}", "dtype", &dtype, "shape", &shape,
                    "data_offsets", &offsets[0], &offsets[1]) != 0 ||
        !json_is_array(shape))
        refuse(fixture, "%s: not an entry of dtype, shape, data_offsets", name);
    if (strcmp(dtype, "F64") != 0 && strcmp(dtype, "I64") != 0)
        refuse(fixture, "%s: dtype %s, fixtures are F64 or I64", name, dtype);
    if (offsets[0] < 0 || (uint64_t)offsets[0] != begin)
        refuse(fixture, "%s: begins at %lld, not where the last one ended, at %zu", name,
               (long long)offsets[0], begin);
    size_t bytes = shape_bytes(fixture, name, shape);
    if (bytes > fixture->size - begin || (uint64_t)offsets[1] != begin + bytes)
        refuse(fixture, "%s: its %zu bytes end at %lld of %zu", name, bytes, (long long)offsets[1],
               fixture->size);
    return begin + bytes;
}

// Finds the header and the data in the file.
static void read_header(Fixture *fixture)
{
    uint64_t length = 0; // of the header
    if (fixture->content.size < sizeof(length)) refuse(fixture, "too short");
    memcpy(&length, fixture->content.data, sizeof(length));
    if (length > fixture->content.size - sizeof(length) || length % ELEMENT_SIZE != 0)
        refuse(fixture, "a header of %llu bytes in a file of %zu", (unsigned long long)length,
               fixture->content.size);
    const char *text = fixture->content.data + sizeof(length);
    json_error_t error;
    fixture->header = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(fixture->header))
        refuse(fixture, "the header is not a JSON object: %s", error.text);
    json_object_del(fixture->header, "__metadata__");
    fixture->data = text + length;
    fixture->size = fixture->content.size - sizeof(length) - (size_t)length;
}

Fixture *fixture_open(const char *path)
{
    Fixture *fixture = memory_new(1, sizeof(*fixture));
    ck_assert_ptr_nonnull(fixture);
    fixture->path = memory_copy_string(path, strlen(path));
    ck_assert_ptr_nonnull(fixture->path);
    Error error;
    if (file_content_read(&fixture->content, path, &error) != STATUS_OK)
        refuse(fixture, "run from the repository's root? %s", error.text);
    read_header(fixture);

    size_t end = 0;
    const char *name;
    json_t *entry;
    json_object_foreach(fixture->header, name, entry) // in the order of the file
        end = check_entry(fixture, name, entry, end);
    if (end != fixture->size)
        refuse(fixture, "%zu bytes behind the last tensor", fixture->size - end);
    return fixture;
}

static const json_t *find(const Fixture *fixture, const char *name)
{
    const json_t *entry = json_object_get(fixture->header, name);
    if (entry == NULL) ck_abort_msg("%s: no tensor %s", fixture->path, name);
    return entry;
}

// The place of a tensor, which must be of this type, and its number of elements.
static const void *elements(const Fixture *fixture, const char *name, const char *dtype,
                            size_t *count)
{
    const json_t *entry = find(fixture, name);
    const char *actual = json_string_value(json_object_get(entry, "dtype"));
    if (strcmp(actual, dtype) != 0)
        ck_abort_msg("%s: %s is %s, not %s", fixture->path, name, actual, dtype);
    const json_t *offsets = json_object_get(entry, "data_offsets");
    size_t begin = (size_t)json_integer_value(json_array_get(offsets, 0));
    size_t end = (size_t)json_integer_value(json_array_get(offsets, 1));
    if (count != NULL) *count = (end - begin) / ELEMENT_SIZE;
    return fixture->data + begin;
}

const double *fixture_reals(const Fixture *fixture, const char *name, size_t *count)
{
    return elements(fixture, name, "F64", count);
}

const int64_t *fixture_integers(const Fixture *fixture, const char *name, size_t *count)
{
    return elements(fixture, name, "I64", count);
}

bool fixture_has(const Fixture *fixture, const char *name)
{
    return json_object_get(fixture->header, name) != NULL;
}

size_t fixture_dimension(const Fixture *fixture, const char *name, size_t axis)
{
    const json_t *shape = json_object_get(find(fixture, name), "shape");
    if (axis >= json_array_size(shape))
        ck_abort_msg("%s: %s has no axis %zu", fixture->path, name, axis);
    return (size_t)json_integer_value(json_array_get(shape, axis));
}

void fixture_close(Fixture *fixture)
{
    file_content_free(&fixture->content);
    json_decref(fixture->header);
    memory_free(fixture->path);
    memory_free(fixture);
}
