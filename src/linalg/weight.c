#include "linalg/weight.h"

#include "base/array.h"
#include "linalg/backend/backend.h"
#include "linalg/product.h"

typedef struct Packing {
    PackedWeight weight;
    WeightUse use;
} Packing;

struct PackedWeights {
    const Backend *backend;
    size_t count;
    Packing *items; // (count)
    char *forms;    // of all weights, one after another
};

enum { FORM_BOUNDARY = 64 }; // a cache line, and the width of AVX-512

static size_t form_bytes(const PackedWeight *weight, PackedUse use)
{
    return weight->backend->packed_bytes(weight->backend, use, weight->rows, weight->columns);
}

static void measure_forms(PackedWeight *weight, PackedPurpose purpose)
{
    weight->forward_bytes = form_bytes(weight, PACKED_FORWARD);
    if (purpose == PACKED_TRAINING) weight->backward_bytes = form_bytes(weight, PACKED_BACKWARD);
}

static Status parts_new(PackedWeight *weight, size_t count, Error *error)
{
    TRY(array_new(&weight->parts, count, "packed weights", error));
    weight->part_count = count;
    for (size_t p = 0; p < count; p++)
        weight->parts[p] = (PackedWeight){
            .backend = weight->backend, .rows = weight->rows, .columns = weight->columns};
    return STATUS_OK;
}

// Two parts with forms of their own.
static Status columns_measure(PackedWeight *weight, size_t split, PackedPurpose purpose,
                              Error *error)
{
    TRY(parts_new(weight, 2, error));
    for (size_t p = 0; p < weight->part_count; p++) {
        PackedWeight *part = &weight->parts[p];
        part->first_column = p ? split : 0;
        part->columns = p ? weight->columns - split : split;
        measure_forms(part, purpose);
    }
    return STATUS_OK;
}

// Blocks of rows: each a piece of the whole form forward, and with a form of its own backward.
static Status blocks_measure(PackedWeight *weight, size_t block, PackedPurpose purpose,
                             Error *error)
{
    size_t bytes =
        weight->backend->packed_block_bytes(weight->backend, weight->rows, weight->columns, block);
    // a weight of one block is multiplied whole, and so is one whose form does not fall into pieces
    if (weight->rows <= block || !bytes) {
        measure_forms(weight, purpose);
        return STATUS_OK;
    }
    measure_forms(weight, PACKED_DECODING);
    if (!weight->forward_bytes) return STATUS_OK;
    TRY(parts_new(weight, (weight->rows + block - 1) / block, error));
    for (size_t p = 0; p < weight->part_count; p++) {
        PackedWeight *part = &weight->parts[p];
        part->first_row = p * block;
        part->rows =
            weight->rows - part->first_row < block ? weight->rows - part->first_row : block;
        part->forward_bytes = bytes;
        if (purpose == PACKED_TRAINING) part->backward_bytes = form_bytes(part, PACKED_BACKWARD);
    }
    return STATUS_OK;
}

static Status weight_measure(Packing *packing, const Backend *backend, PackedPurpose purpose,
                             Error *error)
{
    const WeightUse *use = &packing->use;
    packing->weight =
        (PackedWeight){.backend = backend, .rows = use->rows, .columns = use->columns};
    if (!use->rows) return STATUS_OK;
    if (use->split) return columns_measure(&packing->weight, use->split, purpose, error);
    if (use->block) return blocks_measure(&packing->weight, use->block, purpose, error);
    measure_forms(&packing->weight, purpose);
    return STATUS_OK;
}

// Up to where the next form may begin.
static size_t form_bytes_padded(size_t bytes)
{
    return (bytes + FORM_BOUNDARY - 1) / FORM_BOUNDARY * FORM_BOUNDARY;
}

static void *form_place(char *forms, size_t *used, size_t bytes)
{
    if (!bytes) return NULL;
    char *form = forms ? forms + *used : NULL;
    *used += form_bytes_padded(bytes);
    return form;
}

/* Places every form after the `used` bytes of those before it; without `forms` it only counts. */
static void weight_place(PackedWeight *weight, char *forms, size_t *used)
{
    weight->forward = form_place(forms, used, weight->forward_bytes);
    weight->backward = form_place(forms, used, weight->backward_bytes);
    for (size_t p = 0; p < weight->part_count; p++) {
        PackedWeight *part = &weight->parts[p];
        if (!weight->forward_bytes)
            part->forward = form_place(forms, used, part->forward_bytes);
        else if (weight->forward)
            part->forward = (char *)weight->forward + p * part->forward_bytes;
        part->backward = form_place(forms, used, part->backward_bytes);
    }
}

// All forms share one block: one of large pages is made sooner than many of small ones.
static Status place_all(PackedWeights *packed, Error *error)
{
    size_t bytes = 0, used = 0;
    for (size_t i = 0; i < packed->count; i++) weight_place(&packed->items[i].weight, NULL, &bytes);
    packed->forms = memory_in_large_pages(bytes, 1);
    if (!packed->forms) return error_memory(error, bytes, "packed weights");
    for (size_t i = 0; i < packed->count; i++)
        weight_place(&packed->items[i].weight, packed->forms, &used);
    return STATUS_OK;
}

Status packed_weights_new(PackedWeights **out, const WeightUse *uses, size_t count,
                          const Backend *backend, PackedPurpose purpose, Error *error)
{
    assert(backend->pack);
    FREED_BY(packed_weights_free_at) PackedWeights *packed = NULL;
    TRY(array_new(&packed, 1, "packed weights", error));
    *packed = (PackedWeights){.backend = backend, .count = count};
    TRY(array_new(&packed->items, count, "packed weights", error));
    for (size_t i = 0; i < count; i++) {
        packed->items[i].use = uses[i];
        TRY(weight_measure(&packed->items[i], backend, purpose, error));
    }
    TRY(place_all(packed, error));
    *out = memory_take(&packed);
    return STATUS_OK;
}

void packed_weights_free(PackedWeights *packed)
{
    if (!packed) return;
    for (size_t i = 0; packed->items && i < packed->count; i++)
        memory_free(packed->items[i].weight.parts);
    memory_free(packed->forms);
    memory_free(packed->items);
    memory_free(packed);
}

void packed_weights_set_rounded(PackedWeights *packed, const RoundedRows *rounded)
{
    assert(packed->backend->type == COMPUTE_INT8);
    for (size_t i = 0; i < packed->count; i++) {
        PackedWeight *weight = &packed->items[i].weight;
        weight->rounded = rounded[i];
        for (size_t p = 0; p < weight->part_count; p++) weight->parts[p].rounded = rounded[i];
    }
}

const Backend *packed_weights_backend(const PackedWeights *packed)
{
    return packed ? packed->backend : &backend_openblas;
}

Weight packed_weights_get(const PackedWeights *packed, size_t i, Matrix values)
{
    assert(!packed || i < packed->count);
    return (Weight){.matrix = values, .packed = packed ? &packed->items[i].weight : NULL};
}

// If the backend fails, products with this weight are OpenBLAS's.
static void fill_form(PackedWeight *weight, PackedUse use, Matrix values)
{
    void **form = use == PACKED_FORWARD ? &weight->forward : &weight->backward;
    values = matrix_rows(values, weight->first_row, weight->rows);
    if (*form && !weight->backend->pack(weight, *form, use, values)) *form = NULL;
}

/* Of a weight in blocks of rows a worker fills both forms of a block, so that the block is read
 * once; forward that is a piece of the weight's form. */
static void fill_blocks(PackedWeight *weight, Matrix values, size_t *count, size_t worker,
                        size_t workers)
{
    for (size_t p = 0; p < weight->part_count; p++) {
        PackedWeight *part = &weight->parts[p];
        if ((*count)++ % workers != worker) continue;
        fill_form(part, PACKED_FORWARD, values);
        fill_form(part, PACKED_BACKWARD, values);
        if (!part->forward) __atomic_store_n(&weight->forward, NULL, __ATOMIC_RELAXED);
    }
}

/* Every worker counts all forms of a weight, even those it does not have, and fills each
 * `workers`-th. */
static void fill_weight(PackedWeight *weight, Matrix values, size_t *count, size_t worker,
                        size_t workers)
{
    if (weight->part_count && weight->parts[0].rows < weight->rows) {
        fill_blocks(weight, values, count, worker, workers);
        return;
    }
    for (int use = PACKED_FORWARD; use <= PACKED_BACKWARD; use++)
        if ((*count)++ % workers == worker) fill_form(weight, (PackedUse)use, values);
    for (size_t p = 0; p < weight->part_count; p++)
        for (int use = PACKED_FORWARD; use <= PACKED_BACKWARD; use++)
            if ((*count)++ % workers == worker)
                fill_form(&weight->parts[p], (PackedUse)use, values);
}

void packed_weights_fill(PackedWeights *packed, real *const *places, size_t worker, size_t workers)
{
    size_t count = 0;
    for (size_t i = 0; i < packed->count; i++) {
        PackedWeight *weight = &packed->items[i].weight;
        if (weight->rows)
            fill_weight(weight, matrix_of(places[i], weight->rows, weight->columns), &count, worker,
                        workers);
    }
}

static bool parts_packed(const PackedWeight *weight)
{
    for (size_t p = 0; p < weight->part_count; p++)
        if (!weight->parts[p].forward && weight->parts[p].rows >= PRODUCT_FEW_OUTPUTS) return false;
    return true;
}

// Whether no product forward with the weight is OpenBLAS's.
static bool all_packed(const Packing *packing, bool in_blocks)
{
    const PackedWeight *weight = &packing->weight;
    const WeightUse *use = &packing->use;
    if (use->rows < PRODUCT_FEW_OUTPUTS) return true;
    if (use->split) return parts_packed(weight);
    bool blocks_missing = use->block && use->rows > use->block && !weight->part_count;
    return weight->forward && !(in_blocks && (blocks_missing || !parts_packed(weight)));
}

static size_t least_common_multiple(size_t a, size_t b)
{
    size_t multiple = a;
    while (multiple % b) multiple += a;
    return multiple;
}

static RowPromise promise_of(const Backend *backend)
{
    return (RowPromise){backend->row_multiple, backend->rows_exact()};
}

bool packed_weights_complete(const PackedWeights *packed, bool in_blocks)
{
    bool all = packed != NULL;
    for (size_t i = 0; all && i < packed->count; i++)
        all = all_packed(&packed->items[i], in_blocks);
    return all;
}

RowPromise packed_weights_promise(const PackedWeights *packed, bool in_blocks)
{
    if (packed_weights_complete(packed, in_blocks)) return promise_of(packed->backend);
    RowPromise plain = promise_of(&backend_openblas); // which loads it
    if (!packed) return plain;
    RowPromise promise = promise_of(packed->backend);
    return (RowPromise){least_common_multiple(promise.multiple, plain.multiple),
                        promise.exact && plain.exact};
}

static const PackedWeight *part_of(const PackedWeight *packed, size_t first_row, size_t rows,
                                   size_t first_column, size_t columns)
{
    if (!packed || (rows == packed->rows && columns == packed->columns)) return packed;
    for (size_t i = 0; i < packed->part_count; i++) {
        const PackedWeight *part = &packed->parts[i];
        if (part->first_row == first_row && part->rows == rows &&
            part->first_column == first_column && part->columns == columns)
            return part;
    }
    return NULL;
}

Weight weight_columns(Weight weight, size_t first, size_t count)
{
    return (Weight){.matrix = matrix_columns(weight.matrix, first, count),
                    .packed = part_of(weight.packed, 0, weight.matrix.rows, first, count)};
}

Weight weight_rows(Weight weight, size_t first, size_t count)
{
    return (Weight){.matrix = matrix_rows(weight.matrix, first, count),
                    .packed = part_of(weight.packed, first, count, 0, weight.matrix.columns)};
}

void weight_copy_rows(Matrix rows, Weight weight, const int32_t *picks)
{
    const Backend *backend = weight_backend(weight);
    for (size_t i = 0; i < rows.rows; i++)
        assert(picks[i] >= 0 && (size_t)picks[i] < weight.matrix.rows);
    if (weight.packed && rounded_rows_exist(&weight.packed->rounded)) { // they are rounded already
        for (size_t i = 0; i < rows.rows; i++)
            rounded_row_values(matrix_row(rows, i), &weight.packed->rounded, (size_t)picks[i]);
        return;
    }
    for (size_t i = 0; i < rows.rows; i++)
        matrix_copy_row(rows, i, weight.matrix, (size_t)picks[i]);
    if (backend->round_rows) backend->round_rows(rows);
}

static size_t picked_bytes(Weight weight, size_t count)
{
    const Backend *backend = weight_backend(weight);
    return backend->packed_bytes(backend, PACKED_FORWARD, count, weight.matrix.columns);
}

size_t weight_picked_bytes(Weight weight, size_t count)
{
    bool can = weight.packed && weight.packed->forward && weight.packed->backend->pick;
    return can ? form_bytes_padded(picked_bytes(weight, count)) : 0;
}

PackedWeight weight_pick(Weight weight, void *form, const int32_t *picks, size_t count)
{
    const Backend *backend = weight_backend(weight);
    backend->pick(weight.packed, form, picks, count);
    return (PackedWeight){.backend = backend,
                          .rows = count,
                          .columns = weight.matrix.columns,
                          .forward = form,
                          .forward_bytes = picked_bytes(weight, count)};
}

const Backend *weight_backend(Weight weight)
{
    return weight.packed ? weight.packed->backend : &backend_openblas;
}
