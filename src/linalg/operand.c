#include "linalg/operand.h"

#include "linalg/backend/backend.h"
#include "math/elementary.h"

uint16_t *operand_take_converted(Arena *arena, const Backend *backend, size_t rows, size_t columns)
{
    return backend->bf16_operands ? arena_take(arena, rows * columns, sizeof(uint16_t)) : NULL;
}

Operand operand_converted(Matrix matrix, uint16_t *memory)
{
    for (size_t i = 0; memory && i < matrix.rows; i++)
        kernels()->to_bf16(memory + i * matrix.columns, matrix_row(matrix, i), matrix.columns);
    return (Operand){.matrix = matrix, .bf16 = memory};
}

void *operand_take_right(Arena *arena, const Backend *backend, size_t rows, size_t columns)
{
    return backend->right_bytes ? arena_take(arena, backend->right_bytes(rows, columns), 1) : NULL;
}

Operand operand_right(const Backend *backend, Matrix padded, void *memory)
{
    bool laid_out = memory && padded.rows > 0 && backend->pack_right(memory, padded);
    return (Operand){.matrix = padded, .right = laid_out ? memory : NULL, .padded = true};
}

Elements operand_take_elements(Arena *arena, const Backend *backend, size_t count)
{
    if (backend->bf16_operands)
        return (Elements){.bf16 = arena_take(arena, count, sizeof(uint16_t))};
    return (Elements){.values = arena_take(arena, count, sizeof(real))};
}

void elements_fill(Elements elements, real value, size_t count)
{
    for (size_t i = 0; elements.values && i < count; i++) elements.values[i] = value;
    for (size_t i = 0; elements.bf16 && i < count; i++) elements.bf16[i] = bf16_of(value);
}

Operand operand_of_elements(Elements elements, size_t rows, size_t columns)
{
    size_t padding = (operand_padded_rows(rows) - rows) * columns;
    Elements after = elements_at(elements, rows * columns);
    if (after.values) memset(after.values, 0, padding * sizeof *after.values);
    if (after.bf16) memset(after.bf16, 0, padding * sizeof *after.bf16);
    return (Operand){
        .matrix = matrix_of(elements.values, rows, columns), .bf16 = elements.bf16, .padded = true};
}
