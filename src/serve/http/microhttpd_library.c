#define _GNU_SOURCE
#include "serve/http/microhttpd_library.h"

#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static const char LIBRARY[] = "libmicrohttpd.so.12";

static struct {
    bool loaded;
    char reason[256]; // why it isn't
    MicrohttpdLibrary library;
} state;

static void load(void)
{
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    state.loaded = handle != NULL;
#define MICROHTTPD_FIND(name)                                                                      \
    state.loaded = state.loaded && dynamic_library_find(&state.library.name, handle, "MHD_" #name);
    MICROHTTPD_FUNCTIONS(MICROHTTPD_FIND)
#undef MICROHTTPD_FIND
    if (!state.loaded) (void)snprintf(state.reason, sizeof state.reason, "%s", dlerror());
}

Status microhttpd_library(const MicrohttpdLibrary **library, Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *library = &state.library;
    if (state.loaded) return STATUS_OK;
    return error_set(error, STATUS_IO, "libmicrohttpd cannot be loaded: %s; install it",
                     state.reason);
}
