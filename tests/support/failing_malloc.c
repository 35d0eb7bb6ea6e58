#include "support/failing_malloc.h"

#include <check.h>

static _Thread_local size_t countdown; // 0 is off
static _Thread_local bool failed;
static _Thread_local size_t rounds; // of failing_malloc_next; 0 between loops

void failing_malloc_at(size_t n)
{
    countdown = n;
    failed = false;
}

bool failing_malloc_stop(void)
{
    countdown = 0;
    return failed;
}

bool failing_malloc_expect(Status status)
{
    countdown = 0;
    ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
    return failed;
}

bool failing_malloc_next(void)
{
    bool more = rounds == 0 || failed;
    rounds = more ? rounds + 1 : 0;
    failing_malloc_at(rounds);
    return more;
}

static bool fails_now(void)
{
    if (countdown == 0 || --countdown > 0) return false;
    failed = true;
    return true;
}

// The linker turns calls of malloc into __wrap_malloc, and __real_malloc into the malloc of libc or
// of the sanitizer.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails_now() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails_now() ? NULL : __real_aligned_alloc(alignment, size);
}
