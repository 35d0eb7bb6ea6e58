// The shortlist in a model file, and a batch's candidates.
#include "model/shortlist.h"

#include "model/model_file_case.h"
#include "support/failing_malloc.h"

#include <stdio.h>

// of 4: 7 and 9; of 5: 6, 7 and 11; nothing of the others
static const uint16_t always[] = {0, 1, 2, 3, 8}, ids[] = {7, 9, 6, 7, 11};
static const int32_t begin[] = {0, 0, 0, 0, 0, 2, 5};
static const Shortlist list = {always, 5, begin, ids, {NULL}};

static void save(const Shortlist *shortlist)
{
    Model model;
    assert_ok(model_save(path, &small.params, &texts, NULL, NULL));
    assert_ok(model_open(&model, path, NULL));
    ck_assert_uint_eq(model.shortlist.always_count, 0);
    assert_ok(model_save_additions(path, &model, shortlist, &model.lexicon, NULL, NULL));
    model_close(&model);
}

static void expect_list(const Model *model)
{
    const Shortlist *read = &model->shortlist;
    ck_assert_uint_eq(read->always_count, 5);
    ck_assert_mem_eq(read->always, always, sizeof always);
    ck_assert_mem_eq(read->begin, begin, sizeof begin);
    ck_assert_mem_eq(read->ids, ids, sizeof ids);
}

TESTS_EACH(set_up, tear_down)

TEST(round_trip)
{
    Model model;
    save(&list);
    assert_ok(model_open(&model, path, NULL));
    expect_list(&model);
    for (size_t i = 0; i < small.params.list.count; i++) { // and all else is there
        const ParamInfo *info = &small.params.list.tensors[i];
        ck_assert_mem_eq(safetensors_find(model.file, info->name)->data,
                         small.params.block + info->offset, info->count * sizeof(real));
    }
    ck_assert_str_eq(model.texts.training, texts.training);
    // another one takes its place, and a quantised model keeps it
    const int32_t none[SOURCES + 1] = {0};
    const Shortlist other = {always, 4, none, ids, {NULL}};
    const char *copy = scratch_path("copy");
    assert_ok(model_save_additions(copy, &model, &other, &model.lexicon, NULL, NULL));
    static const WeightType types[] = {WEIGHTS_INT8, WEIGHTS_BF16, WEIGHTS_INT4};
    const char *paths[] = {scratch_path("int8"), scratch_path("bf16"), scratch_path("int4")};
    for (size_t i = 0; i < 3; i++)
        assert_ok(quantise_model(&model, path, types[i], NULL, paths[i], NULL));
    model_close(&model);
    for (size_t i = 0; i < 3; i++) {
        assert_ok(model_open(&model, paths[i], NULL));
        expect_list(&model);
        model_close(&model);
    }
    assert_ok(model_open(&model, copy, NULL));
    ck_assert_uint_eq(model.shortlist.always_count, 4);
    ck_assert_int_eq(model.shortlist.begin[SOURCES], 0);
    model_close(&model);
}

// model_save_additions would find out what is wrong.
static void write_unchecked(const Shortlist *shortlist)
{
    SafetensorsWriter *writer = begin_file();
    assert_ok(shortlist_write(shortlist, writer, &small.config, NULL));
    end_file(writer);
}

// The same shortlist with one token, or one place, changed.
static void expect_bad_token(const uint16_t *which, size_t at, uint16_t value, const char *part)
{
    uint16_t copies[2][5];
    memcpy(copies[0], always, sizeof always);
    memcpy(copies[1], ids, sizeof ids);
    copies[which == ids][at] = value;
    write_unchecked(&(Shortlist){copies[0], 5, begin, copies[1], {NULL}});
    expect_refusal(path, part);
}

static void expect_bad_place(size_t at, int32_t value, const char *part)
{
    int32_t copy[SOURCES + 1];
    memcpy(copy, begin, sizeof begin);
    copy[at] = value; // the number of ids that is written is the last of begin: that stays
    write_unchecked(&(Shortlist){always, 5, copy, ids, {NULL}});
    expect_refusal(path, part);
}

TEST(bad_numbers)
{
    static const char of_always[] = "tensor shortlist.always does not hold ascending tokens below "
                                    "12 that begin with the special ones";
    expect_bad_token(always, 4, TARGETS, of_always);
    expect_bad_token(always, 4, 3, of_always);
    expect_bad_token(always, 3, 4, of_always);
    static const char of_begin[] = "tensor shortlist.begin does not hold ascending places in 5 "
                                   "tokens, at ";
    expect_bad_place(0, 1, of_begin);
    expect_bad_place(0, -1, of_begin);
    expect_bad_place(3, 1, of_begin);
    expect_bad_place(5, 6, of_begin);
    expect_bad_place(5, INT32_MAX, of_begin);
    expect_bad_token(ids, 0, 9, "ascending tokens below 12 for source token 4");
    expect_bad_token(ids, 4, TARGETS, "ascending tokens below 12 for source token 5");
    expect_bad_token(ids, 3, UINT16_MAX, "ascending tokens below 12 for source token 5");
}

/* A file in which all tensors are of one kind, as older files have them in I32, and one may be missing.
 * `last`: of the ids. */
static void write_kinds(const bool missing[3], TensorType type, size_t rank, size_t sources,
                        size_t id_count, int32_t last)
{
    static const char zeros[400];
    SafetensorsWriter *writer = begin_file();
    const int32_t wide_always[] = {0, 1, 2, 3, 8}, more_ids[] = {7, 9, 6, 7, last, 11};
    const size_t counts[] = {5, sources, id_count};
    const void *const values[] = {wide_always, begin, more_ids};
    for (size_t i = 0; i < 3; i++)
        if (!missing[i])
            assert_ok(safetensors_writer_tensor(
                writer,
                &(TensorView){.name = shortlist_tensors[i],
                              .type = type,
                              .rank = rank,
                              .shape = {counts[i], 1},
                              .data = type == TENSOR_I32 ? values[i] : zeros},
                NULL));
    end_file(writer);
}

TEST(missing_and_other_tensors)
{
    Model model;
    const bool all_there[3] = {0};
    write_kinds(all_there, TENSOR_I32, 1, SOURCES + 1, 5, 11);
    assert_ok(model_open(&model, path, NULL));
    expect_list(&model);
    model_close(&model);
    for (size_t i = 0; i < 3; i++) {
        char part[64];
        snprintf(part, sizeof part, "has a shortlist without %s", shortlist_tensors[i]);
        write_kinds((const bool[3]){i == 0, i == 1, i == 2}, TENSOR_I32, 1, SOURCES + 1, 5, 11);
        expect_refusal(path, part);
    }
    for (size_t i = 0; i < 2; i++) {
        write_kinds(all_there, TENSOR_I32, 1, SOURCES + 1, 5, (int32_t[]){-7, 1 << 20}[i]);
        expect_refusal(path, i == 0 ? "tensor shortlist.ids has -7; tokens are less than 12"
                                    : "tensor shortlist.ids has 1048576; tokens are less than 12");
    }
    write_kinds(all_there, TENSOR_I64, 1, SOURCES + 1, 5, 11);
    expect_refusal(path, "tensor shortlist.always is I64 in 1 dimensions; it must be U16 in one");
    write_kinds(all_there, TENSOR_U16, 1, SOURCES + 1, 5, 11);
    expect_refusal(path, "tensor shortlist.begin is U16 in 1 dimensions; it must be I32 in one");
    write_kinds(all_there, TENSOR_I32, 2, SOURCES + 1, 5, 11);
    expect_refusal(path, "tensor shortlist.always is I32 in 2 dimensions");
    write_kinds(all_there, TENSOR_I32, 1, SOURCES, 5, 11);
    expect_refusal(path,
                   "tensor shortlist.begin has 6 numbers; 6 source tokens need one more than that");
    write_kinds(all_there, TENSOR_I32, 1, SOURCES + 1, 6, 11);
    expect_refusal(path, "tensor shortlist.begin ends at 5, and there are 6 tokens");
}

// Sources 4 5 </s> and 4 </s>, of which the longer is first in the encoder's order.
static Status fill(BatchShortlist *candidates, bool joint, const real *bias, Arena *arena,
                   Error *error)
{
    static const int32_t first[] = {4, 3}, second[] = {4, 5, 3};
    static const TokenPair sources[] = {{.source = first, .source_length = 2},
                                        {.source = second, .source_length = 3}};
    Batch batch;
    const ModelConfig config = {
        .joint = joint, .source_vocabulary = SOURCES, .target_vocabulary = TARGETS};
    Status status = batch_fill(&batch, arena, sources, 2, (BatchForm){false, 1}, error);
    return status ? status : batch_shortlist_fill(candidates, &list, &config, &batch, bias, error);
}

TEST(candidates_by_hand)
{
    static const int32_t expected[2][2][10] = {
        {{0, 1, 2, 3, 6, 7, 8, 9, 11}, {0, 1, 2, 3, 7, 8, 9}},
        {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 7, 8, 9}}};
    static const size_t counts[2][2] = {{9, 7}, {11, 8}};
    BatchShortlist candidates = {0};
    Arena arena = {0};
    real bias[TARGETS];
    for (size_t i = 0; i < TARGETS; i++) bias[i] = (real)i + (real)0.5;
    for (int joint = 0; joint < 2; joint++) { // then a source token may be said as it is
        assert_ok(fill(&candidates, joint, bias, &arena, NULL));
        ck_assert_uint_eq(candidates.longest, counts[joint][0]);
        for (size_t place = 0; place < 2; place++) {
            const Candidates of = batch_shortlist_of(&candidates, place);
            ck_assert_uint_eq(of.count, counts[joint][place]);
            for (size_t i = 0; i < of.count; i++) {
                ck_assert_int_eq(of.ids[i], i < 10 ? expected[joint][place][i] : 11);
                ck_assert(of.bias[i] == bias[of.ids[i]]);
            }
        }
    }
    arena_free(&arena);
    batch_shortlist_free(&candidates);
    batch_shortlist_free(&candidates);
}

TEST(out_of_memory)
{
    static const real bias[TARGETS];
    size_t rounds = 0;
    for (; failing_malloc_next(); rounds++) {
        BatchShortlist candidates = {0};
        Arena arena = {0};
        Error error = {0};
        failing_malloc_expect(fill(&candidates, false, bias, &arena, &error));
        arena_free(&arena);
        batch_shortlist_free(&candidates);
    }
    ck_assert_uint_gt(rounds, 2); // the batch and the candidates
}

static Status write_aligner(void *context, SafetensorsWriter *writer, Error *error)
{
    const TensorView view = {
        .name = "aligner.links", .type = TENSOR_F32, .rank = 1, .shape = {3}, .data = context};
    TRY(safetensors_writer_metadata(writer, MODEL_ALIGNER_KEY, "9", error));
    return safetensors_writer_tensor(writer, &view, error);
}

static void expect_aligner(const Model *model, const float *links)
{
    const TensorView *view = safetensors_find(model->file, "aligner.links");
    ck_assert_ptr_nonnull(view);
    ck_assert_mem_eq(view->data, links, 3 * sizeof *links);
    ck_assert_str_eq(safetensors_metadata(model->file, MODEL_ALIGNER_KEY), "9");
}

// An aligner, whatever it is, stays with the model: with another shortlist, and quantised.
TEST(an_aligner_is_carried)
{
    float first[] = {1, 2, 3}, second[] = {4, 5, 6};
    const ModelAddition additions[] = {{write_aligner, first}, {write_aligner, second}};
    Model model;
    save(&list);
    for (size_t n = 0; n < 2; n++) { // the second takes the place of the first
        assert_ok(model_open(&model, path, NULL));
        assert_ok(model_save_additions(path, &model, &list, &model.lexicon, &additions[n], NULL));
        model_close(&model);
    }
    assert_ok(model_open(&model, path, NULL));
    expect_aligner(&model, second);
    expect_list(&model);
    assert_ok(model_save_additions(path, &model, &list, &model.lexicon, NULL, NULL));
    const char *small_path = scratch_path("int8.safetensors");
    assert_ok(quantise_model(&model, path, WEIGHTS_INT8, NULL, small_path, NULL));
    model_close(&model);
    const char *const files[] = {path, small_path};
    for (size_t n = 0; n < 2; n++) {
        assert_ok(model_open(&model, files[n], NULL));
        expect_aligner(&model, second);
        expect_list(&model);
        model_close(&model);
    }
}
