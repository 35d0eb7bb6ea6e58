/* What the reader (safetensors.c) and the writer (safetensors_writer.c) agree on; safetensors.h
 * explains it. */
#pragma once

#include "io/safetensors.h"

#define METADATA_KEY "__metadata__"
#define CHECKSUM_KEY "regard.checksum"
#define CHECKSUM_KIND_KEY "regard.checksum.kind"
#define CHECKSUM_KIND "xxh3-64"

// How the header begins in a file with a checksum: this, the digits, and that.
#define CHECKSUM_BEFORE "{\"" METADATA_KEY "\":{\"" CHECKSUM_KEY "\":\""
#define CHECKSUM_AFTER "\",\"" CHECKSUM_KIND_KEY "\":\"" CHECKSUM_KIND "\""

enum {
    LENGTH_BYTES = 8,
    CHECKSUM_DIGITS = 16,
    CHECKSUM_AT = LENGTH_BYTES + sizeof CHECKSUM_BEFORE - 1, // where the digits begin in the file
    CHECKSUM_END = CHECKSUM_AT + CHECKSUM_DIGITS,            // and where they end
    MIN_CHECKSUM = CHECKSUM_END + sizeof CHECKSUM_AFTER - 1, // a file with a checksum is no shorter
};

// Bytes of a tensor of this shape and type; false if they overflow.
bool tensor_bytes(TensorType type, size_t rank, const size_t *shape, size_t *bytes);

/* The checksum, as the digits that the file holds, of a file that begins with `bytes` bytes, length and
 * header, of which the digits themselves do not count, and goes on with the data of the tensors. */
void safetensors_checksum(char digits[CHECKSUM_DIGITS + 1], const char *start, size_t bytes,
                          const TensorView *tensors, size_t count);
