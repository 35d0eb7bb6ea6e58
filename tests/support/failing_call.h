/* System calls that fail on purpose, and what another process does between two of them; beside
 * failing_malloc.h, and by the same means:
 *
 *     failing_call_at(CALL_READ, 2, EIO); // the second read(2) from now on fails
 *     Status status = the_function(…);
 *     ck_assert(failing_call_stop());
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum FailingCall {
    CALL_READ,
    CALL_WRITE,
    CALL_PREAD,
    CALL_PWRITE,
    CALL_FSTAT,
    CALL_FSYNC,
    CALL_FCHOWN,
    CALL_FLOCK,
    CALL_RENAME,
    CALL_UNLINK,
    CALL_GETENTROPY,
} FailingCall;

/* From now on the n-th such call (n ≥ 1) does nothing and fails with this errno, and only that one;
 * with 0 it returns 0, as read(2) does at the end of a file. */
void failing_call_at(FailingCall call, size_t n, int number);

// The n-th such call is made as ever, but before it `meanwhile` is called.
void failing_call_meanwhile(FailingCall call, size_t n, void (*meanwhile)(void));

// Back to normal. Returns whether that call has come.
bool failing_call_stop(void);
