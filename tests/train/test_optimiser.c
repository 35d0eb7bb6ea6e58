#include "train/optimiser.h"

#include "base/memory.h"
#include "support/assert_close.h"
#include "support/draw.h"
#include "support/model_fixture.h"
#include "support/param_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

#ifdef REGARD_DOUBLE
static const double RTOL = 1e-8;
#else
static const double RTOL = 1e-4;
#endif

// An optimiser and its threads, for blocks of `size` values.
typedef struct Subject {
    Threads *threads;
    Optimiser optimiser;
} Subject;

static Subject begin(size_t size, OptimiserConstants options, size_t threads)
{
    Subject subject;
    assert_ok(threads_new(&subject.threads, threads, NULL));
    assert_ok(optimiser_new(&subject.optimiser, size, &options, subject.threads, NULL, NULL));
    return subject;
}

static void end(Subject *subject)
{
    optimiser_free(&subject->optimiser);
    threads_free(subject->threads);
}

TEST(three_steps_by_hand)
{
    /* β₁ = 1/2, β₂ = 3/4, ε = 0, α = 0.1, from θ = 1:
     *     g =  2:  m = 1      v = 1        m̂ = 1/(1/2) = 2   v̂ = 1/(1/4) = 4    θ = 1 − 0.1·2/2 = 0.9
     *     g = −1:  m = 0      v = 1                                             θ = 0.9
     *     g =  2:  m = 1      v = 7/4      m̂ = 1/(7/8)       v̂ = (7/4)/(37/64)
     *              θ = 0.9 − 0.1·(8/7)/√(112/37) */
    const OptimiserConstants options = {.beta1 = 0.5, .beta2 = 0.75};
    Subject subject = begin(1, options, 1);
    real value = 1;
    const real gradients[] = {2, -1, 2};
    const double expected[] = {0.9, 0.9, 0.9 - 0.1 * (8.0 / 7) / sqrt(112.0 / 37)};
    for (size_t i = 0; i < 3; i++) {
        optimiser_step(&subject.optimiser, &value, &gradients[i], 2, 0.1);
        assert_close(&value, &expected[i], 1, 1e-6, 0, "value");
    }
    assert_close(subject.optimiser.first, (const double[]){1}, 1, 1e-6, 0, "m");
    assert_close(subject.optimiser.second, (const double[]){1.75}, 1, 1e-6, 0, "v");
    ck_assert_uint_eq(subject.optimiser.steps, 3);
    end(&subject);
}

TEST(adadelta_by_hand)
{
    /* ρ = 1/2, ε = 1, α = 1, from θ = 0:
     *     g =  2:  v = 2      Δ = √1/√3 · 2                 m = 2/3    θ = −2/√3
     *     g = −1:  v = 3/2    Δ = −√(5/3)/√(5/2) = −√(2/3)  m = 2/3    θ = −2/√3 + √(2/3) */
    Subject subject = begin(1, (OptimiserConstants){.beta2 = 0.5, .epsilon = 1, .clip_norm = 0}, 1);
    subject.optimiser.constants.adadelta = true;
    real value = 0;
    const real gradients[] = {2, -1};
    const double expected[] = {-2 / sqrt(3), -2 / sqrt(3) + sqrt(2.0 / 3)};
    for (size_t i = 0; i < 2; i++) {
        optimiser_step(&subject.optimiser, &value, &gradients[i], 2, 1);
        assert_close(&value, &expected[i], 1, 1e-6, 0, "value");
    }
    assert_close(subject.optimiser.first, (const double[]){2.0 / 3}, 1, 1e-6, 0, "m");
    assert_close(subject.optimiser.second, (const double[]){1.5}, 1, 1e-6, 0, "v");
    end(&subject);
}

TEST(clipping_by_hand)
{
    /* The norm of (3, 4) is 5. Clipped to 1 it is (0.6, 0.8), and m = (1 − β₁) g. Where the bound
     * is not reached, or 0, nothing changes. */
    const double bounds[] = {1, 6, 0};
    const double moments[][2] = {{0.3, 0.4}, {1.5, 2}, {1.5, 2}};
    for (size_t i = 0; i < 3; i++) {
        const OptimiserConstants options = {0.5, 0.75, 1e-9, bounds[i], false};
        Subject subject = begin(2, options, 1);
        real values[2] = {0}, gradients[] = {3, 4}, *blocks[] = {gradients}, *sum;
        double norm = optimiser_sum(&subject.optimiser, blocks, &sum);
        ck_assert_double_eq_tol(norm, 5, 1e-6);
        ck_assert_ptr_eq(sum, gradients);
        optimiser_step(&subject.optimiser, values, sum, norm, 0.1);
        assert_close(subject.optimiser.first, moments[i], 2, 1e-6, 0, "m");
        end(&subject);
    }
}

TEST(average_by_hand)
{
    /* The rates (η+1)/(t+η) with η = 8 are 1, 9/10, 9/11. One value whose gradient is always 1 goes
     * 0, −0.1, −0.2, −0.3 with α = 0.1 (m̂/√v̂ = 1): the average is −0.1, −0.19, and
     * −0.19 − 9/11 · 0.11 = −0.28. */
    const double expected[] = {-0.1, -0.19, -0.28};
    Subject subject = begin(1, (OptimiserConstants){0.5, 0.75, 0, 0, false}, 1);
    real value = 0, average = 0.5, gradient = 1;
    subject.optimiser.average = &average;
    for (size_t i = 0; i < 3; i++) {
        optimiser_step(&subject.optimiser, &value, &gradient, 1, 0.1);
        assert_close(&average, &expected[i], 1, 1e-6, 0, "average");
    }
    assert_close(&value, (const double[]){-0.3}, 1, 1e-6, 0, "value");
    end(&subject);
}

/* Ten steps on a fixture's batch, each loss and norm on the way, and in double every parameter
 * after them: in float Adam turns the rounding of a tiny gradient into a visible step. */
static void check_ten_steps(const char *name)
{
    ModelFixture model;
    ModelRun run;
    model_fixture_open(&model, name);
    model_run_begin(&run, &model.params, model.pairs, model.count,
                    (ModelRunOptions){.backward = true});
    const OptimiserConstants options = {
        .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .clip_norm = 1};
    Subject subject = begin(model.params.list.block_size, options, 1);
    size_t steps;
    const double *losses = fixture_reals(model.file, "adam.loss", &steps);
    const double *norms = fixture_reals(model.file, "adam.gradient_norm", NULL);
    ck_assert_uint_eq(steps, 10);
    for (size_t i = 0; i < steps; i++) {
        model_fixture_clear_grads(&model);
        double scale = 1 / (double)model.tokens;
        real loss =
            (real)(scale * pass_forward_backward(&run.acts, &model.grads, &run.batch, &model.params,
                                                 model.smoothing, (real)scale));
        assert_close(&loss, &losses[i], 1, RTOL, 0, "adam.loss");
        real *slice;
        double sum = optimiser_sum(&subject.optimiser, &model.grads.block, &slice);
        real norm = (real)sum;
        assert_close(&norm, &norms[i], 1, 10 * RTOL, 0, "adam.gradient_norm");
        optimiser_step(&subject.optimiser, model.params.block, slice, sum, 0.01);
    }
#ifdef REGARD_DOUBLE
    param_block_assert(model.params.block, &model.params.list, model.file, "after.", RTOL, 1e-8);
#endif
    end(&subject);
    model_run_end(&run);
    model_fixture_close(&model);
}

TEST(ten_steps_equal_pytorch)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_ten_steps(model_fixture_names[i]);
}

enum { LARGE = 20011 }; // several of the ranges that threads take, and a part of one

TEST(sums_shards)
{
    real *blocks[3], *slice, *sum = memory_new(LARGE, sizeof *sum);
    for (size_t i = 0; i < 3; i++) {
        blocks[i] = memory_new(LARGE, sizeof(real));
        draw_reals(blocks[i], LARGE, 1, i);
    }
    double squares = 0;
    for (size_t k = 0; k < LARGE; k++) {
        sum[k] = blocks[0][k] + blocks[1][k] + blocks[2][k]; // in this order
        squares += (double)sum[k] * (double)sum[k];
    }
    Subject subject = begin(LARGE, (OptimiserConstants){0.9, 0.98, 1e-9, 1, false}, 3);
    double norm = optimiser_sum(&subject.optimiser, blocks, &slice);
    ck_assert_double_eq_tol(norm, sqrt(squares), 1e-9 * norm);
    ck_assert_mem_eq(slice, sum, LARGE * sizeof *sum);
    end(&subject);
    for (size_t i = 0; i < 3; i++) memory_free(blocks[i]);
    memory_free(sum);
}

TEST(threads_change_nothing)
{
    const OptimiserConstants options = {0.9, 0.98, 1e-9, 1, false};
    real *gradients = memory_new(LARGE, sizeof *gradients), *values[3], *averages[3];
    for (size_t i = 0; i < 3; i++) { // 1, 2 and 3 threads
        Subject subject = begin(LARGE, options, i + 1);
        values[i] = memory_new(LARGE, sizeof(real));
        averages[i] = memory_new(LARGE, sizeof(real));
        subject.optimiser.average = averages[i];
        for (uint64_t step = 0; step < 3; step++) {
            draw_reals(gradients, LARGE, 1, step);
            optimiser_step(&subject.optimiser, values[i], gradients, 100, 0.01);
        }
        ck_assert_mem_eq(values[i], values[0], LARGE * sizeof(real));
        ck_assert_mem_eq(averages[i], averages[0], LARGE * sizeof(real));
        end(&subject);
    }
    for (size_t i = 0; i < 3; i++) {
        memory_free(values[i]);
        memory_free(averages[i]);
    }
    memory_free(gradients);
}

TEST(a_gradient_of_zero)
{
    Subject subject = begin(1, (OptimiserConstants){0.9, 0.98, 1e-9, 1, false}, 1);
    real value = 2, gradient = 0;
    optimiser_step(&subject.optimiser, &value, &gradient, 0, 0.01);
    ck_assert(value == 2);
    end(&subject);
}

TEST(what_is_not_finite_is_found)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const ModelConfig config = {13, 13, 4, 5, 6, 3, true, true, "additive", 1, false, false, false};
    Seq2SeqParams grads;
    real *sum;
    assert_ok(seq2seq_params_new(&grads, &config, NULL));
    Subject subject =
        begin(grads.list.block_size, (OptimiserConstants){0.9, 0.98, 1e-9, 1, false}, 1);
    ck_assert_ptr_null(optimiser_find_bad(&subject.optimiser, &grads.list, grads.block));
    for (size_t i = 0; i < 3; i++) {
        grads.decoder.attention.v[2] = (real)bad[i];
        ck_assert(!isfinite(optimiser_sum(&subject.optimiser, &grads.block, &sum)));
        ck_assert_str_eq(optimiser_find_bad(&subject.optimiser, &grads.list, sum), "attention.v");
    }
    grads.encoder.gru[GRU_FORWARDS].weight_ih.matrix.values[0] = NAN; // stands before
    ck_assert_str_eq(optimiser_find_bad(&subject.optimiser, &grads.list, grads.block),
                     "encoder.weight_ih_l0");
    end(&subject);
    seq2seq_params_free(&grads);
}

TEST(large_gradients_have_a_norm)
{
    // the square of 1e30 is no float
    Subject subject = begin(2, (OptimiserConstants){0.9, 0.98, 1e-9, 1, false}, 1);
    real gradients[] = {(real)3e30, (real)4e30}, *blocks[] = {gradients}, *sum;
    ck_assert_double_eq_tol(optimiser_sum(&subject.optimiser, blocks, &sum), 5e30, 1e24);
    end(&subject);
}

TEST(out_of_memory)
{
    Threads *threads;
    Optimiser optimiser;
    Error error = {0};
    const OptimiserConstants options = {0.9, 0.98, 1e-9, 1, false};
    assert_ok(threads_new(&threads, 1, NULL));
    ck_assert_int_eq(optimiser_new(&optimiser, SIZE_MAX / 2, &options, threads, NULL, &error),
                     STATUS_MEMORY);
    assert_contains(error.text, "Adam's moments");
    ck_assert_ptr_null(optimiser.first);
    optimiser_free(&optimiser); // of what was made before
    threads_free(threads);
}
