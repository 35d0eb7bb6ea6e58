/* Any bytes as a file of lines, gzip or not, once waiting and once asking before each line.
 *
 *     make BUILD=asan B=build/fuzz CC=clang CFLAGS=-fsanitize=fuzzer-no-link build/fuzz/libregard.a
 *     clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/fuzz_gzip.c
 *         build/fuzz/libregard.a $(pkg-config --libs libutf8proc zlib libxml-2.0) -lm -o fuzz_gzip
 *     ./fuzz_gzip -max_total_time=120 */
#define _GNU_SOURCE
#include "corpus/line_reader.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
