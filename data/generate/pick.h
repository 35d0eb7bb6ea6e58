/* Random choices: SplitMix64 (Steele, Lea & Flood 2014), the same on every machine. */
#ifndef PICK_H
#define PICK_H

#include <stddef.h>
#include <stdint.h>

typedef struct Picker {
    uint64_t state;
} Picker;

// A number in 0 … bound-1; bound > 0.
size_t pick(Picker *picker, size_t bound);

#endif
