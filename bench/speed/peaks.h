/* How many operations a second a backend does in large products: what every share is a share of. */
#pragma once

#include "base/threads.h"
#include "bench/speed/bench.h"

/* The best of several shapes and times, by all threads of a team at once, each with a product of its
 * own: y = x wᵀ through src/linalg/product.h, with the conversion of factors to bf16. */
Status peak_measure(double *peak, const Backend *backend, Threads *threads, bool quick,
                    Error *error);
