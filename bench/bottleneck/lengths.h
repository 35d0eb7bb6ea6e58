/* The lengths of sources between which the experiment tells: as Bahdanau et al. (2014) draw them in figure 2, in tens up
 * to sixty, and what is longer. */
#ifndef REGARD_BENCH_BOTTLENECK_LENGTHS_H
#define REGARD_BENCH_BOTTLENECK_LENGTHS_H

#include <stddef.h>

// 1–10, 11–20, …, 51–60, 61 and more.
enum { LENGTH_CLASSES = 7, LENGTH_CLASS_WIDTH = 10 };

// The class of a length ≥ 1.
size_t length_class(size_t length);

// "1–10", "61+"; NULL-terminated, of static storage.
const char *length_class_name(size_t class);

#endif
