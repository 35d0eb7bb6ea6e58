#include "io/safetensors.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/file_content.h"
#include "io/safetensors_header.h"
#include "io/safetensors_layout.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and are used as they are read"
#endif

struct SafetensorsFile {
    FileContent content;
    size_t data_at; // where the data begins in the file
    SafetensorsHeader header;
    TensorView *tensors; // (count) the header's, in the order of their data
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

bool tensor_type_named(const char *name, TensorType *type)
{
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(name, TYPES[i].name) == 0) {
            *type = (TensorType)i;
            return true;
        }
    }
    return false;
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

// Reads the header and notes where the data begins.
static Status read_header(SafetensorsFile *file, const char *path, Error *error)
{
    FileContent *content = &file->content;
    TRY(file_content_read_first(content, LENGTH_BYTES, path, error));
    if (content->size < LENGTH_BYTES)
        return safetensors_unusable(
            path, error, "it has only %zu bytes, fewer than the 8 of its header's length",
            content->size);
    uint64_t length;
    memcpy(&length, content->data, sizeof length);
    const char *text = content->data + LENGTH_BYTES;
    size_t left = content->size - LENGTH_BYTES;
    if (length > MAX_SAFETENSORS_HEADER)
        return error_set(error, STATUS_FORMAT,
                         "%s: is not a Regard model: it does not begin with the length of a "
                         "header; name a model, or copy it again if it was damaged",
                         path);
    if (length > left)
        return safetensors_unusable(
            path, error, "its header should have %" PRIu64 " bytes but %zu are left", length, left);
    file->data_at = LENGTH_BYTES + (size_t)length;
    TRY(file_content_read_first(content, file->data_at, path, error));
    if (length == 0 || text[0] != '{')
        return safetensors_unusable(path, error, "its header does not begin with '{'");
    TRY(safetensors_header_read(&file->header, text, (size_t)length, text + length,
                                left - (size_t)length, path, error));
    file->tensors = file->header.tensors;
    file->count = file->header.count;
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
    if (file->count) qsort(file->tensors, file->count, sizeof *file->tensors, compare_places);
    const char *data = file->content.data + file->data_at;
    size_t expected = 0;
    for (size_t i = 0; i < file->count; i++) {
        const TensorView *tensor = &file->tensors[i];
        size_t begin = (size_t)((const char *)tensor->data - data);
        if (begin != expected)
            return safetensors_unusable(
                path, error, "tensor '%.100s' begins at byte %zu of the data: %s at %zu",
                tensor->name, begin,
                begin < expected ? "an overlap with the one before, which ends"
                                 : "a hole behind the one before, which ends",
                expected);
        expected += tensor->bytes;
    }
    size_t data_bytes = file->content.size - file->data_at;
    if (expected != data_bytes)
        return safetensors_unusable(path, error,
                                    "its data has %zu bytes but its tensors need only %zu",
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
        return safetensors_unusable(path, error, "its checksum is not where it should be");
    }
    uint64_t sum = safetensors_header_checksum(start, file->data_at);
    for (size_t i = 0; i < file->count; i++)
        sum = XXH3_64bits_withSeed(file->tensors[i].data, file->tensors[i].bytes, sum);
    char digits[CHECKSUM_DIGITS + 1];
    safetensors_checksum_digits(digits, sum);
    if (memcmp(start + CHECKSUM_AT, digits, CHECKSUM_DIGITS))
        return safetensors_unusable(path, error,
                                    "its checksum should be %.16s but its content gives %s",
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
    SafetensorsFile *file = memory_new(1, sizeof *file);
    if (!file) return error_memory(error, sizeof *file, "a model file");
    Status status = file_content_open(&file->content, path, error);
    if (!status) status = read_header(file, path, error);
    if (!status) status = check_places(file, path, error);
    if (status)
        safetensors_close(file);
    else
        *out = file;
    return status;
}

Status safetensors_open(SafetensorsFile **out, const char *path, Error *error)
{
    SafetensorsFile *file;
    TRY(safetensors_open_header(&file, path, error));
    Status status = safetensors_read_data(file, path, error);
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
    return safetensors_header_find(&file->header, key);
}

void safetensors_close(SafetensorsFile *file)
{
    if (!file) return;
    for (size_t i = 0; i < file->copy_count; i++) memory_free(file->copies[i]);
    memory_free(file->copies);
    safetensors_header_free(&file->header);
    file_content_free(&file->content);
    memory_free(file);
}
