/* The bytes of a file or of standard input, decompressed if they are gzip.
 *
 * Whether they are is told by the content (1f 8b, which no UTF-8 text begins with), not by the
 * name. Several gzip members one behind the other are one text, and zero bytes behind the last are
 * padding, as for gzip(1); anything else there is an error, as is a member that is cut off or whose
 * checksum is wrong. The bytes are taken by read(2) as they come, so that a line written to a pipe
 * is there at once.
 *
 * A file that was written to between its opening and its end is an error at the end: what was read
 * may be half of the old text and half of the new. One that was replaced by renaming another over
 * it is read as it was. */
#ifndef REGARD_IO_BYTE_STREAM_H
#define REGARD_IO_BYTE_STREAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ByteStream ByteStream;

/* Opens a file, a pipe or a device; `-` is standard input, which is not closed afterwards. A
 * directory is refused. */
Status byte_stream_open(ByteStream **stream, const char *path, Error *error);

/* Reads 1 … `capacity` bytes, as many as are there. With `wait`, *length = 0 is the end; without
 * it, it may also mean that nothing can be had without waiting for another program or a terminal.
 */
Status byte_stream_read(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                        Error *error);

// Whether a read has come to the end.
bool byte_stream_ended(const ByteStream *stream);

// How messages call it: the path, or "standard input".
const char *byte_stream_name(const ByteStream *stream);

// NULL is allowed.
void byte_stream_close(ByteStream *stream);

#endif
