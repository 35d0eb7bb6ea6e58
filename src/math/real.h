/* The number that everything computes with: float in the program, double in the tests that check
 * gradients. */
#ifndef REGARD__MATH_REAL_H
#define REGARD__MATH_REAL_H

#ifdef REGARD_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
