#include "align/aligner_file.h"

#include "base/array.h"
#include "math/elementary.h"

#include <stdio.h>
#include <stdlib.h>

#define FORMAT "regard aligner"
#define ANY_COUNT SIZE_MAX
#define VERSION_KEY "aligner_version"

static const char *const side_names[2] = {"source", "target"};

static Status set_types(AlignerTensors *tensors, int side, Error *error)
{
    const StringMap *types = &tensors->aligner->vocabularies[side].types;
    TRY(array_new(&tensors->counts[side], types->count, "the aligner's file", error));
    for (size_t x = 0; x < types->count; x++) {
        const StringMapEntry *type = &types->entries[x];
        tensors->counts[side][x] = type->value > UINT32_MAX ? UINT32_MAX : (uint32_t)type->value;
        TRY(bytes_append(&tensors->spellings[side], type->key, type->length, error));
        TRY(bytes_append(&tensors->spellings[side], "\n", 1, error));
    }
    return STATUS_OK;
}

static TensorView vector_of(const char *name, TensorType type, const void *data, size_t count)
{
    return (TensorView){.name = name, .type = type, .rank = 1, .shape = {count}, .data = data};
}

// The type of rows and columns, whose numbers are at most that of the target types.
static TensorType number_type(const Aligner *aligner, AlignerForm form)
{
    bool narrow = form == ALIGNER_ROUNDED && aligner->vocabularies[1].types.count <= UINT16_MAX;
    return narrow ? TENSOR_U16 : TENSOR_U32;
}

// Adds a vector of F32 or U32 numbers, or in version 2 a copy of them as BF16 or U16.
static Status add_numbers(SafetensorsWriter *writer, AlignerTensors *tensors, TensorView vector,
                          TensorType to, Error *error)
{
    const size_t count = vector.shape[0];
    const float *reals = vector.data;
    const uint32_t *integers = vector.data;
    uint16_t *out; // (count)
    if (tensors->form == ALIGNER_EXACT || to == vector.type)
        return safetensors_writer_tensor(writer, &vector, error);
    TRY(array_new(&out, count, "the aligner's file", error));
    tensors->rounded[tensors->rounded_count++] = out;
    for (size_t i = 0; i < count; i++)
        if (to == TENSOR_U16)
            out[i] = (uint16_t)integers[i];
        else
            out[i] = bf16_of(vector.type == TENSOR_F32 ? (real)reals[i] : (real)integers[i]);
    vector = vector_of(vector.name, to, out, count);
    return safetensors_writer_tensor(writer, &vector, error);
}

// "aligner.source.links"
typedef struct TensorName {
    char text[40];
} TensorName;

static TensorName name_of(int side, const char *what)
{
    TensorName name;
    snprintf(name.text, sizeof name.text, "aligner.%s.%s", side_names[side], what);
    return name;
}

static Status add_side(SafetensorsWriter *writer, AlignerTensors *tensors, int side, Error *error)
{
    const AlignerTable *table = &tensors->aligner->table;
    const size_t types = tensors->aligner->vocabularies[side].types.count;
    const TensorName names[] = {name_of(side, "counts"), name_of(side, "links"),
                                name_of(side, "unlinked")};
    const TensorView vectors[] = {
        vector_of(names[0].text, TENSOR_U32, tensors->counts[side], types),
        vector_of(names[1].text, TENSOR_F32, table->type_links[side], types),
        vector_of(names[2].text, TENSOR_F32, table->unlinked[side], types),
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        TRY(add_numbers(writer, tensors, vectors[i], TENSOR_BF16, error));
    return STATUS_OK;
}

static Status add_table(SafetensorsWriter *writer, AlignerTensors *tensors, Error *error)
{
    const AlignerTable *table = &tensors->aligner->table;
    const TensorType number = number_type(tensors->aligner, tensors->form);
    const size_t sources = tensors->aligner->vocabularies[0].types.count;
    const TensorView rows = vector_of("aligner.rows", TENSOR_U32, table->rows, sources);
    const TensorView columns =
        vector_of("aligner.columns", TENSOR_U32, table->columns, table->entries);
    const TensorView links = vector_of("aligner.links", TENSOR_F32, table->links, table->entries);
    TRY(add_numbers(writer, tensors, rows, number, error));
    TRY(add_numbers(writer, tensors, columns, number, error));
    return add_numbers(writer, tensors, links, TENSOR_BF16, error);
}

Status aligner_write(void *addition, SafetensorsWriter *writer, Error *error)
{
    AlignerTensors *tensors = addition;
    const Aligner *aligner = tensors->aligner;
    char version[16];
    snprintf(version, sizeof version, "%d", (int)tensors->form);
    for (int s = 0; s < 2; s++) {
        TRY(set_types(tensors, s, error));
        memcpy(tensors->jumps[s], aligner->jumps[s].weights, sizeof tensors->jumps[s]);
        tensors->null[s] = aligner->jumps[s].null;
    }
    const TensorView jumps = {.name = "aligner.jumps",
                              .type = TENSOR_F64,
                              .rank = 2,
                              .shape = {2, JUMP_WIDTHS},
                              .data = tensors->jumps};
    const TensorView null = vector_of("aligner.null", TENSOR_F64, tensors->null, 2);
    TRY(safetensors_writer_metadata(writer, VERSION_KEY, version, error));
    TRY(safetensors_writer_tensor(writer, &jumps, error));
    TRY(safetensors_writer_tensor(writer, &null, error));
    for (int s = 0; s < 2; s++) TRY(add_side(writer, tensors, s, error));
    TRY(add_table(writer, tensors, error));
    for (int s = 0; s < 2; s++) {
        const Bytes *spellings = &tensors->spellings[s];
        const TensorName name = name_of(s, "types");
        const TensorView types =
            vector_of(name.text, TENSOR_U8, bytes_text(spellings), spellings->length);
        TRY(safetensors_writer_tensor(writer, &types, error));
    }
    return STATUS_OK;
}

void aligner_tensors_free(AlignerTensors *tensors)
{
    for (int s = 0; s < 2; s++) {
        memory_free(tensors->counts[s]);
        bytes_free(&tensors->spellings[s]);
    }
    for (size_t i = 0; i < tensors->rounded_count; i++) memory_free(tensors->rounded[i]);
    *tensors = (AlignerTensors){0};
}

bool aligner_is_in(const SafetensorsFile *file)
{
    return safetensors_metadata(file, VERSION_KEY) != NULL;
}

// A file that is being read.
typedef struct AlignerReader {
    const SafetensorsFile *file;
    const char *path;
    Error *error;
} AlignerReader;

static Status refuse(const AlignerReader *in, const char *name, const char *what)
{
    return error_set(in->error, STATUS_FORMAT, "%s: tensor %s %s; the file is damaged", in->path,
                     name, what);
}

// Finds a vector of `count` numbers, or of any (ANY_COUNT), of one of two types.
static Status find_vector(const TensorView **tensor, const AlignerReader *in, const char *name,
                          TensorType type, TensorType other, size_t count)
{
    *tensor = safetensors_find(in->file, name);
    if (!*tensor) return refuse(in, name, "is missing");
    if ((*tensor)->rank == 1 && ((*tensor)->type == type || (*tensor)->type == other) &&
        (count == ANY_COUNT || (*tensor)->shape[0] == count))
        return STATUS_OK;
    return refuse(in, name, "is of the wrong type or shape");
}

static Status copy_numbers(uint32_t *out, const AlignerReader *in, const char *name, size_t count)
{
    const TensorView *tensor;
    TRY(find_vector(&tensor, in, name, TENSOR_U32, TENSOR_U16, count));
    const uint32_t *wide = tensor->data;
    const uint16_t *narrow = tensor->data;
    for (size_t i = 0; i < count; i++) out[i] = tensor->type == TENSOR_U32 ? wide[i] : narrow[i];
    return STATUS_OK;
}

// Copies numbers that must be finite and not negative.
static Status copy_reals(float *out, const AlignerReader *in, const char *name, size_t count)
{
    const TensorView *tensor;
    TRY(find_vector(&tensor, in, name, TENSOR_F32, TENSOR_BF16, count));
    const float *exact = tensor->data;
    const uint16_t *rounded = tensor->data;
    for (size_t i = 0; i < count; i++) {
        out[i] = tensor->type == TENSOR_F32 ? exact[i] : (float)real_of_bf16(rounded[i]);
        if (!(out[i] >= 0 && isfinite(out[i])))
            return refuse(in, name, "has numbers that are not counts");
    }
    return STATUS_OK;
}

// How often type x occurs; 0 if that is no number.
static size_t count_at(const TensorView *counts, size_t x)
{
    if (counts->type == TENSOR_U32) return ((const uint32_t *)counts->data)[x];
    real count = real_of_bf16(((const uint16_t *)counts->data)[x]);
    return count >= 1 && count <= (real)UINT32_MAX ? (size_t)count : 0;
}

static Status read_types(AlignerVocabulary *vocabulary, const AlignerReader *in, int side)
{
    const TensorView *spellings, *counts;
    TensorName types = name_of(side, "types"), name = name_of(side, "counts");
    TRY(find_vector(&spellings, in, types.text, TENSOR_U8, TENSOR_U8, ANY_COUNT));
    TRY(find_vector(&counts, in, name.text, TENSOR_U32, TENSOR_BF16, ANY_COUNT));
    const char *at = spellings->data, *end = at + spellings->bytes;
    for (size_t x = 0; x < counts->shape[0]; x++) {
        const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        size_t count = count_at(counts, x);
        uint32_t number;
        if (!newline || !count) return refuse(in, types.text, "does not fit the counts");
        TextView spelling = {at, (size_t)(newline - at)};
        TRY(aligner_vocabulary_add(vocabulary, &number, spelling, count, in->error));
        if (number != x) return refuse(in, types.text, "has one type twice");
        at = newline + 1;
    }
    return at == end ? STATUS_OK : refuse(in, types.text, "does not fit the counts");
}

static Status read_jumps(JumpModel jumps[2], const AlignerReader *in)
{
    const TensorView *nulls, *tensor = safetensors_find(in->file, "aligner.jumps");
    if (!tensor || tensor->type != TENSOR_F64 || tensor->rank != 2 || tensor->shape[0] != 2 ||
        tensor->shape[1] != JUMP_WIDTHS)
        return refuse(in, "aligner.jumps", "is missing or of the wrong type or shape");
    TRY(find_vector(&nulls, in, "aligner.null", TENSOR_F64, TENSOR_F64, 2));
    const double *null = nulls->data, *weights = tensor->data;
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
static Status check_entries(const AlignerTable *table, const AlignerReader *in, size_t sources,
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

static Status read_table(Aligner *aligner, const AlignerReader *in)
{
    AlignerTable *table = &aligner->table;
    const TensorView *columns;
    size_t types[2];
    TRY(find_vector(&columns, in, "aligner.columns", TENSOR_U32, TENSOR_U16, ANY_COUNT));
    TRY(aligner_table_new(table, aligner->vocabularies, columns->shape[0], in->error));
    for (int s = 0; s < 2; s++) {
        types[s] = aligner->vocabularies[s].types.count;
        TRY(copy_reals(table->type_links[s], in, name_of(s, "links").text, types[s]));
        TRY(copy_reals(table->unlinked[s], in, name_of(s, "unlinked").text, types[s]));
    }
    TRY(copy_numbers(table->rows, in, "aligner.rows", types[0]));
    TRY(copy_numbers(table->columns, in, "aligner.columns", table->entries));
    TRY(copy_reals(table->links, in, "aligner.links", table->entries));
    TRY(check_entries(table, in, types[0], types[1]));
    return aligner_table_complete(table, aligner->vocabularies, in->error);
}

static Status read_all(Aligner *aligner, const AlignerReader *in)
{
    const char *version = safetensors_metadata(in->file, VERSION_KEY);
    if (!version)
        return error_set(in->error, STATUS_FORMAT,
                         "%s: holds no aligner; make one with regard align --save", in->path);
    long form = strtol(version, NULL, 10);
    if (form != ALIGNER_EXACT && form != ALIGNER_ROUNDED)
        return error_set(in->error, STATUS_FORMAT,
                         "%s: its aligner has version %s, this program reads versions %d and %d; "
                         "learn it again with regard align --save",
                         in->path, version, ALIGNER_EXACT, ALIGNER_ROUNDED);
    for (int s = 0; s < 2; s++) TRY(read_types(&aligner->vocabularies[s], in, s));
    TRY(read_jumps(aligner->jumps, in));
    return read_table(aligner, in);
}

Status aligner_read(Aligner *aligner, const SafetensorsFile *file, const char *path, Error *error)
{
    AlignerReader in = {file, path, error};
    *aligner = (Aligner){.table = {0}};
    Status status = read_all(aligner, &in);
    if (status) aligner_free(aligner);
    return status;
}

static Status check(const char *path, Error *error)
{
    FREED_BY(aligner_free) Aligner aligner = {.table = {0}};
    return aligner_open(&aligner, path, error);
}

Status aligner_save(const char *path, const Aligner *aligner, Error *error)
{
    FREED_BY(safetensors_writer_free_at) SafetensorsWriter *writer = NULL;
    FREED_BY(aligner_tensors_free)
    AlignerTensors tensors = {.aligner = aligner, .form = ALIGNER_EXACT};
    TRY(safetensors_writer_new(&writer, error));
    TRY(safetensors_writer_metadata(writer, "format", FORMAT, error));
    TRY(aligner_write(&tensors, writer, error));
    return safetensors_writer_save(writer, path, check, error);
}

Status aligner_open(Aligner *aligner, const char *path, Error *error)
{
    FREED_BY(safetensors_close_at) SafetensorsFile *file = NULL;
    TRY(safetensors_open(&file, path, error));
    return aligner_read(aligner, file, path, error);
}

static const float GROWTH = 1.1F; // of the fewest links, from one try to the next
static const char PURPOSE[] = "the aligner's table";

// Which types are kept with entries of at least so many links, and how much they and these take.
typedef struct KeptTypes {
    size_t type_bytes[2]; // that the numbers of a type of either side take
    size_t entry_bytes;
    uint32_t *numbers[2]; // (types) the new number of each, or ALIGNER_UNKNOWN
    float least;
    size_t entries;
    size_t bytes;
} KeptTypes;

static void kept_free(KeptTypes *kept)
{
    for (int s = 0; s < 2; s++) memory_free(kept->numbers[s]);
}

static Status kept_new(KeptTypes *kept, const Aligner *aligner, AlignerForm form, Error *error)
{
    size_t number = tensor_type_size(number_type(aligner, form));
    size_t count = tensor_type_size(form == ALIGNER_ROUNDED ? TENSOR_BF16 : TENSOR_F32);
    *kept =
        (KeptTypes){.type_bytes = {3 * count + number, 3 * count}, .entry_bytes = number + count};
    for (int s = 0; s < 2; s++)
        TRY(array_new(&kept->numbers[s], aligner->vocabularies[s].types.count, PURPOSE, error));
    return STATUS_OK;
}

static void choose(KeptTypes *kept, const Aligner *aligner, float least)
{
    const AlignerTable *table = &aligner->table;
    kept->least = least;
    kept->entries = 0;
    for (int s = 0; s < 2; s++)
        memset(kept->numbers[s], 0xff,
               aligner->vocabularies[s].types.count * sizeof *kept->numbers[s]);
    for (size_t x = 0; x < aligner->vocabularies[0].types.count; x++)
        for (size_t e = table->begins[x]; e < table->begins[x] + table->rows[x]; e++) {
            if (table->links[e] < least) continue;
            kept->numbers[0][x] = kept->numbers[1][table->columns[e]] = 0;
            kept->entries++;
        }
    kept->bytes = kept->entries * kept->entry_bytes;
    for (int s = 0; s < 2; s++) {
        const StringMap *types = &aligner->vocabularies[s].types;
        uint32_t next = 0;
        for (size_t x = 0; x < types->count; x++) {
            if (kept->numbers[s][x] == ALIGNER_UNKNOWN) continue;
            kept->numbers[s][x] = next++;
            kept->bytes += kept->type_bytes[s] + types->entries[x].length + 1;
        }
    }
}

static Status copy_types(AlignerVocabulary *out, const AlignerVocabulary *vocabulary,
                         const uint32_t *numbers, Error *error)
{
    for (size_t x = 0; x < vocabulary->types.count; x++) {
        const StringMapEntry *type = &vocabulary->types.entries[x];
        uint32_t number;
        if (numbers[x] == ALIGNER_UNKNOWN) continue;
        TRY(aligner_vocabulary_add(out, &number, (TextView){type->key, type->length},
                                   (size_t)type->value, error));
    }
    return STATUS_OK;
}

static void copy_entries(AlignerTable *out, const AlignerTable *table, const KeptTypes *kept,
                         size_t sources)
{
    size_t next = 0;
    for (size_t x = 0; x < sources; x++)
        for (size_t e = table->begins[x]; e < table->begins[x] + table->rows[x]; e++) {
            if (table->links[e] < kept->least) continue;
            out->rows[kept->numbers[0][x]]++;
            out->columns[next] = kept->numbers[1][table->columns[e]];
            out->links[next++] = table->links[e];
        }
}

static Status copy(Aligner *out, const Aligner *aligner, const KeptTypes *kept, Error *error)
{
    const AlignerTable *table = &aligner->table;
    memcpy(out->jumps, aligner->jumps, sizeof out->jumps);
    for (int s = 0; s < 2; s++)
        TRY(copy_types(&out->vocabularies[s], &aligner->vocabularies[s], kept->numbers[s], error));
    TRY(aligner_table_new(&out->table, out->vocabularies, kept->entries, error));
    copy_entries(&out->table, table, kept, aligner->vocabularies[0].types.count);
    for (int s = 0; s < 2; s++)
        for (size_t x = 0; x < aligner->vocabularies[s].types.count; x++) {
            uint32_t number = kept->numbers[s][x];
            if (number == ALIGNER_UNKNOWN) continue;
            out->table.type_links[s][number] = table->type_links[s][x];
            out->table.unlinked[s][number] = table->unlinked[s][x];
        }
    return aligner_table_complete(&out->table, out->vocabularies, error);
}

Status aligner_trim(Aligner *aligner, AlignerForm form, size_t bytes, Error *error)
{
    const float first = 1e-3F;
    FREED_BY(kept_free) KeptTypes kept = {.bytes = 0};
    Aligner trimmed = {.table = {0}};
    TRY(kept_new(&kept, aligner, form, error));
    choose(&kept, aligner, 0);
    for (float least = first; kept.bytes > bytes; least *= GROWTH) choose(&kept, aligner, least);
    Status status = copy(&trimmed, aligner, &kept, error);
    aligner_free(status ? &trimmed : aligner);
    if (!status) *aligner = trimmed;
    return status;
}
