// Stands in for the loading of libraries, of which there are none.
#pragma once

#include <stddef.h>

#define RTLD_NOW 0
#define RTLD_GLOBAL 0
#define dlopen(path, flags) ((void)(path), NULL)
#define dlsym(library, name) ((void)(library), (void)(name), NULL)
#define dlerror() ((char *)NULL)
