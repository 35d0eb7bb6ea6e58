#include "layers/alignment_loss.h"

#include <math.h>

// max(ᾱ_tj, ε), from a row's weights (heads, S)
static double bounded_weight(const real *row, size_t heads, size_t positions, size_t j)
{
    double sum = 0;
    for (size_t head = 0; head < heads; head++) sum += (double)row[head * positions + j];
    double mean = sum / (double)heads;
    return mean < MIN_ALIGNMENT ? MIN_ALIGNMENT : mean; // not fmax, which would hide NaN
}

double alignment_loss(Matrix dalpha, Matrix alpha, size_t heads, const SubwordLink *links,
                      size_t count, real scale)
{
    size_t positions = alpha.columns; // S
    double loss = 0;
    for (size_t first = 0, end; first < count; first = end) { // one token's links, to `end`
        size_t t = links[first].target;
        double sum = 0, total = 0; // Σ_j w_tj
        for (end = first; end < count && links[end].target == t; end++) total += links[end].weight;
        double share = (double)scale / (total * (double)heads);
        assert(t < alpha.rows);
        for (size_t i = first; i < end; i++) {
            size_t j = links[i].source;
            double w = links[i].weight;
            assert(j < positions);
            double attention = bounded_weight(matrix_row(alpha, t), heads, positions, j);
            sum -= w * log(attention);
            for (size_t head = 0; dalpha.values && head < heads; head++)
                matrix_row(dalpha, t)[head * positions + j] += (real)(-share * w / attention);
        }
        loss += sum / total;
    }
    return loss;
}
