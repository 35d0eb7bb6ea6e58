#include "linalg/packed.h"

#include "base/memory.h"
#include "linalg/backend/onednn.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PackedWeights {
    const ParamList *list;
    PackedWeight *weights; // (list->count)
    char *forms;           // of all weights, one after another
};

enum { FORM_BOUNDARY = 64 }; // a cache line, and the width of AVX-512

bool packed_possible(GemmPrecision precision)
{
    const char *forced = getenv("REGARD_GEMM");
    if (precision == GEMM_FLOAT32 && forced && !strcmp(forced, "openblas")) return false;
    return onednn_has(precision);
}

void packed_describe(char *text, size_t size, GemmPrecision precision, bool packed)
{
    char backend[128];
    if (packed)
        onednn_describe(backend, sizeof backend);
    else
        gemm_describe(backend, sizeof backend);
    snprintf(text, size, "%s by %s", precision == GEMM_BF16 ? "bf16" : "float32", backend);
}

size_t packed_row_multiple(GemmPrecision precision)
{
    return precision == GEMM_BF16 ? 16 : 8;
}

bool packed_rows_exact(GemmPrecision precision)
{
    return onednn_rows_exact(precision);
}

static size_t form_bytes(const PackedWeight *weight, PackedUse use)
{
    return onednn_packed_bytes(weight->precision, use, weight->rows, weight->columns);
}

static void measure_forms(PackedWeight *weight, PackedPurpose purpose)
{
    weight->forward_bytes = form_bytes(weight, PACKED_FORWARD);
    if (purpose == PACKED_TRAINING) weight->backward_bytes = form_bytes(weight, PACKED_BACKWARD);
}

static Status parts_new(PackedWeight *weight, size_t count, Error *error)
{
    weight->parts = memory_new(count, sizeof *weight->parts);
    if (!weight->parts) return error_memory(error, count * sizeof *weight->parts, "packed weights");
    weight->part_count = count;
    for (size_t p = 0; p < count; p++)
        weight->parts[p] = (PackedWeight){
            .precision = weight->precision, .rows = weight->rows, .columns = weight->columns};
    return STATUS_OK;
}

// Two parts with forms of their own.
static Status columns_measure(PackedWeight *weight, size_t split, PackedPurpose purpose,
                              Error *error)
{
    Status status = parts_new(weight, 2, error);
    for (size_t p = 0; p < weight->part_count && !status; p++) {
        PackedWeight *part = &weight->parts[p];
        part->first_column = p ? split : 0;
        part->columns = p ? weight->columns - split : split;
        measure_forms(part, purpose);
    }
    return status;
}

// Blocks of rows: each a piece of the whole form forward, and with a form of its own backward.
static Status blocks_measure(PackedWeight *weight, size_t block, PackedPurpose purpose,
                             Error *error)
{
    size_t bytes =
        onednn_packed_rows_bytes(weight->precision, weight->rows, weight->columns, block);
    // a weight of one block is multiplied whole, and so is one whose form does not fall into pieces
    if (weight->rows <= block || !bytes) {
        measure_forms(weight, purpose);
        return STATUS_OK;
    }
    measure_forms(weight, PACKED_DECODING);
    if (!weight->forward_bytes) return STATUS_OK;
    Status status = parts_new(weight, (weight->rows + block - 1) / block, error);
    for (size_t p = 0; p < weight->part_count && !status; p++) {
        PackedWeight *part = &weight->parts[p];
        part->first_row = p * block;
        part->rows =
            weight->rows - part->first_row < block ? weight->rows - part->first_row : block;
        part->forward_bytes = bytes;
        if (purpose == PACKED_TRAINING) part->backward_bytes = form_bytes(part, PACKED_BACKWARD);
    }
    return status;
}

static Status weight_measure(PackedWeights *packed, size_t i, GemmPrecision precision,
                             PackedPurpose purpose, Error *error)
{
    const ParamInfo *info = &packed->list->tensors[i];
    PackedWeight *weight = &packed->weights[i];
    *weight =
        (PackedWeight){.precision = precision, .rows = info->shape[0], .columns = info->shape[1]};
    if (purpose == PACKED_GRADIENTS || info->rank < 2 || info->split == PARAM_NOT_MULTIPLIED)
        return STATUS_OK;
    if (info->split) return columns_measure(weight, info->split, purpose, error);
    if (info->block) return blocks_measure(weight, info->block, purpose, error);
    measure_forms(weight, purpose);
    return STATUS_OK;
}

static void *form_place(char *forms, size_t *used, size_t bytes)
{
    if (!bytes) return NULL;
    char *form = forms ? forms + *used : NULL;
    *used += (bytes + FORM_BOUNDARY - 1) / FORM_BOUNDARY * FORM_BOUNDARY;
    return form;
}

/* Gives every form its place behind the `used` bytes of those before it; with no `forms` only counts. */
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

// All forms lie in one block, since one of large pages is made sooner than many of small ones.
static Status place_all(PackedWeights *packed, Error *error)
{
    size_t bytes = 0, used = 0;
    for (size_t i = 0; i < packed->list->count; i++)
        weight_place(&packed->weights[i], NULL, &bytes);
    packed->forms = memory_in_large_pages(bytes, 1);
    if (!packed->forms) return error_memory(error, bytes, "packed weights");
    for (size_t i = 0; i < packed->list->count; i++)
        weight_place(&packed->weights[i], packed->forms, &used);
    return STATUS_OK;
}

Status packed_weights_new(PackedWeights **out, const ParamList *list, GemmPrecision precision,
                          PackedPurpose purpose, Error *error)
{
    if (!onednn_has(precision))
        return error_set(error, STATUS_ARGUMENT,
                         "bf16 needs a processor with AMX and a program built with oneDNN");
    PackedWeights *packed = memory_new(1, sizeof *packed);
    if (!packed) return error_memory(error, sizeof *packed, "packed weights");
    packed->list = list;
    packed->weights = memory_new(list->count, sizeof *packed->weights);
    Status status =
        packed->weights ? STATUS_OK : error_memory(error, list->count, "packed weights");
    for (size_t i = 0; i < list->count && !status; i++)
        status = weight_measure(packed, i, precision, purpose, error);
    if (!status) status = place_all(packed, error);
    if (status)
        packed_weights_free(packed);
    else
        *out = packed;
    return status;
}

void packed_weights_free(PackedWeights *packed)
{
    if (!packed) return;
    for (size_t i = 0; packed->weights && i < packed->list->count; i++)
        memory_free(packed->weights[i].parts);
    memory_free(packed->forms);
    memory_free(packed->weights);
    memory_free(packed);
}

const PackedWeight *packed_weights_of(const PackedWeights *packed, size_t i)
{
    assert(i < packed->list->count);
    return &packed->weights[i];
}

// If oneDNN fails, products of this weight take OpenBLAS.
static void fill_form(PackedWeight *weight, PackedUse use, Matrix values)
{
    void **form = use == PACKED_FORWARD ? &weight->forward : &weight->backward;
    values = matrix_columns(values, weight->first_column, weight->columns);
    values = matrix_rows(values, weight->first_row, weight->rows);
    if (*form && !onednn_pack(*form, weight->precision, use, values)) *form = NULL;
}

/* Of a weight in blocks of rows a worker fills both forms of a block, for which the block is read once;
 * forward that is a piece of the whole form. */
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

/* Every worker counts all forms of a weight, also those it has not, and fills each `workers`-th. */
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
    for (size_t i = 0; i < packed->list->count; i++) {
        const ParamInfo *info = &packed->list->tensors[i];
        if (info->rank < 2 || info->split == PARAM_NOT_MULTIPLIED) continue;
        Matrix values = matrix_of(places[i], info->shape[0], info->shape[1]);
        fill_weight(&packed->weights[i], values, &count, worker, workers);
    }
}

bool packed_weights_whole(const PackedWeights *packed)
{
    for (size_t i = 0; i < packed->list->count; i++) {
        const ParamInfo *info = &packed->list->tensors[i];
        if (info->rank < 2 || info->split == PARAM_NOT_MULTIPLIED) continue;
        const PackedWeight *weight = &packed->weights[i], *parts = weight->parts;
        bool whole = info->split ? parts[0].forward && parts[1].forward : weight->forward != NULL;
        if (!whole && info->shape[0] >= GEMM_FEW_OUTPUTS) return false;
    }
    return true;
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

const PackedWeight *packed_columns(const PackedWeight *packed, size_t first, size_t count)
{
    return packed ? part_of(packed, 0, packed->rows, first, count) : NULL;
}

const PackedWeight *packed_rows(const PackedWeight *packed, size_t first, size_t count)
{
    return packed ? part_of(packed, first, count, 0, packed->columns) : NULL;
}
