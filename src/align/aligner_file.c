#include "align/aligner_file.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "regard aligner"
#define VERSION_KEY "aligner_version"

static const char *const side_names[2] = {"source", "target"};

static Status set_types(AlignerTensors *tensors, const Aligner *aligner, int side, Error *error)
{
    const StringMap *types = &aligner->vocabularies[side].types;
    TRY(array_new(&tensors->counts[side], types->count, "the aligner's file", error));
    for (size_t x = 0; x < types->count; x++) {
        const StringMapEntry *type = &types->entries[x];
        tensors->counts[side][x] = type->value > UINT32_MAX ? UINT32_MAX : (uint32_t)type->value;
        TRY(bytes_append(&tensors->spellings[side], type->key, type->length, error));
        TRY(bytes_append(&tensors->spellings[side], "\n", 1, error));
    }
    return STATUS_OK;
}

static Status add_vector(SafetensorsWriter *writer, const char *name, TensorType type,
                         const void *data, size_t count, Error *error)
{
    TensorView tensor = {.name = name,
                         .type = type,
                         .rank = 1,
                         .shape = {count},
                         .data = data,
                         .bytes = count * tensor_type_size(type)};
    return safetensors_writer_tensor(writer, &tensor, error);
}

// "aligner.source.links"
typedef struct Name {
    char text[40];
} Name;

static Name name_of(int side, const char *what)
{
    Name name;
    snprintf(name.text, sizeof name.text, "aligner.%s.%s", side_names[side], what);
    return name;
}

static Status add_side(SafetensorsWriter *writer, const AlignerTensors *tensors,
                       const Aligner *aligner, int side, Error *error)
{
    const AlignerTable *table = &aligner->table;
    size_t types = aligner->vocabularies[side].types.count;
    TRY(add_vector(writer, name_of(side, "counts").text, TENSOR_U32, tensors->counts[side], types,
                   error));
    TRY(add_vector(writer, name_of(side, "links").text, TENSOR_F32, table->type_links[side], types,
                   error));
    return add_vector(writer, name_of(side, "unlinked").text, TENSOR_F32, table->unlinked[side],
                      types, error);
}

Status aligner_write(SafetensorsWriter *writer, AlignerTensors *tensors, const Aligner *aligner,
                     Error *error)
{
    const AlignerTable *table = &aligner->table;
    char version[16];
    snprintf(version, sizeof version, "%d", ALIGNER_FORMAT_VERSION);
    for (int s = 0; s < 2; s++) {
        TRY(set_types(tensors, aligner, s, error));
        memcpy(tensors->jumps[s], aligner->jumps[s].weights, sizeof tensors->jumps[s]);
        tensors->null[s] = aligner->jumps[s].null;
    }
    TensorView jumps = {.name = "aligner.jumps",
                        .type = TENSOR_F64,
                        .rank = 2,
                        .shape = {2, JUMP_WIDTHS},
                        .data = tensors->jumps,
                        .bytes = sizeof tensors->jumps};
    TRY(safetensors_writer_metadata(writer, VERSION_KEY, version, error));
    TRY(safetensors_writer_tensor(writer, &jumps, error));
    TRY(add_vector(writer, "aligner.null", TENSOR_F64, tensors->null, 2, error));
    for (int s = 0; s < 2; s++) TRY(add_side(writer, tensors, aligner, s, error));
    TRY(add_vector(writer, "aligner.rows", TENSOR_U32, table->rows,
                   aligner->vocabularies[0].types.count, error));
    TRY(add_vector(writer, "aligner.columns", TENSOR_U32, table->columns, table->entries, error));
    TRY(add_vector(writer, "aligner.links", TENSOR_F32, table->links, table->entries, error));
    for (int s = 0; s < 2; s++)
        TRY(add_vector(writer, name_of(s, "types").text, TENSOR_U8,
                       bytes_text(&tensors->spellings[s]), tensors->spellings[s].length, error));
    return STATUS_OK;
}

void aligner_tensors_free(AlignerTensors *tensors)
{
    for (int s = 0; s < 2; s++) {
        memory_free(tensors->counts[s]);
        bytes_free(&tensors->spellings[s]);
    }
    *tensors = (AlignerTensors){0};
}

Status aligner_addition_write(void *addition, SafetensorsWriter *writer, Error *error)
{
    AlignerAddition *added = addition;
    return aligner_write(writer, &added->tensors, added->aligner, error);
}

bool aligner_is_in(const SafetensorsFile *file)
{
    return safetensors_metadata(file, VERSION_KEY) != NULL;
}

// A file that is being read.
typedef struct Reading {
    const SafetensorsFile *file;
    const char *path;
    Error *error;
} Reading;

static Status refuse(const Reading *in, const char *name, const char *what)
{
    return error_set(in->error, STATUS_FORMAT, "%s: tensor %s %s; the file is damaged", in->path,
                     name, what);
}

// A vector of any length.
static Status find_vector(const TensorView **tensor, const Reading *in, const char *name,
                          TensorType type)
{
    *tensor = safetensors_find(in->file, name);
    if (!*tensor) return refuse(in, name, "is missing");
    if ((*tensor)->rank != 1 || (*tensor)->type != type)
        return refuse(in, name, "is of the wrong type or shape");
    return STATUS_OK;
}

// Copies `count` numbers, of which those of F32 must be finite and not negative.
static Status copy_vector(void *out, const Reading *in, const char *name, TensorType type,
                          size_t count)
{
    const TensorView *tensor;
    TRY(find_vector(&tensor, in, name, type));
    if (tensor->shape[0] != count) return refuse(in, name, "is of the wrong type or shape");
    memcpy(out, tensor->data, tensor->bytes);
    const float *numbers = tensor->data;
    for (size_t i = 0; type == TENSOR_F32 && i < count; i++)
        if (!(numbers[i] >= 0 && isfinite(numbers[i])))
            return refuse(in, name, "has numbers that are not counts");
    return STATUS_OK;
}

static Status read_types(AlignerVocabulary *vocabulary, const Reading *in, int side)
{
    const TensorView *spellings, *counts;
    Name types = name_of(side, "types"), name = name_of(side, "counts");
    TRY(find_vector(&spellings, in, types.text, TENSOR_U8));
    TRY(find_vector(&counts, in, name.text, TENSOR_U32));
    const char *at = spellings->data, *end = at + spellings->bytes;
    const uint32_t *count = counts->data;
    for (size_t x = 0; x < counts->shape[0]; x++) {
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        uint32_t number;
        if (!newline || !count[x]) return refuse(in, types.text, "does not fit the counts");
        TextView spelling = {at, (size_t)(newline - at)};
        TRY(aligner_vocabulary_add(vocabulary, &number, spelling, count[x], in->error));
        if (number != x) return refuse(in, types.text, "has one type twice");
        at = newline + 1;
    }
    return at == end ? STATUS_OK : refuse(in, types.text, "does not fit the counts");
}

static Status read_jumps(JumpModel jumps[2], const Reading *in)
{
    double null[2];
    const TensorView *tensor = safetensors_find(in->file, "aligner.jumps");
    if (!tensor || tensor->type != TENSOR_F64 || tensor->rank != 2 || tensor->shape[0] != 2 ||
        tensor->shape[1] != JUMP_WIDTHS)
        return refuse(in, "aligner.jumps", "is missing or of the wrong type or shape");
    TRY(copy_vector(null, in, "aligner.null", TENSOR_F64, 2));
    const double *weights = tensor->data;
    for (int d = 0; d < 2; d++) {
        if (!(null[d] > 0 && null[d] < 1))
            return refuse(in, "aligner.null", "has numbers that are not probabilities");
        jumps[d].null = null[d];
        for (int width = 0; width < JUMP_WIDTHS; width++) {
            double weight = weights[d * JUMP_WIDTHS + width];
            if (!(weight > 0 && weight <= 1))
                return refuse(in, "aligner.jumps", "has numbers that are not probabilities");
            jumps[d].weights[width] = weight;
        }
    }
    return STATUS_OK;
}

// Each row's columns must ascend and be types; the rows must cover all entries.
static Status check_entries(const AlignerTable *table, const Reading *in, size_t sources,
                            size_t targets)
{
    size_t entry = 0;
    for (size_t x = 0; x < sources; x++) {
        if (table->rows[x] > table->entries - entry)
            return refuse(in, "aligner.rows", "does not fit the columns");
        for (uint32_t n = 0; n < table->rows[x]; n++, entry++)
            if (table->columns[entry] >= targets ||
                (n && table->columns[entry] <= table->columns[entry - 1]))
                return refuse(in, "aligner.columns", "has numbers that are not rising types");
    }
    return entry == table->entries ? STATUS_OK
                                   : refuse(in, "aligner.rows", "does not fit the columns");
}

static Status read_table(Aligner *aligner, const Reading *in)
{
    AlignerTable *table = &aligner->table;
    const TensorView *columns;
    size_t types[2];
    TRY(find_vector(&columns, in, "aligner.columns", TENSOR_U32));
    TRY(aligner_table_new(table, aligner->vocabularies, columns->shape[0], in->error));
    for (int s = 0; s < 2; s++) {
        types[s] = aligner->vocabularies[s].types.count;
        TRY(copy_vector(table->type_links[s], in, name_of(s, "links").text, TENSOR_F32, types[s]));
        TRY(copy_vector(table->unlinked[s], in, name_of(s, "unlinked").text, TENSOR_F32, types[s]));
    }
    TRY(copy_vector(table->rows, in, "aligner.rows", TENSOR_U32, types[0]));
    TRY(copy_vector(table->columns, in, "aligner.columns", TENSOR_U32, table->entries));
    TRY(copy_vector(table->links, in, "aligner.links", TENSOR_F32, table->entries));
    TRY(check_entries(table, in, types[0], types[1]));
    return aligner_table_complete(table, aligner->vocabularies, in->error);
}

static Status read_all(Aligner *aligner, const Reading *in)
{
    const char *version = safetensors_metadata(in->file, VERSION_KEY);
    if (!version)
        return error_set(in->error, STATUS_FORMAT,
                         "%s: holds no aligner; make one with regard align --save", in->path);
    if (strtol(version, NULL, 10) != ALIGNER_FORMAT_VERSION)
        return error_set(in->error, STATUS_FORMAT,
                         "%s: its aligner has version %s, this program reads version %d; learn it "
                         "again with regard align --save",
                         in->path, version, ALIGNER_FORMAT_VERSION);
    for (int s = 0; s < 2; s++) TRY(read_types(&aligner->vocabularies[s], in, s));
    TRY(read_jumps(aligner->jumps, in));
    return read_table(aligner, in);
}

Status aligner_read(Aligner *aligner, const SafetensorsFile *file, const char *path, Error *error)
{
    Reading in = {file, path, error};
    *aligner = (Aligner){.table = {0}};
    Status status = read_all(aligner, &in);
    if (status) aligner_free(aligner);
    return status;
}

static Status check(const char *path, Error *error)
{
    Aligner aligner;
    TRY(aligner_open(&aligner, path, error));
    aligner_free(&aligner);
    return STATUS_OK;
}

Status aligner_save(const char *path, const Aligner *aligner, Error *error)
{
    SafetensorsWriter *writer;
    AlignerTensors tensors = {.null = {0}};
    TRY(safetensors_writer_new(&writer, error));
    Status status = safetensors_writer_metadata(writer, "format", FORMAT, error);
    if (!status) status = aligner_write(writer, &tensors, aligner, error);
    if (!status) status = safetensors_writer_save(writer, path, check, error);
    safetensors_writer_free(writer);
    aligner_tensors_free(&tensors);
    return status;
}

Status aligner_open(Aligner *aligner, const char *path, Error *error)
{
    SafetensorsFile *file;
    TRY(safetensors_open(&file, path, error));
    Status status = aligner_read(aligner, file, path, error);
    safetensors_close(file);
    return status;
}
