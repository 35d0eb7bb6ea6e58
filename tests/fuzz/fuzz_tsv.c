/* Any bytes as a TSV, and as both files of a pair.
 *
 *     make BUILD=asan B=build/fuzz CC=clang CFLAGS=-fsanitize=fuzzer-no-link build/fuzz/libregard.a
 *     clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/fuzz_tsv.c
 *         build/fuzz/libregard.a $(pkg-config --libs libutf8proc zlib libxml-2.0) -lm -o fuzz_tsv
 *     ./fuzz_tsv -max_total_time=120 */
#define _GNU_SOURCE
#include "corpus/pair_reader.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const char *spec, bool keep_empty)
{
    PairReader *reader;
    Pair pair = {0};
    bool more;
    Error error = {0};
    if (pair_reader_open(&reader, spec, &error)) return;
    pair_reader_keep_empty(reader, keep_empty);
    size_t given = 0, line = 0;
    while (pair_reader_next(reader, &pair, &more, &error) == STATUS_OK && more) {
        given++;
        assert(pair.line > line);
        assert(keep_empty || (pair.source.length > 0 && pair.target.length > 0));
        line = pair.line;
    }
    PairCounts counts = pair_reader_counts(reader);
    assert(counts.lines == given + (keep_empty ? 0 : counts.empty));
    assert(error.status || given > 0);
    assert(!error.status || *error.text);
    pair_free(&pair);
    pair_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) return 0;
    char path[64], files[160];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    snprintf(files, sizeof files, "%s,%s", path, path);
    for (int keep_empty = 0; keep_empty < 2; keep_empty++) {
        read_all(path, keep_empty);
        read_all(files, keep_empty);
    }
    close(descriptor);
    return 0;
}
