/* The bytes of a file or of standard input, decompressed if they are gzip, xz or zstd.
 *
 * Formats are recognised by their first bytes (unpacker.h), not by the name. Concatenated members
 * (xz: streams, zstd: frames) are one text, and zero bytes after the last are padding, as for
 * gzip(1); anything else there is an error, as is a member that is cut off or has a wrong checksum,
 * and what unpacks to over 16 MiB and 200 times its size, which would fill the memory. An archive,
 * zip, such as .xlsx, .ods or .docx, or a format whose library the program was built without, is
 * STATUS_ARGUMENT.
 * read(2) takes bytes as they arrive, so that a line written to a pipe is available at once.
 *
 * A file that was written to while it was read is an error at its end, as what was read may mix old
 * and new text. A file replaced by renaming another over it is read as it was. */
#pragma once

#include "base/status.h"

typedef struct ByteStream ByteStream;

// Opens a file, a pipe or a device, not a directory; `-` is standard input, which is never closed.
Status byte_stream_open(ByteStream **stream, const char *path, Error *error);

/* Reads 1 … `capacity` bytes, as many as are available. *length = 0 is the end; without `wait` it
 * may also mean that a read would block. */
Status byte_stream_read(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                        Error *error);

// Whether a read has reached the end.
bool byte_stream_ended(const ByteStream *stream);

/* The share of a file that the bytes read so far are of, 0 … 1; less than 0 where that is not known:
 * of a pipe, a terminal. */
double byte_stream_share(const ByteStream *stream);

// The name that messages use: the path, or "standard input".
const char *byte_stream_name(const ByteStream *stream);

void byte_stream_close(ByteStream *stream); // NULL is allowed
FREES_POINTER(ByteStream, byte_stream_close)
