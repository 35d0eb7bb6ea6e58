#include "attention/products.h"

#include "math/kernels.h"

#include <math.h>

void products_energies(real *energies, const AttentionRow *row, const AttentionParams *params)
{
    const Kernels *k = kernels();
    for (size_t head = 0; head < params->widths.heads; head++) {
        Matrix keys = attention_head(row->keys, head, params->widths.heads); // (S, K / heads)
        k->gemv(energies + head * keys.rows, keys.values, row->query + head * keys.columns,
                keys.rows, keys.columns, keys.stride);
    }
}

void products_backward(real *dquery, Matrix dkeys, AttentionGrads *dparams, real *denergies,
                       const AttentionRow *row, const AttentionParams *params)
{
    (void)dparams; // no tensor is in the energies themselves
    const Kernels *k = kernels();
    for (size_t head = 0; head < params->widths.heads; head++) {
        Matrix keys = attention_head(row->keys, head, params->widths.heads); // (S, K / heads)
        Matrix dkeys_k = attention_head(dkeys, head, params->widths.heads);  // (S, K / heads)
        size_t S = keys.rows, width = keys.columns;
        const real *de = denergies + head * S; // (S)
        k->gemv_transposed(dquery + head * width, de, keys.values, S, width, keys.stride);
        k->ger(dkeys_k.values, de, row->query + head * width, S, width, dkeys_k.stride);
    }
}

void products_scale(Matrix query, const AttentionParams *params)
{
    size_t width = query.columns / params->widths.heads; // of a head
    real factor = (real)(1 / sqrt((double)width));
    for (size_t i = 0; i < query.rows; i++)
        for (size_t a = 0; a < query.columns; a++) matrix_row(query, i)[a] *= factor;
}
