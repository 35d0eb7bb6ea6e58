#include "support/ragged_checks.h"

#include "base/memory.h"
#include "linalg/backend/backend.h"
#include "support/assert_close.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

void ragged_make(Ragged *ragged, Arena *arena, const uint32_t *lengths, size_t count,
                 size_t row_multiple)
{
    Arena measure = arena_measuring();
    *arena = (Arena){0};
    ragged_layout(ragged, &measure, count, lengths[0]);
    assert_ok(arena_reserve(arena, measure.used, NULL));
    ragged_layout(ragged, arena, count, lengths[0]);
    ragged_fill(ragged, lengths, row_multiple);
}

double *padded_rows(const Fixture *fixture, const char *name, PaddedForm padded,
                    const Ragged *ragged, const uint32_t *order, RowForm form)
{
    size_t count;
    const double *values = fixture_reals(fixture, name, &count);
    size_t B = fixture_dimension(fixture, name, padded == BATCH_FIRST ? 0 : 1);
    size_t steps = fixture_dimension(fixture, name, padded == BATCH_FIRST ? 1 : 0);
    size_t columns = count / (B * steps);
    ck_assert_uint_eq(B, ragged->count);
    ck_assert_uint_ge(steps, ragged->steps);
    double *rows = memory_new(ragged->tokens * columns, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    for (size_t b = 0; b < B; b++)
        for (size_t t = 0; t < ragged->lengths[b]; t++) {
            size_t sentence = order ? order[b] : b;
            size_t from = padded == BATCH_FIRST ? sentence * steps + t : t * B + sentence;
            size_t row =
                form == TIME_MAJOR ? ragged->step_begin[t] + b : ragged->sentence_begin[b] + t;
            memcpy(rows + row * columns, values + from * columns, columns * sizeof *rows);
        }
    return rows;
}

void padded_read(Matrix rows, const Fixture *fixture, const char *name, PaddedForm padded,
                 const Ragged *ragged, const uint32_t *order, RowForm form)
{
    double *values = padded_rows(fixture, name, padded, ragged, order, form);
    for (size_t i = 0; i < rows.rows; i++)
        for (size_t k = 0; k < rows.columns; k++)
            matrix_row(rows, i)[k] = (real)values[i * rows.columns + k];
    memory_free(values);
}

void padded_assert(Matrix rows, const Fixture *fixture, const char *name, PaddedForm padded,
                   const Ragged *ragged, const uint32_t *order, RowForm form, double rtol,
                   double atol)
{
    double *values = padded_rows(fixture, name, padded, ragged, order, form);
    matrix_assert(rows, values, rtol, atol, name);
    memory_free(values);
}

void matrix_assert(Matrix matrix, const double *expected, double rtol, double atol,
                   const char *name)
{
    for (size_t i = 0; i < matrix.rows; i++)
        assert_close(matrix_row(matrix, i), expected + i * matrix.columns, matrix.columns, rtol,
                     atol, name);
}

void assert_rows_exact(const real *alone, const real *among, size_t count, const char *name)
{
    bool is_float = sizeof(real) == sizeof(float);
    bool promised = is_float && backend_openblas.rows_exact();
    double tolerance = is_float ? 1e-4 : 1e-12;
    for (size_t i = 0; i < count; i++) {
        double difference = fabs((double)alone[i] - (double)among[i]);
        bool same = !memcmp(&alone[i], &among[i], sizeof *alone);
        if (promised ? !same : !(difference <= tolerance))
            ck_abort_msg("%s[%zu]: alone %.17g, in a batch %.17g", name, i, (double)alone[i],
                         (double)among[i]);
    }
}

void ragged_assert_rest_clear(Matrix matrix, const Ragged *ragged, const char *name)
{
    size_t rows = ragged_rounded(ragged, ragged->tokens);
    ck_assert_uint_gt(rows, ragged->tokens);
    for (size_t i = ragged->tokens; i < rows; i++)
        for (size_t k = 0; k < matrix.columns; k++)
            ck_assert_msg(matrix_row(matrix, i)[k] == 0, "%s: row %zu is not clear", name, i);
}
