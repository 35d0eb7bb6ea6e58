/* Running out of memory on purpose. Every test program is linked so that malloc, calloc, realloc
 * and aligned_alloc pass through here (the linker's --wrap), in every build, sanitizers included:
 *
 *     for (size_t n = 1;; n++) {
 *         failing_malloc_at(n);
 *         Status status = the_function(…);
 *         if (!failing_malloc_stop()) break; // it needs fewer than n allocations: all have failed
 * once ck_assert_int_eq(status, STATUS_MEMORY);
 *     }
 *
 * Only calls from objects linked into the program count, so a shared library's are not seen unless
 * it lets one choose its malloc; only the thread that armed it is affected. Assert after stopping:
 * Check allocates too. */
#ifndef REGARD_TESTS_SUPPORT_FAILING_MALLOC_H
#define REGARD_TESTS_SUPPORT_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>

// From now on the n-th allocation (n ≥ 1) fails, and only that one.
void failing_malloc_at(size_t n);

// Back to normal. Returns whether an allocation was made to fail.
bool failing_malloc_stop(void);

#endif
