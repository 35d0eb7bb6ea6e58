/* The number that everything computes with: float in the program, double in the tests that check
 * gradients. */
#ifndef REGARD_MATH_REAL_H
#define REGARD_MATH_REAL_H

#ifdef REGARD_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
