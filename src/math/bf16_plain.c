/* Products in bf16 in C for any processor. */
#define BF16_LANES 4
#define BF16_KERNELS bf16_plain
#define BF16_NAME "plain"
#include "math/bf16_body.h"
#include "math/elementary.h"

// A number of bf16 is the upper half of a float.
static inline Sums multiply_pairs(Sums sums, Words x, Words w)
{
    const Words upper = 0xffff0000u - (Words){0};
    sums += (Sums)(x & upper) * (Sums)(w & upper);
    return sums + (Sums)(x << 16) * (Sums)(w << 16);
}

static inline Words round_both(Sums first, Sums second)
{
    uint16_t numbers[2 * BF16_LANES];
    for (int l = 0; l < BF16_LANES; l++) {
        numbers[l] = bf16_of((real)first[l]);
        numbers[BF16_LANES + l] = bf16_of((real)second[l]);
    }
    Words words;
    memcpy(&words, numbers, sizeof words);
    return words;
}

static inline Words round_beside(Sums low, Sums high)
{
    Words words = {0};
    for (int l = 0; l < BF16_LANES; l++)
        words[l] = (uint32_t)bf16_of((real)low[l]) | (uint32_t)bf16_of((real)high[l]) << 16;
    return words;
}
