/* Long work that its caller may end early: it asks from time to time, and then fails with
 * STATUS_INTERRUPTED like any other failure. */
#pragma once

#include "base/status.h"

typedef struct Cancel {
    bool (*wanted)(void *context); // asked by several threads at the same time; NULL: it never is
    void *context;
} Cancel;

// STATUS_INTERRUPTED if cancelling is wanted; `cancel` may be NULL.
static inline Status cancel_check(const Cancel *cancel, Error *error)
{
    if (!cancel || !cancel->wanted || !cancel->wanted(cancel->context)) return STATUS_OK;
    return error_set(error, STATUS_INTERRUPTED, "cancelled on request");
}
