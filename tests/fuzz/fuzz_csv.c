/* Any bytes as a CSV and as a TSV with quotation marks.
 *
 * tests/fuzz/run builds and runs it. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "corpus/csv.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_all(const char *path, CsvForm form)
{
    LineReader *lines;
    Csv *csv;
    CsvRow row;
    bool more;
    Error error = {0};
    if (line_reader_open(&lines, path, &error)) return;
    if (csv_open(&csv, lines, form, &error)) abort();
    size_t line = 0, bytes = 0;
    while (csv_next(csv, &row, &more, &error) == STATUS_OK && more) {
        assert(row.line > line);
        assert(row.count > 0 || row.fault);
        line = row.line;
        for (size_t i = 0; i < row.count; i++)
            for (size_t at = 0; at < row.cells[i].length; at++) bytes += row.cells[i].data[at] != 0;
    }
    assert(!error.status || *error.text);
    assert(line + bytes < SIZE_MAX);
    csv_close(csv);
    line_reader_close(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    read_all(path, CSV_FORM_CSV);
    read_all(path, CSV_FORM_TSV);
    close(descriptor);
    return 0;
}
