#include "support/model_fixture.h"

#include "support/param_checks.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

const char *const model_fixture_names[MODEL_KINDS] = {
    [MODEL_JOINT] = "model_joint",
    [MODEL_SEPARATE] = "model_separate",
    [MODEL_UNTIED] = "model_untied",
    [MODEL_SELF_ATTENTION] = "model_self_attention",
    [MODEL_CONDITIONAL] = "model_conditional",
    [MODEL_EMBEDDING_IN_ANNOTATIONS] = "model_embedding_in_annotations",
};

static ModelConfig read_config(const Fixture *file)
{
    bool joint = fixture_has(file, "embedding.weight");
    bool self_attention = fixture_has(file, "self_attention.query.weight");
    const char *source = joint ? "embedding.weight" : "source_embedding.weight";
    const char *target = joint ? "embedding.weight" : "target_embedding.weight";
    size_t hidden = fixture_dimension(file, "encoder.weight_hh_l0", 1);
    return (ModelConfig){
        .source_vocabulary = fixture_dimension(file, source, 0),
        .target_vocabulary = fixture_dimension(file, target, 0),
        .embedding = fixture_dimension(file, target, 1),
        .hidden = hidden,
        .decoder_hidden = fixture_dimension(file, "bridge.weight", 0),
        .attention_size = fixture_dimension(file, "attention.v", 0),
        .heads = self_attention ? (size_t)*fixture_integers(file, "heads", NULL) : 1,
        .self_attention = self_attention,
        .conditional_gru = fixture_has(file, "decoder.second.weight_ih"),
        .embedding_in_annotations = fixture_dimension(file, "bridge.weight", 1) > 2 * hidden,
        .joint = joint,
        .tied = !fixture_has(file, "output.weight"),
        .attention = "additive",
    };
}

/* One side's ids: `name` (B, steps) with `name`_lengths (B), copied one sentence behind the other.
 * Sets begins (B) and lengths (B); returns their sum. */
static size_t read_side(const Fixture *file, const char *name, int32_t *tokens, size_t *begins,
                        uint32_t *lengths)
{
    char lengths_name[32];
    snprintf(lengths_name, sizeof lengths_name, "%s_lengths", name);
    const int64_t *ids = fixture_integers(file, name, NULL);
    const int64_t *given = fixture_integers(file, lengths_name, NULL);
    size_t count = fixture_dimension(file, name, 0), steps = fixture_dimension(file, name, 1);
    size_t next = 0;
    ck_assert_uint_le(count, MAX_MODEL_FIXTURE_PAIRS);
    ck_assert_uint_le(count * steps, MAX_MODEL_FIXTURE_TOKENS);
    for (size_t b = 0; b < count; b++) {
        begins[b] = next;
        lengths[b] = (uint32_t)given[b];
        for (size_t t = 0; t < lengths[b]; t++) tokens[next++] = (int32_t)ids[b * steps + t];
    }
    return next;
}

void model_fixture_open(ModelFixture *model, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "tests/fixtures/%s.safetensors", name);
    *model = (ModelFixture){.file = fixture_open(path), .smoothing = (real)0.1};
    model->config = read_config(model->file);
    assert_ok(config_check(&model->config, NULL));
    assert_ok(seq2seq_params_new(&model->params, &model->config, NULL));
    assert_ok(seq2seq_grads_new(&model->grads, &model->params, NULL));
    param_block_read(model->params.block, &model->params.list, model->file);

    size_t source_begins[MAX_MODEL_FIXTURE_PAIRS], target_begins[MAX_MODEL_FIXTURE_PAIRS];
    uint32_t source_lengths[MAX_MODEL_FIXTURE_PAIRS], target_lengths[MAX_MODEL_FIXTURE_PAIRS];
    read_side(model->file, "source", model->source, source_begins, source_lengths);
    model->tokens = read_side(model->file, "target", model->target, target_begins, target_lengths);
    model->count = fixture_dimension(model->file, "source", 0);
    for (size_t b = 0; b < model->count; b++)
        model->pairs[b] = (TokenPair){.source = model->source + source_begins[b],
                                      .target = model->target + target_begins[b],
                                      .source_length = source_lengths[b],
                                      .target_length = target_lengths[b],
                                      .number = (uint32_t)b};
}

void model_fixture_close(ModelFixture *model)
{
    seq2seq_grads_free(&model->grads);
    seq2seq_params_free(&model->params);
    fixture_close(model->file);
}

void model_fixture_clear_grads(ModelFixture *model)
{
    memset(model->grads.block, 0, model->grads.list->block_size * sizeof(real));
}

void model_run_begin(ModelRun *run, const Seq2SeqParams *params, const TokenPair *pairs,
                     size_t count, ModelRunOptions options)
{
    Error error = {0};
    *run = (ModelRun){0};
    Status status =
        batch_fill(&run->batch, &run->batch_arena, pairs, count,
                   (BatchForm){true, options.row_multiple ? options.row_multiple : 1}, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    status = pass_begin(&run->acts, &run->arena, &run->batch, params,
                        (PassNeeds){.backward = options.backward, .masks = options.masks}, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

typedef struct Recomputation {
    ModelRun *run;
    const Seq2SeqParams *params;
    Seq2SeqGrads unread;
    real smoothing;
} Recomputation;

static double recompute(void *context)
{
    Recomputation *again = context;
    return pass_forward_backward(&again->run->acts, &again->unread, &again->run->batch,
                                 again->params, again->smoothing, 1);
}

void model_run_gradcheck(ModelRun *run, Seq2SeqParams *params, Seq2SeqGrads *grads, real smoothing,
                         size_t most)
{
    Recomputation again = {.run = run, .params = params, .smoothing = smoothing};
    assert_ok(seq2seq_grads_new(&again.unread, params, NULL));
    pass_forward_backward(&run->acts, grads, &run->batch, params, smoothing, 1);
    param_block_gradcheck(params->block, grads->block, &params->list, most, recompute, &again);
    seq2seq_grads_free(&again.unread);
}

void model_run_end(ModelRun *run)
{
    arena_free(&run->arena);
    arena_free(&run->batch_arena);
}
