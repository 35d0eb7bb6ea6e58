/* Model files for tests of what is built on models: no training, random weights, a few
 * milliseconds. */
#pragma once

#include <stdint.h>

// Letters that the vocabulary has besides the 256 bytes and the space.
#define TINY_MODEL_LETTERS "abcdefghijklmnopqrstuvwxyz"

/* Writes a model with a joint vocabulary without merges and E = H = D = A = 8. What it says is
 * random, another `seed` gives another, but likely letters and spaces and never endless. Its units
 * are words of the source and characters of the target. Any failure fails the test. */
void tiny_model_write(const char *path, uint64_t seed);
