// Functions of libraries that are loaded when they are first needed.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* Sets the pointer at `function` to what a library, opened by dlopen, has under a name; false, and
 * NULL, if it has nothing, of which dlerror then tells. */
static inline bool dynamic_library_find(void *function, void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol); // as a function pointer, which ISO C allows by a copy
    return symbol != NULL;
}
