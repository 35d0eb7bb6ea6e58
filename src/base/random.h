/* Random numbers without hidden state: Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers:
 * as easy as 1, 2, 3"). A block of four 32-bit words is a function of a key and a counter, so a
 * dropout mask can be drawn for (seed, step, place, sentence) in any order, by any thread, and
 * again after resuming. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sequence drawn from one key. `stream` separates independent uses of one seed; it has 63 bits. A
 * run's own seed has the tensors' numbers as streams for initialisation, and from
 * RANDOM_STREAM_EPOCHS on the epochs for shuffling, and from RANDOM_STREAM_MIXED on the rounds in
 * which pairs that are mixed in are dealt. */
#define RANDOM_STREAM_EPOCHS ((uint64_t)1 << 32)
#define RANDOM_STREAM_MIXED ((uint64_t)1 << 33)

typedef struct Random {
    uint64_t seed;
    uint64_t stream;
    uint64_t position; // words drawn; storing these three numbers stores the generator
    uint32_t block[4]; // the one that `position` lies in, so that it is not computed four times
    bool drawn;        // whether `block` has been computed
} Random;

static inline Random random_from(uint64_t seed, uint64_t stream)
{
    return (Random){.seed = seed, .stream = stream};
}

uint32_t random_u32(Random *random);

// Uniform over 0 … bound-1 without bias (rejection); bound > 0.
uint64_t random_below(Random *random, uint64_t bound);

// Uniform in [0, 1), 53 bits.
double random_uniform(Random *random);

// Standard normal, by Box and Muller (1958).
double random_normal(Random *random);

// Fisher–Yates: a uniformly random order of `count` numbers.
void random_shuffle(Random *random, uint32_t *items, size_t count);
