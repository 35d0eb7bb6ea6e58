#include "io/safetensors.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/file_content.h"
#include "io/json.h"
#include "io/safetensors_layout.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and are used as they are read"
#endif

struct SafetensorsFile {
    FileContent content;
    size_t data_at;      // where the data begins in the file
    json_t *header;      // owns every name and the metadata
    TensorView *tensors; // (count), in the order of their data
    size_t count;
    void **copies; // (copy_count) of data that was not aligned
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

uint64_t safetensors_header_checksum(const char *start, size_t bytes)
{
    assert(bytes >= MIN_CHECKSUM);
    uint64_t sum = XXH3_64bits(start, CHECKSUM_AT);
    return XXH3_64bits_withSeed(start + CHECKSUM_END, bytes - CHECKSUM_END, sum);
}

void safetensors_checksum_digits(char digits[CHECKSUM_DIGITS + 1], uint64_t sum)
{
    snprintf(digits, CHECKSUM_DIGITS + 1, "%016" PRIx64, sum);
}

#define DAMAGED "the file is damaged or not a safetensors file: copy it again or train it again"

// Every message ends with what the user can do.
__attribute__((format(printf, 3, 4))) static Status unusable(const char *path, Error *error,
                                                             const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_FORMAT, "%s: %s; " DAMAGED, path, what);
}

// Parses the header and notes where the data begins.
static Status read_header(SafetensorsFile *file, const char *path, Error *error)
{
    if (file->content.size < LENGTH_BYTES)
        return unusable(path, error,
                        "it has only %zu bytes, fewer than the 8 of its header's length",
                        file->content.size);
    uint64_t length;
    memcpy(&length, file->content.data, sizeof length);
    const char *text = file->content.data + LENGTH_BYTES;
    size_t left = file->content.size - LENGTH_BYTES;
    if (length > MAX_SAFETENSORS_HEADER)
        return error_set(error, STATUS_FORMAT,
                         "%s: is not a Regard model: it does not begin with the length of a "
                         "header; name a model, or copy it again if it was damaged",
                         path);
    if (length > left)
        return unusable(path, error, "its header should have %" PRIu64 " bytes but %zu are left",
                        length, left);
    if (length == 0 || text[0] != '{')
        return unusable(path, error, "its header does not begin with '{'");
    Error inner;
    Status status = json_parse(&file->header, text, (size_t)length, path, "its header", &inner);
    if (status == STATUS_FORMAT) return error_set(error, status, "%s; " DAMAGED, inner.text);
    if (status) return error_set(error, status, "%s", inner.text);
    file->data_at = LENGTH_BYTES + (size_t)length;
    return STATUS_OK;
}

static Status check_metadata(const SafetensorsFile *file, const char *path, Error *error)
{
    json_t *metadata = json_object_get(file->header, METADATA_KEY), *value;
    const char *key;
    if (metadata && !json_is_object(metadata))
        return unusable(path, error, "its " METADATA_KEY " is not an object");
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return unusable(path, error, "its metadata '%.100s' is not a string", key);
    }
    return STATUS_OK;
}

// Reads an array of at most `most` integers ≥ 0; false if it is anything else.
static bool read_sizes(const json_t *array, size_t most, size_t *sizes, size_t *count)
{
    if (!json_is_array(array) || json_array_size(array) > most) return false;
    *count = json_array_size(array);
    for (size_t i = 0; i < *count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0) return false;
        sizes[i] = (size_t)json_integer_value(number);
    }
    return true;
}

static bool read_type(const json_t *string, TensorType *type)
{
    const char *name = json_string_value(string);
    for (int i = 0; name && i < TYPE_COUNT; i++) {
        if (strcmp(name, TYPES[i].name) == 0) {
            *type = (TensorType)i;
            return true;
        }
    }
    return false;
}

// Checks one entry of the header, apart from its neighbours.
static Status read_tensor(const SafetensorsFile *file, const char *name, const json_t *entry,
                          TensorView *tensor, const char *path, Error *error)
{
    size_t offsets[2], offset_count, expected;
    size_t data_bytes = file->content.size - file->data_at;
    *tensor = (TensorView){.name = name};
    if (!json_is_object(entry))
        return unusable(path, error, "tensor '%.100s' is not an object", name);
    const json_t *type = json_object_get(entry, "dtype");
    if (!read_type(type, &tensor->type))
        return unusable(path, error, "tensor '%.100s' has an unknown dtype: '%.20s'", name,
                        json_is_string(type) ? json_string_value(type) : "(no text)");
    if (!read_sizes(json_object_get(entry, "shape"), MAX_TENSOR_RANK, tensor->shape, &tensor->rank))
        return unusable(path, error, "tensor '%.100s' has no shape of at most %d integers ≥ 0",
                        name, MAX_TENSOR_RANK);
    if (!read_sizes(json_object_get(entry, "data_offsets"), 2, offsets, &offset_count) ||
        offset_count != 2 || offsets[0] > offsets[1])
        return unusable(path, error,
                        "tensor '%.100s' has no two data_offsets, the first ≤ the second", name);
    if (offsets[1] > data_bytes)
        return unusable(path, error,
                        "tensor '%.100s' should end at byte %zu of the data, which has only %zu",
                        name, offsets[1], data_bytes);
    tensor->bytes = offsets[1] - offsets[0];
    if (!tensor_bytes(tensor->type, tensor->rank, tensor->shape, &expected))
        return unusable(path, error, "tensor '%.100s' has a shape too large to count", name);
    if (expected != tensor->bytes)
        return unusable(path, error,
                        "tensor '%.100s' has a shape of %zu bytes but %zu bytes of data", name,
                        expected, tensor->bytes);
    tensor->data = file->content.data + file->data_at + offsets[0];
    return STATUS_OK;
}

static Status read_tensors(SafetensorsFile *file, const char *path, Error *error)
{
    size_t most = json_object_size(file->header);
    TRY(array_new(&file->tensors, most, "tensor names", error));
    const char *name;
    json_t *entry;
    json_object_foreach(file->header, name, entry)
    {
        if (strcmp(name, METADATA_KEY) == 0) continue;
        TRY(read_tensor(file, name, entry, &file->tensors[file->count], path, error));
        file->count++;
    }
    return STATUS_OK;
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
    qsort(file->tensors, file->count, sizeof *file->tensors, compare_places);
    const char *data = file->content.data + file->data_at;
    size_t expected = 0;
    for (size_t i = 0; i < file->count; i++) {
        const TensorView *tensor = &file->tensors[i];
        size_t begin = (size_t)((const char *)tensor->data - data);
        if (begin != expected)
            return unusable(path, error,
                            "tensor '%.100s' begins at byte %zu of the data: %s at %zu",
                            tensor->name, begin,
                            begin < expected ? "an overlap with the one before, which ends"
                                             : "a hole behind the one before, which ends",
                            expected);
        expected += tensor->bytes;
    }
    size_t data_bytes = file->content.size - file->data_at;
    if (expected != data_bytes)
        return unusable(path, error, "its data has %zu bytes but its tensors need only %zu",
                        data_bytes, expected);
    return STATUS_OK;
}

Status safetensors_verify(const SafetensorsFile *file, const char *path, Error *error)
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
        return unusable(path, error, "its checksum is not where it should be");
    }
    uint64_t sum = safetensors_header_checksum(start, file->data_at);
    for (size_t i = 0; i < file->count; i++)
        sum = XXH3_64bits_withSeed(file->tensors[i].data, file->tensors[i].bytes, sum);
    char digits[CHECKSUM_DIGITS + 1];
    safetensors_checksum_digits(digits, sum);
    if (memcmp(start + CHECKSUM_AT, digits, CHECKSUM_DIGITS))
        return unusable(path, error, "its checksum should be %.16s but its content gives %s",
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

Status safetensors_open_unverified(SafetensorsFile **out, const char *path, Error *error)
{
    SafetensorsFile *file = memory_new(1, sizeof *file);
    if (!file) return error_memory(error, sizeof *file, "a model file");
    Status status = file_content_read(&file->content, path, error);
    if (!status) status = read_header(file, path, error);
    if (!status) status = check_metadata(file, path, error);
    if (!status) status = read_tensors(file, path, error);
    if (!status) status = check_places(file, path, error);
    if (!status) status = align_data(file, error);
    if (status)
        safetensors_close(file);
    else
        *out = file;
    return status;
}

Status safetensors_open(SafetensorsFile **out, const char *path, Error *error)
{
    SafetensorsFile *file;
    TRY(safetensors_open_unverified(&file, path, error));
    Status status = safetensors_verify(file, path, error);
    if (status)
        safetensors_close(file);
    else
        *out = file;
    return status;
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
    return json_string_value(json_object_get(json_object_get(file->header, METADATA_KEY), key));
}

void safetensors_close(SafetensorsFile *file)
{
    if (!file) return;
    for (size_t i = 0; i < file->copy_count; i++) memory_free(file->copies[i]);
    memory_free(file->copies);
    memory_free(file->tensors);
    json_decref(file->header);
    file_content_free(&file->content);
    memory_free(file);
}
