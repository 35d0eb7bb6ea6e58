/* Formats of compressed streams, recognised by their first bytes: gzip, xz and zstd; and zip, which is
 * recognised only to be refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

// What a step may read and write; it reduces what is left.
typedef struct UnpackBuffers {
    const unsigned char *in;
    size_t in_left;
    char *out;
    size_t out_left;
    bool ended; // set: by this step the member (gzip), stream (xz) or frame (zstd) has ended
    const char *detail; // set after UNPACK_BROKEN: what is wrong
} UnpackBuffers;

typedef enum UnpackResult { UNPACK_OK, UNPACK_BROKEN, UNPACK_MEMORY } UnpackResult;

typedef struct Unpacker {
    const char *name;
    const char *command; // that unpacks as far as possible
    const char *library; // that it needs, as Debian calls its package; NULL: it cannot be read
    const char *magic;   // its first bytes
    size_t magic_length;
    // The functions are NULL if it cannot be read, or the program was built without the library.
    void *(*open)(void); // NULL if out of memory
    // after an end, begins the next member
    UnpackResult (*step)(void *state, UnpackBuffers *buffers);
    void (*close)(void *state);
} Unpacker;

// The format that these first bytes of a file begin, or NULL; *undecided: more bytes may tell.
const Unpacker *unpacker_find(const unsigned char *bytes, size_t length, bool *undecided);
