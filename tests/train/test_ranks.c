#define _POSIX_C_SOURCE 200809L
#include "train/cluster/ranks.h"

#include "base/array.h"
#include "base/memory.h"
#include "support/rank_threads.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

TEST(alone)
{
    Ranks ranks;
    Error error;
    double value = 3;
    unsetenv("OMPI_COMM_WORLD_SIZE");
    assert_ok(ranks_start(&ranks, &error));
    ck_assert_uint_eq(ranks_count(&ranks), 1);
    ck_assert_uint_eq(ranks_rank(&ranks), 0);
    ck_assert_ptr_null(ranks.module);
    ck_assert_uint_eq(ranks_count(NULL), 1);
    ck_assert_uint_eq(ranks_rank(NULL), 0);
    ranks_sum(NULL, &value, 1);
    ck_assert_double_eq(ranks_max(NULL, value), 3);
    ck_assert_int_eq(ranks_agree(NULL, STATUS_MEMORY, &error), STATUS_MEMORY);
    assert_ok(ranks_compare(&ranks, 7, "", &error));
    ranks_exchange(NULL, NULL, 0);
    ranks_end(&ranks);
}

TEST(without_a_module)
{
    // a test lies beside no regard-mpi.so
    static const char *const variables[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                               {"PMI_SIZE", "PMI_RANK"},
                                               {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
    for (size_t i = 0; i < 3; i++) {
        Ranks ranks;
        Error error;
        setenv(variables[i][0], "4", 1);
        setenv(variables[i][1], "2", 1);
        ck_assert_int_eq(ranks_start(&ranks, &error), STATUS_ARGUMENT);
        assert_contains(error.text, "4 processes were started to train together");
        assert_contains(error.text, "regard-mpi.so is missing");
        ck_assert_uint_eq(ranks_rank(&ranks), 2);
        setenv(variables[i][0], "1", 1);
        assert_ok(ranks_start(&ranks, &error));
        ck_assert_uint_eq(ranks_count(&ranks), 1);
        ck_assert_uint_eq(ranks_rank(&ranks), 0);
        unsetenv(variables[i][0]);
        unsetenv(variables[i][1]);
    }
}

static void check_agreement(void *context, Ranks *ranks)
{
    Error error = {0};
    (void)context;
    assert_ok(ranks_agree(ranks, STATUS_OK, &error));
    ck_assert(!ranks->agreed);

    Status status = STATUS_OK; // two of three fail: the lowest is told
    if (ranks->rank > 0) status = error_set(&error, STATUS_IO, "rank's %zu", ranks->rank);
    ck_assert_int_eq(ranks_agree(ranks, status, &error), STATUS_IO);
    ck_assert_ptr_eq(strstr(error.text, "rank 1 ("), error.text);
    assert_contains(error.text, "): rank's 1");
    ck_assert(ranks->agreed);

    status = error_set(&error, STATUS_ARGUMENT, "wrong usage"); // all fail alike: nobody's fault
    ck_assert_int_eq(ranks_agree(ranks, status, &error), STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "wrong usage");
    ck_assert_int_eq(ranks_agree(ranks, STATUS_FULL, NULL), STATUS_FULL);
}

static void check_comparison(void *context, Ranks *ranks)
{
    Error error;
    (void)context;
    assert_ok(ranks_compare(ranks, 5, "is other", &error));
    uint64_t number = ranks->rank == 2 ? (uint64_t)1 << 63 : 0;
    ck_assert_int_eq(ranks_compare(ranks, number, "is other", &error), STATUS_ARGUMENT);
    ck_assert_ptr_eq(strstr(error.text, "rank 2 ("), error.text);
    assert_contains(error.text, "): is other");
    assert_ok(ranks_compare_programs(ranks, &error));
}

static void check_numbers(void *context, Ranks *ranks)
{
    (void)context;
    double values[] = {ranks->rank == 1 ? 0.1 : 0, (double)ranks->rank};
    ranks_sum(ranks, values, 2);
    ck_assert(values[0] == 0.1);
    ck_assert(values[1] == 3);
    ck_assert(ranks_max(ranks, -(double)ranks->rank) == 0);
    ck_assert(ranks_max(ranks, (double)ranks->rank) == 2);

    char sent[8] = "message", received[8] = "";
    const RankMessage messages[] = {{(ranks->rank + 1) % 3, false, sent, sizeof sent},
                                    {(ranks->rank + 2) % 3, true, received, sizeof received}};
    ranks_exchange(ranks, messages, 2);
    ck_assert_str_eq(received, "message");
    ck_assert_uint_eq(ranks->sent, 8);

    uint32_t shared = ranks->rank ? 0 : 7;
    ranks_broadcast(ranks, &shared, sizeof shared);
    ck_assert_uint_eq(shared, 7);
    LoopShare share = ranks_share(ranks);
    ck_assert(share.part == ranks->rank && share.parts == 3);
}

TEST(agreement)
{
    rank_threads_run(3, check_agreement, NULL);
}

TEST(comparison)
{
    rank_threads_run(3, check_comparison, NULL);
}

TEST(numbers)
{
    rank_threads_run(3, check_numbers, NULL);
}
