// A file that is opened for reading: what its readers (byte_stream.h, file_content.h) share.
#pragma once

#include "base/status.h"

#include <sys/stat.h>

typedef struct InputFile {
    int descriptor;
    struct stat opened; // the file when it was opened
} InputFile;

/* Opens a file, not a directory, by more flags of open(2), or takes a `descriptor` that is open (else
 * −1). Messages call it `name`. On failure nothing is open that was not. */
Status input_file_open(InputFile *file, const char *name, int flags, int descriptor, Error *error);

/* Reads as read(2) does, again if a signal ends it, and waits where another program has made the
 * descriptor non-blocking (programs on a terminal share it). *got = 0 is the end. */
Status input_file_read(const InputFile *file, void *to, size_t bytes, size_t *got, const char *name,
                       Error *error);

// Whether nobody has written to the file: that changes its size or its time.
bool input_file_is_unchanged(const InputFile *file);
