/* Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): a block of
 * four 32-bit words as a function of a key and a counter. Its rounds are inline, so that kernels
 * can vectorise over counters (math/kernels_body.h). */
#pragma once

#include <stdint.h>

enum { PHILOX_ROUNDS = 10 };

// One round of a counter.
static inline void philox_round(uint32_t *c0, uint32_t *c1, uint32_t *c2, uint32_t *c3, uint32_t k0,
                                uint32_t k1)
{
    uint64_t p0 = (uint64_t)*c0 * 0xD2511F53u, p1 = (uint64_t)*c2 * 0xCD9E8D57u;
    *c0 = (uint32_t)(p1 >> 32) ^ *c1 ^ k0;
    *c1 = (uint32_t)p1;
    *c2 = (uint32_t)(p0 >> 32) ^ *c3 ^ k1;
    *c3 = (uint32_t)p0;
}

// The key of the next round.
static inline void philox_next_key(uint32_t *k0, uint32_t *k1)
{
    *k0 += 0x9E3779B9u; // the golden ratio
    *k1 += 0xBB67AE85u; // sqrt(3) - 1
}

// out[4] = Philox4x32-10(key, counter); equal to the Random123 library's known answers
static inline void philox(uint32_t out[4], const uint32_t counter[4], uint64_t key)
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        philox_round(&c0, &c1, &c2, &c3, k0, k1);
        philox_next_key(&k0, &k1);
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}
