// What is fuzzed, as a file: for readers that take a path. Wants _GNU_SOURCE.
#pragma once

#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// The path of a file in memory that holds these bytes, until the next call.
static inline const char *file_of(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    require(!ftruncate(descriptor, 0) && pwrite(descriptor, data, size, 0) == (ssize_t)size);
    return path;
}
