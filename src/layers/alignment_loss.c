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

// max(ᾱ_tj, ε), from a row's weights (heads, S)
static double bounded_weight(const real *row, size_t heads, size_t positions, size_t j)
{
    double sum = 0;
    for (size_t head = 0; head < heads; head++) sum += (double)row[head * positions + j];
    double mean = sum / (double)heads;
    return mean < MIN_ALIGNMENT ? MIN_ALIGNMENT : mean; // not fmax, which would hide NaN
}

double alignment_loss_forward(Matrix alpha, size_t heads, const SubwordLink *links, size_t count)
{
    size_t positions = alpha.columns; // S
    double loss = 0;
    for (size_t first = 0; first < count;) {
        size_t linked = links_of_token(links, count, first);
        const real *row = matrix_row(alpha, links[first].target);
        double sum = 0;
        for (size_t i = first; i < first + linked; i++) {
            assert(links[i].target < alpha.rows && links[i].source < positions);
            sum -= log(bounded_weight(row, heads, positions, links[i].source));
        }
        loss += sum / (double)linked;
        first += linked;
    }
    return loss;
}

void alignment_loss_backward(Matrix dalpha, Matrix alpha, size_t heads, const SubwordLink *links,
                             size_t count, real scale)
{
    size_t positions = alpha.columns; // S
    for (size_t first = 0; first < count;) {
        size_t linked = links_of_token(links, count, first);
        const real *row = matrix_row(alpha, links[first].target);
        real *drow = matrix_row(dalpha, links[first].target);
        double share = (double)scale / (double)(linked * heads);
        for (size_t i = first; i < first + linked; i++) {
            size_t j = links[i].source;
            real gradient = (real)(-share / bounded_weight(row, heads, positions, j));
            for (size_t head = 0; head < heads; head++) drow[head * positions + j] += gradient;
        }
        first += linked;
    }
}
