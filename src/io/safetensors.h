/* Named tensors in one file: the safetensors format (https://github.com/huggingface/safetensors),
 * which PyTorch, NumPy and JAX users can load without this program.
 *
 *     8 bytes            N, the length of the header, little-endian
 *     N bytes            the header, a JSON object that begins with '{' and may end in spaces:
 *                            {"__metadata__": {"key": "value", …},         strings only
 *                             "name": {"dtype": "F32", "shape": [V, E],
 *                                      "data_offsets": [begin, end]}, …}
 *     the rest           the data, row-major and little-endian; offsets count from here
 *
 * The tensors cover the data exactly, without overlap or hole. In files written here 8 + N is a
 * multiple of 64, the header's entries are in the order given, and nothing depends on the time or
 * the machine: equal content gives equal files.
 *
 * Files written here have a checksum. Their header begins with
 *
 *     {"__metadata__":{"regard.checksum":"0123456789abcdef","regard.checksum.kind":"xxh3-64"
 *
 * where the 16 digits are the XXH3_64bits (https://xxhash.com), each seeded with the one before,
 * of: the file up to the digits; the rest of the header; each tensor's data in order. A file that
 * has one of the two entries, but not this beginning or not this sum, is refused. Files without
 * both, from other programs, are accepted on their structure alone.
 *
 * For little-endian machines only: data is used in place. */
#pragma once

#include "base/status.h"

// name in the file, bytes per element; other types of the format (F16, BOOL, …) are refused
#define TENSOR_TYPE_LIST(X)                                                                        \
    X(F32, 4)                                                                                      \
    X(F64, 8)                                                                                      \
    X(BF16, 2)                                                                                     \
    X(I8, 1)                                                                                       \
    X(U8, 1)                                                                                       \
    X(I64, 8)                                                                                      \
    X(U64, 8)                                                                                      \
    X(I32, 4)                                                                                      \
    X(U32, 4)                                                                                      \
    X(U16, 2)

typedef enum TensorType {
#define TENSOR_TYPE_ENUM(name, size) TENSOR_##name,
    TENSOR_TYPE_LIST(TENSOR_TYPE_ENUM)
#undef TENSOR_TYPE_ENUM
} TensorType;

enum { MAX_TENSOR_RANK = 4 };
enum { MAX_SAFETENSORS_HEADER = 100000000 }; // bytes, the reference implementation's limit

// "F32" and so on; the bytes of one element
const char *tensor_type_name(TensorType type);
size_t tensor_type_size(TensorType type);

/* A tensor. All pointers of an open file's tensors belong to the file and are valid until
 * safetensors_close. */
typedef struct TensorView {
    const char *name;
    TensorType type;
    size_t rank; // 0 is one number
    size_t shape[MAX_TENSOR_RANK];
    const void *data; // in an open file aligned for its type, never NULL
    size_t bytes;
} TensorView;

/* An open file, immutable: several threads may share it. It is in memory, so whatever becomes of
 * the file on disk does no harm; tensors that are not aligned for their type in the file (none, if
 * the widest types come first) are copied. */
typedef struct SafetensorsFile SafetensorsFile;

/* Opens a file and checks all of the above. STATUS_IO if it cannot be read, STATUS_FORMAT if it is
 * damaged or not of this format; then *file is as it was. */
Status safetensors_open(SafetensorsFile **file, const char *path, Error *error);

/* The same in two steps, so that other work, such as on the metadata, can go on while the second
 * reads the data: the first checks all but the checksum. Until the second returns STATUS_OK, no
 * tensor may be used, and nothing of the metadata be relied on. */
Status safetensors_open_header(SafetensorsFile **file, const char *path, Error *error);
Status safetensors_read_data(SafetensorsFile *file, const char *path, Error *error);

size_t safetensors_size(const SafetensorsFile *file); // of the whole file, in bytes

size_t safetensors_count(const SafetensorsFile *file);

// Tensor `index` < count, in the order of their data.
const TensorView *safetensors_at(const SafetensorsFile *file, size_t index);

// NULL if there is none of that name.
const TensorView *safetensors_find(const SafetensorsFile *file, const char *name);

// NULL if there is none of that key.
const char *safetensors_metadata(const SafetensorsFile *file, const char *key);

void safetensors_close(SafetensorsFile *file); // NULL is allowed
FREES_POINTER(SafetensorsFile, safetensors_close)

// Collects the contents of a file. A failed call changes nothing.
typedef struct SafetensorsWriter SafetensorsWriter;

Status safetensors_writer_new(SafetensorsWriter **writer, Error *error);

/* `key` and `value` are copied. STATUS_ARGUMENT if one is not UTF-8, or if the key is a duplicate
 * or one of the checksum's. */
Status safetensors_writer_metadata(SafetensorsWriter *writer, const char *key, const char *value,
                                   Error *error);

/* Adds a tensor, whose `bytes` follow from its type and shape. The name is copied; the data is not,
 * and must stay unchanged until saved. STATUS_ARGUMENT if the name is not UTF-8, a duplicate or
 * "__metadata__", or if the rank or the shape is too large. */
Status safetensors_writer_tensor(SafetensorsWriter *writer, const TensorView *tensor, Error *error);

// Opens the file at a path as its reader will, and closes it again.
typedef Status SafetensorsCheck(const char *path, Error *error);

/* Writes the file completely or not at all (io/file_writer.h): before it takes the path's name,
 * what was written must pass `check`, unless that is NULL. The writer can be used again. */
Status safetensors_writer_save(SafetensorsWriter *writer, const char *path, SafetensorsCheck *check,
                               Error *error);

void safetensors_writer_free(SafetensorsWriter *writer); // NULL is allowed
FREES_POINTER(SafetensorsWriter, safetensors_writer_free)
