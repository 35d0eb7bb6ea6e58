#include "train/gradient.h"

#include "base/array.h"
#include "base/parallel.h"

// What is summed over the target tokens of a shard.
enum { LOSS, GUIDE_LOSS, DIVERGENCE, SUMS };

// What a thread works on, and with.
typedef struct Shard {
    Seq2SeqGrads grads;
    Arena batch_arena, arena;
    TokenPair *pairs; // (count), room for capacity
    size_t count, capacity;
    double sums[SUMS];
} Shard;

struct GradientTeam {
    Threads *threads;
    Ranks *ranks;
    const Seq2SeqParams *params;
    Shard *shards;         // (count)
    real **blocks;         // (count)
    size_t count;          // the threads of this rank
    size_t first, workers; // the number of its first worker; of all ranks' workers
    double *sums;          // (workers · SUMS + 1) of all, and how many ranks failed
};

Status gradient_team_new(GradientTeam **out, Threads *threads, Ranks *ranks,
                         const Seq2SeqParams *params, Error *error)
{
    size_t count = threads_count(threads);
    FREED_BY(gradient_team_free_at) GradientTeam *team = NULL;
    TRY(array_new(&team, 1, "training", error));
    *team = (GradientTeam){.threads = threads,
                           .ranks = ranks,
                           .params = params,
                           .first = ranks_rank(ranks) * count,
                           .workers = ranks_count(ranks) * count};
    TRY(array_new(&team->shards, count, "training", error));
    TRY(array_new(&team->blocks, count, "training", error));
    TRY(array_new(&team->sums, team->workers * SUMS + 1, "training", error));
    while (team->count < count) {
        Shard *shard = &team->shards[team->count++];
        TRY(seq2seq_grads_new(&shard->grads, params, error));
        team->blocks[team->count - 1] = shard->grads.block;
    }
    *out = memory_take(&team);
    return STATUS_OK;
}

void gradient_team_rest(GradientTeam *team)
{
    for (size_t i = 0; i < team->count; i++) {
        arena_free(&team->shards[i].batch_arena);
        arena_free(&team->shards[i].arena);
    }
}

void gradient_team_free(GradientTeam *team)
{
    if (!team) return;
    gradient_team_rest(team);
    for (size_t i = 0; i < team->count; i++) {
        Shard *shard = &team->shards[i];
        seq2seq_grads_free(&shard->grads);
        memory_free(shard->pairs);
    }
    memory_free(team->shards);
    memory_free(team->blocks);
    memory_free(team->sums);
    memory_free(team);
}

real *const *gradient_team_blocks(const GradientTeam *team)
{
    return team->blocks;
}

/* Deals the pairs, which are in order of length, to all workers back and forth (0 1 1 0 0 1 …), so
 * that shards have nearly the same number of tokens and nearly the same lengths. */
static Status deal(GradientTeam *team, const GradientRequest *request, Error *error)
{
    assert(team->count > 0);
    for (size_t i = 0; i < team->count; i++) team->shards[i].count = 0;
    for (size_t i = 0; i < request->count; i++) {
        size_t turn = i % (2 * team->workers);
        size_t to = turn < team->workers ? turn : 2 * team->workers - 1 - turn;
        if (to < team->first || to >= team->first + team->count) continue; // another rank's
        Shard *shard = &team->shards[to - team->first];
        TRY(array_reserve(&shard->pairs, &shard->capacity, shard->count + 2, "a shard", error));
        shard->pairs[shard->count++] = request->pairs[i];
        if (request->r_drop <= 0) continue;
        shard->pairs[shard->count] = request->pairs[i];
        shard->pairs[shard->count++].number += (uint32_t)request->count; // other masks
    }
    return STATUS_OK;
}

typedef struct GradientRun {
    GradientTeam *team;
    const GradientRequest *request;
    real scale; // 1 / the batch's target tokens
} GradientRun;

static Status compute_shard(void *context, size_t worker, size_t item, Error *error)
{
    const GradientRun *run = context;
    const GradientTeam *team = run->team;
    const GradientRequest *request = run->request;
    Shard *shard = &team->shards[item];
    (void)worker;
    bool dropout = request->dropout.probability > 0;
    const PassNeeds needs = {.backward = true, .masks = dropout};
    Batch batch;
    PassActs acts;
    memset(shard->sums, 0, sizeof shard->sums);
    seq2seq_grads_begin(&shard->grads);
    if (shard->count == 0) {
        seq2seq_grads_end(&shard->grads);
        return STATUS_OK;
    }
    TRY(batch_fill(&batch, &shard->batch_arena, shard->pairs, shard->count, (BatchForm){true, 1},
                   error));
    TRY(pass_begin(&acts, &shard->arena, &batch, team->params, needs, error));
    if (dropout) pass_draw_masks(&acts, &batch, &request->dropout);
    acts.guide_weight = request->guide_weight;
    acts.r_drop = request->r_drop;
    shard->sums[LOSS] = pass_forward_backward(&acts, &shard->grads, &batch, team->params,
                                              request->label_smoothing, run->scale);
    shard->sums[GUIDE_LOSS] = acts.guide_loss;
    shard->sums[DIVERGENCE] = acts.divergence;
    seq2seq_grads_end(&shard->grads);
    return STATUS_OK;
}

// This rank's part of the batch.
static Status run_shards(GradientTeam *team, GradientRun *run, Error *error)
{
    TRY(deal(team, run->request, error));
    seq2seq_params_fill_all(team->params, team->threads);
    TRY(parallel_for(team->threads, team->count, compute_shard, run, error));
    return backends_check(error);
}

/* Brings all workers' sums together, which are then added in the order of workers, whatever the
 * rank. */
static Status gather_sums(GradientTeam *team, Status status, Error *error)
{
    size_t count = team->workers * SUMS + 1;
    memset(team->sums, 0, count * sizeof *team->sums);
    for (size_t i = 0; i < team->count && !status; i++)
        memcpy(team->sums + (team->first + i) * SUMS, team->shards[i].sums,
               sizeof team->shards[i].sums);
    team->sums[count - 1] = status != STATUS_OK;
    ranks_sum(team->ranks, team->sums, count);
    return team->sums[count - 1] > 0 ? ranks_agree(team->ranks, status, error) : STATUS_OK;
}

Status gradient_team_run(GradientTeam *team, const GradientRequest *request, GradientResult *result,
                         Error *error)
{
    *result = (GradientResult){0};
    for (size_t i = 0; i < request->count; i++)
        result->target_tokens += request->pairs[i].target_length;
    double times = request->r_drop > 0 ? 2 : 1;
    GradientRun run = {team, request, (real)(1 / (times * result->target_tokens))};
    Status status = run_shards(team, &run, error);
    TRY(gather_sums(team, status, error));
    for (size_t i = 0; i < team->workers; i++) {
        const double *sums = team->sums + i * SUMS;
        result->loss += sums[LOSS] / times;
        result->guide_loss += sums[GUIDE_LOSS] / times;
        result->divergence += sums[DIVERGENCE] / times;
    }
    return STATUS_OK;
}
