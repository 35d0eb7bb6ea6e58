#include "io/checksum.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the checksum reads its words as little-endian"
#endif

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u, ROOT3 = 0xBB67AE8584CAA73Bu;

static uint64_t step(uint64_t lane, uint64_t word)
{
    lane += word * ROOT3;
    return (lane << 31 | lane >> 33) * GOLDEN;
}

/* Processors fetch ahead within a page of 4096 bytes alone; asked for the next page's bytes in time, the sum takes half as
 * long. */
enum { LANES = 4, WORDS = 8, AHEAD = 4096 };

uint64_t checksum(uint64_t seed, const void *data, size_t bytes)
{
    const char *next = data;
    uint64_t lanes[LANES] = {GOLDEN, 2 * GOLDEN, 3 * GOLDEN, 4 * GOLDEN}, words[WORDS];
    size_t left = bytes;
    for (; left >= sizeof words; left -= sizeof words, next += sizeof words) {
        if (left > AHEAD) __builtin_prefetch(next + AHEAD);
        memcpy(words, next, sizeof words);
        for (int i = 0; i < WORDS; i++) lanes[i % LANES] = step(lanes[i % LANES], words[i]);
    }
    memset(words, 0, sizeof words);
    if (left > 0) memcpy(words, next, left);
    size_t used = (left + 31) / 32 * LANES; // all lanes take a word, or none does
    for (size_t i = 0; i < used; i++) lanes[i % LANES] = step(lanes[i % LANES], words[i]);
    uint64_t sum = seed + bytes;
    for (int i = 0; i < LANES; i++) {
        sum = (sum ^ lanes[i]) * GOLDEN;
        sum ^= sum >> 32;
    }
    return sum;
}
