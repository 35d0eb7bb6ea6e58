#include "io/unpacker.h"

#include <string.h>

const Unpacker *unpacker_find(const unsigned char *bytes, size_t length, bool *undecided)
{
    static const Unpacker *const all[] = {&unpacker_gzip, &unpacker_xz, &unpacker_zstd};
    *undecided = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t known = length < all[i]->magic_length ? length : all[i]->magic_length;
        if (memcmp(bytes, all[i]->magic, known) != 0) continue;
        if (known == all[i]->magic_length) return all[i];
        *undecided = true;
    }
    return NULL;
}
