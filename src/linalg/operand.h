/* A factor of several products, converted or laid out once for all of them.
 *
 * A product reads its factors in its backend's element type and, as the right factor of a weight's
 * gradient, in its backend's layout. Where the same factor meets many blocks of a weight, an
 * Operand holds that form beside the matrix; a backend that finds no form it can use makes it
 * anew. */
#pragma once

#include "linalg/matrix.h"
#include "math/kernels.h"

typedef struct Backend Backend; // linalg/backend/backend.h

typedef struct Operand {
    Matrix matrix;        // values NULL: `bf16` alone holds them
    const uint16_t *bf16; // the values in bf16, rows without gaps; NULL: not converted
    const void *right;    // laid out as the right factor of a weight's gradient; NULL: it is not
    bool padded; // rows have no gaps, and zero rows follow up to a multiple of OPERAND_ROWS
} Operand;

// Rows of a weight's gradient are multiplied in multiples of this, so that few primitives are made.
enum { OPERAND_ROWS = 64 };

// `rows` rounded up to a multiple of OPERAND_ROWS.
static inline size_t operand_padded_rows(size_t rows)
{
    return rows_rounded(rows, OPERAND_ROWS);
}

// The matrix as it is.
static inline Operand operand_of(Matrix matrix)
{
    return (Operand){.matrix = matrix};
}

/* Memory for the converted form of a (rows, columns) matrix, and the matrix with that form. A
 * backend that multiplies real numbers needs none: then the memory is NULL and the operand is
 * the matrix as it is. */
uint16_t *operand_take_converted(Arena *arena, const Backend *backend, size_t rows, size_t columns);
Operand operand_converted(Matrix matrix, uint16_t *memory);

/* Memory for the right factor of a weight's gradient, and the padded matrix (rows, columns) laid
 * out in it. */
void *operand_take_right(Arena *arena, const Backend *backend, size_t rows, size_t columns);
Operand operand_right(const Backend *backend, Matrix padded, void *memory);

/* Memory for `count` numbers in the element type of the backend's operands, for factors that are
 * computed in place. */
Elements operand_take_elements(Arena *arena, const Backend *backend, size_t count);

// Sets `count` numbers to a value.
void elements_fill(Elements elements, real value, size_t count);

// Such a factor of `rows` rows without gaps; `elements` has memory for operand_padded_rows(rows).
// Sets the padding to 0.
Operand operand_of_elements(Elements elements, size_t rows, size_t columns);
