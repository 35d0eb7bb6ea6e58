#define _GNU_SOURCE
#include "linalg/backend/openblas_library.h"

#include "base/dynamic_library.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

// The most that a product maps for itself on x86-64 (BUFFER_SIZE in common_x86_64.h).
static const size_t BUFFER_BYTES = (size_t)128 << 20;

static const char LIBRARY[] = "libopenblas.so.0";
static const char THREADS_VARIABLE[] = "OPENBLAS_NUM_THREADS";

typedef void *Allocate(int position);
typedef void Release(void *buffer);

static struct {
    bool loaded;
    char reason[256]; // why it isn't
    OpenblasLibrary library;
    Allocate *allocate; // NULL in a build of OpenBLAS that hides them
    Release *release;
    pthread_mutex_t mutex; // of what follows
    size_t buffers;        // set aside so far
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// It reads the number of threads when it is loaded, and from the environment alone.
static void *open_with_one_thread(void)
{
    const char *set = getenv(THREADS_VARIABLE);
    char before[32];
    snprintf(before, sizeof before, "%s", set ? set : "");
    setenv(THREADS_VARIABLE, "1", 1);
    void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (set)
        setenv(THREADS_VARIABLE, before, 1);
    else
        unsetenv(THREADS_VARIABLE);
    return handle;
}

static void load(void)
{
    void *handle = open_with_one_thread();
    if (!handle) {
        snprintf(state.reason, sizeof state.reason, "%s", dlerror());
        return;
    }
    OpenblasLibrary *library = &state.library;
    __typeof__(openblas_set_num_threads) *set_threads;
    state.loaded = dynamic_library_find(&library->sgemm, handle, "cblas_sgemm") &&
                   dynamic_library_find(&library->dgemm, handle, "cblas_dgemm") &&
                   dynamic_library_find(&library->config, handle, "openblas_get_config") &&
                   dynamic_library_find(&library->core, handle, "openblas_get_corename") &&
                   dynamic_library_find(&set_threads, handle, "openblas_set_num_threads");
    if (!state.loaded) {
        snprintf(state.reason, sizeof state.reason, "%s: is not OpenBLAS", LIBRARY);
        return;
    }
    set_threads(1); // where the program had loaded it before
    if (!dynamic_library_find(&state.allocate, handle, "blas_memory_alloc") ||
        !dynamic_library_find(&state.release, handle, "blas_memory_free"))
        state.allocate = NULL;
}

const OpenblasLibrary *openblas_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return state.loaded ? &state.library : NULL;
}

/* OpenBLAS keeps what it has mapped: after as many buffers as there are threads have been in use at
 * once, none is mapped any more. */
static Status set_aside(size_t threads, Error *error)
{
    if (!state.allocate || threads <= state.buffers) return STATUS_OK;
    size_t bytes = (threads - state.buffers) * BUFFER_BYTES;
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return error_set(error, STATUS_MEMORY,
                         "out of memory: OpenBLAS needs %zu MB of address space for %zu "
                         "thread%s; raise the limit (ulimit -v) or use fewer threads",
                         threads * BUFFER_BYTES >> 20, threads, threads == 1 ? "" : "s");
    munmap(room, bytes);
    void **buffers = memory_new(threads, sizeof *buffers);
    if (!buffers) return error_memory(error, threads * sizeof *buffers, "products");
    for (size_t i = 0; i < threads; i++) buffers[i] = state.allocate(0);
    for (size_t i = 0; i < threads; i++) state.release(buffers[i]);
    memory_free(buffers);
    state.buffers = threads;
    return STATUS_OK;
}

Status openblas_library_start(size_t threads, Error *error)
{
    if (!openblas_library())
        return error_set(error, STATUS_IO,
                         "OpenBLAS cannot be loaded: %s; install it, or raise the limit on memory "
                         "(ulimit -v)",
                         state.reason);
    pthread_mutex_lock(&state.mutex);
    Status status = set_aside(threads, error);
    pthread_mutex_unlock(&state.mutex);
    return status;
}
