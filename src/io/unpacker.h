/* Formats of compressed streams: gzip, xz and zstd, recognised by their first bytes. */
#ifndef REGARD_IO_UNPACKER_H
#define REGARD_IO_UNPACKER_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_UNPACKER_MAGIC = 6 };

// What a step may read and write; it moves the pointers on.
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
    const char *library; // that it needs, as Debian calls its package
    const unsigned char *magic;
    size_t magic_length;
    // The functions are NULL if the program was built without the library.
    void *(*open)(void); // NULL if out of memory
    UnpackResult (*step)(void *state,
                         UnpackBuffers *buffers); // after an end, begins the next member
    void (*close)(void *state);                   // NULL is allowed
} Unpacker;

extern const Unpacker unpacker_gzip, unpacker_xz, unpacker_zstd;

/* The format that these first bytes of a file begin, or NULL; *undecided: more bytes may tell, up to
 * MAX_UNPACKER_MAGIC. */
const Unpacker *unpacker_find(const unsigned char *bytes, size_t length, bool *undecided);

#endif
