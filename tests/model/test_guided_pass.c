// The whole network with links for some of its tokens: the alignment's loss beside that of the
// words.

#include "base/memory.h"
#include "model/pass.h"
#include "support/assert_close.h"
#include "support/gradcheck.h"
#include "support/model_fixture.h"
#include "support/param_checks.h"
#include "support/small_model.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

// What PyTorch's numbers, computed in double, may differ by.
#ifdef REGARD_DOUBLE
static const double RTOL = 1e-9, ATOL = 1e-12;
#else
static const double RTOL = 1e-4, ATOL = 1e-6;
#endif

enum { MAX_LINKS = 16, PAIRS = 6, LONGEST = 8 };

// The fixture with its links: of its three pairs the second has none, and no pair has one for every
// token.
typedef struct Guided {
    ModelFixture model;
    SubwordLink links[MAX_LINKS];
    real weight;
} Guided;

static void guided_open(Guided *guided)
{
    ModelFixture *model = &guided->model;
    model_fixture_open(model, "model_guided");
    const int64_t *links = fixture_integers(model->file, "links", NULL); // (·, 3)
    size_t count = fixture_dimension(model->file, "links", 0);
    guided->weight = (real)*fixture_reals(model->file, "guide_weight", NULL);
    ck_assert_uint_le(count, MAX_LINKS);
    for (size_t i = 0; i < count; i++) {
        TokenPair *pair = &model->pairs[links[3 * i]];
        guided->links[i] = (SubwordLink){(uint16_t)links[3 * i + 2], (uint16_t)links[3 * i + 1], 1};
        if (pair->link_count++ == 0) pair->links = &guided->links[i];
    }
}

static double run_pass(ModelRun *run, Guided *guided, Seq2SeqGrads *grads, real scale)
{
    run->acts.guide_weight = guided->weight;
    return pass_forward_backward(&run->acts, grads, &run->batch, &guided->model.params,
                                 guided->model.smoothing, scale);
}

TEST(equals_pytorch)
{
    Guided guided;
    ModelRun run;
    guided_open(&guided);
    ModelFixture *model = &guided.model;
    model_run_begin(&run, &model->params, model->pairs, model->count,
                    (ModelRunOptions){.backward = true});
    real scale = 1 / (real)model->tokens;
    real losses[2];
    losses[0] = (real)run_pass(&run, &guided, &model->grads, scale) * scale;
    losses[1] = (real)run.acts.guide_loss * scale;
    assert_close(&losses[0], fixture_reals(model->file, "loss", NULL), 1, RTOL, ATOL, "loss");
    assert_close(&losses[1], fixture_reals(model->file, "guide_loss", NULL), 1, RTOL, ATOL,
                 "guide_loss");
    param_block_assert(model->grads.block, model->grads.list, model->file, "grad.", RTOL, ATOL);
    model_run_end(&run);
    model_fixture_close(model);
}

typedef struct Recomputation {
    Guided *guided;
    ModelRun *run;
    Seq2SeqGrads unread;
} Recomputation;

static double recompute(void *context)
{
    Recomputation *again = context;
    double loss = run_pass(again->run, again->guided, &again->unread, 1);
    return loss + (double)again->guided->weight * again->run->acts.guide_loss;
}

static void check_gradients(size_t first, size_t count, bool masks)
{
    Guided guided;
    ModelRun run;
    guided_open(&guided);
    ModelFixture *model = &guided.model;
    model_run_begin(&run, &model->params, model->pairs + first, count,
                    (ModelRunOptions){.backward = true, .masks = masks});
    const DropoutKey key = {.seed = 1, .step = 2, .probability = (real)0.3};
    if (masks) pass_draw_masks(&run.acts, &run.batch, &key);
    Recomputation again = {.guided = &guided, .run = &run};
    assert_ok(seq2seq_grads_new(&again.unread, &model->params, NULL));
    run_pass(&run, &guided, &model->grads, 1);
    ck_assert(first > 0 || run.acts.guide_loss > 0); // a source of one token is looked at anyway
    param_block_gradcheck(model->params.block, model->grads.block, &model->params.list, 25,
                          recompute, &again);
    seq2seq_grads_free(&again.unread);
    model_run_end(&run);
    model_fixture_close(model);
}

TEST(gradients, .seconds = 60)
{
    check_gradients(0, 3, false);
    check_gradients(0, 3, true);
    check_gradients(0, 1, false); // B = 1
    check_gradients(1, 1, false); // no link at all
    check_gradients(2, 1, false); // S = 1
}

// A model of any scorer, and pairs that have links for some of their tokens.
typedef struct DrawnCase {
    SmallModel model;
    SmallPairs drawn;
    SubwordLink links[PAIRS][LONGEST];
    ModelRun run;
    Seq2SeqGrads unread;
} DrawnCase;

static double recompute_drawn(void *context)
{
    DrawnCase *c = context;
    double loss = pass_forward_backward(&c->run.acts, &c->unread, &c->run.batch, &c->model.params,
                                        (real)0.1, 1);
    return loss + (double)c->run.acts.guide_weight * c->run.acts.guide_loss;
}

/* Every second target token of every pair but the first has a link or, if there is room, two. */
static void draw_links(DrawnCase *c)
{
    for (size_t i = 1; i < PAIRS; i++) {
        TokenPair *pair = &c->drawn.pairs[i];
        pair->links = c->links[i];
        for (size_t t = i % 2; t < pair->target_length; t += 2) {
            size_t j = (t + i) % pair->source_length;
            SubwordLink *next = &c->links[i][pair->link_count];
            *next = (SubwordLink){(uint16_t)j, (uint16_t)t, 1};
            pair->link_count++;
            if (j + 1 == pair->source_length) continue;
            next[1] = (SubwordLink){(uint16_t)(j + 1), (uint16_t)t, 3};
            pair->link_count++;
        }
    }
}

static void check_scorer(const char *scorer)
{
    ModelConfig config = small_config_of_scorer(scorer);
    config.decoder_hidden = 10;
    DrawnCase c = {.links = {{{0}}}};
    Seq2SeqGrads grads;
    small_model_make(&c.model, &config, 2, 3);
    small_pairs_draw(&c.drawn, &config, PAIRS, LONGEST, 4);
    draw_links(&c);
    assert_ok(seq2seq_grads_new(&grads, &c.model.params, NULL));
    assert_ok(seq2seq_grads_new(&c.unread, &c.model.params, NULL));
    model_run_begin(&c.run, &c.model.params, c.drawn.pairs, PAIRS,
                    (ModelRunOptions){.backward = true});
    c.run.acts.guide_weight = (real)0.75;
    pass_forward_backward(&c.run.acts, &grads, &c.run.batch, &c.model.params, (real)0.1, 1);
    ck_assert(c.run.acts.guide_loss > 0);
    param_block_gradcheck(c.model.params.block, grads.block, grads.list, 12, recompute_drawn, &c);
    seq2seq_grads_free(&c.unread);
    seq2seq_grads_free(&grads);
    model_run_end(&c.run);
    small_model_free(&c.model);
}

TEST(gradients_of_every_scorer, .seconds = 60)
{
    for (size_t i = 0; attention_scorer_names[i]; i++) check_scorer(attention_scorer_names[i]);
}

TEST(shards_sum_to_the_batch)
{
    Guided guided;
    guided_open(&guided);
    ModelFixture *model = &guided.model;
    static const size_t shards[][2] = {{0, 3}, {0, 1}, {1, 2}}; // the whole, then in two
    double losses[3];
    real *blocks[3];
    for (size_t i = 0; i < 3; i++) {
        ModelRun run;
        Seq2SeqGrads grads;
        assert_ok(seq2seq_grads_new(&grads, &model->params, NULL));
        model_run_begin(&run, &model->params, model->pairs + shards[i][0], shards[i][1],
                        (ModelRunOptions){.backward = true});
        run_pass(&run, &guided, &grads, (real)0.1);
        losses[i] = run.acts.guide_loss;
        blocks[i] = grads.block;
        grads.block = NULL; // freed below
        seq2seq_grads_free(&grads);
        model_run_end(&run);
    }
    ck_assert_double_eq_tol(losses[0], losses[1] + losses[2], RTOL * losses[0]);
    for (size_t i = 0; i < model->grads.list->block_size; i++) blocks[1][i] += blocks[2][i];
    param_block_assert_scaled(blocks[1], model->grads.list, blocks[0], 1, RTOL, 10 * ATOL);
    for (size_t i = 0; i < 3; i++) memory_free(blocks[i]);
    model_fixture_close(model);
}

// Links may not change the words' loss, and a weight of 0 not the gradients, by a single bit.
TEST(weight_of_zero)
{
    Guided guided;
    guided_open(&guided);
    ModelFixture *model = &guided.model;
    guided.weight = 0;
    double losses[2];
    real *blocks[2];
    for (size_t i = 0; i < 2; i++) {
        ModelRun run;
        Seq2SeqGrads grads;
        assert_ok(seq2seq_grads_new(&grads, &model->params, NULL));
        for (size_t b = 0; i && b < model->count; b++) model->pairs[b].link_count = 0;
        model_run_begin(&run, &model->params, model->pairs, model->count,
                        (ModelRunOptions){.backward = true});
        losses[i] = run_pass(&run, &guided, &grads, 1);
        ck_assert(i ? run.acts.guide_loss == 0 : run.acts.guide_loss > 0);
        ck_assert(i ? !run.acts.decoder.dalpha : run.acts.decoder.dalpha != NULL);
        blocks[i] = grads.block;
        grads.block = NULL; // freed below
        seq2seq_grads_free(&grads);
        model_run_end(&run);
    }
    ck_assert(losses[0] == losses[1]);
    for (size_t i = 0; i < model->grads.list->block_size; i++)
        ck_assert_msg(blocks[0][i] == blocks[1][i], "gradient %zu", i); // -0 may have become 0
    memory_free(blocks[0]);
    memory_free(blocks[1]);
    model_fixture_close(model);
}

/* Energies hundreds apart: linked weights are 0, or far below the bound, and the gradient is finite
 * all the same. */
TEST(underflow)
{
    for (double factor = 10; factor < 1e6; factor *= 10) {
        Guided guided;
        ModelRun run;
        guided_open(&guided);
        ModelFixture *model = &guided.model;
        for (size_t a = 0; a < model->config.attention_size; a++)
            model->params.decoder.attention.v[a] *= (real)factor;
        guided.weight = 1000;
        model_run_begin(&run, &model->params, model->pairs, model->count,
                        (ModelRunOptions){.backward = true});
        ck_assert(isfinite(run_pass(&run, &guided, &model->grads, 1)));
        ck_assert(isfinite(run.acts.guide_loss));
        ck_assert_double_le(run.acts.guide_loss, -log(MIN_ALIGNMENT) * (double)model->tokens);
        for (size_t i = 0; i < model->grads.list->block_size; i++)
            ck_assert_msg(isfinite(model->grads.block[i]), "gradient %zu", i);
        model_run_end(&run);
        model_fixture_close(model);
    }
}
