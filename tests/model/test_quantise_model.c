#include "model/model_file.h"

#include "support/scratch.h"
#include "support/small_model.h"
#include "support/suite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const TensorType REAL_TYPE = sizeof(real) == sizeof(float) ? TENSOR_F32 : TENSOR_F64;

static const ModelTexts texts = {"{\"side\": \"source\"}", "{\"side\": \"target\"}",
                                 "{\"bleu\": 1}"};

static SmallModel small;
static char plain[192], path[192];

static void set_up(void)
{
    small_model_new(&small, 15, 20, 1, 1);
    strcpy(plain, scratch_path("plain.safetensors"));
    strcpy(path, scratch_path("small.safetensors"));
}

static void tear_down(void)
{
    small_model_free(&small);
}

// Saves the small model and writes it again in fewer bits.
static Status quantise(WeightType type, const char *to, Error *error)
{
    Model model;
    assert_ok(model_save(plain, &small.params, &texts, NULL, NULL));
    assert_ok(model_open(&model, plain, NULL));
    Status status = quantise_model(&model, plain, type, NULL, to, error);
    model_close(&model);
    return status;
}

// The values that an open model computes with, tensor by tensor as in the list.
static const real *values_of(const Model *model, const ParamInfo *info)
{
    const TensorView *view = safetensors_find(model->file, info->name);
    return view->type == REAL_TYPE ? view->data : model->params.block + info->offset;
}

// The largest difference that rounding may make in row `row` of a matrix.
static double allowed(const Model *model, const ParamInfo *info, size_t row, double value)
{
    char name[2 * PARAM_NAME_SIZE];
    if (model->weights == WEIGHTS_BF16) return fabs(value) / 256; // half of 1/128 of its power of 2
    snprintf(name, sizeof name, "%s.scale", info->name);
    const bool int4 = safetensors_find(model->file, info->name)->type == TENSOR_U8;
    return (int4 ? 19.5 : 0.5) * // half of the way from 89 to 127, and of a step
           (double)((const float *)safetensors_find(model->file, name)->data)[row] * (1 + 1e-5);
}

static void check_round_trip(WeightType type, TensorType embedding, TensorType other)
{
    Model model;
    assert_ok(quantise(type, path, NULL));
    assert_ok(model_open(&model, path, NULL));
    ck_assert_int_eq(model.weights, type);
    ck_assert(!config_difference(&model.params.config, &small.config));
    ck_assert_str_eq(model.texts.source_vocabulary, texts.source_vocabulary);
    ck_assert_str_eq(model.texts.target_vocabulary, texts.target_vocabulary);
    ck_assert_str_eq(model.texts.training, texts.training);
    ck_assert_str_eq(safetensors_metadata(model.file, "format_version"), "3");
    const ParamList *list = &small.params.list;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const real *before = small.params.block + info->offset, *now = values_of(&model, info);
        const TensorView *view = safetensors_find(model.file, info->name);
        const bool is_embedding = !strcmp(info->name, "source_embedding.weight");
        ck_assert_int_eq(view->type, info->rank == 1 ? REAL_TYPE
                                     : is_embedding  ? embedding
                                                     : other);
        if (info->rank == 1) ck_assert_mem_eq(now, before, info->count * sizeof(real));
        for (size_t j = 0; info->rank == 2 && j < info->count; j++)
            ck_assert_double_le(fabs((double)now[j] - (double)before[j]),
                                allowed(&model, info, j / info->shape[1], (double)before[j]));
    }
    // the views show what was read
    ck_assert_ptr_eq(model.params.bridge.weight.matrix.values,
                     values_of(&model, param_list_find(list, "bridge.weight")));
    ck_assert_ptr_eq(model.params.bridge.bias,
                     values_of(&model, param_list_find(list, "bridge.bias")));
    SmallModel opened = {model.params.config, model.params};
    static SmallPairs pairs;
    small_pairs_draw(&pairs, &small.config, 5, 8, 3);
    for (size_t i = 0; i < pairs.count; i++) {
        double before = small_model_log_p(&small, &pairs.pairs[i], NULL);
        double now = small_model_log_p(&opened, &pairs.pairs[i], NULL);
        ck_assert_double_le(fabs(now - before), (type == WEIGHTS_INT4 ? 0.1 : 0.02) * fabs(before));
    }
    model_close(&model);
}

TESTS_EACH(set_up, tear_down)

TEST(round_trip)
{
    check_round_trip(WEIGHTS_INT8, TENSOR_I8, TENSOR_I8);
    check_round_trip(WEIGHTS_BF16, TENSOR_BF16, TENSOR_BF16);
    check_round_trip(WEIGHTS_INT4, TENSOR_U8, TENSOR_I8);
    // numbers that bf16 has come back as they were
    for (size_t i = 0; i < small.params.list.block_size; i++)
        small.params.block[i] = (real)((double)(i % 256) / 8 - 16);
    assert_ok(quantise(WEIGHTS_BF16, path, NULL));
    Model model;
    assert_ok(model_open(&model, path, NULL));
    for (size_t i = 0; i < small.params.list.count; i++) {
        const ParamInfo *info = &small.params.list.tensors[i];
        ck_assert_mem_eq(values_of(&model, info), small.params.block + info->offset,
                         info->count * sizeof(real));
    }
    model_close(&model);
}

TEST(rows_of_zeros)
{
    const ParamInfo *info = param_list_find(&small.params.list, "readout.weight");
    memset(small.params.block + info->offset, 0, info->shape[1] * sizeof(real));
    assert_ok(quantise(WEIGHTS_INT8, path, NULL));
    Model model;
    assert_ok(model_open(&model, path, NULL));
    const real *values = values_of(&model, info);
    for (size_t j = 0; j < info->shape[1]; j++) ck_assert(values[j] == 0);
    bool other = false;
    for (size_t j = info->shape[1]; j < info->count; j++) other |= values[j] != 0;
    ck_assert(other);
    model_close(&model);
}

TEST(refuses)
{
    Error error = {0};
    Model model;
    assert_ok(quantise(WEIGHTS_INT8, path, NULL));
    assert_ok(model_open(&model, path, NULL));
    const char *again = scratch_path("again");
    ck_assert_int_eq(quantise_model(&model, path, WEIGHTS_BF16, NULL, again, &error),
                     STATUS_FORMAT);
    assert_contains(error.text, "small.safetensors: already quantised to int8");
    model_close(&model);

    small.params.block[0] = (real)FLT_MAX;
    ck_assert_int_eq(quantise(WEIGHTS_BF16, again, &error), STATUS_FORMAT);
    assert_contains(error.text, "source_embedding.weight has a number too large");
    assert_ok(quantise(WEIGHTS_INT8, again, NULL));
    assert_ok(model_open(&model, again, NULL));
    model_close(&model);
    ck_assert_int_eq(quantise(WEIGHTS_INT8, scratch_path("no/folder"), &error), STATUS_IO);
}

TEST(full_disk_keeps_what_was_there)
{
    Model model;
    assert_ok(quantise(WEIGHTS_INT8, path, NULL));
    Bytes before = scratch_read(path);
    assert_ok(model_open(&model, plain, NULL));
    scratch_limit_file_size(1000);
    Status status = quantise_model(&model, plain, WEIGHTS_BF16, NULL, path, NULL);
    scratch_limit_file_size(SIZE_MAX);
    ck_assert_int_eq(status, STATUS_IO);
    Bytes after = scratch_read(path);
    ck_assert_uint_eq(before.length, after.length);
    ck_assert_mem_eq(before.data, after.data, before.length);
    ck_assert_uint_eq(scratch_count(), 2);
    // onto itself it works: the old file lives until it is closed
    assert_ok(quantise_model(&model, plain, WEIGHTS_INT8, NULL, plain, NULL));
    model_close(&model);
    after = scratch_read(plain);
    ck_assert_uint_eq(before.length, after.length);
    ck_assert_mem_eq(before.data, after.data, before.length);
}

// What a copy of a quantised file has otherwise. NULL and 0 leave as it is.
typedef struct Damage {
    const char *tensor; // the tensor that
    bool missing;       //     is left out,
    TensorType type;    //     is of another type (with zeros), unless it is 0, F32,
    size_t rows_less;   //     has fewer rows,
    double scale;       //     holds this number last
} Damage;

static void copy_tensor(SafetensorsWriter *writer, const TensorView *view, const Damage *damage,
                        void *changed)
{
    static const double zeros[4096];
    TensorView copy = *view;
    if (!strcmp(view->name, damage->tensor)) {
        if (damage->missing) return;
        if (damage->type) {
            copy.type = damage->type;
            copy.data = zeros;
        }
        copy.shape[0] -= damage->rows_less;
        if (damage->scale != 0) {
            memcpy(changed, view->data, view->bytes);
            ((float *)changed)[view->shape[0] - 1] = (float)damage->scale;
            copy.data = changed;
        }
    }
    assert_ok(safetensors_writer_tensor(writer, &copy, NULL));
}

static void expect_damage(Damage damage, const char *part)
{
    SafetensorsFile *file = NULL;
    SafetensorsWriter *writer = NULL;
    static float changed[4096];
    const char *damaged = scratch_path("damaged.safetensors");
    assert_ok(safetensors_open(&file, path, NULL));
    ck_assert_ptr_nonnull(safetensors_find(file, damage.tensor));
    assert_ok(safetensors_writer_new(&writer, NULL));
    assert_ok(model_write_metadata(writer, &small.config, &texts, NULL));
    for (size_t i = 0; i < safetensors_count(file); i++)
        copy_tensor(writer, safetensors_at(file, i), &damage, changed);
    assert_ok(safetensors_writer_save(writer, damaged, NULL, NULL));
    safetensors_writer_free(writer);
    safetensors_close(file);

    Model model;
    Error error = {0};
    ck_assert_msg(model_open(&model, damaged, &error) == STATUS_FORMAT, "opened; expected \"%s\"",
                  part);
    assert_contains(error.text, part);
    ck_assert_msg(strncmp(error.text, damaged, strlen(damaged)) == 0, "\"%s\" names no file",
                  error.text);
    ck_assert_ptr_null(model.file);
    ck_assert_ptr_null(model.params.block);
}

TEST(damaged_int8)
{
    assert_ok(quantise(WEIGHTS_INT8, path, NULL));
    static const char scale[] = "readout.weight.scale";
    expect_damage((Damage){.tensor = scale, .missing = true},
                  "tensor readout.weight is I8, but readout.weight.scale, the scales of its rows, "
                  "is missing");
    expect_damage((Damage){.tensor = scale, .type = TENSOR_I32},
                  "tensor readout.weight.scale is I32; it must be F32");
    expect_damage((Damage){.tensor = scale, .rows_less = 1}, "readout.weight.scale has the shape");
    expect_damage((Damage){.tensor = "readout.weight", .rows_less = 1},
                  "readout.weight has the shap");
    expect_damage((Damage){.tensor = "readout.weight", .missing = true},
                  "tensor readout.weight is missing");
    expect_damage((Damage){.tensor = "readout.weight", .type = TENSOR_U8},
                  "tensor readout.weight is U8; it must be F");
    // scales of what is not I8 have no meaning
    expect_damage((Damage){.tensor = "readout.weight", .type = TENSOR_BF16},
                  "has a tensor readout.weight.scale that does not belong to its config");
    expect_damage((Damage){.tensor = "readout.bias", .type = TENSOR_BF16},
                  "tensor readout.bias is BF16; it must be F");
    static const double bad[] = {NAN, INFINITY, -1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_damage((Damage){.tensor = scale, .scale = bad[i]},
                      "tensor readout.weight.scale has a negative or non-finite scale in row ");
    if (sizeof(real) == sizeof(float)) // times 127 it is not finite
        expect_damage((Damage){.tensor = scale, .scale = 3e38},
                      "tensor readout.weight has non-finite numbers");
}

TEST(damaged_bf16)
{
    assert_ok(quantise(WEIGHTS_BF16, path, NULL));
    // a NaN as a float is a 0 and a NaN as two numbers of bf16
    expect_damage((Damage){.tensor = "bridge.weight", .scale = NAN},
                  "tensor bridge.weight has non-finite numbers");
    expect_damage((Damage){.tensor = "bridge.weight", .rows_less = 1},
                  "bridge.weight has the shape");
}

TEST(damaged_int4)
{
    assert_ok(quantise(WEIGHTS_INT4, path, NULL));
    expect_damage((Damage){.tensor = "source_embedding.weight.scale", .missing = true},
                  "tensor source_embedding.weight is U8, but source_embedding.weight.scale, the "
                  "scales of its rows, is missing");
    expect_damage((Damage){.tensor = "source_embedding.weight", .type = TENSOR_I8},
                  "source_embedding.weight has the shape");
    expect_damage((Damage){.tensor = "target_embedding.weight", .type = TENSOR_U8},
                  "tensor target_embedding.weight is U8; it must be F");
}

TEST(a_block_is_not_read_from_it)
{
    SafetensorsFile *file = NULL;
    Error error = {0};
    assert_ok(quantise(WEIGHTS_INT8, path, NULL));
    assert_ok(safetensors_open(&file, path, NULL));
    ck_assert_int_eq(
        model_read_block(file, path, &small.params.list, small.params.block, "", &error),
        STATUS_FORMAT);
    assert_contains(error.text, "is quantised, so training cannot continue from it");
    safetensors_close(file);
}
