#include "io/safetensors_header.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/json_reader.h"
#include "io/safetensors_layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct HeaderReading {
    SafetensorsHeader *header;
    JsonReader reader;
    const char *data;
    size_t data_bytes;
    bool has_metadata;
    const char *path;
    Error *error;
} HeaderReading;

#define DAMAGED "the file is damaged or not a safetensors file: copy it again or train it again"

Status safetensors_unusable(const char *path, Error *error, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_FORMAT, "%s: %s; " DAMAGED, path, what);
}

#define unusable(reading, ...) safetensors_unusable((reading)->path, (reading)->error, __VA_ARGS__)

static Status read_metadata(HeaderReading *reading)
{
    SafetensorsHeader *header = reading->header;
    JsonReader *reader = &reading->reader;
    if (reading->has_metadata) return unusable(reading, "it has a duplicate " METADATA_KEY);
    reading->has_metadata = true;
    if (!json_reader_open(reader, '{'))
        return unusable(reading, "its " METADATA_KEY " is not an object");
    while (json_reader_more(reader, '}')) {
        MetadataEntry entry = {0};
        if (!json_reader_name(reader, &entry.key)) return STATUS_FORMAT;
        if (!json_reader_string(reader, &entry.value))
            return unusable(reading, "its metadata '%.100s' is not a string", entry.key);
        TRY(array_reserve(&header->metadata, &header->entry_capacity, header->entry_count + 1,
                          "metadata", reading->error));
        header->metadata[header->entry_count++] = entry;
    }
    return STATUS_OK;
}

// Reads an array of at most `most` integers ≥ 0; false if it is anything else.
static bool read_sizes(JsonReader *reader, size_t most, size_t *sizes, size_t *count)
{
    if (!json_reader_open(reader, '[')) return false;
    for (*count = 0; json_reader_more(reader, ']'); ++*count) {
        int64_t number;
        if (*count == most || !json_reader_integer(reader, &number) || number < 0) return false;
        sizes[*count] = (size_t)number;
    }
    return !reader->broken;
}

static Status read_type(HeaderReading *reading, TensorView *tensor)
{
    const char *name = "(no text)";
    bool known =
        json_reader_string(&reading->reader, &name) && tensor_type_named(name, &tensor->type);
    return known ? STATUS_OK
                 : unusable(reading, "tensor '%.100s' has an unknown dtype: '%.20s'", tensor->name,
                            name);
}

static Status read_shape(HeaderReading *reading, TensorView *tensor)
{
    return read_sizes(&reading->reader, MAX_TENSOR_RANK, tensor->shape, &tensor->rank)
               ? STATUS_OK
               : unusable(reading, "tensor '%.100s' has no shape of at most %d integers ≥ 0",
                          tensor->name, MAX_TENSOR_RANK);
}

static Status read_offsets(HeaderReading *reading, TensorView *tensor)
{
    size_t offsets[2], count;
    if (!read_sizes(&reading->reader, 2, offsets, &count) || count != 2 || offsets[0] > offsets[1])
        return unusable(reading, "tensor '%.100s' has no two data_offsets, the first ≤ the second",
                        tensor->name);
    if (offsets[1] > reading->data_bytes)
        return unusable(reading,
                        "tensor '%.100s' should end at byte %zu of the data, which has only %zu",
                        tensor->name, offsets[1], reading->data_bytes);
    tensor->bytes = offsets[1] - offsets[0];
    tensor->data = reading->data + offsets[0];
    return STATUS_OK;
}

static const struct {
    const char *name;
    Status (*read)(HeaderReading *reading, TensorView *tensor);
    const char *missing;
} MEMBERS[] = {
    {"dtype", read_type, "an unknown dtype: it has none"},
    {"shape", read_shape, "no shape"},
    {"data_offsets", read_offsets, "no two data_offsets"},
};
enum { MEMBER_COUNT = sizeof MEMBERS / sizeof MEMBERS[0] };

// Checks a tensor, apart from its neighbours.
static Status check_tensor(const HeaderReading *reading, const TensorView *tensor,
                           const bool had[MEMBER_COUNT])
{
    size_t expected;
    for (int i = 0; i < MEMBER_COUNT; i++)
        if (!had[i])
            return unusable(reading, "tensor '%.100s' has %s", tensor->name, MEMBERS[i].missing);
    if (!tensor_bytes(tensor->type, tensor->rank, tensor->shape, &expected))
        return unusable(reading, "tensor '%.100s' has a shape too large to count", tensor->name);
    if (expected == tensor->bytes) return STATUS_OK;
    return unusable(reading, "tensor '%.100s' has a shape of %zu bytes but %zu bytes of data",
                    tensor->name, expected, tensor->bytes);
}

static Status read_member(HeaderReading *reading, TensorView *tensor, bool had[MEMBER_COUNT])
{
    const char *name;
    if (!json_reader_name(&reading->reader, &name)) return STATUS_FORMAT;
    for (int i = 0; i < MEMBER_COUNT; i++) {
        if (strcmp(name, MEMBERS[i].name)) continue;
        if (had[i])
            return unusable(reading, "tensor '%.100s' has a duplicate %s", tensor->name, name);
        had[i] = true;
        return MEMBERS[i].read(reading, tensor);
    }
    return unusable(reading, "tensor '%.100s' has an unknown member '%.100s'", tensor->name, name);
}

static Status read_tensor(HeaderReading *reading, const char *name)
{
    SafetensorsHeader *header = reading->header;
    JsonReader *reader = &reading->reader;
    TensorView tensor = {.name = name};
    bool had[MEMBER_COUNT] = {false};
    if (!json_reader_open(reader, '{'))
        return unusable(reading, "tensor '%.100s' is not an object", name);
    while (json_reader_more(reader, '}')) TRY(read_member(reading, &tensor, had));
    if (reader->broken) return STATUS_FORMAT;
    TRY(check_tensor(reading, &tensor, had));
    TRY(array_reserve(&header->tensors, &header->capacity, header->count + 1, "tensor names",
                      reading->error));
    header->tensors[header->count++] = tensor;
    return STATUS_OK;
}

// STATUS_FORMAT without a message where the text is not JSON.
static Status read_entries(HeaderReading *reading)
{
    JsonReader *reader = &reading->reader;
    if (!json_reader_open(reader, '{')) return STATUS_FORMAT;
    while (json_reader_more(reader, '}')) {
        const char *name;
        if (!json_reader_name(reader, &name)) return STATUS_FORMAT;
        TRY(strcmp(name, METADATA_KEY) ? read_tensor(reading, name) : read_metadata(reading));
    }
    if (json_reader_ended(reader)) return STATUS_OK;
    reader->broken = true;
    return STATUS_FORMAT;
}

static int compare_keys(const void *left, const void *right)
{
    return strcmp(((const MetadataEntry *)left)->key, ((const MetadataEntry *)right)->key);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// Sorts the metadata by key.
static Status check_names(HeaderReading *reading)
{
    SafetensorsHeader *header = reading->header;
    const char **names;
    size_t twice = 0;
    MetadataEntry *entries = header->metadata;
    if (header->entry_count) qsort(entries, header->entry_count, sizeof *entries, compare_keys);
    for (size_t i = 1; i < header->entry_count; i++)
        if (!strcmp(entries[i - 1].key, entries[i].key))
            return unusable(reading, "it has a duplicate metadata '%.100s'", entries[i].key);
    TRY(array_new(&names, header->count, "tensor names", reading->error));
    for (size_t i = 0; i < header->count; i++) names[i] = header->tensors[i].name;
    qsort(names, header->count, sizeof *names, compare_names);
    for (size_t i = 1; i < header->count && !twice; i++)
        if (!strcmp(names[i - 1], names[i])) twice = i;
    Status status =
        twice ? unusable(reading, "it has a duplicate tensor '%.100s'", names[twice]) : STATUS_OK;
    memory_free(names);
    return status;
}

Status safetensors_header_read(SafetensorsHeader *header, const char *text, size_t length,
                               const char *data, size_t data_bytes, const char *path, Error *error)
{
    *header = (SafetensorsHeader){.strings = memory_resize(NULL, length, 1)};
    if (!header->strings) return error_memory(error, length, "a model's header");
    HeaderReading reading = {.header = header,
                             .reader = json_reader(text, length, header->strings),
                             .data = data,
                             .data_bytes = data_bytes,
                             .path = path,
                             .error = error};
    Status status = read_entries(&reading);
    if (status == STATUS_FORMAT && reading.reader.broken)
        return safetensors_unusable(path, error, "its header is not JSON from byte %td on",
                                    reading.reader.at - reading.reader.begin);
    return status ? status : check_names(&reading);
}

const char *safetensors_header_find(const SafetensorsHeader *header, const char *key)
{
    const MetadataEntry wanted = {.key = key};
    if (!header->entry_count) return NULL;
    const MetadataEntry *found =
        bsearch(&wanted, header->metadata, header->entry_count, sizeof wanted, compare_keys);
    return found ? found->value : NULL;
}

void safetensors_header_free(SafetensorsHeader *header)
{
    memory_free(header->strings);
    memory_free(header->tensors);
    memory_free(header->metadata);
    *header = (SafetensorsHeader){0};
}
