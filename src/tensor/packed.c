#include "tensor/packed.h"

#include "base/memory.h"
#include "tensor/onednn.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PackedWeights {
    const ParamList *list;
    PackedWeight *weights; // (list->count) the whole ones
    PackedWeight *parts;   // (list->count, PACKED_PARTS_MOST)
};

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

size_t packed_row_quantum(GemmPrecision precision)
{
    return precision == GEMM_BF16 ? 16 : 8;
}

bool packed_rows_exact(GemmPrecision precision)
{
    return onednn_rows_exact(precision);
}

// No form if oneDNN has no fast product for it.
static Status form_new(void **form, size_t bytes, Error *error)
{
    *form = bytes ? memory_aligned(bytes, 1) : NULL;
    return *form || !bytes ? STATUS_OK : error_memory(error, bytes, "packed weights");
}

static Status forms_new(PackedWeight *weight, PackedPurpose purpose, Error *error)
{
    size_t out = weight->rows, in = weight->columns;
    Status status = form_new(
        &weight->forward, onednn_packed_bytes(weight->precision, PACKED_FORWARD, out, in), error);
    if (status || purpose == PACKED_DECODING) return status;
    return form_new(&weight->backward,
                    onednn_packed_bytes(weight->precision, PACKED_BACKWARD, out, in), error);
}

static Status weight_new(PackedWeights *packed, size_t i, GemmPrecision precision,
                         PackedPurpose purpose, Error *error)
{
    const ParamInfo *info = &packed->list->tensors[i];
    PackedWeight *weight = &packed->weights[i], *parts = &packed->parts[i * PACKED_PARTS_MOST];
    *weight =
        (PackedWeight){.precision = precision, .rows = info->shape[0], .columns = info->shape[1]};
    if (purpose == PACKED_GRADIENTS || info->rank < 2 || info->split == PARAM_NOT_MULTIPLIED)
        return STATUS_OK;
    if (!info->split) return forms_new(weight, purpose, error);
    weight->parts = parts;
    weight->part_count = PACKED_PARTS_MOST;
    const size_t begins[] = {0, info->split, info->shape[1]};
    for (size_t p = 0; p < PACKED_PARTS_MOST; p++) {
        parts[p] = (PackedWeight){.precision = precision,
                                  .first = begins[p],
                                  .rows = info->shape[0],
                                  .columns = begins[p + 1] - begins[p]};
        Status status = forms_new(&parts[p], purpose, error);
        if (status) return status;
    }
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
    packed->parts = memory_new(list->count * PACKED_PARTS_MOST, sizeof *packed->parts);
    Status status = packed->weights && packed->parts
                        ? STATUS_OK
                        : error_memory(error, list->count, "packed weights");
    for (size_t i = 0; i < list->count && !status; i++)
        status = weight_new(packed, i, precision, purpose, error);
    if (status)
        packed_weights_free(packed);
    else
        *out = packed;
    return status;
}

static void forms_free(PackedWeight *weights, size_t count)
{
    for (size_t i = 0; weights && i < count; i++) {
        memory_free(weights[i].backward);
        memory_free(weights[i].forward);
    }
    memory_free(weights);
}

void packed_weights_free(PackedWeights *packed)
{
    if (!packed) return;
    forms_free(packed->weights, packed->list->count);
    forms_free(packed->parts, packed->list->count * PACKED_PARTS_MOST);
    memory_free(packed);
}

const PackedWeight *packed_weights_of(const PackedWeights *packed, size_t i)
{
    assert(i < packed->list->count);
    return &packed->weights[i];
}

/* One of the two forms of a weight. If oneDNN fails, products of this weight take OpenBLAS. */
static void fill_form(PackedWeight *weight, PackedUse use, Matrix values)
{
    void **form = use == PACKED_FORWARD ? &weight->forward : &weight->backward;
    if (!*form || onednn_pack(*form, weight->precision, use, values)) return;
    memory_free(*form);
    *form = NULL;
}

void packed_weights_fill(PackedWeights *packed, real *const *places, size_t worker, size_t workers)
{
    size_t form = 0;
    for (size_t i = 0; i < packed->list->count; i++) {
        const ParamInfo *info = &packed->list->tensors[i];
        if (info->rank < 2 || info->split == PARAM_NOT_MULTIPLIED) continue;
        Matrix values = matrix_of(places[i], info->shape[0], info->shape[1]);
        size_t count = info->split ? PACKED_PARTS_MOST : 1;
        for (size_t p = 0; p < count; p++) {
            PackedWeight *weight =
                info->split ? &packed->parts[i * PACKED_PARTS_MOST + p] : &packed->weights[i];
            for (int use = PACKED_FORWARD; use <= PACKED_BACKWARD; use++)
                if (form++ % workers == worker)
                    fill_form(weight, (PackedUse)use,
                              matrix_columns(values, weight->first, weight->columns));
        }
    }
}

bool packed_weights_whole(const PackedWeights *packed)
{
    for (size_t i = 0; i < packed->list->count; i++) {
        const ParamInfo *info = &packed->list->tensors[i];
        if (info->rank < 2 || info->split == PARAM_NOT_MULTIPLIED) continue;
        const PackedWeight *parts = &packed->parts[i * PACKED_PARTS_MOST];
        bool whole =
            info->split ? parts[0].forward && parts[1].forward : packed->weights[i].forward != NULL;
        if (!whole && info->shape[0] >= GEMM_FEW_OUTPUTS) return false;
    }
    return true;
}

const PackedWeight *packed_columns(const PackedWeight *packed, size_t first, size_t count)
{
    if (!packed || (first == 0 && count == packed->columns)) return packed;
    for (size_t i = 0; i < packed->part_count; i++)
        if (packed->parts[i].first == first && packed->parts[i].columns == count)
            return &packed->parts[i];
    return NULL;
}
