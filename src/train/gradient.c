#include "train/gradient.h"

#include "base/array.h"
#include "base/memory.h"
#include "linalg/backend/backend.h"

#include <assert.h>
#include <string.h>

// What one thread works on, and with.
typedef struct Shard {
    Seq2SeqGrads grads;
    Arena batch_arena, arena;
    TokenPair *pairs; // (count), room for capacity
    size_t count, capacity;
    double loss, guide_loss, divergence;
    Status status;
    Error error;
} Shard;

struct GradientTeam {
    Threads *threads;
    const Seq2SeqParams *params;
    Shard *shards; // (count)
    real **blocks; // (count)
    size_t count;
};

Status gradient_team_new(GradientTeam **out, Threads *threads, const Seq2SeqParams *params,
                         Error *error)
{
    size_t count = threads_count(threads);
    GradientTeam *team;
    TRY(array_new(&team, 1, "training", error));
    *team = (GradientTeam){.threads = threads, .params = params};
    Status status = array_new(&team->shards, count, "training", error);
    if (!status) status = array_new(&team->blocks, count, "training", error);
    while (!status && team->count < count) {
        Shard *shard = &team->shards[team->count];
        status = seq2seq_grads_new(&shard->grads, params, error);
        if (!status) team->blocks[team->count++] = shard->grads.block;
    }
    if (status)
        gradient_team_free(team);
    else
        *out = team;
    return status;
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

/* Deals the pairs, which are in order of length, back and forth (0 1 1 0 0 1 …), so that shards
 * have nearly the same number of tokens and nearly the same lengths. */
static Status deal(GradientTeam *team, const GradientRequest *request, Error *error)
{
    assert(team->count > 0);
    for (size_t i = 0; i < team->count; i++) team->shards[i].count = 0;
    for (size_t i = 0; i < request->count; i++) {
        size_t turn = i % (2 * team->count);
        size_t to = turn < team->count ? turn : 2 * team->count - 1 - turn;
        Shard *shard = &team->shards[to];
        TRY(array_reserve(&shard->pairs, &shard->capacity, shard->count + 2, "a shard", error));
        shard->pairs[shard->count++] = request->pairs[i];
        if (request->r_drop <= 0) continue;
        shard->pairs[shard->count] = request->pairs[i];
        shard->pairs[shard->count++].number += (uint32_t)request->count; // other masks
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
    const PassNeeds needs = {.backward = true, .masks = dropout};
    Batch batch;
    PassActs acts;
    shard->loss = shard->guide_loss = shard->divergence = 0;
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
    shard->loss = pass_forward_backward(&acts, &shard->grads, &batch, team->params,
                                        request->label_smoothing, work->scale);
    shard->guide_loss = acts.guide_loss;
    shard->divergence = acts.divergence;
    seq2seq_grads_end(&shard->grads);
    return STATUS_OK;
}

static void work_shard(void *context, size_t worker)
{
    Work *work = context;
    Shard *shard = &work->team->shards[worker];
    shard->status = compute_shard(work, shard, &shard->error);
}

Status gradient_team_run(GradientTeam *team, const GradientRequest *request, GradientResult *result,
                         Error *error)
{
    *result = (GradientResult){0};
    for (size_t i = 0; i < request->count; i++)
        result->target_tokens += request->pairs[i].target_length;
    TRY(deal(team, request, error));
    double times = request->r_drop > 0 ? 2 : 1;
    Work work = {team, request, (real)(1 / (times * result->target_tokens))};
    seq2seq_params_fill_all(team->params, team->threads);
    threads_run(team->threads, work_shard, &work);
    for (size_t i = 0; i < team->count; i++) {
        result->loss += team->shards[i].loss / times;
        result->guide_loss += team->shards[i].guide_loss / times;
        result->divergence += team->shards[i].divergence / times;
        if (!team->shards[i].status) continue;
        if (error) *error = team->shards[i].error;
        return team->shards[i].status;
    }
    return backends_check(error);
}
