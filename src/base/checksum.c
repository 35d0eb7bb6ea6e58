#include "base/checksum.h"

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

uint64_t checksum(uint64_t seed, const void *data, size_t bytes)
{
    const char *next = data;
    uint64_t a = GOLDEN, b = 2 * GOLDEN, c = 3 * GOLDEN, d = 4 * GOLDEN;
    for (size_t left = bytes; left > 0;) {
        uint64_t words[4] = {0};
        size_t taken = left < sizeof words ? left : sizeof words;
        if (taken == sizeof words) // a constant size becomes plain loads
            memcpy(words, next, sizeof words);
        else
            memcpy(words, next, taken);
        a = step(a, words[0]);
        b = step(b, words[1]);
        c = step(c, words[2]);
        d = step(d, words[3]);
        next += taken;
        left -= taken;
    }
    uint64_t lanes[4] = {a, b, c, d}, sum = seed + bytes;
    for (int i = 0; i < 4; i++) {
        sum = (sum ^ lanes[i]) * GOLDEN;
        sum ^= sum >> 32;
    }
    return sum;
}
