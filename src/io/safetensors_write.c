#include "base/array.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/utf8_sequence.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "io/safetensors_layout.h"

#include <jansson.h>
#include <string.h>
#include <xxhash.h>

typedef struct Piece {
    const void *data;
    size_t bytes;
} Piece;

struct SafetensorsWriter {
    json_t *header;   // Jansson keeps the order of insertion
    json_t *metadata; // belongs to the header; begins with a checksum of zeros
    Piece *pieces;    // (count) the tensors' data in order
    size_t count;
    size_t capacity;
    size_t bytes; // of all pieces
};

Status safetensors_writer_new(SafetensorsWriter **out, Error *error)
{
    SafetensorsWriter *writer = memory_new(1, sizeof *writer);
    if (!writer) return error_memory(error, sizeof *writer, "a model file");
    // Jansson's setters accept NULL for a failed allocation, so a chain needs one test
    writer->header = json_object();
    writer->metadata = json_object();
    if (json_object_set_new(writer->header, METADATA_KEY, writer->metadata) ||
        json_object_set_new(writer->metadata, CHECKSUM_KEY, json_string("0000000000000000")) ||
        json_object_set_new(writer->metadata, CHECKSUM_KIND_KEY, json_string(CHECKSUM_KIND))) {
        safetensors_writer_free(writer);
        return error_memory(error, sizeof *writer, "a model file");
    }
    *out = writer;
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
    Status status = check_text(key, "the metadata key", error);
    if (!status) status = check_text(value, "a metadata value", error);
    if (status) return status;
    if (json_object_get(writer->metadata, key))
        return error_set(error, STATUS_ARGUMENT, "duplicate metadata '%.100s'", key);
    if (json_object_set_new(writer->metadata, key, json_string(value)))
        return error_memory(error, strlen(value), "metadata");
    return STATUS_OK;
}

// NULL if out of memory.
static json_t *size_array(size_t count, const size_t *sizes)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(array, json_integer((json_int_t)sizes[i]))) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

Status safetensors_writer_tensor(SafetensorsWriter *writer, const TensorView *tensor, Error *error)
{
    const char *name = tensor->name;
    Status status = check_text(name, "the tensor name", error);
    if (status) return status;
    if (json_object_get(writer->header, name)) // true of "__metadata__" too
        return error_set(error, STATUS_ARGUMENT, "duplicate tensor '%.100s'", name);
    size_t bytes, end;
    bool fits = tensor->rank <= MAX_TENSOR_RANK;
    for (size_t i = 0; fits && i < tensor->rank; i++) fits = tensor->shape[i] <= INT64_MAX;
    if (!fits || !tensor_bytes(tensor->type, tensor->rank, tensor->shape, &bytes) ||
        __builtin_add_overflow(writer->bytes, bytes, &end) || end > INT64_MAX)
        return error_set(error, STATUS_ARGUMENT, "the shape of tensor '%.100s' is too large", name);
    status =
        array_reserve(&writer->pieces, &writer->capacity, writer->count + 1, "tensor names", error);
    if (status) return status;
    json_t *entry = json_pack("{sssoso}", "dtype", tensor_type_name(tensor->type), "shape",
                              size_array(tensor->rank, tensor->shape), "data_offsets",
                              size_array(2, (size_t[]){writer->bytes, end}));
    if (json_object_set_new(writer->header, name, entry))
        return error_memory(error, strlen(name), "a tensor name");
    writer->pieces[writer->count++] = (Piece){tensor->data, bytes};
    writer->bytes = end;
    return STATUS_OK;
}

typedef struct HeaderSink {
    Bytes *bytes;
    Status status; // Jansson 2.14 does not report every failure of the callback
    Error *error;
} HeaderSink;

static int append_header(const char *text, size_t length, void *context)
{
    HeaderSink *sink = context;
    if (!sink->status) sink->status = bytes_append(sink->bytes, text, length, sink->error);
    return sink->status ? -1 : 0;
}

/* The file up to its data: the length and the header, padded so that the data begins at a multiple
 * of 64, with the checksum of everything. */
static Status make_header(const SafetensorsWriter *writer, Bytes *bytes, Error *error)
{
    Status status = bytes_append(bytes, (char[LENGTH_BYTES]){0}, LENGTH_BYTES, error);
    HeaderSink sink = {bytes, status, error};
    bool dumped = json_dump_callback(writer->header, append_header, &sink, JSON_COMPACT) == 0;
    status = sink.status;
    if (!status && !dumped) status = error_memory(error, bytes->length, "a model file's header");
    while (!status && bytes->length % 64) status = bytes_append(bytes, " ", 1, error);
    if (status) return status;
    uint64_t length = bytes->length - LENGTH_BYTES;
    if (length > MAX_SAFETENSORS_HEADER)
        return error_set(error, STATUS_ARGUMENT,
                         "the header would have %zu bytes, more than the %d allowed; store "
                         "less metadata",
                         (size_t)length, MAX_SAFETENSORS_HEADER);
    memcpy(bytes->data, &length, sizeof length);
    uint64_t sum = safetensors_header_checksum(bytes->data, bytes->length);
    for (size_t i = 0; i < writer->count; i++)
        sum = XXH3_64bits_withSeed(writer->pieces[i].data, writer->pieces[i].bytes, sum);
    char digits[CHECKSUM_DIGITS + 1];
    safetensors_checksum_digits(digits, sum);
    memcpy(bytes->data + CHECKSUM_AT, digits, CHECKSUM_DIGITS);
    return STATUS_OK;
}

Status safetensors_writer_save(SafetensorsWriter *writer, const char *path, Error *error)
{
    Bytes header = {0};
    FileWriter *file = NULL;
    Status status = make_header(writer, &header, error);
    if (!status) status = file_writer_open(&file, path, error);
    if (!status) status = file_writer_write(file, header.data, header.length, error);
    for (size_t i = 0; !status && i < writer->count; i++)
        status = file_writer_write(file, writer->pieces[i].data, writer->pieces[i].bytes, error);
    if (status)
        file_writer_abandon(file);
    else
        status = file_writer_commit(file, error);
    bytes_free(&header);
    return status;
}

void safetensors_writer_free(SafetensorsWriter *writer)
{
    if (!writer) return;
    json_decref(writer->header);
    memory_free(writer->pieces);
    memory_free(writer);
}
