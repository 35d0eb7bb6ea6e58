#include "base/array.h"
#include "base/bytes.h"
#include "base/utf8_sequence.h"
#include "io/file_writer.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "io/safetensors_layout.h"

struct SafetensorsWriter {
    json_t *header;      // Jansson keeps the order of insertion
    json_t *metadata;    // belongs to the header; begins with a checksum of zeros
    TensorView *tensors; // (count) in order, of each its data and bytes
    size_t count;
    size_t capacity;
    size_t bytes; // of all data
};

// The writer is as it was before, and can be used again.
static Status out_of_memory(size_t bytes, const char *purpose, Error *error)
{
    json_memory_was_short();
    return error_memory(error, bytes, purpose);
}

Status safetensors_writer_new(SafetensorsWriter **out, Error *error)
{
    FREED_BY(safetensors_writer_free_at) SafetensorsWriter *writer = NULL;
    TRY(array_new(&writer, 1, "a model file", error));
    json_watch();
    // Jansson's setters accept NULL for a failed allocation, so a chain needs one test
    writer->header = json_object();
    writer->metadata = json_object();
    if (json_object_set_new(writer->header, METADATA_KEY, writer->metadata) ||
        json_object_set_new(writer->metadata, CHECKSUM_KEY, json_string("0000000000000000")) ||
        json_object_set_new(writer->metadata, CHECKSUM_KIND_KEY, json_string(CHECKSUM_KIND)))
        return out_of_memory(sizeof *writer, "a model file", error);
    *out = memory_take(&writer);
    return STATUS_OK;
}

// Jansson fails in the same way for invalid UTF-8 and for lack of memory, so UTF-8 is checked
// first.
static Status check_text(const char *text, const char *what, Error *error)
{
    if (utf8_is_valid(text)) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "%s '%.100s' is not valid UTF-8", what, text);
}

Status safetensors_writer_metadata(SafetensorsWriter *writer, const char *key, const char *value,
                                   Error *error)
{
    TRY(check_text(key, "the metadata key", error));
    TRY(check_text(value, "a metadata value", error));
    if (json_object_get(writer->metadata, key))
        return error_set(error, STATUS_ARGUMENT, "duplicate metadata '%.100s'", key);
    if (json_object_set_new(writer->metadata, key, json_string(value)))
        return out_of_memory(strlen(value), "metadata", error);
    return STATUS_OK;
}

// NULL if out of memory.
static json_t *size_array(size_t count, const size_t *sizes)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) json_append(&array, json_integer((json_int_t)sizes[i]));
    return array;
}

Status safetensors_writer_tensor(SafetensorsWriter *writer, const TensorView *tensor, Error *error)
{
    const char *name = tensor->name;
    TRY(check_text(name, "the tensor name", error));
    if (json_object_get(writer->header, name)) // true of "__metadata__" too
        return error_set(error, STATUS_ARGUMENT, "duplicate tensor '%.100s'", name);
    size_t bytes;
    bool fits = tensor->rank <= MAX_TENSOR_RANK;
    for (size_t i = 0; fits && i < tensor->rank; i++) fits = tensor->shape[i] <= INT64_MAX;
    if (!fits || !tensor_bytes(tensor->type, tensor->rank, tensor->shape, &bytes) ||
        bytes > INT64_MAX - writer->bytes)
        return error_set(error, STATUS_ARGUMENT, "the shape of tensor '%.100s' is too large", name);
    TRY(array_reserve(&writer->tensors, &writer->capacity, writer->count + 1, "tensor names",
                      error));
    const size_t end = writer->bytes + bytes;
    json_t *entry = json_pack("{sssoso}", "dtype", tensor_type_name(tensor->type), "shape",
                              size_array(tensor->rank, tensor->shape), "data_offsets",
                              size_array(2, (size_t[]){writer->bytes, end}));
    if (json_object_set_new(writer->header, name, entry))
        return out_of_memory(strlen(name), "a tensor name", error);
    writer->tensors[writer->count++] = (TensorView){.data = tensor->data, .bytes = bytes};
    writer->bytes = end;
    return STATUS_OK;
}

/* The file up to its data: the length and the header, padded so that the data begins at a multiple
 * of 64, with the checksum of everything. */
static Status make_header(const SafetensorsWriter *writer, Bytes *bytes, Error *error)
{
    Writer out = writer_start(bytes, error);
    writer_bytes(&out, (char[LENGTH_BYTES]){0}, LENGTH_BYTES);
    json_write(&out, json_incref(writer->header), JSON_COMPACT);
    writer_repeat(&out, " ", (64 - bytes->length % 64) % 64);
    TRY(writer_end(&out));
    uint64_t length = bytes->length - LENGTH_BYTES;
    if (length > MAX_SAFETENSORS_HEADER)
        return error_set(error, STATUS_ARGUMENT,
                         "the header would have %zu bytes, more than the %d allowed; store "
                         "less metadata",
                         (size_t)length, MAX_SAFETENSORS_HEADER);
    memcpy(bytes->data, &length, sizeof length);
    char digits[CHECKSUM_DIGITS + 1];
    safetensors_checksum(digits, bytes->data, bytes->length, writer->tensors, writer->count);
    memcpy(bytes->data + CHECKSUM_AT, digits, CHECKSUM_DIGITS);
    return STATUS_OK;
}

static Status write_all(const SafetensorsWriter *writer, FileWriter *file, Error *error)
{
    FREED_BY(bytes_free) Bytes header = {0};
    TRY(make_header(writer, &header, error));
    TRY(file_writer_write(file, header.data, header.length, error));
    for (size_t i = 0; i < writer->count; i++)
        TRY(file_writer_write(file, writer->tensors[i].data, writer->tensors[i].bytes, error));
    return STATUS_OK;
}

// What was written is read again, so that only a file that opens takes the old one's place.
static Status check_written(const char *temporary, const char *path, SafetensorsCheck *check,
                            Error *error)
{
    Error inner;
    Status status = check(temporary, &inner);
    if (status == STATUS_MEMORY) return error_set(error, status, "%s", inner.text);
    if (!status) return STATUS_OK;
    return error_set(error, STATUS_IO,
                     "%s: is not saved, and an existing file is unchanged: what was written does "
                     "not open: %s",
                     path, inner.text);
}

Status safetensors_writer_save(SafetensorsWriter *writer, const char *path, SafetensorsCheck *check,
                               Error *error)
{
    FileWriter *file;
    TRY(file_writer_open(&file, path, error));
    Status status = write_all(writer, file, error);
    if (!status && check) status = check_written(file_writer_temporary(file), path, check, error);
    if (!status) return file_writer_commit(file, error);
    file_writer_abandon(file);
    return status;
}

void safetensors_writer_free(SafetensorsWriter *writer)
{
    if (!writer) return;
    json_decref(writer->header);
    memory_free(writer->tensors);
    memory_free(writer);
}
