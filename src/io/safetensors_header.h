/* The header of a safetensors file (io/safetensors.h): its tensors, each checked by itself, and its
 * metadata. */
#ifndef REGARD_IO_SAFETENSORS_HEADER_H
#define REGARD_IO_SAFETENSORS_HEADER_H

#include "io/safetensors.h"

#include <stdbool.h>

typedef struct MetadataEntry {
    const char *key, *value;
} MetadataEntry;

typedef struct SafetensorsHeader {
    char *strings;       // every name, key and value
    TensorView *tensors; // (count), in the order of the header
    size_t count, capacity;
    MetadataEntry *metadata; // (entry_count), by key
    size_t entry_count, entry_capacity;
} SafetensorsHeader;

/* What is wrong with a file, and what to do. */
__attribute__((format(printf, 3, 4))) Status safetensors_unusable(const char *path, Error *error,
                                                                  const char *format, ...);

/* Reads the header, text (length), whose tensors lie in data (data_bytes). STATUS_FORMAT,
 * STATUS_MEMORY; to be freed in either case. */
Status safetensors_header_read(SafetensorsHeader *header, const char *text, size_t length,
                               const char *data, size_t data_bytes, const char *path, Error *error);

// NULL if there is none of that key.
const char *safetensors_header_find(const SafetensorsHeader *header, const char *key);

void safetensors_header_free(SafetensorsHeader *header);

#endif
