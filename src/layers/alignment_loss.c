#include "layers/alignment_loss.h"

#include <assert.h>
#include <math.h>

// How many links from `first` on are of one target token.
static size_t links_of_token(const SubwordLink *links, size_t count, size_t first)
{
    size_t last = first;
    while (last < count && links[last].target == links[first].target) last++;
    return last - first;
}

static double total_weight(const SubwordLink *links, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) total += links[i].weight;
    return total;
}

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
    for (size_t first = 0, linked; first < count; first += linked) {
        linked = links_of_token(links, count, first);
        size_t t = links[first].target;
        double sum = 0, total = total_weight(links + first, linked); // Σ_j w_tj
        double share = (double)scale / (total * (double)heads);
        assert(t < alpha.rows);
        for (size_t i = first; i < first + linked; i++) {
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
