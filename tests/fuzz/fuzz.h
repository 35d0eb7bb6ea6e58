// What the fuzz targets share.
#pragma once

#include "text/normalise.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A finding, unless the condition holds.
static inline void require(bool condition)
{
    if (!condition) abort();
}

// Appends text as it is, or in the normal form that the program would have of it.
static inline void take_text(Bytes *side, const char *text, size_t length, bool normal)
{
    Error error;
    require((normal ? normalise(side, text, length, NULL, &error)
                    : bytes_append(side, text, length, &error)) == STATUS_OK);
}
