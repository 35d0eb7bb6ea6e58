#include "io/safetensors.h"

#include "base/array.h"
#include "base/string_map.h"
#include "io/file_content.h"
#include "io/json_reader.h"
#include "io/safetensors_layout.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and are used as they are read"
#endif

struct SafetensorsFile {
    FileContent content;
    size_t data_at;      // where the data begins in the file
    char *strings;       // every name, key and value of the header
    TensorView *tensors; // (count) in the order of their data
    size_t count, capacity;
    StringMap metadata; // key → place of the value in `strings`
    void **copies;      // (copy_count) of data that was not aligned
    size_t copy_count;
};

static const struct {
    const char *name;
    size_t size;
} TYPES[] = {
#define TENSOR_TYPE_ROW(name, size) [TENSOR_##name] = {#name, size},
    TENSOR_TYPE_LIST(TENSOR_TYPE_ROW)
#undef TENSOR_TYPE_ROW
};
enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

const char *tensor_type_name(TensorType type)
{
    return TYPES[type].name;
}

size_t tensor_type_size(TensorType type)
{
    return TYPES[type].size;
}

bool tensor_bytes(TensorType type, size_t rank, const size_t *shape, size_t *bytes)
{
    size_t product = tensor_type_size(type);
    for (size_t i = 0; i < rank; i++)
        if (__builtin_mul_overflow(product, shape[i], &product)) return false;
    *bytes = product;
    return true;
}

void safetensors_checksum(char digits[CHECKSUM_DIGITS + 1], const char *start, size_t bytes,
                          const TensorView *tensors, size_t count)
{
    assert(bytes >= MIN_CHECKSUM);
    uint64_t sum = XXH3_64bits(start, CHECKSUM_AT);
    sum = XXH3_64bits_withSeed(start + CHECKSUM_END, bytes - CHECKSUM_END, sum);
    for (size_t i = 0; i < count; i++)
        sum = XXH3_64bits_withSeed(tensors[i].data, tensors[i].bytes, sum);
    snprintf(digits, CHECKSUM_DIGITS + 1, "%016" PRIx64, sum);
}

// A header that is being read into its file.
typedef struct HeaderReading {
    SafetensorsFile *file;
    JsonReader json;
    size_t data_bytes; // that follow the header
    bool has_metadata;
    StringMap names; // of the tensors so far
    const char *path;
    Error *error;
} HeaderReading;

#define DAMAGED "the file is damaged or not a safetensors file: copy it again or train it again"

static __attribute__((format(printf, 3, 4))) Status unusable_at(const char *path, Error *error,
                                                                const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_FORMAT, "%s: %s; " DAMAGED, path, what);
}

#define unusable(reading, ...) unusable_at((reading)->path, (reading)->error, __VA_ARGS__)

static Status read_metadata(HeaderReading *reading)
{
    SafetensorsFile *file = reading->file;
    JsonReader *json = &reading->json;
    if (reading->has_metadata) return unusable(reading, "it has a duplicate " METADATA_KEY);
    reading->has_metadata = true;
    if (!json_reader_open(json, '{'))
        return unusable(reading, "its " METADATA_KEY " is not an object");
    while (json_reader_more(json, '}')) {
        const char *key, *value;
        bool added;
        if (!json_reader_name(json, &key)) return STATUS_FORMAT;
        if (!json_reader_string(json, &value))
            return unusable(reading, "its metadata '%.100s' is not a string", key);
        if (!string_map_put(&file->metadata, key, strlen(key), value - file->strings, &added))
            return error_memory(reading->error, strlen(key), "metadata");
        if (!added) return unusable(reading, "it has a duplicate metadata '%.100s'", key);
    }
    return STATUS_OK;
}

// Reads an array of at most `most` integers ≥ 0; false if it is anything else.
static bool read_sizes(JsonReader *json, size_t most, size_t *sizes, size_t *count)
{
    if (!json_reader_open(json, '[')) return false;
    for (*count = 0; json_reader_more(json, ']'); ++*count) {
        int64_t number;
        if (*count == most || !json_reader_integer(json, &number) || number < 0) return false;
        sizes[*count] = (size_t)number;
    }
    return !json->broken;
}

static Status read_type(HeaderReading *reading, TensorView *tensor)
{
    const char *name = "(no text)";
    int type = json_reader_string(&reading->json, &name) ? 0 : TYPE_COUNT;
    while (type < TYPE_COUNT && strcmp(name, TYPES[type].name)) type++;
    if (type == TYPE_COUNT)
        return unusable(reading, "tensor '%.100s' has an unknown dtype: '%.20s'", tensor->name,
                        name);
    tensor->type = (TensorType)type;
    return STATUS_OK;
}

static Status read_shape(HeaderReading *reading, TensorView *tensor)
{
    return read_sizes(&reading->json, MAX_TENSOR_RANK, tensor->shape, &tensor->rank)
               ? STATUS_OK
               : unusable(reading, "tensor '%.100s' has no shape of at most %d integers ≥ 0",
                          tensor->name, MAX_TENSOR_RANK);
}

static Status read_offsets(HeaderReading *reading, TensorView *tensor)
{
    size_t offsets[2], count;
    if (!read_sizes(&reading->json, 2, offsets, &count) || count != 2 || offsets[0] > offsets[1])
        return unusable(reading, "tensor '%.100s' has no two data_offsets, the first ≤ the second",
                        tensor->name);
    if (offsets[1] > reading->data_bytes)
        return unusable(reading,
                        "tensor '%.100s' should end at byte %zu of the data, which has only %zu",
                        tensor->name, offsets[1], reading->data_bytes);
    tensor->bytes = offsets[1] - offsets[0];
    tensor->data = reading->file->content.data + reading->file->data_at + offsets[0];
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
    if (!json_reader_name(&reading->json, &name)) return STATUS_FORMAT;
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
    SafetensorsFile *file = reading->file;
    JsonReader *json = &reading->json;
    TensorView tensor = {.name = name};
    bool added, had[MEMBER_COUNT] = {false};
    if (!string_map_put(&reading->names, name, strlen(name), 0, &added))
        return error_memory(reading->error, strlen(name), "tensor names");
    if (!added) return unusable(reading, "it has a duplicate tensor '%.100s'", name);
    if (!json_reader_open(json, '{'))
        return unusable(reading, "tensor '%.100s' is not an object", name);
    while (json_reader_more(json, '}')) TRY(read_member(reading, &tensor, had));
    if (json->broken) return STATUS_FORMAT;
    TRY(check_tensor(reading, &tensor, had));
    return array_add(&file->tensors, &file->count, &file->capacity, "tensor names", reading->error,
                     tensor);
}

// STATUS_FORMAT without a message where the text is not JSON.
static Status read_entries(HeaderReading *reading)
{
    JsonReader *json = &reading->json;
    (void)json_reader_open(json, '{'); // which is known to be there
    while (json_reader_more(json, '}')) {
        const char *name;
        if (!json_reader_name(json, &name)) return STATUS_FORMAT;
        TRY(strcmp(name, METADATA_KEY) ? read_tensor(reading, name) : read_metadata(reading));
    }
    if (json_reader_ended(json)) return STATUS_OK;
    json->broken = true;
    return STATUS_FORMAT;
}

static Status parse_header(SafetensorsFile *file, const char *path, Error *error)
{
    const char *text = file->content.data + LENGTH_BYTES;
    size_t length = file->data_at - LENGTH_BYTES;
    file->strings = memory_resize(NULL, length, 1);
    if (!file->strings) return error_memory(error, length, "a model's header");
    HeaderReading reading = {.file = file,
                             .json = json_reader(text, length, file->strings),
                             .data_bytes = file->content.size - file->data_at,
                             .path = path,
                             .error = error};
    Status status = read_entries(&reading);
    string_map_free(&reading.names);
    if (status == STATUS_FORMAT && reading.json.broken)
        return unusable_at(path, error, "its header is not JSON from byte %td on",
                           reading.json.at - reading.json.begin);
    return status;
}

// Reads the header and notes where the data begins.
static Status read_header(SafetensorsFile *file, const char *path, Error *error)
{
    FileContent *content = &file->content;
    TRY(file_content_read_first(content, LENGTH_BYTES, path, error));
    if (content->size < LENGTH_BYTES)
        return unusable_at(path, error,
                           "it has only %zu bytes, fewer than the 8 of its header's length",
                           content->size);
    uint64_t length;
    memcpy(&length, content->data, sizeof length);
    const char *text = content->data + LENGTH_BYTES;
    size_t left = content->size - LENGTH_BYTES;
    if (length > MAX_SAFETENSORS_HEADER)
        return error_set(error, STATUS_FORMAT,
                         "%s: is not a Regard model or aligner: it does not begin with the length "
                         "of a header; name one, or copy it again if it was damaged",
                         path);
    if (length > left)
        return unusable_at(path, error, "its header should have %" PRIu64 " bytes but %zu are left",
                           length, left);
    file->data_at = LENGTH_BYTES + (size_t)length;
    TRY(file_content_read_first(content, file->data_at, path, error));
    if (length == 0 || text[0] != '{')
        return unusable_at(path, error, "its header does not begin with '{'");
    return parse_header(file, path, error);
}

// By offset, then by size, so that empty tensors come before the one that begins there, then by
// name.
static int compare_places(const void *left, const void *right)
{
    const TensorView *a = left, *b = right;
    if (a->data != b->data) return (const char *)a->data < (const char *)b->data ? -1 : 1;
    if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
    return strcmp(a->name, b->name);
}

// Sorts the tensors by offset and checks that each begins where the one before ends.
static Status check_places(SafetensorsFile *file, const char *path, Error *error)
{
    if (file->count) qsort(file->tensors, file->count, sizeof *file->tensors, compare_places);
    const char *data = file->content.data + file->data_at;
    size_t expected = 0;
    for (size_t i = 0; i < file->count; i++) {
        const TensorView *tensor = &file->tensors[i];
        size_t begin = (size_t)((const char *)tensor->data - data);
        if (begin != expected)
            return unusable_at(path, error,
                               "tensor '%.100s' begins at byte %zu of the data: %s at %zu",
                               tensor->name, begin,
                               begin < expected ? "an overlap with the one before, which ends"
                                                : "a hole behind the one before, which ends",
                               expected);
        expected += tensor->bytes;
    }
    size_t data_bytes = file->content.size - file->data_at;
    if (expected != data_bytes)
        return unusable_at(path, error, "its data has %zu bytes but its tensors need only %zu",
                           data_bytes, expected);
    return STATUS_OK;
}

static Status verify(const SafetensorsFile *file, const char *path, Error *error)
{
    const char *start = file->content.data;
    bool framed = file->data_at >= MIN_CHECKSUM &&
                  !memcmp(start + LENGTH_BYTES, CHECKSUM_BEFORE, sizeof CHECKSUM_BEFORE - 1) &&
                  !memcmp(start + CHECKSUM_END, CHECKSUM_AFTER, sizeof CHECKSUM_AFTER - 1);
    if (!framed) {
        const char *kind = safetensors_metadata(file, CHECKSUM_KIND_KEY);
        if (!kind && !safetensors_metadata(file, CHECKSUM_KEY)) return STATUS_OK;
        if (kind && strcmp(kind, CHECKSUM_KIND))
            return error_set(
                error, STATUS_FORMAT,
                "%s: was written by another version of regard: its checksum is '%.20s', "
                "not '" CHECKSUM_KIND "'; use that version or train it again",
                path, kind);
        return unusable_at(path, error, "its checksum is not where it should be");
    }
    char digits[CHECKSUM_DIGITS + 1];
    safetensors_checksum(digits, start, file->data_at, file->tensors, file->count);
    if (memcmp(start + CHECKSUM_AT, digits, CHECKSUM_DIGITS))
        return unusable_at(path, error, "its checksum should be %.16s but its content gives %s",
                           start + CHECKSUM_AT, digits);
    return STATUS_OK;
}

// Copies the data that is not aligned for its type.
static Status align_data(SafetensorsFile *file, Error *error)
{
    for (size_t i = 0; i < file->count; i++) {
        TensorView *tensor = &file->tensors[i];
        if ((uintptr_t)tensor->data % tensor_type_size(tensor->type) == 0) continue;
        if (!file->copies) file->copies = memory_new(file->count, sizeof *file->copies);
        void *copy = file->copies ? memory_aligned(tensor->bytes, 1) : NULL;
        if (!copy) return error_memory(error, tensor->bytes, "a tensor");
        memcpy(copy, tensor->data, tensor->bytes);
        file->copies[file->copy_count++] = copy;
        tensor->data = copy;
    }
    return STATUS_OK;
}

Status safetensors_read_data(SafetensorsFile *file, const char *path, Error *error)
{
    TRY(file_content_read_rest(&file->content, path, error));
    TRY(align_data(file, error));
    return verify(file, path, error);
}

Status safetensors_open_header(SafetensorsFile **out, const char *path, Error *error)
{
    FREED_BY(safetensors_close_at) SafetensorsFile *file = NULL;
    TRY(array_new(&file, 1, "a model file", error));
    TRY(file_content_open(&file->content, path, error));
    TRY(read_header(file, path, error));
    TRY(check_places(file, path, error));
    *out = memory_take(&file);
    return STATUS_OK;
}

Status safetensors_open(SafetensorsFile **out, const char *path, Error *error)
{
    FREED_BY(safetensors_close_at) SafetensorsFile *file = NULL;
    TRY(safetensors_open_header(&file, path, error));
    TRY(safetensors_read_data(file, path, error));
    *out = memory_take(&file);
    return STATUS_OK;
}

size_t safetensors_size(const SafetensorsFile *file)
{
    return file->content.size;
}

size_t safetensors_count(const SafetensorsFile *file)
{
    return file->count;
}

const TensorView *safetensors_at(const SafetensorsFile *file, size_t index)
{
    assert(index < file->count);
    return &file->tensors[index];
}

const TensorView *safetensors_find(const SafetensorsFile *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0) return &file->tensors[i];
    return NULL;
}

const char *safetensors_metadata(const SafetensorsFile *file, const char *key)
{
    const StringMapEntry *found = string_map_find(&file->metadata, key, strlen(key));
    return found ? file->strings + found->value : NULL;
}

void safetensors_close(SafetensorsFile *file)
{
    if (!file) return;
    for (size_t i = 0; i < file->copy_count; i++) memory_free(file->copies[i]);
    memory_free(file->copies);
    memory_free(file->strings);
    memory_free(file->tensors);
    string_map_free(&file->metadata);
    file_content_free(&file->content);
    memory_free(file);
}
