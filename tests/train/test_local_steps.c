#include "train/local_steps.h"

#include "base/memory.h"
#include "support/draw.h"
#include "support/rank_threads.h"
#include "support/suite.h"

#include <string.h>

enum { SIZE = 3 * SLICE_GRAIN + 17, RANKS = 3, STEPS = 4 };
static const AdamOptions adam = {0.9, 0.98, 1e-9, 1};

// What a rank has after some steps by itself.
typedef struct State {
    Optimiser optimiser;
    Threads *threads;
    real *values, *average, *gradient; // (SIZE)
} State;

static void state_new(State *state, bool defers)
{
    *state = (State){.values = memory_new(SIZE, sizeof(real)),
                     .average = memory_new(SIZE, sizeof(real)),
                     .gradient = memory_new(SIZE, sizeof(real))};
    ck_assert_int_eq(threads_new(&state->threads, 2, NULL), STATUS_OK);
    ck_assert_int_eq(
        optimiser_new(&state->optimiser, SIZE, &adam, GRADIENT_FLOAT32, state->threads, NULL, NULL),
        STATUS_OK);
    state->optimiser.average = state->average;
    state->optimiser.defers = defers;
}

static void state_free(State *state)
{
    optimiser_free(&state->optimiser);
    threads_free(state->threads);
    memory_free(state->values);
    memory_free(state->average);
    memory_free(state->gradient);
}

static void step(State *state, size_t rank, size_t number)
{
    real *slice;
    draw_reals(state->gradient, SIZE, 1, 10 * number + rank);
    double norm = optimiser_sum(&state->optimiser, &state->gradient, 1, &slice);
    optimiser_step(&state->optimiser, state->values, slice, norm, 0.1);
}

static void expect_mean(const real *mean, const real *const parts[RANKS])
{
    for (size_t i = 0; i < SIZE; i++)
        ck_assert(mean[i] == (parts[0][i] + parts[1][i] + parts[2][i]) / (real)RANKS);
}

static void learn_as_rank(void *context, Ranks *ranks)
{
    const State *alone = context; // (RANKS)
    State state;
    LocalSteps local;
    state_new(&state, true);
    ck_assert_int_eq(local_steps_new(&local, SIZE, ranks, NULL), STATUS_OK);
    for (size_t n = 0; n < STEPS; n++) step(&state, ranks->rank, n);
    ck_assert_mem_eq(state.values, alone[ranks->rank].values, SIZE * sizeof(real));
    ck_assert_uint_eq(ranks->sent, 0);
    ck_assert(state.average[0] == 0); // as it was

    local_steps_synchronise(&local, &state.optimiser, state.values);
    expect_mean(state.values, (const real *[]){alone[0].values, alone[1].values, alone[2].values});
    expect_mean(state.optimiser.first,
                (const real *[]){alone[0].optimiser.first, alone[1].optimiser.first,
                                 alone[2].optimiser.first});
    expect_mean(state.optimiser.second,
                (const real *[]){alone[0].optimiser.second, alone[1].optimiser.second,
                                 alone[2].optimiser.second});
    // the first nine updates are all that counts so far
    for (size_t i = 0; i < SIZE; i++) ck_assert(state.average[i] == state.values[i]);
    local_steps_free(&local);
    state_free(&state);
}

START_TEST(test_ranks_are_averaged)
{
    State alone[RANKS];
    for (size_t rank = 0; rank < RANKS; rank++) {
        state_new(&alone[rank], false);
        for (size_t n = 0; n < STEPS; n++) step(&alone[rank], rank, n);
    }
    rank_threads_run(RANKS, learn_as_rank, alone);
    for (size_t rank = 0; rank < RANKS; rank++) state_free(&alone[rank]);
}
END_TEST

// Parameters that stay the same weigh as much as if they had been averaged at each update.
START_TEST(test_the_average_has_the_weight_of_all_steps)
{
    State each, last;
    state_new(&each, false);
    state_new(&last, true);
    for (size_t i = 0; i < SIZE; i++) each.average[i] = last.average[i] = 1;
    each.optimiser.steps = last.optimiser.steps = last.optimiser.averaged = 100;
    for (size_t n = 0; n < 6; n++) { // of no gradient: the parameters stay 0
        optimiser_step(&each.optimiser, each.values, each.gradient, 0, 0.1);
        optimiser_step(&last.optimiser, last.values, last.gradient, 0, 0.1);
        if (n % 3 == 2) optimiser_average(&last.optimiser, last.values);
    }
    for (size_t i = 0; i < SIZE; i++) {
        ck_assert(each.average[i] < (real)0.7);
        ck_assert_double_eq_tol(last.average[i], each.average[i], 1e-6);
    }
    state_free(&each);
    state_free(&last);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local steps");
    suite_add(suite, "ranks are averaged", test_ranks_are_averaged);
    suite_add(suite, "the average has the weight of all steps",
              test_the_average_has_the_weight_of_all_steps);
    return suite_run(suite);
}
