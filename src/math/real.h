/* The number that everything computes with: float in the program, double in the tests that check
 * gradients. */
#pragma once

#ifdef REGARD_DOUBLE
typedef double real;
#else
typedef float real;
#endif
