/* Any bytes as a TMX file, in its own languages and in given ones.
 *
 * tests/fuzz/run builds and runs it. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "corpus/tmx.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_all(const char *path, const char *source, const char *target)
{
    Tmx *tmx;
    TmxUnit unit;
    bool more;
    Error error = {0};
    if (tmx_open(&tmx, path, source, target, &error)) return;
    size_t line = 0;
    while (tmx_next(tmx, &unit, &more, &error) == STATUS_OK && more) {
        assert(unit.line >= line);
        assert(unit.source.length <= TMX_TEXT_LIMIT && unit.target.length <= TMX_TEXT_LIMIT);
        assert(
            !memchr(unit.source.data, '\0', unit.source.length)); // XML has none; reads every byte
        assert(!memchr(unit.target.data, '\0', unit.target.length));
        line = unit.line;
    }
    assert(!error.status || *error.text);
    tmx_close(tmx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    read_all(path, NULL, NULL);
    read_all(path, "en", "fr-FR");
    close(descriptor);
    return 0;
}
