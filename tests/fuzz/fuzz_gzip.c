/* Any bytes as a file of lines, gzip, xz, zstd, zip or none of them, once waiting and once asking before each line.
 *
 * tests/fuzz/run builds and runs it. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "io/line_reader.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t read_all(const char *path, bool asking)
{
    LineReader *reader;
    Line line;
    bool more;
    Error error = {0};
    if (line_reader_open(&reader, path, &error)) return 0;
    size_t lines = 0;
    for (;;) {
        if (asking) assert(!line_reader_would_block(reader)); // a file never makes one wait
        if (line_reader_next(reader, &line, &more, &error) || !more) break;
        lines++;
        assert(line.number == lines);
        assert(!memchr(line.text, '\n', line.length));
    }
    assert(!error.status || *error.text);
    line_reader_close(reader);
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    assert(read_all(path, false) == read_all(path, true));
    close(descriptor);
    return 0;
}
