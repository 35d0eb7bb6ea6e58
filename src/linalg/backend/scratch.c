#include "linalg/backend/scratch.h"

#include "base/memory.h"

#include <pthread.h>

typedef struct Scratch {
    void *memory[SCRATCH_COUNT];
    size_t bytes[SCRATCH_COUNT];
} Scratch;

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static int key_status;
static bool was_short; // what a thread could not get, another one tells

static void scratch_free(void *memory)
{
    Scratch *scratch = memory;
    for (size_t i = 0; i < SCRATCH_COUNT; i++) memory_free(scratch->memory[i]);
    memory_free(scratch);
}

static void make_key(void)
{
    key_status = pthread_key_create(&key, scratch_free);
}

static void *none(void)
{
    __atomic_store_n(&was_short, true, __ATOMIC_RELAXED);
    return NULL;
}

static Scratch *scratch_of_thread(void)
{
    pthread_once(&key_once, make_key);
    if (key_status) return NULL;
    Scratch *scratch = pthread_getspecific(key);
    if (scratch) return scratch;
    scratch = memory_new(1, sizeof *scratch);
    if (!scratch || !pthread_setspecific(key, scratch)) return scratch;
    memory_free(scratch);
    return NULL;
}

void *scratch_take(ScratchPlace place, size_t bytes)
{
    Scratch *scratch = scratch_of_thread();
    if (!scratch) return none();
    if (scratch->memory[place] && bytes <= scratch->bytes[place]) return scratch->memory[place];
    size_t capacity = bytes + bytes / 4 + 64;
    void *larger = memory_aligned(capacity, 1);
    if (!larger) return none();
    memory_free(scratch->memory[place]);
    scratch->memory[place] = larger;
    scratch->bytes[place] = capacity;
    return larger;
}

bool scratch_was_short(void)
{
    return __atomic_exchange_n(&was_short, false, __ATOMIC_RELAXED);
}
