/* Running out of memory on purpose. Every test program is linked so that malloc, calloc, realloc
 * and aligned_alloc pass through here (the linker's --wrap), in every build, sanitizers included:
 *
 *     while (failing_malloc_next()) {
 *         Bytes bytes = {0};
 *         bool failed = failing_malloc_expect(the_function(&bytes, …));
 *         …
 *     }
 *
 * Only calls from objects linked into the program count, so a shared library's are not seen unless
 * it lets one choose its malloc; only the thread that armed it is affected. Assert after stopping:
 * Check allocates too. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

// From now on the n-th allocation (n ≥ 1) fails, and only that one.
void failing_malloc_at(size_t n);

// Back to normal. Returns whether an allocation was made to fail.
bool failing_malloc_stop(void);

/* The same after a check that the call returned STATUS_MEMORY if an allocation was made to fail, and
 * STATUS_OK if not. */
bool failing_malloc_expect(Status status);

/* For a loop in which the first allocation fails in the first round, the second in the second, and
 * so on until a round has had none that failed. Leave it by `continue` only. */
bool failing_malloc_next(void);
