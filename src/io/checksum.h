/* A 64-bit checksum as fast as memory, so that a mapped model can be verified at every start.
 *
 * It finds damage (a changed, lost or swapped byte), not intent: it is no signature. With G =
 * 0x9E3779B97F4A7C15 (2^64 over the golden ratio), R = 0xBB67AE8584CAA73B (2^64 times the fraction
 * of √3), both odd, and all modulo 2^64:
 *
 *     lane_i = (i + 1) G                                i = 0 … 3
 *     for every 32 bytes, as 4 little-endian words:     (the last ones are filled up with zeros)
 *         lane_i = rotate_left(lane_i + R word_i, 31) G
 *     sum = seed + bytes
 *     for i = 0 … 3: sum = (sum ^ lane_i) G, then sum = sum ^ (sum >> 32)
 *
 * Every step is a bijection of the word, of the lane and of the sum, so damage inside one aligned
 * 8-byte word is always found; anything else is missed once in 2^64. A lane's step is that of
 * xxHash64 (Collet): multiplying before and after the rotation spreads every bit, and four lanes
 * hide that one multiplication waits for the one before it. */
#ifndef REGARD_IO_CHECKSUM_H
#define REGARD_IO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// The checksum of `bytes` bytes. Several pieces are chained by giving the sum of those before as
// `seed`; the first has 0.
uint64_t checksum(uint64_t seed, const void *data, size_t bytes);

#endif
