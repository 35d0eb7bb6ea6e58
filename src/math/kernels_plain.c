/* The kernels in C for any processor. */
#define KERNELS kernels_plain
#define KERNELS_NAME "plain"
#include "math/kernels_body.h"
