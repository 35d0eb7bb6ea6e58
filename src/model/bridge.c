#include "model/bridge.h"

#include "attention/attention.h"
#include "math/kernels.h"

#include <string.h>

void bridge_forward(Matrix s, Matrix means, size_t product_rows, const LinearParams *bridge)
{
    const Kernels *k = kernels();
    product_forward(matrix_with_rows(s, product_rows), matrix_with_rows(means, product_rows),
                    bridge->weight, PRODUCT_SET);
    for (size_t i = 0; i < s.rows; i++) k->bias_tanh(matrix_row(s, i), bridge->bias, s.columns);
}

void bridge_backward(Matrix dmeans, LinearGrads *dbridge, Matrix ds, Matrix s, Matrix means,
                     const LinearParams *bridge)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < s.rows; i++)
        k->tanh_backward(matrix_row(ds, i), matrix_row(ds, i), matrix_row(s, i), s.columns);
    linear_backward(dmeans, dbridge, ds, means, bridge, PRODUCT_SET);
}

void annotation_means(Matrix means, Matrix annotations, const size_t *begin,
                      const uint32_t *sentences)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < means.rows; i++) {
        Matrix h = attention_sentence(annotations, begin, sentences[i]); // (S, 2H)
        real *mean = matrix_row(means, i);
        memset(mean, 0, means.columns * sizeof *mean);
        for (size_t j = 0; j < h.rows; j++)
            k->add_scaled(mean, 1 / (real)h.rows, matrix_row(h, j), means.columns);
    }
}

void annotation_means_backward(Matrix dannotations, Matrix dmeans, const size_t *begin,
                               const uint32_t *sentences)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < dmeans.rows; i++) {
        Matrix dh = attention_sentence(dannotations, begin, sentences[i]); // (S, 2H)
        for (size_t j = 0; j < dh.rows; j++)
            k->add_scaled(matrix_row(dh, j), 1 / (real)dh.rows, matrix_row(dmeans, i),
                          dmeans.columns);
    }
}
