// A whole pass with packed weights: PyTorch's numbers in float32, and how far bf16 may be from
// them.

#include "model/pass.h"

#include "support/model_fixture.h"
#include "support/param_checks.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>

static void fill_packed(const Seq2SeqParams *params)
{
    if (params->packed) packed_weights_fill(params->packed, params->places, 0, 1);
}

/* The fixture's loss and all its gradients, by products of that backend. */
static double run_packed(ModelFixture *model, const Backend *backend)
{
    ModelRun run;
    assert_ok(seq2seq_params_pack(&model->params, backend, PACKED_TRAINING, NULL));
    seq2seq_grads_free(&model->grads);
    assert_ok(seq2seq_grads_new(&model->grads, &model->params, NULL));
    ck_assert_ptr_eq(model->grads.output.weight.backend, backend);
    fill_packed(&model->params);
    model_run_begin(&run, &model->params, model->pairs, model->count,
                    (ModelRunOptions){.backward = true});
    double loss = pass_forward_backward(&run.acts, &model->grads, &run.batch, &model->params,
                                        model->smoothing, (real)(1.0 / (double)model->tokens));
    model_run_end(&run);
    return loss / (double)model->tokens;
}

TEST(float32_equals_pytorch, .seconds = 60)
{
    const Backend *backend = backend_of(COMPUTE_FLOAT32, true);
    for (size_t i = 0; i < MODEL_KINDS; i++) {
        ModelFixture model;
        model_fixture_open(&model, model_fixture_names[i]);
        double loss = run_packed(&model, backend);
        ck_assert_double_eq_tol(loss, *fixture_reals(model.file, "loss", NULL), 1e-5 * loss);
        param_block_assert(model.grads.block, model.grads.list, model.file, "grad.", 1e-4, 1e-6);
        model_fixture_close(&model);
    }
}

/* In bf16 every factor has 8 bits. The bounds, stated here: the loss within 0.5 %, and each
 * tensor's gradient in nearly the same direction, its cosine with PyTorch's at least 0.99. */
TEST(bf16_is_near, .seconds = 60)
{
    const Backend *backend = backend_of(COMPUTE_BF16, true);
    if (!backend) return;
    for (size_t i = 0; i < MODEL_KINDS; i++) {
        ModelFixture model;
        model_fixture_open(&model, model_fixture_names[i]);
        double loss = run_packed(&model, backend);
        ck_assert_double_eq_tol(loss, *fixture_reals(model.file, "loss", NULL), 5e-3 * loss);
        const ParamList *list = model.grads.list;
        for (size_t t = 0; t < list->count; t++) {
            const ParamInfo *info = &list->tensors[t];
            char name[PARAM_NAME_SIZE + 8];
            snprintf(name, sizeof name, "grad.%s", info->name);
            const double *expected = fixture_reals(model.file, name, NULL);
            const real *actual = model.grads.block + info->offset;
            double product = 0, squares = 0, expected_squares = 0;
            for (size_t k = 0; k < info->count; k++) {
                product += (double)actual[k] * expected[k];
                squares += (double)actual[k] * (double)actual[k];
                expected_squares += expected[k] * expected[k];
            }
            double cosine = product / sqrt(squares * expected_squares);
            ck_assert_msg(cosine >= 0.99, "%s of %s: cosine %g", info->name, model_fixture_names[i],
                          cosine);
        }
        model_fixture_close(&model);
    }
}

static double loss_of(const ModelFixture *model, const Seq2SeqParams *params)
{
    ModelRun run;
    fill_packed(params);
    model_run_begin(&run, &model->params, model->pairs, model->count, (ModelRunOptions){0});
    double loss = pass_forward(&run.acts, &run.batch, params, model->smoothing);
    model_run_end(&run);
    return loss;
}

/* Two sets of parameters by turns in the same forms: each loss has the bits that forms of its own
 * give. */
static void check_shared(const Backend *backend)
{
    ModelFixture model;
    Seq2SeqParams others[2]; // with forms of its own, and with those of the fixture's
    model_fixture_open(&model, "model_joint");
    for (size_t i = 0; i < 2; i++) {
        assert_ok(seq2seq_params_new(&others[i], &model.config, NULL));
        for (size_t k = 0; k < model.params.list.block_size; k++)
            others[i].block[k] = (real)0.75 * model.params.block[k];
    }
    assert_ok(seq2seq_params_pack(&model.params, backend, PACKED_TRAINING, NULL));
    assert_ok(seq2seq_params_pack(&others[0], backend, PACKED_DECODING, NULL));
    seq2seq_params_share_packed(&others[1], &model.params);
    ck_assert_uint_eq(packed_weights_promise(others[1].packed, true).multiple,
                      packed_weights_promise(others[0].packed, true).multiple);
    double first = loss_of(&model, &model.params), other = loss_of(&model, &others[0]);
    ck_assert_double_ne(first, other);
    ck_assert_double_eq(loss_of(&model, &others[1]), other);
    ck_assert_double_eq(loss_of(&model, &model.params), first);
    for (size_t i = 0; i < 2; i++) seq2seq_params_free(&others[i]);
    model_fixture_close(&model);
}

TEST(shared_forms, .seconds = 60)
{
    for (size_t i = 0; backends[i]; i++)
        if (backends[i]->available()) check_shared(backends[i]);
}

/* Self-attention multiplies states, which are in no packed form. */
TEST(needs_openblas)
{
    static const char *const names[] = {"model_joint", "model_self_attention"};
    for (size_t i = 0; i < 2; i++) {
        ModelFixture model;
        model_fixture_open(&model, names[i]);
        ck_assert(seq2seq_needs_openblas(&model.params));
        assert_ok(seq2seq_params_pack(&model.params, &backend_int8, PACKED_DECODING, NULL));
        ck_assert(seq2seq_needs_openblas(&model.params) == model.config.self_attention);
        model_fixture_close(&model);
    }
}
