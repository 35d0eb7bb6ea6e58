#include "pick.h"

size_t pick(Picker *picker, size_t bound)
{
    uint64_t z = picker->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (size_t)((z >> 32) * bound >> 32); // bounds here are tiny: the bias does not matter
}
