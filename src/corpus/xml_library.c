#define _GNU_SOURCE
#include "corpus/xml_library.h"

#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#if LIBXML_VERSION < 21400
static const char LIBRARY[] = "libxml2.so.2";
#else
static const char LIBRARY[] = "libxml2.so.16";
#endif

static struct {
    bool loaded;
    char reason[256]; // why it isn't
    XmlLibrary library;
} state;

static void load(void)
{
    XmlLibrary *library = &state.library;
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    state.loaded =
        handle &&
        dynamic_library_find(&library->structured_error, handle, "__xmlStructuredError") &&
        dynamic_library_find(&library->structured_error_context, handle,
                             "__xmlStructuredErrorContext") &&
        dynamic_library_find(&library->free, handle, "xmlFree");
#define XML_FIND(name)                                                                             \
    state.loaded = state.loaded && dynamic_library_find(&library->name, handle, "xml" #name);
    XML_FUNCTIONS(XML_FIND)
#undef XML_FIND
    if (!state.loaded) (void)snprintf(state.reason, sizeof state.reason, "%s", dlerror());
}

Status xml_library(const XmlLibrary **library, Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *library = &state.library;
    if (state.loaded) return STATUS_OK;
    return error_set(error, STATUS_IO, "libxml2 cannot be loaded: %s; install it", state.reason);
}
