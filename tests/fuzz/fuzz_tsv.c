/* Any bytes as a TSV, and as both files of a pair.
 *
 * tests/fuzz/run builds and runs it. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "corpus/pair_reader.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_all(const char *spec, bool keep_empty)
{
    PairReader *reader;
    Pair pair = {0};
    bool more;
    Error error = {0};
    const PairOptions options = {.keep_empty = keep_empty};
    if (pair_reader_open(&reader, spec, &options, &error)) return;
    size_t given = 0, line = 0;
    while (pair_reader_next(reader, &pair, &more, &error) == STATUS_OK && more) {
        given++;
        assert(pair.line > line);
        assert(keep_empty || (pair.sides[0].length > 0 && pair.sides[1].length > 0));
        line = pair.line;
    }
    ReadCounts counts = pair_reader_counts(reader);
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
