/* OpenBLAS, loaded when it is first needed.
 *
 * It isn't linked because of what 0.3.21 does before main: it starts a thread for every processor,
 * and while the address space is too short for its working memory (`ulimit -v`) it asks for it
 * again without end (https://github.com/OpenMathLib/OpenBLAS/issues/5289), here and in each
 * product. So it is loaded with one thread, and its memory is set aside beforehand. */
#ifndef REGARD_LINALG_BACKEND_OPENBLAS_LIBRARY_H
#define REGARD_LINALG_BACKEND_OPENBLAS_LIBRARY_H

#include "base/status.h"

#include <cblas.h>

typedef struct OpenblasLibrary {
    __typeof__(cblas_sgemm) *sgemm;
    __typeof__(cblas_dgemm) *dgemm;
    __typeof__(openblas_get_config) *config;
    __typeof__(openblas_get_corename) *core;
} OpenblasLibrary;

/* The functions, once openblas_library_start has succeeded. Before that, in tests and for
 * descriptions, they are loaded without memory set aside. NULL if the library isn't there. */
const OpenblasLibrary *openblas_library(void);

/* Loads the library and sets aside its memory for products on `threads` threads at once. Any
 * thread may call it, any number of times. STATUS_IO if there is no OpenBLAS, STATUS_MEMORY. */
Status openblas_library_start(size_t threads, Error *error);

#endif
