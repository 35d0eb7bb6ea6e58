#include "train/gradient.h"

#include "base/array.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

// What one thread works on, and with.
typedef struct Shard {
    Seq2SeqGrads grads;
    Arena batch_arena, arena;
    TokenPair *pairs; // (count), room for capacity
    size_t count, capacity;
    double loss, guide_loss;
    Status status;
    Error error;
    Phases *phases; // NULL: not measured
} Shard;

struct GradientTeam {
    Threads *threads;
    const ModelConfig *config;
    const Seq2SeqParams *params;
    Shard *shards; // (count)
    real **blocks; // (count)
    size_t count;
};

Status gradient_team_new(GradientTeam **out, Threads *threads, const ModelConfig *config,
                         const Seq2SeqParams *params, Error *error)
{
    size_t count = threads_count(threads);
    GradientTeam *team = memory_new(1, sizeof *team);
    if (!team) return error_memory(error, sizeof *team, "training");
    *team = (GradientTeam){.threads = threads, .config = config, .params = params};
    team->shards = memory_new(count, sizeof *team->shards);
    team->blocks = memory_new(count, sizeof *team->blocks);
    Status status =
        team->shards && team->blocks ? STATUS_OK : error_memory(error, count, "training");
    while (!status && team->count < count) {
        Shard *shard = &team->shards[team->count];
        status = seq2seq_grads_new(&shard->grads, params, config, error);
        if (!status) team->blocks[team->count++] = shard->grads.block;
    }
    if (status)
        gradient_team_free(team);
    else
        *out = team;
    return status;
}

void gradient_team_measure(GradientTeam *team, Phases *phases)
{
    for (size_t i = 0; i < team->count; i++) team->shards[i].phases = phases ? &phases[i] : NULL;
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
    memory_free(team);
}

real *const *gradient_team_blocks(const GradientTeam *team)
{
    return team->blocks;
}

size_t gradient_team_memory(const GradientTeam *team)
{
    size_t bytes = 0;
    for (size_t i = 0; i < team->count; i++)
        bytes += team->shards[i].batch_arena.high + team->shards[i].arena.high;
    return bytes;
}

static Status shard_add(Shard *shard, const TokenPair *pair, Error *error)
{
    Status status =
        array_reserve(&shard->pairs, &shard->capacity, shard->count + 1, "a shard", error);
    if (status) return status;
    shard->pairs[shard->count++] = *pair;
    return STATUS_OK;
}

/* Deals the pairs, which are in order of length, back and forth (0 1 1 0 0 1 …), so that shards
 * have nearly the same number of tokens and nearly the same lengths. */
static Status deal(GradientTeam *team, const GradientRequest *request, Error *error)
{
    assert(team->count > 0);
    for (size_t i = 0; i < team->count; i++) team->shards[i].count = 0;
    for (size_t i = 0; i < request->count; i++) {
        size_t turn = i % (2 * team->count);
        size_t to = turn < team->count ? turn : 2 * team->count - 1 - turn;
        Status status = shard_add(&team->shards[to], &request->pairs[i], error);
        if (status) return status;
    }
    return STATUS_OK;
}

typedef struct Work {
    GradientTeam *team;
    const GradientRequest *request;
    real scale; // 1 / the batch's target tokens
} Work;

static Status compute_shard(const Work *work, Shard *shard, Error *error)
{
    const GradientTeam *team = work->team;
    const GradientRequest *request = work->request;
    bool dropout = request->dropout.probability > 0;
    const PassNeeds needs = {
        .backward = true, .masks = dropout, .backend = weight_backend(team->params->output.weight)};
    Batch batch;
    PassActs acts;
    shard->loss = shard->guide_loss = 0;
    phases_enter(shard->phases, PHASE_REDUCTION);
    seq2seq_grads_begin(&shard->grads);
    if (shard->count == 0) {
        seq2seq_grads_end(&shard->grads);
        return STATUS_OK;
    }
    phases_enter(shard->phases, PHASE_BATCHING);
    Status status = batch_fill(&batch, &shard->batch_arena, shard->pairs, shard->count,
                               (BatchForm){true, 1}, error);
    if (!status) status = pass_begin(&acts, &shard->arena, &batch, team->config, needs, error);
    if (status) return status;
    phases_enter(shard->phases, PHASE_MASKS);
    if (dropout) pass_draw_masks(&acts, &batch, &request->dropout);
    acts.guide_weight = request->guide_weight;
    acts.phases = shard->phases;
    shard->loss = pass_forward_backward(&acts, &shard->grads, &batch, team->params,
                                        request->label_smoothing, work->scale);
    shard->guide_loss = acts.guide_loss;
    phases_enter(shard->phases, PHASE_REDUCTION);
    seq2seq_grads_end(&shard->grads);
    return STATUS_OK;
}

static void work_shard(void *context, size_t worker)
{
    Work *work = context;
    Shard *shard = &work->team->shards[worker];
    shard->status = compute_shard(work, shard, &shard->error);
    phases_enter(shard->phases, PHASE_WAITING);
}

static void fill_packed(void *context, size_t worker)
{
    const GradientTeam *team = context;
    Phases *phases = team->shards[worker].phases;
    phases_enter(phases, PHASE_PACKING);
    seq2seq_params_fill_packed(team->params, worker, team->count);
    phases_enter(phases, PHASE_WAITING);
}

Status gradient_team_run(GradientTeam *team, const GradientRequest *request, GradientResult *result,
                         Error *error)
{
    *result = (GradientResult){0};
    for (size_t i = 0; i < request->count; i++)
        result->target_tokens += request->pairs[i].target_length;
    Status status = deal(team, request, error);
    if (status) return status;
    Work work = {team, request, (real)(1 / result->target_tokens)};
    if (team->params->packed) threads_run(team->threads, fill_packed, team);
    threads_run(team->threads, work_shard, &work);
    for (size_t i = 0; i < team->count; i++) {
        result->loss += team->shards[i].loss;
        result->guide_loss += team->shards[i].guide_loss;
        if (!team->shards[i].status) continue;
        if (error) *error = team->shards[i].error;
        return team->shards[i].status;
    }
    return STATUS_OK;
}
