#include "layers/alignment_loss.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = sizeof(real) == sizeof(float) ? 1e-6 : 1e-14;

/* Three target tokens over two positions; the first is linked to both, the second to none, the
 * third to position 1:
 *
 *     α = ¼ ¾ | ½ ½ | ½ ½      L = −½ ln ¼ − ½ ln ¾ − ln ½
 *     dL/dα = −½/¼ −½/¾ | 0 0 | 0 −1/½, times the scale, 3 */
TEST(by_hand)
{
    real alpha[] = {(real)0.25, (real)0.75, (real)0.5, (real)0.5, (real)0.5, (real)0.5};
    real dalpha[6] = {0, 0, 0, 0, 0, 1}; // what is there is added to
    const SubwordLink links[] = {{0, 0, 1}, {1, 0, 1}, {1, 2, 1}};
    Matrix weights = matrix_of(alpha, 3, 2);
    double loss = alignment_loss((Matrix){0}, weights, 1, links, 3, 0);
    ck_assert_double_eq_tol(loss, -0.5 * log(0.25) - 0.5 * log(0.75) - log(0.5), TOLERANCE);
    (void)alignment_loss(matrix_of(dalpha, 3, 2), weights, 1, links, 3, 3);
    assert_close(dalpha, (const double[]){-6, -2, 0, 0, 0, -5}, 6, TOLERANCE, 0, "dalpha");
}

/* Soft links: three quarters of the first token's weight are on position 0; the second's only link
 * counts in full, whatever its weight.
 *
 *     α = ¼ ¾ | ½ ½      L = −¾ ln ¼ − ¼ ln ¾ − ln ½      dL/dα = −¾/¼ −¼/¾ | −1/½ 0 */
TEST(weights_by_hand)
{
    real alpha[] = {(real)0.25, (real)0.75, (real)0.5, (real)0.5};
    real dalpha[4] = {0};
    const SubwordLink links[] = {{0, 0, 30000}, {1, 0, 10000}, {0, 1, 5}};
    Matrix weights = matrix_of(alpha, 2, 2);
    double loss = alignment_loss((Matrix){0}, weights, 1, links, 3, 0);
    ck_assert_double_eq_tol(loss, -0.75 * log(0.25) - 0.25 * log(0.75) - log(0.5), TOLERANCE);
    (void)alignment_loss(matrix_of(dalpha, 2, 2), weights, 1, links, 3, 3);
    assert_close(dalpha, (const double[]){-9, -1, -6, 0}, 4, TOLERANCE, 0, "dalpha");
}

// Two heads: the mean is what counts, and each head gets half of its gradient.
TEST(mean_of_heads_by_hand)
{
    real alpha[] = {(real)0.25, (real)0.75, 1, 0}; // heads' rows; the mean is 5/8 3/8
    real dalpha[4] = {0};
    const SubwordLink links[] = {{1, 0, 1}};
    Matrix weights = matrix_columns(matrix_of(alpha, 1, 4), 0, 2);
    ck_assert_double_eq_tol(alignment_loss((Matrix){0}, weights, 2, links, 1, 0), -log(0.375),
                            TOLERANCE);
    (void)alignment_loss(matrix_columns(matrix_of(dalpha, 1, 4), 0, 2), weights, 2, links, 1, 3);
    assert_close(dalpha, (const double[]){0, -4, 0, -4}, 4, TOLERANCE, 0, "dalpha");
}

TEST(no_links)
{
    real alpha[] = {1, 0}, dalpha[] = {7, 8};
    ck_assert_double_eq(alignment_loss((Matrix){0}, matrix_of(alpha, 1, 2), 1, NULL, 0, 0), 0);
    (void)alignment_loss(matrix_of(dalpha, 1, 2), matrix_of(alpha, 1, 2), 1, NULL, 0, 3);
    assert_close(dalpha, (const double[]){7, 8}, 2, 0, 0, "dalpha");
}

typedef struct Case {
    Matrix alpha;
    size_t heads;
    const SubwordLink *links;
    size_t count;
} Case;

static double case_loss(void *context)
{
    const Case *c = context;
    return 0.5 * alignment_loss((Matrix){0}, c->alpha, c->heads, c->links, c->count, 0);
}

TEST(gradients)
{
    static const SubwordLink links[] = {{0, 0, 1}, {3, 0, 1}, {1, 2, 9},
                                        {2, 2, 1}, {4, 2, 4}, {4, 3, 7}};
    for (size_t heads = 1; heads <= 3; heads++) {
        Arena arena = draw_arena();
        Case c = {matrix_columns(draw_matrix(&arena, 4, 5 * heads, 1, heads), 0, 5), heads, links,
                  6};
        Matrix dalpha = matrix_columns(draw_zeros(&arena, 4, 5 * heads), 0, 5);
        for (size_t i = 0; i < 20 * heads; i++)
            c.alpha.values[i] = (real)0.1 + (real)fabs((double)c.alpha.values[i]);
        (void)alignment_loss(dalpha, c.alpha, heads, links, 6, (real)0.5);
        gradcheck(c.alpha.values, dalpha.values, 20 * heads, SIZE_MAX, case_loss, &c, "alpha");
        arena_free(&arena);
    }
}

// Where a weight is 0 or nearly so, everything stays finite and within the header's bounds.
TEST(underflow)
{
    static const double weights[] = {0, 1e-44, 1e-31};
    const SubwordLink link = {0, 0, 1};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        real alpha[] = {(real)weights[i], 1}, dalpha[] = {0, 0};
        double loss = alignment_loss((Matrix){0}, matrix_of(alpha, 1, 2), 1, &link, 1, 0);
        ck_assert_double_eq_tol(loss, -log(MIN_ALIGNMENT), 1e-12);
        (void)alignment_loss(matrix_of(dalpha, 1, 2), matrix_of(alpha, 1, 2), 1, &link, 1, 1000);
        assert_close(dalpha, (const double[]){-1000 / MIN_ALIGNMENT, 0}, 2, 1e-6, 0, "dalpha");
    }
}

TEST(nan_is_seen)
{
    const SubwordLink link = {0, 0, 1};
    real alpha[] = {(real)NAN, 1}, dalpha[] = {0, 0};
    ck_assert(isnan(alignment_loss((Matrix){0}, matrix_of(alpha, 1, 2), 1, &link, 1, 0)));
    (void)alignment_loss(matrix_of(dalpha, 1, 2), matrix_of(alpha, 1, 2), 1, &link, 1, 1);
    ck_assert(isnan((double)dalpha[0]));
}
