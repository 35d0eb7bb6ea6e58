#include "layers/embedding.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/gradcheck.h"
#include "support/suite.h"

/* table = [0 1; 10 11; 20 21], tokens 2 0 2: x = [20 21; 0 1; 20 21].
 * dx = [1 2; 3 4; 5 6]: row 2 takes the first and the third, [6 8]; row 0 the second; row 1
 * none. */
TEST(by_hand_and_twice)
{
    real table[] = {0, 1, 10, 11, 20, 21}, x[6] = {0}, dtable[6] = {0}, dx[] = {1, 2, 3, 4, 5, 6};
    static const int32_t tokens[] = {2, 0, 2};
    embedding_forward(matrix_of(x, 3, 2), weight_of(matrix_of(table, 3, 2)), tokens);
    assert_close(x, (double[]){20, 21, 0, 1, 20, 21}, 6, 0, 0, "x");
    embedding_backward(gradient_of(matrix_of(dtable, 3, 2)), matrix_of(dx, 3, 2), tokens);
    assert_close(dtable, (double[]){3, 4, 0, 0, 6, 8}, 6, 0, 0, "dtable");
    embedding_backward(gradient_of(matrix_of(dtable, 3, 2)), matrix_of(dx, 3, 2), tokens);
    assert_close(dtable, (double[]){6, 8, 0, 0, 12, 16}, 6, 0, 0, "dtable twice");
}

typedef struct Case {
    Matrix table, x, dx;
    const int32_t *tokens;
} Case;

static double case_loss(void *context)
{
    Case *c = context;
    embedding_forward(c->x, weight_of(c->table), c->tokens);
    return draw_weighted_sum(c->x.values, c->dx.values, c->x.rows * c->x.columns);
}

TEST(gradients)
{
    static const int32_t tokens[] = {4, 0, 4, 4, 2, 1};
    Arena arena = draw_arena();
    Case c = {draw_matrix(&arena, 5, 3, 1, 1), draw_zeros(&arena, 6, 3),
              draw_matrix(&arena, 6, 3, 1, 2), tokens};
    Matrix dtable = draw_zeros(&arena, 5, 3);
    embedding_backward(gradient_of(dtable), c.dx, tokens);
    gradcheck(c.table.values, dtable.values, 15, SIZE_MAX, case_loss, &c, "table");
    arena_free(&arena);
}

/* Into and from columns of wider rows, as the decoder's input [y; c]; and no tokens at all. */
TEST(edges)
{
    real table[] = {1, 2, 3, 4}, wide[] = {7, 7, 7, 7, 7, 7}, dtable[4] = {0};
    static const int32_t tokens[] = {1, 0};
    Matrix columns = matrix_columns(matrix_of(wide, 2, 3), 1, 2);
    embedding_forward(columns, weight_of(matrix_of(table, 2, 2)), tokens);
    assert_close(wide, (double[]){7, 3, 4, 7, 1, 2}, 6, 0, 0, "x in wider rows");
    embedding_backward(gradient_of(matrix_of(dtable, 2, 2)), columns, tokens);
    assert_close(dtable, (double[]){1, 2, 3, 4}, 4, 0, 0, "dtable from wider rows");
    embedding_forward(matrix_of(wide, 0, 2), weight_of(matrix_of(table, 2, 2)), NULL);
    embedding_backward(gradient_of(matrix_of(dtable, 2, 2)), matrix_of(wide, 0, 2), NULL);
    assert_close(dtable, (double[]){1, 2, 3, 4}, 4, 0, 0, "dtable of no tokens");
}
