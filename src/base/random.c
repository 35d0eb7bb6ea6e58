#include "base/random.h"

#include "base/philox.h"

#include <math.h>

uint32_t random_u32(Random *random)
{
    unsigned place = (unsigned)(random->position % 4);
    if (!random->drawn || place == 0) {
        uint64_t block = random->position / 4;
        // the highest bit distinguishes sequences from counters made elsewhere (layers/dropout.c)
        uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)random->stream,
                               (uint32_t)(random->stream >> 32) | 0x80000000u};
        philox(random->block, counter, random->seed);
        random->drawn = true;
    }
    random->position++;
    return random->block[place];
}

static uint64_t random_u64(Random *random)
{
    uint64_t high = random_u32(random);
    return high << 32 | random_u32(random);
}

uint64_t random_below(Random *random, uint64_t bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound; // the largest multiple of bound
    uint64_t draw;
    do draw = random_u64(random);
    while (draw >= limit);
    return draw % bound;
}

double random_uniform(Random *random)
{
    return (double)(random_u64(random) >> 11) * 0x1p-53;
}

double random_normal(Random *random)
{
    double u = 1.0 - random_uniform(random); // in (0, 1]: the logarithm is finite
    double v = random_uniform(random);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

void random_shuffle(Random *random, uint32_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)random_below(random, i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}
