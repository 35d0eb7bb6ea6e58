/* Ragged batches for tests, and the way from a fixture's padded tensors to their rows. Any failure
 * fails the test. */
#pragma once

#include "layers/ragged.h"
#include "support/fixture.h"

// Lays out and fills the tables for falling `lengths` (count) in an arena of their own, which the
// caller frees.
void ragged_make(Ragged *ragged, Arena *arena, const uint32_t *lengths, size_t count,
                 size_t row_multiple);

typedef enum PaddedForm { BATCH_FIRST, TIME_FIRST } PaddedForm; // (B, steps, ·), (steps, B, ·)
typedef enum RowForm { SENTENCE_MAJOR, TIME_MAJOR } RowForm;    // see layers/ragged.h

/* The rows (tokens, ·), without padding, of a fixture's tensor. `order` (B) is the fixture's number
 * of the sentence at each place of the ragged batch; NULL if they are the same. Freed by
 * memory_free. */
double *padded_rows(const Fixture *fixture, const char *name, PaddedForm padded,
                    const Ragged *ragged, const uint32_t *order, RowForm form);

// The same, copied into a matrix.
void padded_read(Matrix rows, const Fixture *fixture, const char *name, PaddedForm padded,
                 const Ragged *ragged, const uint32_t *order, RowForm form);

// The matrix is close to them.
void padded_assert(Matrix rows, const Fixture *fixture, const char *name, PaddedForm padded,
                   const Ragged *ragged, const uint32_t *order, RowForm form, double rtol,
                   double atol);

// Every number of a matrix, which may be columns of a wider one, is close to `expected`, dense.
void matrix_assert(Matrix matrix, const double *expected, double rtol, double atol,
                   const char *name);

/* What a sentence gave alone equals what it gave in a batch, where both ran with products rounded
 * to backend_openblas.row_multiple: in float bit for bit where backend_openblas.rows_exact(),
 * else within 1e-4; in double within 1e-12. */
void assert_rows_exact(const real *alone, const real *among, size_t count, const char *name);

// Rows behind the tokens, up to those that products are rounded up to, must be zero.
void ragged_assert_rest_clear(Matrix matrix, const Ragged *ragged, const char *name);
