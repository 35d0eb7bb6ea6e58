/* The kernels for AVX2; the Makefile compiles this file alone with its flags. */
#include "math/kernels.h"

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#define KERNELS kernels_avx2
#define KERNELS_NAME "avx2"
#include "math/kernels_body.h"
#endif
