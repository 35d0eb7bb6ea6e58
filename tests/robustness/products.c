/* The bits of products in int8, of all numbers of columns and terms up to 300, with 1 to 7 rows, one
 * after the other: one hash. With a step, those alone whose sum of sizes it divides.
 *
 *     products [STEP]
 *
 * one_hash.py runs it for all instruction sets, and calls the function in WebAssembly. */
#include "linalg/backend/backend.h"
#include "linalg/product.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 300, MOST_ROWS = 7, PADDED = LARGEST + 20, SHIFTS = 1000 };

// Numbers from −1 to 1, which factors are parts of.
static real numbers[LARGEST * LARGEST + SHIFTS];

static void draw(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (real)(int32_t)state / (real)2147483648.0;
    }
}

// FNV-1a
static uint64_t hash_more(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_product(uint64_t hash, size_t rows, size_t out, size_t in)
{
    static real y[MOST_ROWS * LARGEST];
    static _Alignas(64) char form[PADDED * (sizeof(float) + PADDED)];
    Matrix x = matrix_of(numbers + (in + 7 * out) % SHIFTS, rows, in);
    Matrix weight = matrix_of(numbers + (7 * in + out) % SHIFTS, out, in);
    PackedWeight packed = {.backend = &backend_int8,
                           .rows = out,
                           .columns = in,
                           .forward = form,
                           .forward_bytes = sizeof form};
    backend_int8.pack(&packed, form, PACKED_FORWARD, weight);
    product_forward(matrix_of(y, rows, out), x, (Weight){.matrix = weight, .packed = &packed},
                    PRODUCT_SET);
    return hash_more(hash, y, rows * out * sizeof *y);
}

#ifdef __wasm__
__attribute__((export_name("hash_products")))
#endif
uint64_t
hash_products(unsigned step);

uint64_t hash_products(unsigned step)
{
    draw();
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t in = 1; in <= LARGEST; in++)
        for (size_t out = 1; out <= LARGEST; out++)
            if ((in + out) % step == 0)
                hash = hash_product(hash, 1 + (3 * in + out) % MOST_ROWS, out, in);
    return hash;
}

#ifndef __wasm__
int main(int count, char **words)
{
    printf("%016" PRIx64 "\n", hash_products(count > 1 ? (unsigned)atoi(words[1]) : 1));
    return 0;
}
#endif
