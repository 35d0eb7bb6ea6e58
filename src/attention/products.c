#include "attention/products.h"

#include "math/kernels.h"

void products_energies(real *energies, const real *query, const AttentionMemory *memory,
                       uint32_t sentence, const AttentionParams *params)
{
    const Kernels *k = kernels();
    Matrix all = attention_sentence(memory->keys, memory->begin, sentence); // (S, K)
    for (size_t head = 0; head < params->heads; head++) {
        Matrix keys = attention_head(all, head, params->heads); // (S, K / heads)
        k->gemv(energies + head * keys.rows, keys.values, query + head * keys.columns, keys.rows,
                keys.columns, keys.stride);
    }
}

void products_forward(AttentionStep *step, const AttentionMemory *memory,
                      const AttentionParams *params)
{
    for (size_t i = 0; i < step->rows; i++) {
        uint32_t sentence = step->sentence[i];
        products_energies(step->alpha[i], matrix_row(step->query, i), memory, sentence, params);
        attention_weigh(matrix_row(step->mixed, i), step->alpha[i],
                        attention_sentence(memory->values, memory->begin, sentence), params->heads);
    }
}

// One row: dq = Σ_j de_j k_j and dk_j += de_j q, head by head; dquery (K) is set, denergies (heads,
// S).
static void energies_backward(real *dquery, Matrix dkeys, const real *denergies, const real *query,
                              Matrix keys, size_t heads)
{
    const Kernels *k = kernels();
    for (size_t head = 0; head < heads; head++) {
        Matrix keys_k = attention_head(keys, head, heads);   // (S, K / heads)
        Matrix dkeys_k = attention_head(dkeys, head, heads); // (S, K / heads)
        size_t S = keys_k.rows, width = keys_k.columns;
        const real *de = denergies + head * S; // (S)
        k->gemv_transposed(dquery + head * width, de, keys_k.values, S, width, keys_k.stride);
        k->ger(dkeys_k.values, de, query + head * width, S, width, dkeys_k.stride);
    }
}

void products_backward(AttentionMemoryGrads *dmemory, AttentionStep *step,
                       const AttentionMemory *memory, const AttentionParams *params)
{
    for (size_t i = 0; i < step->rows; i++) {
        uint32_t sentence = step->sentence[i];
        Matrix values = attention_sentence(memory->values, memory->begin, sentence); // (S, 2H)
        attention_weigh_backward(step->scratch, matrix_row(step->dmixed, i),
                                 attention_dalpha(step, i), step->alpha[i], values, params->heads);
        energies_backward(matrix_row(step->dquery, i),
                          attention_sentence(dmemory->dkeys, memory->begin, sentence),
                          step->scratch, matrix_row(step->query, i),
                          attention_sentence(memory->keys, memory->begin, sentence), params->heads);
    }
}
