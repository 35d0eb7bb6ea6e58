/* Memory of the calling thread for what products need while they run, such as converted factors.
 * It is kept from one product to the next, grows when one needs more, and ends with the thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum ScratchPlace {
    SCRATCH_LEFT,
    SCRATCH_RIGHT,
    SCRATCH_RESULT,
    SCRATCH_WORKING, // of oneDNN's primitives
    SCRATCH_COUNT
} ScratchPlace;

// At least `bytes`, valid until the next call for the same place; NULL if out of memory.
void *scratch_take(ScratchPlace place, size_t bytes);

// Whether memory has run out since the last call, on any thread.
bool scratch_was_short(void);
