// Model files that are whole by their checksum but hold the wrong thing.
#include "model/model_file_case.h"

#include <math.h>
#include <stdio.h>

static const TensorType REAL_TYPE = sizeof(real) == sizeof(float) ? TENSOR_F32 : TENSOR_F64;

// A model file with one thing wrong. NULL and 0 leave as it is.
typedef struct Damage {
    const char *key, *value; // metadata set to another value, or left out if value is NULL
    const char *tensor;      // the tensor that is
    bool missing;            //     left out,
    bool other_type;         //     of another type,
    bool transposed;         //     turned round,
    bool flat;               //     a vector instead of a matrix, or a matrix of one column,
    const char *extra;       // a tensor too many
    const char *prefix;      // before every name
} Damage;

static void write_metadata(SafetensorsWriter *writer, const Damage *damage)
{
    json_t *json = config_to_json(&small.config);
    char *config = json_dumps(json, JSON_COMPACT);
    const char *const entries[][2] = {
        {"format", "regard"},
        {"format_version", "3"},
        {"config", config},
        {"training", texts.training},
        {"source_vocabulary", texts.source_vocabulary},
        {"target_vocabulary", texts.target_vocabulary},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        bool damaged = damage->key && !strcmp(damage->key, entries[i][0]);
        const char *value = damaged ? damage->value : entries[i][1];
        if (!value) continue;
        assert_ok(safetensors_writer_metadata(writer, entries[i][0], value, NULL));
    }
    free(config);
    json_decref(json);
}

static void write_tensor(SafetensorsWriter *writer, const ParamInfo *info, const Damage *damage)
{
    static const int32_t other[4096];
    size_t shape[2] = {info->shape[0], info->shape[1]}, rank = info->rank;
    const void *data = small.params.block + info->offset;
    TensorType type = REAL_TYPE;
    char name[2 * PARAM_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", damage->prefix ? damage->prefix : "", info->name);
    if (damage->tensor && !strcmp(damage->tensor, info->name)) {
        if (damage->missing) return;
        if (damage->other_type) {
            type = TENSOR_I32;
            data = other;
        }
        if (damage->transposed) {
            shape[0] = info->shape[1];
            shape[1] = info->shape[0];
        }
        if (damage->flat) {
            rank = 3 - rank;
            if (rank == 1) shape[0] = info->count;
        }
    }
    assert_ok(safetensors_writer_tensor(
        writer,
        &(TensorView){
            .name = name, .type = type, .rank = rank, .shape = {shape[0], shape[1]}, .data = data},
        NULL));
}

static const char *write_damaged(const Damage *damage)
{
    SafetensorsWriter *writer = NULL;
    const char *damaged = scratch_path("damaged.safetensors");
    assert_ok(safetensors_writer_new(&writer, NULL));
    write_metadata(writer, damage);
    for (size_t i = 0; i < small.params.list.count; i++)
        write_tensor(writer, &small.params.list.tensors[i], damage);
    if (damage->extra)
        assert_ok(safetensors_writer_tensor(writer,
                                            &(TensorView){.name = damage->extra,
                                                          .type = REAL_TYPE,
                                                          .rank = 1,
                                                          .shape = {3},
                                                          .data = small.params.block},
                                            NULL));
    assert_ok(safetensors_writer_save(writer, damaged, NULL, NULL));
    safetensors_writer_free(writer);
    return damaged;
}

static void expect_damage(Damage damage, const char *part)
{
    expect_refusal(write_damaged(&damage), part);
}

TESTS_EACH(set_up, tear_down)

TEST(undamaged)
{
    Model model;
    assert_ok(model_open(&model, write_damaged(&(Damage){0}), NULL));
    model_close(&model);
}

TEST(wrong_tensors)
{
    expect_damage((Damage){.tensor = "bridge.bias", .missing = true},
                  "tensor bridge.bias is missing");
    expect_damage((Damage){.tensor = "output.bias", .missing = true}, "output.bias is missing");
    expect_damage((Damage){.extra = "bridge.weight2"}, "that does not belong to its config");
    expect_damage((Damage){.extra = "output.weight"}, "that does not belong to its config");
    expect_damage((Damage){.tensor = "attention.v", .other_type = true},
                  "tensor attention.v is I32; it must be F");
    const size_t *shape = param_list_find(&small.params.list, "readout.weight")->shape;
    char wrong[128];
    snprintf(wrong, sizeof wrong,
             "tensor readout.weight has the shape (%zu x %zu) instead of (%zu x %zu), ", shape[1],
             shape[0], shape[0], shape[1]);
    expect_damage((Damage){.tensor = "readout.weight", .transposed = true}, wrong);
    expect_damage((Damage){.tensor = "readout.weight", .flat = true},
                  "readout.weight has the shape");
    expect_damage((Damage){.tensor = "readout.bias", .flat = true}, "readout.bias has the shape");
    expect_damage((Damage){.prefix = "model."}, "is missing");
}

TEST(wrong_metadata)
{
    static const char *const keys[] = {"format",   "format_version",    "config",
                                       "training", "source_vocabulary", "target_vocabulary"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char part[64];
        snprintf(part, sizeof part, "has no \"%s\" in its metadata", keys[i]);
        expect_damage((Damage){.key = keys[i]}, part);
    }
    expect_damage((Damage){.key = "format", .value = "pt"}, "written by Regard");
    expect_damage((Damage){.key = "format_version", .value = "4"},
                  "is of format 4, and this program reads format 3; use a newer Regard");
    expect_damage((Damage){.key = "format_version", .value = "2"}, "train it again");
    expect_damage((Damage){.key = "format_version", .value = "99999999999999999999999"},
                  "use a newer Regard");
    static const char *const versions[] = {"", "0", "one", "1.5", "1 "};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        expect_damage((Damage){.key = "format_version", .value = versions[i]}, "written by Regard");
}

// The small model's config with one key set to a JSON text.
static void expect_bad_config(const char *key, const char *value, const char *part)
{
    json_t *json = config_to_json(&small.config);
    ck_assert_int_eq(json_object_set_new(json, key, json_loads(value, JSON_DECODE_ANY, NULL)), 0);
    char *text = json_dumps(json, 0);
    expect_damage((Damage){.key = "config", .value = text}, part);
    free(text);
    json_decref(json);
}

TEST(wrong_config)
{
    expect_damage((Damage){.key = "config", .value = "{\"hidden\": 5"}, "its config is not JSON: ");
    expect_damage((Damage){.key = "config", .value = ""}, "its config is not JSON: ");
    expect_damage((Damage){.key = "config", .value = "[]"}, "the config has no size");
    expect_damage((Damage){.key = "config", .value = "{\"hidden\": 5, \"hidden\": 5}"},
                  "duplicate object key");
    expect_bad_config("hidden", "0", "hidden is 0");
    expect_bad_config("hidden", "-5", "no size \"hidden\"");
    expect_bad_config("hidden", "5.0", "no size \"hidden\"");
    expect_bad_config("hidden", "\"5\"", "no size \"hidden\"");
    expect_bad_config("hidden", "9223372036854775807", "hidden is 9223372036854775807");
    expect_bad_config("target_vocabulary", "1000001", "target_vocabulary is 1000001");
    expect_bad_config("attention", "\"telepathy\"", "no attention named telepathy");
    expect_bad_config("attention", "7", "has no \"attention\"");
    expect_bad_config("joint", "true", "joint vocabulary has one size");
    // sizes that are allowed but not those of the tensors: looked at before anything is allocated
    expect_bad_config("hidden", "6", "has the shape");
    expect_bad_config("source_vocabulary", "1000000", "source_embedding.weight has the shape");
    expect_bad_config("tied", "false", "tensor output.weight is missing");
}

TEST(numbers_that_are_not_finite)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const ParamList *list = &small.params.list;
    for (size_t i = 0; i < list->count; i++) {
        real *last = small.params.block + list->tensors[i].offset + list->tensors[i].count - 1;
        real good = *last;
        char part[128];
        snprintf(part, sizeof part, "tensor %s has non-finite numbers", list->tensors[i].name);
        *last = (real)bad[i % 3];
        expect_damage((Damage){0}, part);
        *last = good;
    }
    small.params.block[0] = (real)3e38; // large, but a number
    Model model;
    assert_ok(model_open(&model, write_damaged(&(Damage){0}), NULL));
    model_close(&model);
}

TEST(read_block)
{
    SafetensorsFile *file = NULL;
    Error error = {0};
    const ParamList *list = &small.params.list;
    Seq2SeqParams read;
    assert_ok(seq2seq_params_new(&read, &small.config, NULL));
    const char *damaged = write_damaged(&(Damage){.prefix = "adam.first.", .extra = "bridge.bias"});
    assert_ok(safetensors_open(&file, damaged, NULL));
    assert_ok(model_read_block(file, damaged, list, read.block, "adam.first.", NULL));
    ck_assert_mem_eq(read.block, small.params.block, list->block_size * sizeof(real));
    ck_assert_int_eq(model_read_block(file, damaged, list, read.block, "adam.second.", &error),
                     STATUS_FORMAT);
    assert_contains(error.text, "tensor adam.second.");
    safetensors_close(file);
    seq2seq_params_free(&read);
}
