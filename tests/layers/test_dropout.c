#include "layers/dropout.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

enum { N = 1000 };

static const DropoutKey KEY = {.seed = 42, .step = 7, .probability = (real)0.3};

/* P = 0.5: kept elements double. */
TEST(by_hand)
{
    DropoutKey key = {.probability = (real)0.5};
    real mask[N], x[] = {1, 2, 3, 4};
    dropout_mask(mask, N, &key, DROPOUT_READOUT, 3, 4);
    for (size_t i = 0; i < N; i++) ck_assert(mask[i] == 0 || mask[i] == 2);
    real given[] = {0, 2, 2, 0};
    dropout_apply(matrix_of(x, 2, 2), matrix_of(given, 2, 2));
    assert_close(x, (double[]){0, 4, 6, 0}, 4, 0, 0, "x");
    dropout_apply(matrix_of(x, 2, 2), (Matrix){0}); // no mask
    assert_close(x, (double[]){0, 4, 6, 0}, 4, 0, 0, "x without a mask");
    real wide[] = {7, 1, 7, 7, 1, 7}, narrow[] = {0, 2};
    dropout_apply(matrix_columns(matrix_of(wide, 2, 3), 1, 1), matrix_of(narrow, 2, 1));
    assert_close(wide, (double[]){7, 0, 7, 7, 2, 7}, 6, 0, 0, "columns of wider rows");
}

typedef struct Case {
    Matrix x, y, dy, mask;
} Case;

static double case_loss(void *context)
{
    Case *c = context;
    memcpy(c->y.values, c->x.values, 12 * sizeof(real));
    dropout_apply(c->y, c->mask);
    return draw_weighted_sum(c->y.values, c->dy.values, 12);
}

// Backward is the same function with the same mask.
TEST(gradients)
{
    Arena arena = draw_arena();
    Case c = {draw_matrix(&arena, 3, 4, 1, 1), draw_zeros(&arena, 3, 4),
              draw_matrix(&arena, 3, 4, 1, 2), draw_zeros(&arena, 3, 4)};
    for (uint32_t i = 0; i < 3; i++)
        dropout_mask(matrix_row(c.mask, i), 4, &KEY, DROPOUT_READOUT, i, 0);
    real dx[12];
    memcpy(dx, c.dy.values, sizeof dx);
    dropout_apply(matrix_of(dx, 3, 4), c.mask);
    gradcheck(c.x.values, dx, 12, SIZE_MAX, case_loss, &c, "x");
    arena_free(&arena);
}

/* Of a million elements a part P is dropped, to within five standard deviations, and the mean of a
 * mask is 1. Neighbours in every direction of the key are independent: both dropped in P². */
TEST(statistics)
{
    enum { ROWS = 1000 };
    static const double probabilities[] = {0.1, 0.3, 0.5, 0.9};
    for (size_t p = 0; p < 4; p++) {
        double P = probabilities[p];
        DropoutKey key = {.seed = 5, .step = 1, .probability = (real)P};
        size_t dropped = 0, beside = 0, below = 0, wrong = 0;
        real before[N], mask[N];
        for (size_t i = 0; i < N; i++) before[i] = 1;
        for (uint32_t row = 0; row < ROWS; row++) {
            dropout_mask(mask, N, &key, DROPOUT_ANNOTATION, row / 10, row % 10);
            for (size_t i = 0; i < N; i++) {
                dropped += mask[i] == 0;
                beside += i > 0 && mask[i] == 0 && mask[i - 1] == 0;
                below += mask[i] == 0 && before[i] == 0;
                wrong += mask[i] != 0 && fabs((double)mask[i] * (1 - P) - 1) > 0x1p-16 / (1 - P);
            }
            memcpy(before, mask, sizeof mask);
        }
        ck_assert_uint_eq(wrong, 0); // kept elements are 1/(1−P), P to within 2⁻¹⁷
        double count = ROWS * N, deviation = 5 * sqrt(P * (1 - P) / count) + 0x1p-17;
        ck_assert_double_le(fabs((double)dropped / count - P), deviation);
        ck_assert_double_le(fabs((double)beside / (count - ROWS) - P * P), 2 * deviation);
        ck_assert_double_le(fabs((double)below / (count - N) - P * P), 2 * deviation);
    }
}

// How many of N elements two masks have in common.
static size_t common(const real *a, const real *b)
{
    size_t same = 0;
    for (size_t i = 0; i < N; i++) same += a[i] == b[i];
    return same;
}

/* A mask is a function of its key: the same again in another order, and for fewer elements the
 * beginning of it. Whatever part of the key changes, the mask is another: of independent masks
 * P² + (1−P)² = 58 % agree, with a standard deviation of 1.6 %. */
TEST(key)
{
    real mask[N], again[N], other[N];
    dropout_mask(mask, N, &KEY, DROPOUT_READOUT, 11, 13);
    DropoutKey next_seed = KEY, high_seed = KEY, next_step = KEY;
    next_seed.seed++;
    high_seed.seed += 1ull << 32;
    next_step.step++;
    const struct {
        const DropoutKey *key;
        DropoutPlace place;
        uint32_t sentence, position;
    } others[] = {
        {&next_seed, DROPOUT_READOUT, 11, 13},    {&high_seed, DROPOUT_READOUT, 11, 13},
        {&next_step, DROPOUT_READOUT, 11, 13},    {&KEY, DROPOUT_SOURCE_EMBEDDING, 11, 13},
        {&KEY, DROPOUT_TARGET_EMBEDDING, 11, 13}, {&KEY, DROPOUT_ANNOTATION, 11, 13},
        {&KEY, DROPOUT_READOUT, 12, 13},          {&KEY, DROPOUT_READOUT, 11, 14},
        {&KEY, DROPOUT_READOUT, 13, 11}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        dropout_mask(other, N, others[i].key, others[i].place, others[i].sentence,
                     others[i].position);
        ck_assert_uint_lt(common(mask, other), 660);
        ck_assert_uint_gt(common(mask, other), 500);
    }
    dropout_mask(again, N, &KEY, DROPOUT_READOUT, 11, 13);
    ck_assert_mem_eq(mask, again, sizeof mask);
    for (size_t n = 0; n < 20; n++) {
        for (size_t i = 0; i < N; i++) again[i] = -1;
        dropout_mask(again, n, &KEY, DROPOUT_READOUT, 11, 13);
        ck_assert_mem_eq(mask, again, n * sizeof *mask);
        ck_assert(again[n] == -1); // and no more is written
    }
}

TEST(edges)
{
    DropoutKey none = {.seed = 1}, nearly_all = {.seed = 1, .probability = (real)0.99999};
    real mask[N];
    dropout_mask(mask, N, &none, DROPOUT_READOUT, 0, 0);
    for (size_t i = 0; i < N; i++) ck_assert(mask[i] == 1);
    dropout_mask(mask, N, &nearly_all, DROPOUT_READOUT, UINT32_MAX, UINT32_MAX);
    for (size_t i = 0; i < N; i++) ck_assert(isfinite(mask[i]));
}
