/* OpenBLAS's products of plain matrices. */
#ifndef REGARD_LINALG_BACKEND_OPENBLAS_H
#define REGARD_LINALG_BACKEND_OPENBLAS_H

#include "linalg/matrix.h"

#include <stdbool.h>

// c = a·b, either factor transposed if so marked, or added to c
void openblas_multiply(Matrix c, Matrix a, bool a_transposed, Matrix b, bool b_transposed,
                       ProductSum sum);

#endif
