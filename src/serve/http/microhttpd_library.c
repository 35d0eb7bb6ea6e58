#define _GNU_SOURCE
#include "serve/http/microhttpd_library.h"

#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <stdbool.h>

Status microhttpd_library_load(MicrohttpdLibrary *library, Error *error)
{
    void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    bool found = handle != NULL;
#define MICROHTTPD_FIND(name)                                                                      \
    found = found && dynamic_library_find(&library->name, handle, "MHD_" #name);
    MICROHTTPD_FUNCTIONS(MICROHTTPD_FIND)
#undef MICROHTTPD_FIND
    if (found) return STATUS_OK;
    return error_set(error, STATUS_IO, "libmicrohttpd cannot be loaded: %s; install it", dlerror());
}
