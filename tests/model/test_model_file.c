#include "model/model_file_case.h"

static void expect_values(const Model *model, const SmallModel *expected)
{
    const ParamList *list = &expected->params.list;
    ck_assert_uint_eq(safetensors_count(model->file), list->count);
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const TensorView *view = safetensors_find(model->file, info->name);
        ck_assert_ptr_nonnull(view);
        ck_assert_mem_eq(view->data, expected->params.block + info->offset,
                         info->count * sizeof(real));
    }
}

// What the opened model computes with must be the very numbers that were saved.
static double log_p(const Model *model, const SmallPairs *pairs, size_t pair)
{
    SmallModel opened = {model->params.config, model->params};
    return small_model_log_p(&opened, &pairs->pairs[pair], NULL);
}

TESTS_EACH(set_up, tear_down)

TEST(round_trip)
{
    static SmallPairs pairs;
    Model model;
    small_pairs_draw(&pairs, &small.config, 5, 8, 3);
    assert_ok(model_open(&model, path, NULL));
    ck_assert(!config_difference(&model.params.config, &small.config));
    ck_assert_str_eq(model.texts.source_vocabulary, texts.source_vocabulary);
    ck_assert_str_eq(model.texts.target_vocabulary, texts.target_vocabulary);
    ck_assert_str_eq(model.texts.training, texts.training);
    ck_assert_str_eq(safetensors_metadata(model.file, "format"), "regard");
    ck_assert_str_eq(safetensors_metadata(model.file, "format_version"), "3");
    expect_values(&model, &small);
    for (size_t i = 0; i < pairs.count; i++)
        ck_assert(log_p(&model, &pairs, i) ==
                  small_model_log_p(&small, &pairs.pairs[i], NULL)); // the same bits
    model_close(&model);
    ck_assert_ptr_null(model.file);
    model_close(&model);
}

TEST(every_kind_of_model)
{
    for (int kind = 0; kind < 8; kind++) {
        SmallModel saved = {.config = small.config};
        Model model;
        saved.config.joint = kind & 1;
        saved.config.tied = kind & 2;
        saved.config.self_attention = kind & 4;
        if (saved.config.self_attention) saved.config.heads = 5;
        if (saved.config.joint) saved.config.target_vocabulary = saved.config.source_vocabulary;
        assert_ok(seq2seq_params_new(&saved.params, &saved.config, NULL));
        for (size_t i = 0; i < saved.params.list.block_size; i++) saved.params.block[i] = (real)i;
        assert_ok(model_save(path, &saved.params, &texts, NULL, NULL));
        assert_ok(model_open(&model, path, NULL));
        ck_assert(!config_difference(&model.params.config, &saved.config));
        expect_values(&model, &saved);
        bool shares = model.params.source_embedding.matrix.values ==
                      model.params.target_embedding.matrix.values;
        ck_assert_int_eq(shares, saved.config.joint);
        ck_assert_uint_eq(model.params.self_attention.heads, kind & 4 ? 5 : 0);
        bool tied =
            model.params.output.weight.matrix.values == model.params.target_embedding.matrix.values;
        ck_assert_int_eq(tied, saved.config.tied);
        const char *target = saved.config.joint ? texts.source_vocabulary : texts.target_vocabulary;
        ck_assert_str_eq(model.texts.target_vocabulary, target);
        model_close(&model);
        seq2seq_params_free(&saved.params);
    }
}

TEST(equal_models_are_equal_files)
{
    const char *paths[2] = {scratch_path("a"), scratch_path("b")};
    for (int i = 0; i < 2; i++) assert_ok(model_save(paths[i], &small.params, &texts, NULL, NULL));
    scratch_expect_equal(paths[0], paths[1]);
}

// Cut anywhere, or with any byte changed, it is refused, and the file is named.
TEST(cut_and_changed_files)
{
    const char *damaged = scratch_path("damaged.safetensors");
    Bytes file = scratch_read(path);
    for (size_t length = 0; length < file.length; length += 1 + length / 8) {
        scratch_write(damaged, file.data, length);
        expect_refusal(damaged, "");
    }
    scratch_write(damaged, file.data, file.length - 1);
    expect_refusal(damaged, "");
    for (size_t at = 0; at < file.length; at += 37) {
        file.data[at] ^= 0x10;
        scratch_write(damaged, file.data, file.length);
        expect_refusal(damaged, "");
        file.data[at] ^= 0x10;
    }
}

TEST(files_that_cannot_be_had)
{
    Model model;
    Error error = {0};
    const char *missing = scratch_path("missing.safetensors");
    ck_assert_int_eq(model_open(&model, missing, &error), STATUS_IO);
    assert_contains(error.text, "missing.safetensors");
    ck_assert_int_eq(model_open(&model, scratch_folder(), &error), STATUS_IO);
    const char *nowhere = scratch_path("no/such/folder");
    ck_assert_int_eq(model_save(nowhere, &small.params, &texts, NULL, &error), STATUS_IO);
    assert_contains(error.text, "no/such/folder");
    ck_assert_uint_eq(scratch_count(), 1); // the other model
}

// A disk that is full leaves the old model where it was.
TEST(full_disk_keeps_the_old_model)
{
    Bytes before = scratch_read(path);
    small.params.block[0] = 7;
    scratch_limit_file_size(1000);
    Status status = model_save(path, &small.params, &texts, NULL, NULL);
    scratch_limit_file_size(SIZE_MAX);
    ck_assert_int_eq(status, STATUS_IO);
    Bytes after = scratch_read(path);
    ck_assert_uint_eq(before.length, after.length);
    ck_assert_mem_eq(before.data, after.data, before.length);
    ck_assert_uint_eq(scratch_count(), 1);
}
