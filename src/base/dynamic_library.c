#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <string.h>

bool dynamic_library_find(void *function, void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol); // as a function pointer, which ISO C allows by a copy
    return symbol != NULL;
}
