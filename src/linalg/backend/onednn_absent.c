// In place of onednn.c where oneDNN is not there, and in double, which it does not multiply.

#include "linalg/backend/onednn.h"

bool onednn_has(GemmPrecision precision)
{
    (void)precision;
    return false;
}

bool onednn_rows_exact(GemmPrecision precision)
{
    (void)precision;
    return false;
}

void onednn_describe(char *text, size_t size)
{
    if (size) *text = '\0';
}

size_t onednn_packed_bytes(GemmPrecision precision, PackedUse use, size_t out, size_t in)
{
    (void)precision, (void)use, (void)out, (void)in;
    return 0;
}

size_t onednn_packed_rows_bytes(GemmPrecision precision, size_t out, size_t in, size_t block)
{
    (void)precision, (void)out, (void)in, (void)block;
    return 0;
}

bool onednn_pack(void *packed, GemmPrecision precision, PackedUse use, Matrix weight)
{
    (void)packed, (void)precision, (void)use, (void)weight;
    return false;
}

bool onednn_multiply(Matrix y, Matrix x, const PackedWeight *weight, PackedUse use, GemmSum sum)
{
    (void)y, (void)x, (void)weight, (void)use, (void)sum;
    return false;
}

size_t onednn_right_room(size_t rows, size_t columns)
{
    (void)rows, (void)columns;
    return 0;
}

bool onednn_right_ready(uint16_t *room, Matrix x)
{
    (void)room, (void)x;
    return false;
}

bool onednn_multiply_weight(Matrix dw, GemmSum sum, Matrix dy, Matrix x, GemmPrecision precision)
{
    (void)dw, (void)sum, (void)dy, (void)x, (void)precision;
    return false;
}
